//! Drawing random frames that satisfy the constraints.
//!
//! Categories are drawn in order; conditions look back only, so one pass always succeeds and nothing is rejected. A category
//! none of whose choices is possible is absent. At most one choice of a frame is single or error.

use super::block::{ABSENT, FrameBlock};
use super::condition::PropertyId;
use super::space::{ChoiceKind, Effects, FrameSpace};
use crate::Stream;

/// Draws frames of one space.
#[derive(Clone, Debug)]
pub struct Sampler {
    space: FrameSpace,
}

impl Sampler {
    /// A sampler for a valid space (see [`FrameSpace::validate`]).
    pub fn new(space: &FrameSpace) -> Sampler {
        Sampler {
            space: space.clone(),
        }
    }

    /// Draws one frame into `row`. Derived categories are left absent.
    pub fn draw(&self, stream: &mut Stream, row: &mut [u16]) {
        row.fill(ABSENT);
        let mut partial = Partial::new(&self.space);
        for (index, category) in self.space.categories.iter().enumerate() {
            if category.derived {
                continue;
            }
            let options = partial.options(index, row);
            let weight = |choice: u16| category.choices[usize::from(choice) - 1].weight;
            let total: f64 = options.iter().map(|&choice| weight(choice)).sum();
            if options.is_empty() || total + category.absent <= 0.0 {
                continue;
            }
            let mut point = stream.unit() * (total + category.absent);
            let mut chosen = if category.absent > 0.0 {
                ABSENT
            } else {
                options[options.len() - 1]
            };
            for &choice in &options {
                point -= weight(choice);
                if point < 0.0 {
                    chosen = choice;
                    break;
                }
            }
            row[index] = chosen;
            partial.choose(index, chosen, row);
        }
    }

    /// Draws a frame into every row.
    pub fn fill(&self, stream: &mut Stream, block: &mut FrameBlock) {
        for row in 0..block.rows() {
            self.draw(stream, block.row_mut(row));
        }
    }
}

/// What is known of a frame while it is being put together, category by category.
#[derive(Clone, Debug)]
pub(super) struct Partial<'a> {
    space: &'a FrameSpace,
    properties: Vec<bool>,
    special: bool,
}

impl<'a> Partial<'a> {
    pub(super) fn new(space: &'a FrameSpace) -> Partial<'a> {
        Partial {
            space,
            properties: vec![false; space.properties.len()],
            special: false,
        }
    }

    /// The choice numbers that are possible for this category now.
    pub(super) fn options(&self, index: usize, row: &[u16]) -> Vec<u16> {
        let category = &self.space.categories[index];
        let has = |property: PropertyId| self.properties[usize::from(property.0)];
        if category
            .condition
            .as_ref()
            .is_some_and(|condition| !condition.holds(row, &has))
        {
            return Vec::new();
        }
        (1..=category.choices.len() as u16)
            .filter(|&choice| {
                let effects = self.effects(index, choice, row);
                effects.is_some_and(|e| !self.special || e.kind == ChoiceKind::Normal)
            })
            .collect()
    }

    /// What this choice would bring now; `None` if it is not possible.
    pub(super) fn effects(&self, index: usize, choice: u16, row: &[u16]) -> Option<&'a Effects> {
        let choice = &self.space.categories[index].choices[usize::from(choice) - 1];
        let has = |property: PropertyId| self.properties[usize::from(property.0)];
        match &choice.condition {
            Some(condition) if !condition.holds(row, &has) => choice.otherwise.as_ref(),
            _ => Some(&choice.effects),
        }
    }

    /// Records that this choice was made.
    pub(super) fn choose(&mut self, index: usize, choice: u16, row: &[u16]) {
        if choice == ABSENT {
            return;
        }
        if let Some(effects) = self.effects(index, choice, row) {
            self.special |= effects.kind != ChoiceKind::Normal;
            for property in &effects.properties {
                self.properties[usize::from(property.0)] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Category, Choice, Condition};
    use super::*;
    use crate::Seed;

    fn space() -> FrameSpace {
        let mut space = FrameSpace::uniform(&[2, 3, 2]);
        space.properties = vec!["Long".to_owned()];
        space.categories[0].choices[1].effects.properties = vec![PropertyId(0)];
        space.categories[1].condition = Some(Condition::Property(PropertyId(0)));
        space.categories[1].choices[2].effects.kind = ChoiceKind::Error;
        space.categories[2].choices[0].condition = Some(Condition::Present(1));
        space.categories[2].choices[1].effects.kind = ChoiceKind::Single;
        space
    }

    #[test]
    fn every_drawn_frame_is_allowed() {
        let space = space();
        space.validate().unwrap();
        let sampler = Sampler::new(&space);
        let mut stream = Seed(1).stream();
        let mut row = [0; 3];
        for _ in 0..1000 {
            sampler.draw(&mut stream, &mut row);
            assert!(space.allows(&row), "{}", space.describe(&row));
            assert!(row[0] == 2 || row[1] == ABSENT);
            assert!(
                !(row[1] == 3 && row[2] == 2),
                "two special choices: {row:?}"
            );
        }
    }

    #[test]
    fn weights_are_the_chances() {
        let mut space = FrameSpace::uniform(&[2]);
        space.categories[0].choices[0].weight = 3.0;
        space.categories[0].absent = 4.0;
        let sampler = Sampler::new(&space);
        let mut stream = Seed(5).stream();
        let mut counts = [0; 3];
        for _ in 0..8000 {
            let mut row = [0];
            sampler.draw(&mut stream, &mut row);
            counts[usize::from(row[0])] += 1;
        }
        assert!((3800..4200).contains(&counts[0]), "{counts:?}");
        assert!((2800..3200).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn a_condition_that_looks_forward_is_refused() {
        let mut space = FrameSpace::uniform(&[1, 1]);
        space.categories[0].condition = Some(Condition::Present(1));
        assert!(space.validate().is_err());
    }

    #[test]
    fn a_category_can_be_built_by_hand() {
        let category = Category {
            name: "year".to_owned(),
            weight: 1.0,
            absent: 1.0,
            condition: None,
            derived: false,
            choices: vec![Choice::plain("leap")],
        };
        let space = FrameSpace {
            categories: vec![category],
            properties: vec![],
        };
        assert_eq!(space.describe(&[1]), "year=leap");
        assert_eq!(space.describe(&[0]), "");
    }
}
