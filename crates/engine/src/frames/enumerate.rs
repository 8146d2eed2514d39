//! All frames of a space, listed as the category-partition tools do it.
//!
//! A single or error choice gives one frame of its own, with everything else left at the first possibility; all other frames
//! combine the normal choices that the conditions let through (Ostrand and Balcer, 1988).

use super::block::{ABSENT, Frame};
use super::count::FrameCount;
use super::partial::Partial;
use super::space::{ChoiceKind, FrameSpace};

impl FrameSpace {
    /// Calls `visit` with every frame, until it returns false. Special frames come first, then the normal ones in
    /// lexicographic order.
    pub fn enumerate(&self, visit: &mut dyn FnMut(&Frame) -> bool) {
        for (index, choice) in self.special_choices() {
            let frame = self.special_frame(index, choice);
            if frame.is_some_and(|frame| !visit(&frame)) {
                return;
            }
        }
        let mut frame = Frame(vec![ABSENT; self.categories.len()]);
        self.descend(0, None, Partial::new(self), &mut frame, visit);
    }

    /// Counts by listing, giving up at `limit`.
    pub(super) fn count_listed(&self, limit: u64) -> FrameCount {
        let mut count = FrameCount::default();
        self.enumerate(&mut |frame| {
            count.more = count.total() >= u128::from(limit);
            if !count.more {
                count.add(self.kind(frame), 1);
            }
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
            let effects = partial.effects(index, choice, &row);
            let kind = effects.map_or(ChoiceKind::Normal, |e| e.kind);
            if kind != ChoiceKind::Normal {
                return kind;
            }
            row[index] = choice;
            partial.choose(index, choice, &row);
        }
        ChoiceKind::Normal
    }

    /// All choices that are single or error, in some circumstances at least.
    pub(super) fn special_choices(&self) -> impl Iterator<Item = (usize, u16)> {
        let categories = self.categories.iter().enumerate();
        let drawn = categories.filter(|(_, category)| !category.derived);
        drawn.flat_map(|(index, category)| {
            let choices = (1..).zip(&category.choices);
            let special = choices.filter(|(_, choice)| {
                let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
                let mut effects = effects.into_iter().flatten();
                effects.any(|effects| effects.kind != ChoiceKind::Normal)
            });
            special.map(move |(number, _)| (index, number))
        })
    }

    /// The first frame in which this choice is special; `None` if there is no such frame.
    fn special_frame(&self, index: usize, choice: u16) -> Option<Frame> {
        let forced = Some((index, choice));
        if let Some(counted) = self.group(forced) {
            return counted.first;
        }
        let mut first = None;
        let mut frame = Frame(vec![ABSENT; self.categories.len()]);
        self.descend(0, forced, Partial::new(self), &mut frame, &mut |frame| {
            first = Some(frame.clone());
            false
        });
        first
    }

    /// What a category can be in a partial frame: absent or one of the normal choices; or, if it is forced, this choice
    /// where it is special.
    pub(super) fn possibilities(
        &self,
        index: usize,
        forced: Option<(usize, u16)>,
        partial: &Partial<'_>,
        row: &[u16],
    ) -> Vec<u16> {
        let category = &self.categories[index];
        if category.derived {
            return vec![ABSENT];
        }
        let special = |choice: u16| {
            let effects = partial.effects(index, choice, row);
            effects.is_some_and(|e| e.kind != ChoiceKind::Normal)
        };
        let mut options: Vec<u16> = partial.options(index, row).collect();
        let may_be_absent = options.is_empty() || category.absent > 0.0;
        match forced {
            Some((at, choice)) if at == index => options.retain(|&c| c == choice && special(c)),
            _ => {
                options.retain(|&c| !special(c));
                if may_be_absent {
                    options.insert(0, ABSENT);
                }
            }
        }
        options
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
        if index == self.categories.len() {
            return visit(frame);
        }
        for choice in self.possibilities(index, forced, &partial, &frame.0) {
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
        let count = FrameSpace::uniform(&[10; 12]).count_listed(500);
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

    #[test]
    fn a_visitor_that_had_enough_of_special_frames_sees_no_more() {
        let mut space = FrameSpace::uniform(&[2, 2, 2]);
        for category in &mut space.categories {
            category.choices[0].effects.kind = ChoiceKind::Error;
        }
        let mut seen = 0;
        space.enumerate(&mut |_| {
            seen += 1;
            seen < 2
        });
        assert_eq!(seen, 2);
    }

    #[test]
    fn counting_to_exactly_all_frames_says_that_there_are_no_more() {
        let count = FrameSpace::uniform(&[2, 3]).count_listed(6);
        assert_eq!((count.total(), count.more), (6, false));
    }
}
