//! Structural hashes of sequences, and a bounded memory of them.
//!
//! The hash of a sequence is a polynomial over the hashes of its steps, and a step names earlier results by how far back
//! they are. So the hash does not depend on where a sequence stands in a longer one, and the hash of a concatenation
//! follows from those of its parts without looking at a step.

use crate::calls::TypeId;
use crate::test::{Argument, OperationId, Step, Value};

const BASE: u64 = 0x9ddf_ea08_eb38_2d69;

/// Spreads the bits of a number (the finaliser of MurmurHash3).
#[inline]
pub(super) fn spread(mut z: u64) -> u64 {
    z = (z ^ (z >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    z = (z ^ (z >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    z ^ (z >> 33)
}

/// The hash of two sequences, one after the other.
#[inline]
pub(super) fn concatenate(first: u64, second: u64, second_steps: usize) -> u64 {
    first
        .wrapping_mul(BASE.wrapping_pow(second_steps as u32))
        .wrapping_add(second)
}

/// The hash of a step, argument by argument.
#[derive(Clone, Copy)]
pub(super) struct StepHash(u64);

impl StepHash {
    #[inline]
    pub(super) fn new(operation: OperationId) -> StepHash {
        StepHash(spread(u64::from(operation.0) + 1))
    }

    /// Adds the result of the step so many steps back.
    #[inline]
    pub(super) fn back(self, steps: u32) -> StepHash {
        StepHash(spread(self.0.wrapping_mul(3) ^ u64::from(steps)))
    }

    /// Adds a literal by the hash of its value.
    #[inline]
    pub(super) fn literal(self, hash: u64) -> StepHash {
        StepHash(spread(self.0.wrapping_mul(5) ^ hash))
    }

    #[inline]
    pub(super) fn finish(self) -> u64 {
        self.0
    }
}

/// The hash of a literal's value; its origin does not count.
pub(super) fn value(value: &Value) -> u64 {
    match value {
        Value::Nothing => 1,
        Value::Bool(value) => 2 + u64::from(*value),
        Value::Int(number) => spread(*number as u64 ^ 0x11),
        Value::Float(number) => spread(number.to_bits() ^ 0x22),
        Value::Text(text) => text.bytes().fold(0x33, |hash, byte| {
            spread(hash ^ u64::from(byte)).wrapping_add(0x33)
        }),
    }
}

/// The hash of the step at this position.
pub(super) fn step(position: usize, step: &Step) -> u64 {
    let arguments = step.arguments.iter();
    let hash = arguments.fold(
        StepHash::new(step.operation),
        |hash, argument| match argument {
            Argument::Result(index) => hash.back(position as u32 - index),
            Argument::Slot { pool, slot } => hash
                .back(0)
                .literal(u64::from(*pool) << 32 | u64::from(*slot)),
            Argument::Literal(literal) => hash.literal(value(&literal.value)),
        },
    );
    hash.finish()
}

/// The hash of a sequence.
pub(super) fn sequence(steps: &[Step]) -> u64 {
    let hashes = steps
        .iter()
        .enumerate()
        .map(|(index, one)| step(index, one));
    hashes.fold(0, |hash, one| concatenate(hash, one, 1))
}

/// The hash of a value of a type, by its fingerprint.
pub(super) fn fingerprint(kind: TypeId, fingerprint: u64) -> u64 {
    spread(fingerprint ^ spread(u64::from(kind.0) + 1))
}

/// The hash of a value of a type that was built on demand, by the hash of the sequence that built it.
pub(super) fn built(kind: TypeId, sequence: u64) -> u64 {
    spread(sequence.wrapping_mul(7) ^ spread(u64::from(kind.0) + 1))
}

/// A set of hashes that forgets: it remembers at least the last `limit` different ones, and at most twice as many.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    recent: Table,
    older: Table,
    limit: usize,
}

impl Memory {
    pub(super) fn new(limit: usize) -> Memory {
        Memory {
            recent: Table::default(),
            older: Table::default(),
            limit: limit.max(1),
        }
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        self.recent.contains(hash) || self.older.contains(hash)
    }

    /// Remembers a hash; true if it was not remembered.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if self.contains(hash) {
            return false;
        }
        if self.recent.used == self.limit {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(hash);
        true
    }
}

/// Open addressing with linear probing, at most half full; 0 marks a free slot.
#[derive(Clone, Debug, Default)]
struct Table {
    slots: Vec<u64>,
    used: usize,
}

impl Table {
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = spread(hash) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn contains(&self, hash: u64) -> bool {
        !self.slots.is_empty() && self.slots[self.slot(hash.max(1))] != 0
    }

    fn insert(&mut self, hash: u64) {
        if self.used * 2 >= self.slots.len() {
            let larger = (self.slots.len() * 2).max(64);
            let old = std::mem::replace(&mut self.slots, vec![0; larger]);
            for hash in old.into_iter().filter(|hash| *hash != 0) {
                let slot = self.slot(hash);
                self.slots[slot] = hash;
            }
        }
        let slot = self.slot(hash.max(1));
        self.slots[slot] = hash.max(1);
        self.used += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Literal, Origin};
    use proptest::prelude::*;

    fn steps(shape: &[(u32, i64)], offset: u32) -> Vec<Step> {
        let step = |(index, (operation, number)): (usize, &(u32, i64))| {
            let literal = Literal {
                value: Value::Int(*number),
                origin: Origin::Builtin,
            };
            let mut arguments = vec![Argument::Literal(literal)];
            if index > 0 {
                arguments.push(Argument::Result(offset + index as u32 - 1));
            }
            Step {
                operation: OperationId(*operation),
                arguments,
            }
        };
        shape.iter().enumerate().map(step).collect()
    }

    proptest! {
        #[test]
        fn a_concatenation_hashes_like_its_parts(
            first in proptest::collection::vec((0u32..5, -3i64..3), 0..6),
            second in proptest::collection::vec((0u32..5, -3i64..3), 0..6),
        ) {
            let mut whole = steps(&first, 0);
            whole.extend(steps(&second, first.len() as u32));
            let parts = concatenate(sequence(&steps(&first, 0)), sequence(&steps(&second, 0)), second.len());
            prop_assert_eq!(sequence(&whole), parts);
        }
    }

    #[test]
    fn different_sequences_hash_differently() {
        let mut hashes = Vec::new();
        for operation in 0..20 {
            for number in -20..20 {
                hashes.push(sequence(&steps(&[(operation, number)], 0)));
                hashes.push(sequence(&steps(&[(3, 1), (operation, number)], 0)));
            }
        }
        let all = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), all);
    }

    #[test]
    fn a_memory_keeps_the_last_hashes_and_stays_bounded() {
        let mut memory = Memory::new(100);
        for hash in 0..1000u64 {
            assert!(memory.insert(hash + 1));
            let oldest = hash.saturating_sub(99);
            assert!((oldest..=hash).all(|old| memory.contains(old + 1)));
        }
        assert!(memory.recent.slots.len() + memory.older.slots.len() <= 1024);
        assert!(!memory.insert(1000));
        assert!(memory.insert(1));
    }
}
