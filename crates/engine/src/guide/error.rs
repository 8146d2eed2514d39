//! Guides that cannot be put together, and what to do about it.

use super::part::{Slot, TestKind};
use super::table::{PRESETS, parts};
use crate::similar;
use thiserror::Error;

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

/// The error for a name that no part has.
pub(super) fn unknown(name: &str) -> GuideError {
    let presets = PRESETS.iter().map(|preset| preset.name);
    let nearest = similar::nearest(name, parts().iter().map(|part| part.name).chain(presets));
    GuideError::Unknown {
        name: name.to_owned(),
        nearest,
    }
}
