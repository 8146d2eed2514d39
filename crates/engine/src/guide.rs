//! Guides: named lists of guidance parts, as `--guide` takes them.
//!
//! One table feeds the parser, the help, the docs and the tests. Today every part fills the slot "which of k candidates";
//! parts of other slots join the table with the targets that need them.

use crate::frames::FrameSpace;
use crate::observation::Needs;
use crate::selection::{self, Selector};
use crate::similar;
use thiserror::Error;

/// What a part decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Which of k candidates becomes the next test.
    Candidate,
}

/// A part of guidance.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// What it decides.
    pub slot: Slot,
    /// One line for people.
    pub summary: &'static str,
    /// What it wants observations to carry.
    pub needs: Needs,
}

const NOTHING: Needs = Needs {
    hits: false,
    distances: false,
    sides: false,
    rows: false,
    trace: false,
    results: false,
};

/// Names for lists of parts.
pub const PRESETS: &[(&str, &[&str])] = &[("auto", &["art-pairs"])];

/// All parts, in the order of the manual.
pub fn parts() -> Vec<Part> {
    let part = |method: &selection::Method| Part {
        name: method.name,
        slot: Slot::Candidate,
        summary: method.summary,
        needs: NOTHING,
    };
    selection::METHODS.iter().map(part).collect()
}

/// A guide: the parts that decide which test runs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// As the user wrote it.
    pub name: String,
    candidate: &'static str,
}

/// A guide that cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuideError {
    /// There is no such part.
    #[error("there is no guidance part `{name}`")]
    Unknown {
        /// The name.
        name: String,
        /// The most similar one.
        nearest: Option<&'static str>,
    },
    /// Two parts decide the same thing.
    #[error("`{0}` and `{1}` both choose among candidates")]
    Clash(&'static str, &'static str),
}

impl Guide {
    /// Reads a comma-separated list of parts and presets. Without a part that chooses among candidates the first is taken.
    pub fn parse(text: &str) -> Result<Guide, GuideError> {
        let mut candidate = None;
        for name in text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let preset = PRESETS.iter().find(|(preset, _)| *preset == name);
            let single = [name];
            for name in preset.map_or(&single[..], |(_, names)| names) {
                let part = parts().into_iter().find(|part| part.name == *name);
                let part = part.ok_or_else(|| unknown(name))?;
                match candidate {
                    Some(other) if other != part.name => {
                        return Err(GuideError::Clash(other, part.name));
                    }
                    _ => candidate = Some(part.name),
                }
            }
        }
        Ok(Guide {
            name: text.to_owned(),
            candidate: candidate.unwrap_or("random"),
        })
    }

    /// The selector of this guide, for `k` candidates (methods that need only one take one).
    pub fn selector(&self, space: &FrameSpace, k: usize) -> Box<dyn Selector> {
        selection::by_name(self.candidate, space, k)
            .expect("the parser took the name from the same table")
    }

    /// What observations must carry for this guide.
    pub fn needs(&self) -> Needs {
        let used = parts()
            .into_iter()
            .filter(|part| part.name == self.candidate);
        used.fold(NOTHING, |needs, part| needs.or(part.needs))
    }
}

fn unknown(name: &str) -> GuideError {
    let parts = parts().into_iter().map(|part| part.name);
    let nearest = similar::nearest(name, parts.chain(PRESETS.iter().map(|(preset, _)| *preset)));
    GuideError::Unknown {
        name: name.to_owned(),
        nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_and_preset_parses() {
        for part in parts() {
            assert!(Guide::parse(part.name).is_ok(), "{}", part.name);
        }
        for (preset, _) in PRESETS {
            assert!(Guide::parse(preset).is_ok(), "{preset}");
        }
    }

    #[test]
    fn a_misspelt_part_gets_a_hint() {
        let error = Guide::parse("artsum").unwrap_err();
        assert_eq!(
            error,
            GuideError::Unknown {
                name: "artsum".to_owned(),
                nearest: Some("art-sum")
            }
        );
    }

    #[test]
    fn two_ways_to_choose_clash() {
        assert_eq!(
            Guide::parse("art-sum,fscs").unwrap_err(),
            GuideError::Clash("art-sum", "fscs")
        );
    }
}
