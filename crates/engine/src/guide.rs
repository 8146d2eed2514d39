//! Guides: named lists of guidance parts, as `--guide` takes them.
//!
//! One table feeds the parser, the help, the docs and the tests. Every part fills one slot; a slot that no part of a guide
//! fills has its baseline. So the preset `random` is the empty list on every kind of subject.
//!
//! A list is read from left to right: `grt,loc` adds, `-detective` takes away again, and `grt-detective` is short for
//! `grt,-detective`.

use crate::calls;
use crate::frames::FrameSpace;
use crate::observation::Needs;
use crate::selection::{self, Selector};
use crate::similar;
use thiserror::Error;

/// What a part decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Which operation is tested next. Several parts multiply their weights.
    Operation,
    /// Which operations are allowed in a test.
    Allowed,
    /// Which inputs an operation is given.
    Inputs,
    /// Where a test comes from.
    Origin,
    /// Which of k candidates becomes the next test.
    Candidate,
    /// Which of several guides the next test is for.
    Mix,
}

impl Slot {
    /// All slots, in the order of the manual.
    pub const ALL: [Slot; 6] = [
        Slot::Operation,
        Slot::Allowed,
        Slot::Inputs,
        Slot::Origin,
        Slot::Candidate,
        Slot::Mix,
    ];

    /// The slot's name.
    pub fn name(self) -> &'static str {
        match self {
            Slot::Operation => "operation",
            Slot::Allowed => "allowed",
            Slot::Inputs => "inputs",
            Slot::Origin => "origin",
            Slot::Candidate => "candidate",
            Slot::Mix => "mix",
        }
    }

    /// The question that it answers, and what is done where no part answers it.
    pub fn summary(self) -> &'static str {
        match self {
            Slot::Operation => "which operation is tested next; by default any, equally often",
            Slot::Allowed => "which operations a test may use; by default all",
            Slot::Inputs => "which inputs an operation is given; by default any that fit",
            Slot::Origin => "where a test comes from; by default drawn anew or by extension",
            Slot::Candidate => "which of k candidates becomes the next test; by default the first",
            Slot::Mix => "which of several guides the next test is for; by default there is one",
        }
    }

    /// Whether only one part of a guide can fill it.
    fn exclusive(self) -> bool {
        matches!(self, Slot::Origin | Slot::Candidate | Slot::Mix)
    }
}

/// What the tests of a subject are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// One step, described by categories: command-line programs.
    Frames,
    /// Sequences of calls: classes and modules.
    Calls,
    /// Lists of actions on pools: harnesses.
    Actions,
}

impl TestKind {
    /// All kinds.
    pub const ALL: [TestKind; 3] = [TestKind::Frames, TestKind::Calls, TestKind::Actions];

    /// How the kind is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            TestKind::Frames => "subjects described by categories",
            TestKind::Calls => "subjects that are called",
            TestKind::Actions => "harnesses",
        }
    }
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
    /// Where it makes sense.
    pub fits: &'static [TestKind],
}

/// A name for a list of parts.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parts on subjects described by categories, if it makes sense there.
    pub frames: Option<&'static [&'static str]>,
    /// Its parts on subjects that are called, if it makes sense there.
    pub calls: Option<&'static [&'static str]>,
    /// Its parts on harnesses, if it makes sense there.
    pub actions: Option<&'static [&'static str]>,
}

impl Preset {
    /// Its parts on a kind of subject; none where it makes no sense.
    pub fn parts(&self, kind: TestKind) -> Option<&'static [&'static str]> {
        match kind {
            TestKind::Frames => self.frames,
            TestKind::Calls => self.calls,
            TestKind::Actions => self.actions,
        }
    }
}

const NOTHING: Needs = Needs {
    hits: false,
    distances: false,
    sides: false,
    rows: false,
    trace: false,
    results: false,
};

/// The selection method that takes the first candidate: the baseline of its slot, not a part.
const FIRST: &str = "random";

/// Names for lists of parts.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "random",
        summary: "no guidance: the baseline of every comparison",
        frames: Some(&[]),
        calls: Some(&[]),
        actions: Some(&[]),
    },
    Preset {
        name: "auto",
        summary: "what is best as far as we measured",
        frames: Some(&["art-pairs"]),
        calls: Some(GRT),
        actions: Some(&["bandit"]),
    },
    Preset {
        name: "grt",
        summary: "guided by analysis of the subject: the six parts of Ma et al., ASE 2015",
        frames: None,
        calls: Some(GRT),
        actions: None,
    },
];

const GRT: &[&str] = &[
    "constants",
    "impurity",
    "elephant",
    "detective",
    "orienteering",
    "bloodhound",
];

/// All parts, in the order of the manual.
pub fn parts() -> Vec<Part> {
    let part = |method: &selection::Method| Part {
        name: method.name,
        slot: Slot::Candidate,
        summary: method.summary,
        needs: NOTHING,
        fits: &[TestKind::Frames],
    };
    let methods = selection::METHODS
        .iter()
        .filter(|method| method.name != FIRST);
    let methods = methods.map(part).chain(ACTION_PARTS);
    methods.chain(calls::guidance()).collect()
}

/// What the parts that learn from coverage need.
const COVERED: Needs = Needs {
    hits: true,
    ..NOTHING
};

/// The parts for harnesses; see the files of `actions`.
const ACTION_PARTS: [Part; 5] = [
    Part {
        name: "loc",
        slot: Slot::Operation,
        summary: "what has more source lines more often; of harnesses, after a sampling phase",
        needs: NOTHING,
        fits: &[TestKind::Actions, TestKind::Calls],
    },
    Part {
        name: "swarm",
        slot: Slot::Allowed,
        summary: "a random half of the action classes per test, with what they depend on",
        needs: NOTHING,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "ga",
        slot: Slot::Origin,
        summary: "mutate, cross and extend tests with rare coverage; a fifth of the tests is new",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "ensemble",
        slot: Slot::Mix,
        summary: "tests in turn by loc, by ga, by ga,loc and by swarm,loc",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
    Part {
        name: "bandit",
        slot: Slot::Mix,
        summary: "more tests for the one of several guides that gains most at present",
        needs: COVERED,
        fits: &[TestKind::Actions],
    },
];

/// A guide: the parts that decide which test runs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// As the user wrote it.
    pub name: String,
    kind: TestKind,
    parts: Vec<&'static str>,
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
    /// Two parts decide what only one can.
    #[error("`{first}` and `{second}` both decide {}", slot.summary().split(';').next().unwrap_or_default())]
    Clash {
        /// A part.
        first: &'static str,
        /// Another part.
        second: &'static str,
        /// What both decide.
        slot: Slot,
    },
    /// A part is taken away that is not there.
    #[error("the guide has no part `{name}` that could be taken away")]
    Absent {
        /// The part.
        name: &'static str,
    },
    /// A part makes no sense on this subject.
    #[error("`{name}` does not work on {}", kind.name())]
    Unfit {
        /// The part.
        name: &'static str,
        /// The kind of the subject.
        kind: TestKind,
    },
}

impl GuideError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            GuideError::Unknown {
                nearest: Some(nearest),
                ..
            } => format!("did you mean `{nearest}`?"),
            GuideError::Unknown { .. } => {
                "`testhound generate x --guide help` lists them".to_owned()
            }
            GuideError::Clash { .. } => "name one of them".to_owned(),
            GuideError::Absent { .. } => "take away what a preset before it has".to_owned(),
            GuideError::Unfit { kind, .. } => {
                let fitting = parts().into_iter().filter(|part| part.fits.contains(kind));
                let parts = fitting.map(|part| part.name);
                let presets = PRESETS.iter().filter(|one| one.parts(*kind).is_some());
                let names: Vec<&str> = presets.map(|one| one.name).chain(parts).collect();
                format!("these do: `{}`", names.join("`, `"))
            }
        }
    }
}

impl Guide {
    /// Reads a comma-separated list of parts and presets for a kind of subject. Slots that no part fills have their
    /// baseline.
    pub fn parse(text: &str, kind: TestKind) -> Result<Guide, GuideError> {
        let mut guide = Guide {
            name: text.to_owned(),
            kind,
            parts: Vec::new(),
        };
        let names = text.split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            match name.strip_prefix('-') {
                Some(part) => guide.remove(part)?,
                None => guide.read(name)?,
            }
        }
        Ok(guide)
    }

    /// Adds a part, a preset, or a preset without some parts.
    fn read(&mut self, name: &str) -> Result<(), GuideError> {
        if let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
            return self.add_preset(preset);
        }
        let less = |preset: &&Preset| {
            let rest = name.strip_prefix(preset.name);
            rest.is_some_and(|rest| rest.starts_with('-'))
        };
        match PRESETS.iter().find(less) {
            Some(preset) => {
                self.add_preset(preset)?;
                self.remove_all(&name[preset.name.len() + 1..])
            }
            None => self.add(name),
        }
    }

    fn add_preset(&mut self, preset: &Preset) -> Result<(), GuideError> {
        let (name, kind) = (preset.name, self.kind);
        let parts = preset.parts(kind);
        for name in parts.ok_or(GuideError::Unfit { name, kind })? {
            self.add(name)?;
        }
        Ok(())
    }

    /// Takes parts away whose names are joined by `-`, which may be in a name, too.
    fn remove_all(&mut self, joined: &str) -> Result<(), GuideError> {
        let ends = joined.match_indices('-').map(|(at, _)| at);
        let known = |end: &usize| parts().iter().any(|part| part.name == &joined[..*end]);
        match ends.chain([joined.len()]).rfind(known) {
            None => Err(unknown(joined)),
            Some(end) => {
                self.remove(&joined[..end])?;
                match joined[end..].strip_prefix('-') {
                    Some(rest) => self.remove_all(rest),
                    None => Ok(()),
                }
            }
        }
    }

    fn remove(&mut self, name: &str) -> Result<(), GuideError> {
        let all = parts();
        let part = all.iter().find(|part| part.name == name);
        let name = part.ok_or_else(|| unknown(name))?.name;
        let place = self.parts.iter().position(|own| *own == name);
        self.parts.remove(place.ok_or(GuideError::Absent { name })?);
        Ok(())
    }

    fn add(&mut self, name: &str) -> Result<(), GuideError> {
        let all = parts();
        let part = all.iter().find(|part| part.name == name);
        let part = part.ok_or_else(|| unknown(name))?;
        if !part.fits.contains(&self.kind) {
            return Err(GuideError::Unfit {
                name: part.name,
                kind: self.kind,
            });
        }
        if self.parts.contains(&part.name) {
            return Ok(());
        }
        let rival = all.iter().find(|other| {
            let same = part.slot.exclusive() && other.slot == part.slot;
            same && self.parts.contains(&other.name)
        });
        if let Some(rival) = rival {
            return Err(GuideError::Clash {
                first: rival.name,
                second: part.name,
                slot: part.slot,
            });
        }
        self.parts.push(part.name);
        Ok(())
    }

    /// Its parts in the order they were named.
    pub fn parts(&self) -> &[&'static str] {
        &self.parts
    }

    /// The selector of this guide, for `k` candidates (methods that need only one take one).
    pub fn selector(&self, space: &FrameSpace, k: usize) -> Box<dyn Selector> {
        let method = |name: &&&str| selection::METHODS.iter().any(|one| one.name == **name);
        let name = self.parts.iter().find(method).copied().unwrap_or(FIRST);
        selection::by_name(name, space, k).expect("the parser took the name from the same table")
    }

    /// What observations must carry for this guide. Call sequences are always built from what earlier ones gave.
    pub fn needs(&self) -> Needs {
        let baseline = Needs {
            results: self.kind == TestKind::Calls,
            ..NOTHING
        };
        let all = parts();
        let used = all.iter().filter(|part| self.parts.contains(&part.name));
        used.fold(baseline, |needs, part| needs.or(part.needs))
    }
}

/// All parts and presets, for people.
pub fn help() -> String {
    let mut text = String::new();
    for slot in Slot::ALL {
        let parts: Vec<Part> = parts().into_iter().filter(|one| one.slot == slot).collect();
        if parts.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "parts for `{}` ({}):\n",
            slot.name(),
            slot.summary()
        ));
        for part in parts {
            text.push_str(&format!("  {:<15} {}\n", part.name, part.summary));
        }
    }
    text.push_str("presets:\n");
    for preset in PRESETS {
        text.push_str(&format!("  {:<15} {}\n", preset.name, preset.summary));
        for kind in TestKind::ALL {
            let parts = match preset.parts(kind) {
                None => continue,
                Some([]) => "no parts".to_owned(),
                Some(parts) => parts.join(","),
            };
            text.push_str(&format!("  {:<15} {parts} on {}\n", "", kind.name()));
        }
    }
    text
}

fn unknown(name: &str) -> GuideError {
    let presets = PRESETS.iter().map(|preset| preset.name);
    let nearest = similar::nearest(name, parts().iter().map(|part| part.name).chain(presets));
    GuideError::Unknown {
        name: name.to_owned(),
        nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_parses_where_it_fits_and_is_refused_elsewhere() {
        for part in parts() {
            for kind in TestKind::ALL {
                let parsed = Guide::parse(part.name, kind);
                if part.fits.contains(&kind) {
                    assert_eq!(parsed.unwrap().parts(), [part.name]);
                    continue;
                }
                let error = parsed.unwrap_err();
                let name = part.name;
                assert_eq!(error, GuideError::Unfit { name, kind });
                assert!(error.hint().contains("`random`"), "{}", error.hint());
            }
        }
    }

    #[test]
    fn every_preset_parses_where_it_makes_sense() {
        for preset in PRESETS {
            for kind in TestKind::ALL {
                let (name, parsed) = (preset.name, Guide::parse(preset.name, kind));
                let Some(parts) = preset.parts(kind) else {
                    assert_eq!(parsed, Err(GuideError::Unfit { name, kind }));
                    continue;
                };
                let guide = parsed.unwrap();
                assert_eq!(guide.parts(), parts, "{name}");
                let selector = guide.selector(&FrameSpace::uniform(&[2, 2]), 10);
                assert!(selector.candidates() > 0);
            }
        }
    }

    #[test]
    fn the_help_names_every_part_and_preset() {
        let help = help();
        let presets = PRESETS.iter().map(|preset| preset.name);
        for name in parts().iter().map(|part| part.name).chain(presets) {
            assert!(help.contains(&format!("\n  {name} ")), "{name}");
        }
    }

    #[test]
    fn random_takes_the_first_candidate_and_needs_results_of_calls_only() {
        let space = FrameSpace::uniform(&[2, 2]);
        let frames = Guide::parse("random", TestKind::Frames).unwrap();
        assert_eq!(frames.selector(&space, 10).candidates(), 1);
        assert_eq!(frames.needs(), NOTHING);
        let calls = Guide::parse("random", TestKind::Calls).unwrap();
        assert!(calls.needs().results && !calls.needs().hits);
    }

    #[test]
    fn a_misspelt_part_gets_a_hint() {
        let error = Guide::parse("artsum", TestKind::Frames).unwrap_err();
        assert_eq!(error.hint(), "did you mean `art-sum`?");
        let error = Guide::parse("rendom", TestKind::Calls).unwrap_err();
        assert_eq!(error.hint(), "did you mean `random`?");
    }

    #[test]
    fn parts_are_taken_away_by_a_minus() {
        let parts = |text: &str| Guide::parse(text, TestKind::Calls).map(|guide| guide.parts);
        let whole = parts("grt").unwrap();
        assert_eq!(parts("grt-detective").unwrap().len(), whole.len() - 1);
        assert_eq!(parts("grt,-detective"), parts("grt-detective"));
        let all = "grt-constants-impurity-elephant-detective-orienteering-bloodhound";
        assert_eq!(parts(all), Ok(vec![]));
        assert_eq!(parts("grt,loc-calls-loc"), Err(unknown("loc-calls-loc")));
        assert_eq!(parts("random,loc-calls,-loc-calls"), Ok(vec![]));
        let absent = GuideError::Absent { name: "loc" };
        assert_eq!(parts("grt-loc"), Err(absent));
        assert_eq!(
            parts("grt-detectve").unwrap_err().hint(),
            "did you mean `detective`?"
        );
    }

    #[test]
    fn two_ways_to_choose_clash() {
        let error = Guide::parse("art-sum,fscs", TestKind::Frames).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`art-sum` and `fscs` both decide which of k candidates becomes the next test"
        );
        assert!(Guide::parse("random,art-sum,art-sum", TestKind::Frames).is_ok());
    }
}
