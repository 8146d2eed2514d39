//! Samples every choice: its generator must give texts, and these must be told to be of this choice.
//!
//! Here the texts of all categories are known, so that only the choices are judged, not how texts are found in an input.

use super::{Linting, Severity};
use crate::generate::Helpers;
use crate::input::{Fields, Input};
use engine::frames::{ABSENT, Frame, FrameSpace, Sampler};
use std::collections::BTreeMap;

/// A category and one of its choices.
type Place = (usize, u16);

/// What went wrong with the samples of one choice, and how often.
#[derive(Default)]
struct Tally {
    made: usize,
    /// Samples taken for another choice (absent: for none), with the first text.
    wrong: BTreeMap<u16, (usize, String)>,
    /// Earlier choices that fit too, but are not possible there, with the first text.
    overlaps: BTreeMap<u16, String>,
}

impl Linting<'_> {
    pub(super) fn choices(&mut self, helpers: &mut Helpers<'_>) {
        for category in 0..self.spec.categories.len() {
            if self.spec.is_read_off(category) {
                continue;
            }
            for choice in 1..=self.spec.categories[category].choices.len() as u16 {
                let tally = self.sample((category, choice), helpers);
                self.report((category, choice), &tally);
            }
        }
    }

    /// Makes texts of one choice.
    fn sample(&mut self, (category, choice): Place, helpers: &mut Helpers<'_>) -> Tally {
        let mut tally = Tally::default();
        let index = (category as u64) << 16 | u64::from(choice);
        let mut stream = self.seed.derive("lint choices", index).stream();
        for space in self.spaces((category, choice)) {
            let sampler = Sampler::new(&space);
            for _ in 0..self.samples {
                let mut frame = Frame(vec![ABSENT; self.spec.categories.len()]);
                sampler.draw(&mut stream, &mut frame.0);
                if frame.0[category] != choice {
                    continue;
                }
                if let Some((fields, input)) = self.make(&mut frame, &mut stream, helpers) {
                    tally.made += 1;
                    self.judge((category, choice), &fields, &input, &mut tally);
                }
            }
            if tally.made > 0 {
                break;
            }
        }
        tally
    }

    /// Spaces that give this choice: first with everything else free, then with what made it possible.
    fn spaces(&self, (category, choice): Place) -> Vec<FrameSpace> {
        let Some(reached) = &self.reach.categories[category] else {
            return Vec::new();
        };
        let Some(witness) = &reached.choices[usize::from(choice) - 1] else {
            return Vec::new();
        };
        let mut free = self.spec.space.clone();
        force(&mut free, category, choice);
        let mut forced = free.clone();
        for (category, choice) in witness {
            force(&mut forced, *category, *choice);
        }
        vec![free, forced]
    }

    fn judge(&self, (category, choice): Place, fields: &Fields, input: &Input, tally: &mut Tally) {
        let Some(text) = &fields.0[category] else {
            return;
        };
        let whole = self.classifier.whole(input);
        let row = self.classifier.choices(fields, &whole, input);
        if row[category] != choice {
            let wrong = tally.wrong.entry(row[category]);
            wrong.or_insert_with(|| (0, text.clone())).0 += 1;
            return;
        }
        for earlier in 1..choice {
            let fits = self.classifier.fits(category, earlier, text, fields, input);
            if fits && !tally.overlaps.contains_key(&earlier) {
                tally.overlaps.insert(earlier, text.clone());
            }
        }
    }

    fn report(&mut self, (category, choice): Place, tally: &Tally) {
        let name = self.named(category, choice);
        let spec = &self.spec.categories[category].choices[usize::from(choice) - 1];
        let cannot_tell =
            spec.matches.is_none() && spec.generator.as_ref().is_some_and(super::uses_helper);
        for (taken, (count, text)) in &tally.wrong {
            // Said already, of all its texts.
            if *taken == ABSENT && cannot_tell {
                continue;
            }
            let of = format!("{count} of {} texts of {name}", tally.made);
            let (message, hint) = match *taken {
                ABSENT => (
                    format!("{of} fit no choice"),
                    "its `match`, or what its generator gives, does not cover them",
                ),
                taken => (
                    format!("{of} are taken for {}", self.named(category, taken)),
                    "the first choice that fits is taken: narrow that one, or put this one before it",
                ),
            };
            let finding = self.add(Severity::Error, (category, choice), message);
            finding.text(text).hint(hint);
        }
        for (earlier, text) in &tally.overlaps {
            let other = self.named(category, *earlier);
            let message =
                format!("texts of {name} also fit {other}; only conditions tell them apart");
            self.add(Severity::Warning, (category, choice), message)
                .text(text);
        }
    }
}

/// Makes a choice the only one of its category.
fn force(space: &mut FrameSpace, category: usize, choice: u16) {
    let entry = &mut space.categories[category];
    entry.absent = if choice == ABSENT { 1.0 } else { 0.0 };
    for (number, other) in (1..).zip(&mut entry.choices) {
        other.weight = if number == choice { 1.0 } else { 0.0 };
    }
}
