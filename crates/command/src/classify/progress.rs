//! What is known of a frame while its categories are decided one after the other: the properties brought so far, and
//! whether a single or error choice was made.

use engine::frames::{ABSENT, ChoiceKind, Effects, FrameSpace, PropertyId};

/// A frame that is known up to some category.
#[derive(Clone, Debug)]
pub(crate) struct Progress<'s> {
    space: &'s FrameSpace,
    /// The choices so far; the others are absent.
    pub row: Vec<u16>,
    properties: Vec<bool>,
    special: bool,
}

impl<'s> Progress<'s> {
    pub fn new(space: &'s FrameSpace) -> Progress<'s> {
        Progress {
            space,
            row: vec![ABSENT; space.categories.len()],
            properties: vec![false; space.properties.len()],
            special: false,
        }
    }

    fn has(&self, property: PropertyId) -> bool {
        let known = self.properties.get(usize::from(property.0));
        known.copied().unwrap_or(false)
    }

    /// Whether the condition of the category itself holds.
    pub fn is_open(&self, category: usize) -> bool {
        let condition = self.space.categories[category].condition.as_ref();
        condition.is_none_or(|condition| condition.holds(&self.row, &|property| self.has(property)))
    }

    /// What a choice would bring now; `None` where its condition rules it out.
    pub fn effects(&self, category: usize, choice: u16) -> Option<&'s Effects> {
        let choice = &self.space.categories[category].choices[usize::from(choice) - 1];
        match &choice.condition {
            Some(condition) if !condition.holds(&self.row, &|property| self.has(property)) => {
                choice.otherwise.as_ref()
            }
            _ => Some(&choice.effects),
        }
    }

    /// Whether a choice could be drawn now, given that its category is open.
    pub fn is_possible(&self, category: usize, choice: u16) -> bool {
        let effects = self.effects(category, choice);
        effects.is_some_and(|e| !self.special || e.kind == ChoiceKind::Normal)
    }

    /// The choices that could be drawn now.
    pub fn options(&self, category: usize) -> impl Iterator<Item = u16> + '_ {
        let count = match self.is_open(category) {
            true => self.space.categories[category].choices.len() as u16,
            false => 0,
        };
        (1..=count).filter(move |choice| self.is_possible(category, *choice))
    }

    /// Whether a drawn frame could be without this category now.
    pub fn may_be_absent(&self, category: usize) -> bool {
        let entry = &self.space.categories[category];
        entry.derived || entry.absent > 0.0 || self.options(category).next().is_none()
    }

    /// Records the choice of a category.
    pub fn choose(&mut self, category: usize, choice: u16) {
        if choice != ABSENT
            && let Some(effects) = self.effects(category, choice)
        {
            self.special |= effects.kind != ChoiceKind::Normal;
            for property in &effects.properties {
                if let Some(known) = self.properties.get_mut(usize::from(property.0)) {
                    *known = true;
                }
            }
        }
        self.row[category] = choice;
    }
}
