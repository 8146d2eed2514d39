//! All literals of a model, numbered through, so that sequences name them in one word.

use super::hash;
use super::{CallModel, TypeId};
use crate::test::Literal;

/// All literals of a model, numbered through.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    all: Vec<Literal>,
    hashes: Vec<u64>,
    /// The first number of every type.
    firsts: Vec<u32>,
    /// Numbers by hash, in ascending order.
    index: Vec<(u64, u32)>,
}

impl Literals {
    /// The literals of a model.
    pub fn new(model: &CallModel) -> Literals {
        let mut all = Vec::new();
        let mut firsts = Vec::new();
        for kind in &model.types {
            firsts.push(all.len() as u32);
            all.extend_from_slice(&kind.literals);
        }
        let hashes: Vec<u64> = all.iter().map(|one| hash::value(&one.value)).collect();
        let mut index: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        index.sort_unstable();
        Literals {
            all,
            hashes,
            firsts,
            index,
        }
    }

    /// The number of a type's literal.
    #[inline]
    pub(super) fn number(&self, kind: TypeId, index: u32) -> u32 {
        self.firsts[kind.0 as usize] + index
    }

    /// The hash of a literal's value.
    #[inline]
    pub(super) fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    /// The literal of this number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &Literal {
        &self.all[number as usize]
    }

    pub(super) fn find(&self, literal: &Literal) -> Option<u32> {
        let hash = hash::value(&literal.value);
        let start = self.index.partition_point(|(other, _)| *other < hash);
        let same = self.index[start..].iter();
        let mut same = same.take_while(|(other, _)| *other == hash);
        same.find(|(_, number)| self.all[*number as usize] == *literal)
            .map(|(_, number)| *number)
    }
}
