//! Classification: from an existing input to the frame it belongs to.
//!
//! First the text of every category is found, by its `from` or by matching the input against the templates of `[run]`. Then
//! each text is compared with the choices of its category, by `match` or by what the generator can produce. Nothing here
//! generates, reads a file or starts a process.

mod choose;
mod early;
mod fit;
mod grammar;
mod lines;
mod numbers;
mod parts;
mod places;
mod progress;
mod recogniser;
mod search;
mod terminal;
mod walk;

pub(crate) use places::uses;
pub(crate) use progress::Progress;
pub use search::{MAX_ARGS, MAX_STEPS};

use crate::expression::Context;
use crate::input::{Fields, Input};
use crate::spec::{Spec, Template};
use early::Early;
use engine::frames::{ABSENT, Frame};
use grammar::Parser;
use recogniser::{Recogniser, Scope};
use std::borrow::Cow;

/// What an input was classified as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classified {
    /// Its frame. A category whose text fits no choice counts as absent.
    pub frame: Frame,
    /// The text found for every category.
    pub fields: Fields,
    /// The categories that have a text which fits none of their choices, in ascending order.
    pub unknown: Vec<usize>,
    /// Whether part of the input fits no template of `[run]`, so that absent categories may not be absent at all.
    pub unmatched: bool,
}

/// Classifies one input. Where there are many, make one [`Classifier`] for all.
pub fn classify(spec: &Spec, input: &Input) -> Classified {
    Classifier::new(spec).classify(input)
}

/// A specification made ready for classification.
pub struct Classifier<'s> {
    spec: &'s Spec,
    /// For every category, what recognises its choices; `None` for a choice that only has a `match`.
    recognisers: Vec<Vec<Option<Recogniser<'s>>>>,
    parser: Parser<'s>,
    early: Early,
    /// In how many places of `[run]` each category stands.
    uses: Vec<usize>,
    /// Categories whose texts may be made of categories that stand nowhere else, with these templates; outer ones first.
    nested: Vec<(usize, Vec<&'s Template>)>,
}

impl<'s> Classifier<'s> {
    /// Prepares a specification.
    pub fn new(spec: &'s Spec) -> Classifier<'s> {
        let recogniser = |choice: &'s crate::spec::ChoiceSpec| {
            let generator = choice.generator.as_ref();
            generator.map(Recogniser::new)
        };
        let recognisers: Vec<Vec<_>> = spec
            .categories
            .iter()
            .map(|category| category.choices.iter().map(recogniser).collect())
            .collect();
        let uses = uses(spec);
        Classifier {
            early: Early::new(spec, &recognisers),
            nested: places::nested(spec, &uses),
            uses,
            spec,
            recognisers,
            parser: Parser::new(&spec.grammar),
        }
    }

    /// Finds the frame of an input.
    pub fn classify(&self, input: &Input) -> Classified {
        let found = search::find(self, input);
        let mut fields = Fields(found.fields);
        let chosen = self.choose(&fields.0, &found.whole, input);
        for category in chosen.closed {
            fields.0[category] = None;
        }
        let mut frame = Frame(chosen.row);
        self.spec
            .derive(input, &found.whole, &mut fields, &mut frame);
        let unknown = (0..frame.0.len())
            .filter(|category| fields.0[*category].is_some() && frame.0[*category] == ABSENT)
            .collect();
        Classified {
            frame,
            fields,
            unknown,
            unmatched: found.unmatched,
        }
    }

    /// Fills in the categories that a whole-input generator leaves to classification: those that only have a `from`.
    pub fn read_off(&self, input: &Input, fields: &mut Fields, frame: &mut Frame) {
        let is_left = |category: &usize| {
            self.spec.is_read_off(*category) && !self.spec.categories[*category].derived
        };
        let left: Vec<usize> = (0..frame.0.len()).filter(is_left).collect();
        if left.is_empty() {
            return;
        }
        let mut classified = self.classify(input);
        for category in left {
            frame.0[category] = classified.frame.0[category];
            fields.0[category] = classified.fields.0[category].take();
        }
    }

    /// Whether texts belong to this choice (an index) wherever they stand.
    pub(crate) fn depends_on_text_alone(&self, category: usize, choice: usize) -> bool {
        let matches = &self.spec.categories[category].choices[choice].matches;
        let uses_run = matches.as_ref().is_some_and(|matches| matches.uses_run());
        self.early.free[category][choice] && !uses_run
    }

    /// The choices of all categories that are not derived, from their texts.
    pub(crate) fn choices(&self, fields: &Fields, whole: &str, input: &Input) -> Vec<u16> {
        self.choose(&fields.0, whole, input).row
    }

    /// The text of the whole-input generator in this input; empty where there is none.
    pub(crate) fn whole(&self, input: &Input) -> String {
        match self.spec.input.is_some() {
            true => search::find(self, input).whole,
            false => String::new(),
        }
    }

    /// Whether a text fits a choice (numbered from 1), seen from a finished input and the texts of its categories.
    pub fn fits(
        &self,
        category: usize,
        choice: u16,
        text: &str,
        fields: &Fields,
        input: &Input,
    ) -> bool {
        let seen = Seen {
            fields: &fields.0,
            whole: "",
            input,
        };
        self.fits_seen(category, usize::from(choice) - 1, text, &seen)
    }

    fn fits_seen(&self, category: usize, choice: usize, text: &str, seen: &Seen<'_>) -> bool {
        let context = seen.context(text);
        if let Some(matches) = &self.spec.categories[category].choices[choice].matches {
            return matches.holds(&context);
        }
        let recogniser = self.recognisers[category][choice].as_ref();
        recogniser.is_some_and(|recogniser| recogniser.accepts(text, &self.scope(context)))
    }

    fn scope<'a>(&'a self, context: Context<'a>) -> Scope<'a> {
        Scope {
            context,
            parser: &self.parser,
        }
    }
}

/// What the choices of a text may look at.
#[derive(Clone, Copy)]
struct Seen<'a> {
    fields: &'a [Option<String>],
    whole: &'a str,
    input: &'a Input,
}

impl<'a> Seen<'a> {
    fn context(&self, own: &'a str) -> Context<'a> {
        Context {
            fields: self.fields,
            own: Some(own),
            whole: self.whole,
            input: Some(self.input),
        }
    }
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
