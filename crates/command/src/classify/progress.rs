//! A frame whose categories are decided one after the other, with its row of choices so far.

use engine::frames::{ABSENT, Effects, FrameSpace, Partial};

/// A frame that is known up to some category.
#[derive(Clone, Debug)]
pub(crate) struct Progress<'s> {
    space: &'s FrameSpace,
    partial: Partial<'s>,
    /// The choices so far; the others are absent.
    pub row: Vec<u16>,
}

impl<'s> Progress<'s> {
    pub fn new(space: &'s FrameSpace) -> Progress<'s> {
        Progress {
            space,
            partial: Partial::new(space),
            row: vec![ABSENT; space.categories.len()],
        }
    }

    /// Whether the condition of the category itself holds.
    pub fn is_open(&self, category: usize) -> bool {
        self.partial.is_open(category, &self.row)
    }

    /// What a choice would bring now; `None` where its condition rules it out.
    pub fn effects(&self, category: usize, choice: u16) -> Option<&'s Effects> {
        self.partial.effects(category, choice, &self.row)
    }

    /// Whether a choice could be drawn now, given that its category is open.
    pub fn is_possible(&self, category: usize, choice: u16) -> bool {
        self.partial.is_possible(category, choice, &self.row)
    }

    /// The choices that could be drawn now.
    pub fn options(&self, category: usize) -> impl Iterator<Item = u16> + '_ {
        self.partial.options(category, &self.row)
    }

    /// Whether a drawn frame could be without this category now.
    pub fn may_be_absent(&self, category: usize) -> bool {
        let entry = &self.space.categories[category];
        entry.derived || entry.absent > 0.0 || self.options(category).next().is_none()
    }

    /// Records the choice of a category.
    pub fn choose(&mut self, category: usize, choice: u16) {
        self.partial.choose(category, choice, &self.row);
        self.row[category] = choice;
    }
}
