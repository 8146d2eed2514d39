//! What a text may be while the search goes on, before the texts of all categories are known.

use super::Seen;
use super::search::{EarlyChoice, LOOSE, Search, UNFIT};
use crate::expression::Context;
use engine::frames::ABSENT;
use std::collections::BTreeSet;

impl Search<'_, '_, '_> {
    /// What a text may be, before all texts are known.
    pub fn early_choice(&self, category: usize, text: &str) -> EarlyChoice {
        let free = &self.classifier.early.free[category];
        let seen = Seen {
            fields: &[],
            whole: "",
            input: self.input,
        };
        let fits = |choice: &usize| match free[*choice] {
            true => self.classifier.fits_seen(category, *choice, text, &seen),
            false => self.may_fit(category, *choice, text, &seen),
        };
        let mut fitting = (0..free.len()).filter(fits);
        let Some(first) = fitting.next() else {
            return EarlyChoice::Unfit;
        };
        let choice = match self.classifier.early.settled[category] {
            true => first as u16 + 1,
            false => ABSENT,
        };
        let tight = |choice: usize| self.is_tight(category, choice, text, &seen);
        match tight(first) || fitting.any(tight) {
            true => EarlyChoice::Tight(choice),
            false => EarlyChoice::Loose(choice),
        }
    }

    /// Whether the generator of a choice that fits may have made the text, as far as that can be told.
    fn is_tight(&self, category: usize, choice: usize, text: &str, seen: &Seen<'_>) -> bool {
        let classifier = self.classifier;
        let matches = &classifier.spec.categories[category].choices[choice].matches;
        match &classifier.recognisers[category][choice] {
            Some(recogniser) if matches.is_some() => {
                recogniser.may_accept(text, &classifier.scope(seen.context(text)))
            }
            _ => true,
        }
    }

    fn may_fit(&self, category: usize, choice: usize, text: &str, seen: &Seen<'_>) -> bool {
        let classifier = self.classifier;
        if classifier.spec.categories[category].choices[choice]
            .matches
            .is_some()
        {
            return true;
        }
        let scope = classifier.scope(seen.context(text));
        let recogniser = classifier.recognisers[category][choice].as_ref();
        recogniser.is_some_and(|recogniser| recogniser.may_accept(text, &scope))
    }

    /// The ends of the texts at the start of this one that could be those of a category within the limit, the farthest
    /// first; `None` where all must be tried.
    pub fn fitting_ends(&self, category: usize, text: &str) -> Option<Vec<usize>> {
        let strict = self.cost + LOOSE > self.limit;
        let classifier = self.classifier;
        let choices = &classifier.spec.categories[category].choices;
        let scope = classifier.scope(Context::default());
        let mut ends = BTreeSet::new();
        for (choice, recogniser) in choices.iter().zip(&classifier.recognisers[category]) {
            let strict = strict || choice.matches.is_none();
            let recogniser = recogniser.as_ref().filter(|_| strict);
            if !recogniser?.add_ends(text, &scope, &mut ends) {
                return None;
            }
        }
        Some(ends.into_iter().rev().collect())
    }

    /// Whether one more text may fit no choice.
    pub fn can_afford_unfit(&self) -> bool {
        self.cost + UNFIT <= self.limit
    }

    /// Whether a category is there, or not, against its condition, as far as that can be told.
    pub fn violates(&self, category: usize, present: bool) -> bool {
        let early = &self.classifier.early;
        let space = &self.classifier.spec.space;
        let Some(needs) = &early.needs[category] else {
            return false;
        };
        let entry = &space.categories[category];
        if entry.derived || !needs.iter().all(|need| self.decided[*need]) {
            return false;
        }
        let open = early.is_open(space, category, &self.row);
        let by_pattern = self.classifier.spec.categories[category].from.is_some();
        match present {
            true => !open && !by_pattern,
            false => open && entry.absent == 0.0 && early.always_possible[category],
        }
    }
}
