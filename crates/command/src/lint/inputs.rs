//! Samples whole inputs: the texts of all categories must be found in them again, and derived choices should turn up.

use super::{Linting, Severity};
use crate::classify::Classified;
use crate::generate::Helpers;
use crate::input::{Fields, Input};
use engine::frames::{ABSENT, Frame, Sampler};
use std::collections::BTreeMap;

/// What was found of one category.
#[derive(Default)]
struct Tally {
    /// Inputs in which the category was drawn.
    present: usize,
    /// Inputs in which it was found to be another choice than its text is, with the first of each kind.
    wrong: BTreeMap<(u16, u16), (usize, String)>,
    /// How often each choice was seen.
    seen: BTreeMap<u16, usize>,
    /// Inputs in which the text of a category that is read off fits no choice, and the first such text.
    unknown: Option<(usize, String)>,
}

impl Linting<'_> {
    pub(super) fn inputs(&mut self, helpers: &mut Helpers<'_>, samples: usize) {
        let mut tallies: Vec<Tally> = Vec::new();
        tallies.resize_with(self.spec.categories.len(), Tally::default);
        let sampler = Sampler::new(&self.spec.space);
        let mut stream = self.seed.derive("lint inputs", 0).stream();
        let mut made = 0;
        for _ in 0..samples {
            let mut frame = Frame(vec![ABSENT; self.spec.categories.len()]);
            sampler.draw(&mut stream, &mut frame.0);
            if let Some((fields, input)) = self.make(&mut frame, &mut stream, helpers) {
                made += 1;
                self.compare(&fields, &input, &mut tallies);
            }
        }
        for (category, tally) in tallies.iter().enumerate() {
            match self.spec.is_read_off(category) {
                true => self.report_read_off(category, tally, made),
                false if self.nowhere[category] => {}
                false => self.report_found(category, tally, made),
            }
        }
    }

    fn compare(&self, fields: &Fields, input: &Input, tallies: &mut [Tally]) {
        let found = self.classifier.classify(input);
        let whole = self.classifier.whole(input);
        let row = self.classifier.choices(fields, &whole, input);
        for (category, tally) in tallies.iter_mut().enumerate() {
            if self.spec.is_read_off(category) {
                note_read_off(category, &found, tally);
                continue;
            }
            tally.present += usize::from(row[category] != ABSENT);
            let pair = (row[category], found.frame.0[category]);
            if pair.0 != pair.1 {
                let shown = || serde_json::to_string(input).unwrap_or_default();
                tally.wrong.entry(pair).or_insert_with(|| (0, shown())).0 += 1;
            }
        }
    }

    fn report_found(&mut self, category: usize, tally: &Tally, made: usize) {
        let wrong: usize = tally.wrong.values().map(|(count, _)| count).sum();
        let most = tally.wrong.iter().max_by_key(|(_, (count, _))| *count);
        let Some(((drawn, found), (_, input))) = most else {
            return;
        };
        let name = self.named(category, ABSENT);
        let says = |choice: u16| match choice {
            ABSENT => "absent".to_owned(),
            _ => self.named(category, choice),
        };
        let message = format!(
            "in {wrong} of {made} inputs {name} is found to be something else than was drawn, most often {} instead of {}",
            says(*found),
            says(*drawn),
        );
        let severity = match wrong * 2 > tally.present {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let hint = "put something between neighbouring placeholders, let conditions or texts tell optional ones apart, or add `from`";
        self.add(severity, (category, ABSENT), message)
            .example(input)
            .hint(hint);
    }

    fn report_read_off(&mut self, category: usize, tally: &Tally, made: usize) {
        for choice in 1..=self.spec.categories[category].choices.len() as u16 {
            if !tally.seen.contains_key(&choice) && made > 0 {
                let name = self.named(category, choice);
                let message = format!("{name} was not seen in {made} inputs");
                self.add(Severity::Warning, (category, choice), message);
            }
        }
        if let Some((count, text)) = &tally.unknown {
            let name = self.named(category, ABSENT);
            let message = format!("in {count} of {made} inputs the text of {name} fits no choice");
            self.add(Severity::Warning, (category, ABSENT), message)
                .text(text)
                .hint("add a choice with `match = \"otherwise\"`");
        }
    }
}

fn note_read_off(category: usize, found: &Classified, tally: &mut Tally) {
    *tally.seen.entry(found.frame.0[category]).or_default() += 1;
    if found.unknown.contains(&category) {
        let text = found.fields.0[category].clone().unwrap_or_default();
        tally.unknown.get_or_insert((0, text)).0 += 1;
    }
}
