//! Finds the texts of the categories in an input: a search for the assignment that the specification explains best.
//!
//! The templates of `[run]` are matched against arguments, standard input, files and variables, with backtracking. Each
//! assignment has a cost: 300 for every argument or template that has no counterpart, 200 for every text that fits no choice
//! of its category, 100 for every category that is present, missing, or has a choice, against a condition, and 1 for every
//! text that fits by a `match` but is not what the generator makes. The search is repeated with growing limits on the cost,
//! so that an input which fits is found by looking at what fits alone. Each round takes at most [`MAX_STEPS`] steps; what was
//! best so far is taken then.

use super::{Classifier, lossy};
use crate::expression::{Context, Expression};
use crate::input::Input;
use crate::spec::Template;
use engine::frames::ABSENT;
use std::borrow::Cow;

/// The most steps of one round of the search; a step on a long text counts more.
pub const MAX_STEPS: usize = 4_000;

/// The most arguments that are looked at; the others count as unmatched.
pub const MAX_ARGS: usize = 200;

/// What an unmatched argument or template costs.
const UNMATCHED: u32 = 300;

/// What a text costs that fits no choice.
pub(super) const UNFIT: u32 = 200;

/// What a category costs that is there, missing, or has a choice, against a condition.
const VIOLATION: u32 = 100;

/// What a text costs that fits by a `match` but is not made by the generator.
pub(super) const LOOSE: u32 = 1;

/// The limits of the rounds, above what cannot be avoided.
const LIMITS: [u32; 6] = [0, 99, 200, 400, 800, u32::MAX / 2];

/// The best assignment.
#[derive(Default)]
pub(super) struct Found {
    pub fields: Vec<Option<String>>,
    /// The text of the whole-input generator.
    pub whole: String,
    /// Whether part of the input has no counterpart in the templates, or part of them none in the input.
    pub unmatched: bool,
}

/// A text of the input beside the arguments, and its template.
pub(super) struct Place<'s, 'i> {
    pub template: &'s Template,
    /// `None` where the input has no such file or variable.
    pub text: Option<Cow<'i, str>>,
}

/// What a text may be: a choice, or absent where that cannot be told yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EarlyChoice {
    /// No choice can fit.
    Unfit,
    /// One fits, and its generator may have made the text.
    Tight(u16),
    /// One fits by its `match` alone.
    Loose(u16),
}

/// A state to come back to.
pub(super) struct Mark {
    arg: usize,
    cost: u32,
    extra: u32,
    unmatched: u32,
    trail: usize,
    deferred: usize,
    whole: bool,
}

pub(super) struct Search<'c, 's, 'i> {
    pub classifier: &'c Classifier<'s>,
    pub input: &'i Input,
    pub args: &'i [String],
    /// The number of arguments before the next one.
    pub arg: usize,
    pub fields: Vec<Option<String>>,
    pub decided: Vec<bool>,
    pub whole: Option<String>,
    /// The choices of the categories that can be told from their own texts.
    pub row: Vec<u16>,
    /// The categories decided so far, in order.
    trail: Vec<usize>,
    /// Values of expressions that can only be checked when all texts are known.
    deferred: Vec<(&'s Expression, String)>,
    /// A lower bound of the cost of the assignment.
    pub cost: u32,
    /// The part of the cost that the choices do not show.
    extra: u32,
    /// What has no counterpart so far.
    unmatched: u32,
    pub limit: u32,
    /// Nothing cheaper than this is left to find.
    floor: u32,
    steps: usize,
    best: Option<Found>,
}

/// The texts of all categories in this input.
pub(super) fn find(classifier: &Classifier<'_>, input: &Input) -> Found {
    let spec = classifier.spec;
    let count = spec.categories.len();
    let args = &input.args[..input.args.len().min(MAX_ARGS)];
    let places = places(classifier, input);
    let mut search = Search {
        classifier,
        input,
        args,
        arg: 0,
        fields: vec![None; count],
        decided: vec![false; count],
        whole: None,
        row: vec![ABSENT; count],
        trail: Vec::new(),
        deferred: Vec::new(),
        cost: 0,
        extra: 0,
        unmatched: 0,
        limit: u32::MAX,
        floor: 0,
        steps: 0,
        best: None,
    };
    for (category, entry) in spec.categories.iter().enumerate() {
        if let Some(from) = entry.from.as_ref().filter(|_| !entry.derived) {
            match from.find(input) {
                Some(text) => {
                    let early = search.early_choice(category, &text);
                    search.assign(category, &text, early);
                }
                None => {
                    search.leave_out(category);
                }
            }
        }
    }
    let base = search.cost;
    let mark = search.mark();
    for limit in LIMITS {
        search.limit = base + limit;
        search.steps = 0;
        search.walk(&places);
        search.undo(&mark);
        if let Some(best) = search.best.take() {
            return best;
        }
        search.floor = base + limit + 1;
    }
    Found {
        fields: search.fields,
        whole: String::new(),
        unmatched: true,
    }
}

/// The texts beside the arguments whose templates say something about categories.
fn places<'s, 'i>(classifier: &Classifier<'s>, input: &'i Input) -> Vec<Place<'s, 'i>> {
    let run = &classifier.spec.run;
    let stdin = Place {
        template: &run.stdin,
        text: Some(lossy(&input.stdin)),
    };
    let files = run.files.iter().map(|(name, template)| Place {
        template,
        text: input.files.get(name).map(|contents| lossy(contents)),
    });
    let env = run.env.iter().map(|(name, template)| Place {
        template,
        text: input
            .env
            .get(name)
            .map(|value| Cow::Borrowed(value.as_str())),
    });
    let all = [stdin].into_iter().chain(files).chain(env);
    all.filter(|place| place.template.fields().next().is_some() || place.template.uses_input())
        .collect()
}

impl<'s> Search<'_, 's, '_> {
    pub fn mark(&self) -> Mark {
        Mark {
            arg: self.arg,
            cost: self.cost,
            extra: self.extra,
            unmatched: self.unmatched,
            trail: self.trail.len(),
            deferred: self.deferred.len(),
            whole: self.whole.is_some(),
        }
    }

    pub fn undo(&mut self, mark: &Mark) {
        self.arg = mark.arg;
        self.cost = mark.cost;
        self.extra = mark.extra;
        self.unmatched = mark.unmatched;
        for category in self.trail.drain(mark.trail..) {
            self.fields[category] = None;
            self.decided[category] = false;
            self.row[category] = ABSENT;
        }
        self.deferred.truncate(mark.deferred);
        if !mark.whole {
            self.whole = None;
        }
    }

    /// Counts a step on a text of this length; true when the round is over.
    pub fn tired(&mut self, length: usize) -> bool {
        self.steps += 1 + length / 64;
        self.steps > MAX_STEPS
    }

    /// Counts something that has no counterpart; false where the limit forbids it.
    pub fn leave_unmatched(&mut self) -> bool {
        self.extra += UNMATCHED;
        self.unmatched += 1;
        self.pay(UNMATCHED)
    }

    fn pay(&mut self, cost: u32) -> bool {
        self.cost += cost;
        self.cost <= self.limit
    }

    /// Leaves an undecided category out; false where the limit forbids it.
    pub fn leave_out(&mut self, category: usize) -> bool {
        self.decide(category, None, 0)
    }

    /// Gives an undecided category a text of which is known what it may be; false where the limit forbids it.
    pub fn assign(&mut self, category: usize, text: &str, early: EarlyChoice) -> bool {
        let cost = match early {
            EarlyChoice::Unfit => UNFIT,
            EarlyChoice::Tight(_) => 0,
            EarlyChoice::Loose(_) => LOOSE,
        };
        if let EarlyChoice::Tight(choice) | EarlyChoice::Loose(choice) = early {
            self.row[category] = choice;
            self.extra += cost;
        }
        self.decide(category, Some(text.to_owned()), cost)
    }

    fn decide(&mut self, category: usize, text: Option<String>, mut cost: u32) -> bool {
        if self.violates(category, text.is_some()) {
            cost += VIOLATION;
        }
        self.fields[category] = text;
        self.decided[category] = true;
        self.trail.push(category);
        self.pay(cost)
    }

    /// Leaves out all categories of a template; false where one of them is there or the limit forbids it.
    pub fn hide(&mut self, template: &Template) -> bool {
        template
            .fields()
            .all(|category| match self.decided[category] {
                true => self.fields[category].is_none(),
                false => self.leave_out(category),
            })
    }

    /// Leaves out those categories of a template that are not decided.
    pub fn hide_undecided(&mut self, template: &Template) -> bool {
        template
            .fields()
            .all(|category| self.decided[category] || self.leave_out(category))
    }

    /// Puts off the check of an expression until all texts are known.
    pub fn defer(&mut self, expression: &'s Expression, value: &str) {
        self.deferred.push((expression, value.to_owned()));
    }

    /// Whether all that an expression names is decided.
    pub fn is_known(&self, expression: &Expression) -> bool {
        let whole = !expression.uses_input() || self.whole.is_some();
        whole && expression.fields().iter().all(|field| self.decided[*field])
    }

    pub fn context(&self) -> Context<'_> {
        Context {
            fields: &self.fields,
            own: None,
            whole: self.whole.as_deref().unwrap_or_default(),
            input: None,
        }
    }

    /// Judges a complete assignment; true when the round is over.
    pub fn finish(&mut self) -> bool {
        let over = self.tired(self.fields.len());
        let wrong = |(expression, value): &&(&Expression, String)| {
            expression.text(&self.context()) != value.as_str()
        };
        let wrong = self.deferred.iter().filter(wrong).count() as u32;
        let whole = self.whole.as_deref().unwrap_or_default();
        let chosen = self.classifier.choose(&self.fields, whole, self.input);
        let cost =
            self.extra + UNMATCHED * wrong + UNFIT * chosen.unfit + VIOLATION * chosen.violations;
        if cost > self.limit {
            return over;
        }
        self.best = Some(Found {
            fields: self.fields.clone(),
            whole: whole.to_owned(),
            unmatched: self.unmatched > 0 || wrong > 0,
        });
        match cost > self.floor {
            true => {
                self.limit = cost - 1;
                over
            }
            false => true,
        }
    }
}
