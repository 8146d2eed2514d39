//! The steps of the search inside a template: where the text of a placeholder may end.

use super::search::{EarlyChoice, Search};
use super::walk::{Fit, Rest, Slot};
use crate::spec::Part;

impl<'s> Search<'_, 's, '_> {
    pub(super) fn parts(&mut self, parts: &'s [Part], text: &str, rest: &Rest<'s, '_>) -> bool {
        let Some((first, others)) = parts.split_first() else {
            return text.is_empty() && self.go_on(rest);
        };
        let known = match first {
            Part::Text(plain) => plain.clone(),
            Part::Category(category) if self.decided[*category] => {
                self.fields[*category].clone().unwrap_or_default()
            }
            Part::Input if self.whole.is_some() => self.whole.clone().unwrap_or_default(),
            Part::Expression(expression) if self.is_known(expression) => {
                expression.text(&self.context()).into_owned()
            }
            Part::Category(category) => {
                return self.open(Slot::Category(*category), others, text, rest);
            }
            Part::Input => return self.open(Slot::Whole, others, text, rest),
            Part::Expression(expression) => {
                return self.open(Slot::Expression(expression), others, text, rest);
            }
        };
        match text.strip_prefix(known.as_str()) {
            Some(left) => self.parts(others, left, rest),
            None => false,
        }
    }

    /// Tries the ends of a placeholder that has no text yet: those with a text that fits, then no text, then the others.
    fn open(
        &mut self,
        slot: Slot<'s>,
        others: &'s [Part],
        text: &str,
        rest: &Rest<'s, '_>,
    ) -> bool {
        if self.tired(text.len()) {
            return true;
        }
        let ends = self.ends(slot, others, text);
        for &end in &ends {
            if self.ends_at(end, Fit::Some, slot, others, text, rest) {
                return true;
            }
        }
        if self.without(slot, |search| search.parts(others, text, rest)) {
            return true;
        }
        let all = match self.can_afford_unfit() {
            true => all_ends(others, text),
            false => Vec::new(),
        };
        all.into_iter()
            .any(|end| self.ends_at(end, Fit::None, slot, others, text, rest))
    }

    fn ends_at(
        &mut self,
        end: usize,
        fit: Fit,
        slot: Slot<'s>,
        others: &'s [Part],
        text: &str,
        rest: &Rest<'s, '_>,
    ) -> bool {
        if self.tired(end) {
            return true;
        }
        let mark = self.mark();
        if self.take(slot, &text[..end], fit) && self.parts(others, &text[end..], rest) {
            return true;
        }
        self.undo(&mark);
        false
    }

    /// The ends worth trying for texts that fit.
    fn ends(&self, slot: Slot<'s>, others: &[Part], text: &str) -> Vec<usize> {
        let limited = matches!(others, [] | [Part::Text(_), ..]);
        let fitting = match slot {
            Slot::Category(category) if !limited => self.fitting_ends(category, text),
            _ => None,
        };
        fitting.unwrap_or_else(|| all_ends(others, text))
    }

    /// Gives a placeholder a text; false where it does not fit as asked for, or the limit forbids it.
    pub(super) fn take(&mut self, slot: Slot<'s>, text: &str, fit: Fit) -> bool {
        match slot {
            Slot::Category(category) => {
                let early = self.early_choice(category, text);
                let fits = early != EarlyChoice::Unfit;
                // Nothing at all is a text only where a choice says so.
                let wanted = fits == (fit == Fit::Some) && (fits || !text.is_empty());
                wanted && self.assign(category, text, early)
            }
            Slot::Whole => {
                self.whole = Some(text.to_owned());
                fit == Fit::Some
            }
            Slot::Expression(expression) => {
                self.defer(expression, text);
                fit == Fit::Some
            }
        }
    }

    /// Goes on without a text for a placeholder, where it may have none.
    pub(super) fn without(
        &mut self,
        slot: Slot<'s>,
        go_on: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let Slot::Category(category) = slot else {
            return false;
        };
        let mark = self.mark();
        let over = self.leave_out(category) && go_on(self);
        self.undo(&mark);
        over
    }
}

/// All ends of a placeholder that starts a text, given what stands after it: the nearest first where a text says where to
/// stop, else the farthest first.
fn all_ends(others: &[Part], text: &str) -> Vec<usize> {
    match others {
        [] => vec![text.len()],
        [Part::Text(last)] => text
            .strip_suffix(last.as_str())
            .map(str::len)
            .into_iter()
            .collect(),
        [Part::Text(next), ..] => {
            let mut ends = Vec::new();
            let mut from = 0;
            while let Some(found) = text[from..].find(next.as_str()) {
                ends.push(from + found);
                let step = text[from + found..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
                from += found + step;
            }
            ends
        }
        _ => {
            let ends = text.char_indices().map(|(end, _)| end);
            ends.chain([text.len()]).rev().collect()
        }
    }
}
