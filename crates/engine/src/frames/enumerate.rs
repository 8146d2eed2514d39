//! All frames of a space, counted and listed, as the category-partition tools do it.
//!
//! A single or error choice gives one frame of its own, with everything else left at the first possibility; all other frames
//! combine the normal choices that the conditions let through (Ostrand and Balcer, 1988).

use super::block::{ABSENT, Frame};
use super::sample::Partial;
use super::space::{ChoiceKind, FrameSpace};

/// How many frames a space has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCount {
    /// Frames of normal choices.
    pub normal: u64,
    /// Frames that show one single choice.
    pub single: u64,
    /// Frames that show one error choice.
    pub error: u64,
    /// Counting stopped at the limit: there are more.
    pub more: bool,
}

impl FrameCount {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.normal + self.single + self.error
    }
}

impl FrameSpace {
    /// Calls `visit` with every frame, until it returns false. Special frames come first, then the normal ones in
    /// lexicographic order.
    pub fn enumerate(&self, visit: &mut dyn FnMut(&Frame) -> bool) {
        let categories = self.categories.len();
        for index in 0..categories {
            for choice in 1..=self.categories[index].choices.len() as u16 {
                let mut frame = Frame(vec![ABSENT; categories]);
                let forced = Some((index, choice));
                let mut visit_first = |frame: &Frame| {
                    visit(frame);
                    false
                };
                if self.has_special(index, choice) {
                    self.descend(0, forced, Partial::new(self), &mut frame, &mut visit_first);
                }
            }
        }
        let mut frame = Frame(vec![ABSENT; categories]);
        self.descend(0, None, Partial::new(self), &mut frame, visit);
    }

    /// Counts the frames, giving up at `limit`.
    pub fn count(&self, limit: u64) -> FrameCount {
        let mut count = FrameCount::default();
        self.enumerate(&mut |frame| {
            match self.kind(frame) {
                ChoiceKind::Normal => count.normal += 1,
                ChoiceKind::Single => count.single += 1,
                ChoiceKind::Error => count.error += 1,
            }
            count.more = count.total() >= limit;
            !count.more
        });
        count
    }

    /// The kind of a frame: that of its special choice, if it has one.
    pub fn kind(&self, frame: &Frame) -> ChoiceKind {
        let mut partial = Partial::new(self);
        let mut row = vec![ABSENT; frame.0.len()];
        for (index, &choice) in frame.0.iter().enumerate() {
            if choice == ABSENT || self.categories[index].derived {
                continue;
            }
            let kind = partial
                .effects(index, choice, &row)
                .map_or(ChoiceKind::Normal, |e| e.kind);
            if kind != ChoiceKind::Normal {
                return kind;
            }
            row[index] = choice;
            partial.choose(index, choice, &row);
        }
        ChoiceKind::Normal
    }

    fn has_special(&self, index: usize, choice: u16) -> bool {
        let choice = &self.categories[index].choices[usize::from(choice) - 1];
        let kinds = [Some(&choice.effects), choice.otherwise.as_ref()];
        kinds
            .into_iter()
            .flatten()
            .any(|effects| effects.kind != ChoiceKind::Normal)
    }

    /// Extends a partial frame by all possibilities of category `index` and on; false when the visitor had enough.
    fn descend(
        &self,
        index: usize,
        forced: Option<(usize, u16)>,
        partial: Partial<'_>,
        frame: &mut Frame,
        visit: &mut dyn FnMut(&Frame) -> bool,
    ) -> bool {
        let Some(category) = self.categories.get(index) else {
            return visit(frame);
        };
        let options = if category.derived {
            Vec::new()
        } else {
            partial.options(index, &frame.0)
        };
        let may_be_absent = options.is_empty() || category.absent > 0.0;
        let special = |choice: u16| {
            partial
                .effects(index, choice, &frame.0)
                .is_some_and(|e| e.kind != ChoiceKind::Normal)
        };
        let candidates: Vec<u16> = match forced {
            Some((at, choice)) if at == index => options
                .into_iter()
                .filter(|&c| c == choice && special(c))
                .collect(),
            _ => {
                let absent = may_be_absent.then_some(ABSENT);
                absent
                    .into_iter()
                    .chain(options.into_iter().filter(|&c| !special(c)))
                    .collect()
            }
        };
        for choice in candidates {
            let mut next = partial.clone();
            next.choose(index, choice, &frame.0);
            frame.0[index] = choice;
            let go_on = self.descend(index + 1, forced, next, frame, visit);
            frame.0[index] = ABSENT;
            if !go_on {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Condition, PropertyId};
    use super::*;

    #[test]
    fn free_categories_multiply() {
        assert_eq!(FrameSpace::uniform(&[3, 4, 2]).count(1000).total(), 24);
    }

    #[test]
    fn an_error_choice_gives_one_frame() {
        let mut space = FrameSpace::uniform(&[3, 4]);
        space.categories[0].choices[2].effects.kind = ChoiceKind::Error;
        let count = space.count(1000);
        assert_eq!((count.normal, count.error), (8, 1));
    }

    #[test]
    fn conditions_cut_branches_and_absent_adds_one() {
        let mut space = FrameSpace::uniform(&[2, 3]);
        space.properties = vec!["P".to_owned()];
        space.categories[0].choices[0].effects.properties = vec![PropertyId(0)];
        space.categories[1].condition = Some(Condition::Property(PropertyId(0)));
        assert_eq!(space.count(1000).total(), 3 + 1);
        space.categories[1].absent = 1.0;
        assert_eq!(space.count(1000).total(), 4 + 1);
    }

    #[test]
    fn counting_stops_at_the_limit() {
        let count = FrameSpace::uniform(&[10; 12]).count(500);
        assert!(count.more);
        assert_eq!(count.total(), 500);
    }

    #[test]
    fn every_enumerated_frame_is_allowed_and_new() {
        let mut space = FrameSpace::uniform(&[2, 2, 2]);
        space.categories[1].choices[0].effects.kind = ChoiceKind::Single;
        let mut seen = Vec::new();
        space.enumerate(&mut |frame| {
            assert!(space.allows(&frame.0));
            seen.push(frame.clone());
            true
        });
        let total = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((seen.len(), total), (5, 5));
    }
}
