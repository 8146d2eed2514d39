//! How many frames a space has, without listing them.
//!
//! Categories are taken in order. What later conditions can still ask about (choices and properties they name) is the state;
//! partial frames with equal states have equally many completions and are counted together. Free categories so just
//! multiply, and the cost depends on how much the conditions connect, not on the number of frames. Where there are more
//! than 65,536 states at once, counting falls back to listing up to a limit.

use super::block::{ABSENT, Frame};
use super::partial::{Partial, Properties};
use super::space::{ChoiceKind, FrameSpace};
use std::collections::BTreeMap;

const MOST_STATES: usize = 1 << 16;

/// How many frames a space has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCount {
    /// Frames of normal choices.
    pub normal: u128,
    /// Frames that show one single choice.
    pub single: u128,
    /// Frames that show one error choice.
    pub error: u128,
    /// Counting stopped at the limit: there are more.
    pub more: bool,
}

impl FrameCount {
    /// All of them.
    pub fn total(&self) -> u128 {
        let special = self.single.saturating_add(self.error);
        self.normal.saturating_add(special)
    }

    pub(super) fn add(&mut self, kind: ChoiceKind, frames: u128) {
        let counter = match kind {
            ChoiceKind::Normal => &mut self.normal,
            ChoiceKind::Single => &mut self.single,
            ChoiceKind::Error => &mut self.error,
        };
        *counter = counter.saturating_add(frames);
    }
}

/// What later categories can ask about a partial frame. Choices nobody asks for are absent here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    row: Vec<u16>,
    properties: Properties,
    special: bool,
}

/// The partial frames of one state.
#[derive(Clone, Debug)]
struct Group {
    frames: u128,
    /// The first of them in lexicographic order.
    first: Vec<u16>,
}

/// All frames that were asked for.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) frames: u128,
    pub(super) first: Option<Frame>,
}

/// Per category and property: the last category whose conditions name it.
struct LastUse {
    categories: Vec<usize>,
    properties: Vec<usize>,
}

impl FrameSpace {
    /// Counts the frames: all of them where they can be multiplied (exact below 2^128), else up to `limit`.
    pub fn count(&self, limit: u64) -> FrameCount {
        self.count_groups()
            .unwrap_or_else(|| self.count_listed(limit))
    }

    fn count_groups(&self) -> Option<FrameCount> {
        let mut count = FrameCount::default();
        for (index, choice) in self.special_choices() {
            if let Some(frame) = self.group(Some((index, choice)))?.first {
                count.add(self.kind(&frame), 1);
            }
        }
        let normal = self.group(None)?.frames;
        count.normal = normal;
        count.more = normal == u128::MAX;
        Some(count)
    }

    /// Counts the frames without special choices, or those in which this special choice is the only one. `None` if there
    /// are too many states.
    pub(super) fn group(&self, forced: Option<(usize, u16)>) -> Option<Counted> {
        let uses = LastUse::new(self);
        let partial = Partial::new(self);
        let start = State {
            row: vec![ABSENT; self.categories.len()],
            properties: partial.properties,
            special: false,
        };
        let group = Group {
            frames: 1,
            first: start.row.clone(),
        };
        let mut groups = BTreeMap::from([(start, group)]);
        for index in 0..self.categories.len() {
            let mut next = BTreeMap::new();
            for (state, group) in groups {
                self.extend(index, forced, &uses, state, group, &mut next);
                if next.len() > MOST_STATES {
                    return None;
                }
            }
            groups = next;
        }
        let frames = groups.values().map(|group| group.frames);
        let firsts = groups.values().map(|group| &group.first);
        Some(Counted {
            frames: frames.fold(0, u128::saturating_add),
            first: firsts.min().map(|first| Frame(first.clone())),
        })
    }

    /// Puts one group, extended by every possibility of category `index`, into the groups of the next category.
    fn extend(
        &self,
        index: usize,
        forced: Option<(usize, u16)>,
        uses: &LastUse,
        state: State,
        group: Group,
        next: &mut BTreeMap<State, Group>,
    ) {
        let partial = Partial {
            space: self,
            properties: state.properties,
            special: state.special,
        };
        for choice in self.possibilities(index, forced, &partial, &state.row) {
            let mut after = partial.clone();
            let mut row = state.row.clone();
            after.choose(index, choice, &row);
            row[index] = choice;
            uses.forget(index, &mut row, &mut after.properties);
            let key = State {
                row,
                properties: after.properties,
                special: after.special,
            };
            let mut first = group.first.clone();
            first[index] = choice;
            let entry = next.entry(key).or_insert_with(|| Group {
                frames: 0,
                first: first.clone(),
            });
            entry.frames = entry.frames.saturating_add(group.frames);
            if first < entry.first {
                entry.first = first;
            }
        }
    }
}

impl LastUse {
    fn new(space: &FrameSpace) -> LastUse {
        let mut categories = vec![0; space.categories.len()];
        let mut properties = vec![0; space.properties.len()];
        for (index, category) in space.categories.iter().enumerate() {
            let choices = category.choices.iter();
            let conditions = choices.filter_map(|choice| choice.condition.as_ref());
            for condition in conditions.chain(&category.condition) {
                condition.visit(&mut |named, _| categories[named] = index, &mut |named| {
                    properties[usize::from(named.0)] = index
                });
            }
        }
        LastUse {
            categories,
            properties,
        }
    }

    /// Removes what no category after `index` asks for.
    fn forget(&self, index: usize, row: &mut [u16], properties: &mut Properties) {
        for (cell, &last) in row.iter_mut().zip(&self.categories).take(index + 1) {
            if last <= index {
                *cell = ABSENT;
            }
        }
        properties.retain(|id| self.properties[usize::from(id.0)] > index);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Condition, PropertyId};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn free_categories_multiply() {
        assert_eq!(FrameSpace::uniform(&[3, 4, 2]).count(1).total(), 24);
        let count = FrameSpace::uniform(&[10; 30]).count(1);
        assert_eq!((count.total(), count.more), (10u128.pow(30), false));
        assert!(FrameSpace::uniform(&[10; 40]).count(1).more);
    }

    #[test]
    fn a_special_choice_behind_a_late_condition_is_found_without_listing() {
        let mut space = FrameSpace::uniform(&[4; 30]);
        let last = &mut space.categories[29].choices[1];
        last.condition = Some(Condition::Is(0, 4));
        last.effects.kind = ChoiceKind::Error;
        let count = space.count(1);
        // The last choice is possible in a quarter of the frames, and then special.
        assert_eq!(count.normal, 4u128.pow(29) * 3);
        assert_eq!((count.single, count.error), (0, 1));
    }

    #[test]
    fn conditions_over_very_many_categories_are_listed_up_to_the_limit() {
        let mut space = FrameSpace::uniform(&[3; 21]);
        let all = (0..20).map(|category| Condition::Is(category, 1)).collect();
        space.categories[20].condition = Some(Condition::Any(all));
        let count = space.count(500);
        assert_eq!((count.total(), count.more), (500, true));
    }

    /// Small spaces with all kinds of constraints.
    fn spaces() -> impl Strategy<Value = FrameSpace> {
        let category = (1usize..4, any::<bool>(), 0u8..6, any::<[u8; 6]>());
        prop::collection::vec(category, 1..6).prop_map(|parts| {
            let sizes: Vec<usize> = parts.iter().map(|part| part.0).collect();
            let mut space = FrameSpace::uniform(&sizes);
            space.properties = vec!["P".to_owned(), "Q".to_owned()];
            for (index, (_, absent, gate, details)) in parts.into_iter().enumerate() {
                let condition = |byte: u8| match (byte % 8, index) {
                    (0, 1..) => Some(Condition::Is(usize::from(byte) % index, 1)),
                    (1, 1..) => Some(Condition::Present(usize::from(byte) % index)),
                    (2, _) => Some(Condition::Property(PropertyId(u16::from(byte) % 2))),
                    (3, _) => Some(Condition::Not(Box::new(Condition::Property(PropertyId(0))))),
                    _ => None,
                };
                let category = &mut space.categories[index];
                category.absent = f64::from(u8::from(absent));
                category.condition = condition(gate);
                category.derived = details[0] % 16 == 0;
                if category.derived {
                    continue;
                }
                for (choice, byte) in category.choices.iter_mut().zip(details) {
                    choice.condition = condition(byte / 8);
                    match byte % 7 {
                        0 => choice.effects.kind = ChoiceKind::Single,
                        1 => choice.effects.kind = ChoiceKind::Error,
                        2 => choice.effects.properties = vec![PropertyId(0)],
                        3 => choice.otherwise = Some(super::super::Effects::default()),
                        4 => choice.effects.properties = vec![PropertyId(1)],
                        _ => {}
                    }
                }
            }
            for index in 0..space.categories.len() {
                // Nobody may ask for a derived category.
                if space.validate().is_err() {
                    space.categories[index].derived = false;
                }
            }
            space
        })
    }

    proptest! {
        #[test]
        fn counting_agrees_with_listing(space in spaces()) {
            prop_assume!(space.validate().is_ok());
            prop_assert_eq!(space.count_groups().unwrap(), space.count_listed(u64::MAX));
        }
    }
}
