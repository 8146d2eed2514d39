//! The steps of the search: elements of `args`, parts of templates, and what is left to do after each.
//!
//! Every function tries its possibilities in order, going on with the rest after each, and returns true when the round is
//! over. Present is tried before absent, more arguments before fewer, the nearest end of a text before later ones.

use super::search::{Place, Search};
use crate::expression::Expression;
use crate::spec::{Argument, Part, Template};

/// Something to match.
#[derive(Clone, Copy)]
pub(super) enum Task<'s, 't> {
    /// The remaining elements of `args`, or of a group.
    Elements(&'s [Argument], Inside),
    /// An element that was matched must not be one that is dropped.
    Shown(&'s Template),
    /// A group that was matched must not be one that is dropped.
    Complete(&'s [Argument]),
    /// What is left of the arguments.
    EndOfArgs,
    /// Standard input, files and variables.
    Places(&'t [Place<'s, 't>]),
    /// Categories that only stand inside the texts of others: the position in the list of these others.
    Within(usize),
}

/// Where elements stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Args,
    Group,
}

/// What is to be done after a task.
#[derive(Clone, Copy)]
pub(super) struct Rest<'s, 't> {
    task: Task<'s, 't>,
    rest: Option<&'t Rest<'s, 't>>,
}

/// What a placeholder stands for that has no text yet.
#[derive(Clone, Copy)]
pub(super) enum Slot<'s> {
    Category(usize),
    Whole,
    Expression(&'s Expression),
}

/// Whether a text must fit some choice of its category, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Some,
    None,
}

impl<'s> Search<'_, 's, '_> {
    /// Goes through the assignments within the limit, until the round is over.
    pub fn walk(&mut self, places: &[Place<'s, '_>]) {
        let places = Rest {
            task: Task::Places(places),
            rest: None,
        };
        let end = Rest {
            task: Task::EndOfArgs,
            rest: Some(&places),
        };
        let args = &self.classifier.spec.run.args;
        self.solve(Task::Elements(args, Inside::Args), &end);
    }

    pub(super) fn go_on(&mut self, rest: &Rest<'s, '_>) -> bool {
        match (&rest.task, rest.rest) {
            (Task::Within(index), _) => self.within(*index),
            (Task::Places(places), _) => self.places(places),
            (task, Some(rest)) => self.solve(*task, rest),
            (_, None) => self.finish(),
        }
    }

    fn solve(&mut self, task: Task<'s, '_>, rest: &Rest<'s, '_>) -> bool {
        match task {
            Task::Elements(elements, inside) => self.elements(elements, inside, rest),
            Task::Shown(template) => !template.is_absent(&self.context()) && self.go_on(rest),
            Task::Complete(group) => {
                let mut templates = group.iter().flat_map(Argument::templates);
                let lacks = templates.any(|template| template.lacks_any(&self.context()));
                !lacks && self.go_on(rest)
            }
            Task::EndOfArgs => {
                let left = self.input.args.len() - self.arg;
                (0..left).all(|_| self.leave_unmatched()) && self.go_on(rest)
            }
            Task::Places(_) | Task::Within(_) => false,
        }
    }

    fn elements(&mut self, elements: &'s [Argument], inside: Inside, rest: &Rest<'s, '_>) -> bool {
        let Some((first, others)) = elements.split_first() else {
            return self.go_on(rest);
        };
        if self.tired(0) {
            return true;
        }
        let after = Rest {
            task: Task::Elements(others, inside),
            rest: Some(rest),
        };
        let over = match first {
            Argument::One(template) => self.one(template, inside, &after),
            Argument::Split(template) => self.split(template, inside, &after),
            Argument::Group(group) => self.group(group, &after),
        };
        if over || inside == Inside::Group || self.arg >= self.args.len() {
            return over;
        }
        let mark = self.mark();
        self.arg += 1;
        let over = self.leave_unmatched() && self.elements(elements, inside, rest);
        self.undo(&mark);
        over
    }

    fn one(&mut self, template: &'s Template, inside: Inside, after: &Rest<'s, '_>) -> bool {
        let mark = self.mark();
        if let Some(text) = self.args.get(self.arg) {
            self.arg += 1;
            let shown = Rest {
                task: Task::Shown(template),
                rest: Some(after),
            };
            if self.parts(&template.parts, text, &shown) {
                return true;
            }
            self.undo(&mark);
        }
        if inside == Inside::Group {
            return false;
        }
        let optional = template.fields().next().is_some();
        if optional && self.hide(template) {
            let over = self.go_on(after);
            self.undo(&mark);
            return over;
        }
        self.undo(&mark);
        let missing = self.leave_unmatched() && self.hide_undecided(template);
        let over = missing && self.go_on(after);
        self.undo(&mark);
        over
    }

    fn split(&mut self, template: &'s Template, inside: Inside, after: &Rest<'s, '_>) -> bool {
        let slot = match template.parts.first() {
            Some(Part::Category(category)) if self.decided[*category] => {
                let text = self.fields[*category].clone().unwrap_or_default();
                return self.words(&text, after);
            }
            Some(Part::Input) if self.whole.is_some() => {
                let text = self.whole.clone().unwrap_or_default();
                return self.words(&text, after);
            }
            Some(Part::Category(category)) => Slot::Category(*category),
            _ => Slot::Whole,
        };
        let is_word = |arg: &&String| !arg.is_empty() && !arg.contains(char::is_whitespace);
        let most = self.args[self.arg..].iter().take_while(is_word).count();
        let at = self.arg;
        let fitting = (0..=most).rev().map(|count| (count, Fit::Some));
        let unfit = (1..=most).map(|count| (count, Fit::None));
        for (count, fit) in fitting.chain(unfit) {
            let mark = self.mark();
            let text = self.args[at..at + count].join(" ");
            if self.tired(text.len()) {
                return true;
            }
            self.arg += count;
            if self.take(slot, &text, fit) && self.go_on(after) {
                return true;
            }
            self.undo(&mark);
            let absent = fit == Fit::Some && count == 0 && inside == Inside::Args;
            if absent && self.without(slot, |search| search.go_on(after)) {
                return true;
            }
        }
        false
    }

    /// Matches the words of a known text against the next arguments.
    fn words(&mut self, text: &str, after: &Rest<'s, '_>) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let args = self.args[self.arg..].iter().take(words.len());
        let mark = self.mark();
        let matched = match args.eq(words.iter()) {
            true => {
                self.arg += words.len();
                true
            }
            false => self.leave_unmatched(),
        };
        let over = matched && self.go_on(after);
        self.undo(&mark);
        over
    }

    fn group(&mut self, group: &'s [Argument], after: &Rest<'s, '_>) -> bool {
        let mark = self.mark();
        let complete = Rest {
            task: Task::Complete(group),
            rest: Some(after),
        };
        if self.elements(group, Inside::Group, &complete) {
            return true;
        }
        self.undo(&mark);
        let fields = || {
            group
                .iter()
                .flat_map(Argument::templates)
                .flat_map(Template::fields)
        };
        let dropped = |category: usize| self.decided[category] && self.fields[category].is_none();
        if fields().any(dropped) {
            return self.go_on(after);
        }
        // A category that is also asked for elsewhere may be there although the group is not.
        let undecided: Vec<usize> = fields().filter(|field| !self.decided[*field]).collect();
        let only_here = |category: &usize| self.classifier.uses[*category] == 1;
        let (own, shared): (Vec<usize>, Vec<usize>) = undecided.into_iter().partition(only_here);
        let ways: Vec<Vec<usize>> = match own.is_empty() {
            true => shared.into_iter().map(|category| vec![category]).collect(),
            false => vec![own],
        };
        for way in ways {
            let hidden = way
                .iter()
                .all(|category| self.decided[*category] || self.leave_out(*category));
            if hidden && self.go_on(after) {
                return true;
            }
            self.undo(&mark);
        }
        false
    }

    fn places(&mut self, places: &[Place<'s, '_>]) -> bool {
        let Some((first, others)) = places.split_first() else {
            return self.within(0);
        };
        let after = Rest {
            task: Task::Places(others),
            rest: None,
        };
        let mark = self.mark();
        let Some(text) = &first.text else {
            let over = self.hide_undecided(first.template) && self.go_on(&after);
            self.undo(&mark);
            return over;
        };
        if self.parts(&first.template.parts, text, &after) {
            return true;
        }
        self.undo(&mark);
        let unmatched = self.leave_unmatched() && self.hide_undecided(first.template);
        let over = unmatched && self.go_on(&after);
        self.undo(&mark);
        over
    }

    /// Looks for categories inside the texts that are made of them.
    fn within(&mut self, index: usize) -> bool {
        let Some((outer, templates)) = self.classifier.nested.get(index) else {
            return self.finish();
        };
        let after = Rest {
            task: Task::Within(index + 1),
            rest: None,
        };
        if let Some(text) = self.fields[*outer].clone() {
            for template in templates {
                let mark = self.mark();
                if self.parts(&template.parts, &text, &after) {
                    return true;
                }
                self.undo(&mark);
            }
        }
        self.go_on(&after)
    }
}
