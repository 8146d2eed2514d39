//! A frame while it is put together, category by category: which choices are possible now, and what they bring.
//!
//! Nothing here allocates unless a space has more than 256 properties.

use super::block::ABSENT;
use super::condition::PropertyId;
use super::space::{ChoiceKind, Effects, FrameSpace};

/// The properties brought so far, one bit each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Properties {
    near: [u64; 4],
    far: Vec<u64>,
}

impl Properties {
    fn none(count: usize) -> Properties {
        let near = [0; 4];
        let words = count.div_ceil(64);
        Properties {
            near,
            far: vec![0; words.saturating_sub(near.len())],
        }
    }

    fn word(&mut self, word: usize) -> &mut u64 {
        match word.checked_sub(self.near.len()) {
            None => &mut self.near[word],
            Some(far) => &mut self.far[far],
        }
    }

    fn has(&self, property: PropertyId) -> bool {
        let (word, bit) = (usize::from(property.0) / 64, property.0 % 64);
        let word = match word.checked_sub(self.near.len()) {
            None => self.near[word],
            Some(far) => self.far[far],
        };
        word >> bit & 1 != 0
    }

    fn add(&mut self, property: PropertyId) {
        *self.word(usize::from(property.0) / 64) |= 1 << (property.0 % 64);
    }

    /// Forgets the properties for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(PropertyId) -> bool) {
        for (index, word) in self.near.iter_mut().chain(&mut self.far).enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as u16;
                left &= left - 1;
                if !keep(PropertyId(index as u16 * 64 + bit)) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}

/// What is known of a frame while it is being put together.
#[derive(Clone, Debug)]
pub struct Partial<'a> {
    pub(super) space: &'a FrameSpace,
    pub(super) properties: Properties,
    /// A single or error choice was made; no other one is possible.
    pub(super) special: bool,
}

impl<'a> Partial<'a> {
    /// A frame of which nothing is known yet.
    pub fn new(space: &'a FrameSpace) -> Partial<'a> {
        Partial {
            space,
            properties: Properties::none(space.properties.len()),
            special: false,
        }
    }

    /// Whether the condition of the category itself holds.
    #[inline]
    pub fn is_open(&self, index: usize, row: &[u16]) -> bool {
        let condition = &self.space.categories[index].condition;
        condition
            .as_ref()
            .is_none_or(|condition| condition.holds(row, &|id| self.properties.has(id)))
    }

    /// What this choice would bring now, given that its category is open; `None` if it is not possible.
    #[inline]
    pub fn effects(&self, index: usize, choice: u16, row: &[u16]) -> Option<&'a Effects> {
        let choice = &self.space.categories[index].choices[usize::from(choice) - 1];
        match &choice.condition {
            Some(condition) if !condition.holds(row, &|id| self.properties.has(id)) => {
                choice.otherwise.as_ref()
            }
            _ => Some(&choice.effects),
        }
    }

    /// Whether this choice is possible now, given that its category is open.
    #[inline]
    pub fn is_possible(&self, index: usize, choice: u16, row: &[u16]) -> bool {
        let effects = self.effects(index, choice, row);
        effects.is_some_and(|e| !self.special || e.kind == ChoiceKind::Normal)
    }

    /// The choice numbers that are possible for this category now.
    pub fn options<'r>(&'r self, index: usize, row: &'r [u16]) -> impl Iterator<Item = u16> + 'r {
        let count = match self.is_open(index, row) {
            true => self.space.categories[index].choices.len() as u16,
            false => 0,
        };
        (1..=count).filter(move |&choice| self.is_possible(index, choice, row))
    }

    /// Records that this choice was made.
    #[inline]
    pub fn choose(&mut self, index: usize, choice: u16, row: &[u16]) {
        if choice == ABSENT {
            return;
        }
        if let Some(effects) = self.effects(index, choice, row) {
            self.special |= effects.kind != ChoiceKind::Normal;
            for &property in &effects.properties {
                self.properties.add(property);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_past_256_are_kept_too() {
        let mut properties = Properties::none(400);
        for id in [0, 63, 64, 255, 256, 399] {
            assert!(!properties.has(PropertyId(id)));
            properties.add(PropertyId(id));
            assert!(properties.has(PropertyId(id)));
        }
        properties.retain(|id| id.0 == 64 || id.0 == 399);
        let left: Vec<u16> = (0..400)
            .filter(|&id| properties.has(PropertyId(id)))
            .collect();
        assert_eq!(left, [64, 399]);
    }
}
