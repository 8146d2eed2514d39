//! From the texts of all categories to their choices, in the order of the file.

use super::{Classifier, Progress, Seen};
use crate::input::Input;
use engine::frames::ABSENT;

/// The choices of all categories, and what speaks against them.
pub(super) struct Chosen {
    /// The choices; derived categories are absent.
    pub row: Vec<u16>,
    /// How many texts fit no choice.
    pub unfit: u32,
    /// How many categories are there, missing, or have a choice, against a condition.
    pub violations: u32,
    /// Categories whose `from` found something although their condition does not hold; they are absent.
    pub closed: Vec<usize>,
}

impl Classifier<'_> {
    pub(super) fn choose(&self, fields: &[Option<String>], whole: &str, input: &Input) -> Chosen {
        let seen = Seen {
            fields,
            whole,
            input,
        };
        let mut progress = Progress::new(&self.spec.space);
        let (mut unfit, mut violations, mut closed) = (0, 0, Vec::new());
        for (category, text) in fields.iter().enumerate() {
            if self.spec.categories[category].derived {
                continue;
            }
            let Some(text) = text else {
                violations += u32::from(!progress.may_be_absent(category));
                continue;
            };
            // A pattern may find something in the text of another category.
            if self.spec.categories[category].from.is_some() && !progress.is_open(category) {
                closed.push(category);
                continue;
            }
            match self.first_fit(category, text, &seen, &progress) {
                None => unfit += 1,
                Some((choice, allowed)) => {
                    violations += u32::from(!allowed);
                    progress.choose(category, choice);
                }
            }
        }
        Chosen {
            row: progress.row,
            unfit,
            violations,
            closed,
        }
    }

    /// The first choice that fits and is possible so far, else the first that fits; and whether it is possible.
    fn first_fit(
        &self,
        category: usize,
        text: &str,
        seen: &Seen<'_>,
        progress: &Progress<'_>,
    ) -> Option<(u16, bool)> {
        let open = progress.is_open(category);
        let mut first = ABSENT;
        for choice in 1..=self.recognisers[category].len() as u16 {
            let possible = open && progress.is_possible(category, choice);
            if (first != ABSENT && !possible)
                || !self.fits_seen(category, usize::from(choice) - 1, text, seen)
            {
                continue;
            }
            if possible {
                return Some((choice, true));
            }
            first = choice;
        }
        (first != ABSENT).then_some((first, false))
    }
}
