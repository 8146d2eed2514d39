//! Whether a text is made of elements that are ended, separated, counted and ordered as a generator does it.
//!
//! Ends of an element are tried from the left, so that elements which hold no end mark are found without going back.

use super::recogniser::{Recogniser, Scope};
use crate::generate::{Lines, MAX_LINES};
use std::collections::BTreeSet;

/// The most ends that are tried for one text; a text that needs more is not recognised.
const MAX_ENDS: usize = 500_000;

/// A search for a way to cut the text into elements.
struct Cut<'a> {
    lines: &'a Lines,
    item: &'a Recogniser<'a>,
    scope: &'a Scope<'a>,
    text: &'a str,
    /// The end mark and the separator: what stands between two elements.
    between: String,
    count: (usize, usize),
    elements: Vec<Element>,
    /// The texts of the elements before the last one, where they must differ.
    seen: BTreeSet<&'a str>,
    /// Numbers of elements and places from which nothing was found; only where elements do not depend on each other.
    failed: BTreeSet<(usize, usize)>,
    ends: usize,
}

/// An element whose end is being looked for.
struct Element {
    start: usize,
    /// The end that is tried now.
    end: usize,
    /// Where to look for the next end; `None` when all have been tried.
    next: Option<usize>,
}

/// An end of an element.
enum End {
    /// Another element follows.
    Inner,
    /// The text ends with it.
    Last,
}

pub(super) fn are_lines(
    lines: &Lines,
    item: &Recogniser<'_>,
    text: &str,
    scope: &Scope<'_>,
) -> bool {
    let Some((low, high)) = counts(lines, scope) else {
        return false;
    };
    if low == 0 && text.is_empty() {
        return true;
    }
    let mut cut = Cut {
        lines,
        item,
        scope,
        text,
        between: format!("{}{}", lines.end, lines.separator),
        count: (low, high),
        elements: Vec::new(),
        seen: BTreeSet::new(),
        failed: BTreeSet::new(),
        ends: 0,
    };
    cut.search()
}

/// The least and the greatest number of elements; `None` where no number lies between.
fn counts(lines: &Lines, scope: &Scope<'_>) -> Option<(usize, usize)> {
    let bound = |number: i64| usize::try_from(number.max(0)).unwrap_or(usize::MAX);
    let low = bound(lines.count.0.number(&scope.context).ceil());
    let high = lines.count.1.number(&scope.context).floor();
    (high >= 0 && low <= bound(high)).then_some((low, bound(high)))
}

/// Adds the lengths of the starts of a text that are rows of elements, whatever their order; false where all must be tried.
pub(super) fn add_ends(
    lines: &Lines,
    item: &Recogniser<'_>,
    text: &str,
    scope: &Scope<'_>,
    ends: &mut BTreeSet<usize>,
) -> bool {
    let constant = lines.count.0.constant().and(lines.count.1.constant());
    let (low, high) = match counts(lines, scope).filter(|_| constant.is_some()) {
        Some(counts) => counts,
        None => (0, MAX_LINES as usize),
    };
    ends.extend((low == 0).then_some(0));
    let mut starts = BTreeSet::from([0]);
    let mut tried = 0;
    for count in 1..=high {
        let mut next = BTreeSet::new();
        for start in starts {
            let mut inner = BTreeSet::new();
            if !item.add_ends(&text[start..], scope, &mut inner) {
                return false;
            }
            tried += inner.len();
            for end in inner {
                let rest = &text[start + end..];
                if !rest.starts_with(&lines.end) {
                    continue;
                }
                let end = start + end + lines.end.len();
                ends.extend((count >= low).then_some(end));
                let goes_on = text[end..].starts_with(&lines.separator);
                next.extend(goes_on.then(|| end + lines.separator.len()));
            }
        }
        if next.is_empty() {
            break;
        }
        if tried > MAX_ENDS {
            return false;
        }
        starts = next;
    }
    true
}

impl<'a> Cut<'a> {
    fn search(&mut self) -> bool {
        self.begin(0);
        while !self.elements.is_empty() && self.ends < MAX_ENDS {
            match self.next_end() {
                Some(End::Last) => return true,
                Some(End::Inner) => {
                    let start = self.own_text().1 + self.between.len();
                    if self.lines.unique {
                        self.seen.insert(self.own_text().0);
                    }
                    self.begin(start);
                }
                None => self.give_up(),
            }
        }
        false
    }

    fn begin(&mut self, start: usize) {
        let index = self.elements.len();
        let hopeless = index >= self.count.1 || self.failed.contains(&(index, start));
        self.elements.push(Element {
            start,
            end: start,
            next: (!hopeless).then_some(start),
        });
    }

    fn give_up(&mut self) {
        let element = self.elements.pop();
        let index = self.elements.len();
        if let Some(element) = element
            && !self.lines.sorted
            && !self.lines.unique
        {
            self.failed.insert((index, element.start));
        }
        if !self.elements.is_empty() {
            self.seen.remove(self.own_text().0);
        }
    }

    /// The text of the last element as its end is now, and that end.
    fn own_text(&self) -> (&'a str, usize) {
        let element = &self.elements[self.elements.len() - 1];
        (&self.text[element.start..element.end], element.end)
    }

    /// Moves to the next end of the last element at which it fits.
    fn next_end(&mut self) -> Option<End> {
        let text = self.text;
        loop {
            let index = self.elements.len() - 1;
            let element = &mut self.elements[index];
            let from = element.next?;
            let found = text[from..].find(&self.between).map(|found| from + found);
            element.next = found.and_then(|end| {
                let step = text[end..].chars().next()?;
                Some(end + step.len_utf8())
            });
            let last = found.is_none() || element.next.is_none();
            // Nothing can follow at the end of the text but an element without text and end mark.
            let room = text.len() + usize::from(self.lines.end.is_empty());
            let inner = found.filter(|end| end + self.between.len() < room);
            if let Some(end) = inner {
                element.end = end;
                if self.fits(index) {
                    return Some(End::Inner);
                }
            }
            let end = text.len().checked_sub(self.lines.end.len());
            let reaches = found.is_none_or(|found| Some(found) == end);
            if (last || reaches) && self.ends_here(index, end) {
                return Some(End::Last);
            }
        }
    }

    /// Whether the text can end with this element.
    fn ends_here(&mut self, index: usize, end: Option<usize>) -> bool {
        let element = &mut self.elements[index];
        let Some(end) = end.filter(|end| *end >= element.start) else {
            return false;
        };
        let counted = (self.count.0..=self.count.1).contains(&(index + 1));
        if !counted || !self.text.ends_with(&self.lines.end) {
            return false;
        }
        element.end = end;
        self.fits(index)
    }

    fn fits(&mut self, index: usize) -> bool {
        let (own, _) = self.own_text();
        self.ends += 1 + own.len() / 64;
        let before = index.checked_sub(1).map(|before| &self.elements[before]);
        let sorted = before.is_none_or(|before| &self.text[before.start..before.end] <= own);
        (sorted || !self.lines.sorted)
            && !self.seen.contains(own)
            && self.item.accepts(own, self.scope)
    }
}
