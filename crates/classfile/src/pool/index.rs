//! Finds the place of an equal constant.
//!
//! A small hash table of indices, made when the first constant is added. Its order never reaches an output: among equal
//! entries the first one is found.

use std::hash::{Hash, Hasher};

use super::Constant;

/// Open addressing; 0 is a free slot, since index 0 is no constant.
#[derive(Clone, Debug)]
pub(super) struct Index {
    slots: Vec<u16>,
    used: usize,
}

impl Index {
    pub(super) fn of(constants: &[Constant]) -> Index {
        let slots = (constants.len() * 2 + 64).next_power_of_two();
        let mut index = Index {
            slots: vec![0; slots],
            used: 0,
        };
        for (at, constant) in constants.iter().enumerate() {
            if !matches!(constant, Constant::Gap) {
                index.insert(constants, constant, at as u16);
            }
        }
        index
    }

    /// The first equal constant.
    pub(super) fn find(&self, constants: &[Constant], constant: &Constant) -> Option<u16> {
        match self.slots[self.slot(constants, constant)] {
            0 => None,
            index => Some(index),
        }
    }

    /// Remembers the place of a constant unless an equal one is known.
    fn insert(&mut self, constants: &[Constant], constant: &Constant, at: u16) {
        let slot = self.slot(constants, constant);
        if self.slots[slot] == 0 {
            self.slots[slot] = at;
            self.used += 1;
        }
    }

    /// Remembers the last of the constants.
    pub(super) fn added(&mut self, constants: &[Constant], at: u16) {
        if (self.used + 1) * 2 > self.slots.len() {
            *self = Index::of(constants);
        } else {
            self.insert(constants, &constants[usize::from(at)], at);
        }
    }

    fn slot(&self, constants: &[Constant], constant: &Constant) -> usize {
        let mask = self.slots.len() - 1;
        let mut hasher = Multiply(0);
        constant.hash(&mut hasher);
        let mut slot = (hasher.finish() >> 32) as usize & mask;
        // The table is never full, so a free slot ends the search.
        loop {
            let index = usize::from(self.slots[slot]);
            if index == 0 || constants[index] == *constant {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Rotates, mixes and multiplies eight bytes at a time: fast, and good enough for one class's constants.
struct Multiply(u64);

impl Multiply {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u16(&mut self, value: u16) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}
