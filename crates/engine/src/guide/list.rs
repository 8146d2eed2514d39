//! A guide as a list of parts: reading it from text, and what it means for a run.
//!
//! A list is read from left to right: `grt,loc` adds, `-detective` takes away again, and `grt-detective` is short for
//! `grt,-detective`.

use super::error::{GuideError, unknown};
use super::part::TestKind;
use super::table::{FIRST, NOTHING, PRESETS, Preset, parts};
use crate::frames::FrameSpace;
use crate::observation::Needs;
use crate::selection::{self, Selector};

/// A guide: the parts that decide which test runs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// As the user wrote it.
    pub name: String,
    kind: TestKind,
    parts: Vec<&'static str>,
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
