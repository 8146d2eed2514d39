//! Kept sequences in few bytes. A test has one allocation per step; drawing from thousands of them would miss the cache at
//! every step. Here a sequence is one run of words, and literals of the model are numbers.

use super::hash;
use super::{CallModel, TypeId};
use crate::test::{Argument, Literal, OperationId, Origin, Step, Value};
use std::rc::Rc;

/// All literals of a model, numbered through.
#[derive(Clone, Debug)]
pub(super) struct Literals {
    all: Vec<Literal>,
    hashes: Vec<u64>,
    /// The first number of every type.
    firsts: Vec<u32>,
    /// Numbers by hash, in ascending order.
    index: Vec<(u64, u32)>,
}

impl Literals {
    pub(super) fn new(model: &CallModel) -> Literals {
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

    fn find(&self, literal: &Literal) -> Option<u32> {
        let hash = hash::value(&literal.value);
        let start = self.index.partition_point(|(other, _)| *other < hash);
        let same = self.index[start..].iter();
        let mut same = same.take_while(|(other, _)| *other == hash);
        same.find(|(_, number)| self.all[*number as usize] == *literal)
            .map(|(_, number)| *number)
    }
}

const RESULT: u32 = 0;
const LITERAL: u32 = 1;
const OWN: u32 = 2;
const NOTHING: u32 = 3;

/// A sequence: for every step its operation, the number of its arguments and the arguments, each with its kind in the lowest
/// two bits. Results are named by how many steps back they are.
#[derive(Clone, Debug)]
pub(super) struct Code {
    words: Rc<[u32]>,
    /// Literals that are not the model's.
    own: Option<Rc<[Literal]>>,
    /// How many steps it has.
    pub steps: u32,
}

impl Code {
    /// The code of a sequence; `None` if it has arguments that call sequences do not have.
    pub(super) fn new(literals: &Literals, steps: &[Step]) -> Option<Code> {
        let arguments: usize = steps.iter().map(|step| step.arguments.len()).sum();
        let mut words = Vec::with_capacity(2 * steps.len() + arguments);
        let mut own = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            words.extend([step.operation.0, step.arguments.len() as u32]);
            for argument in &step.arguments {
                words.push(match argument {
                    Argument::Result(index) => (position as u32 - index) << 2 | RESULT,
                    Argument::Slot { .. } => return None,
                    Argument::Literal(literal) if *literal == nothing() => NOTHING,
                    Argument::Literal(literal) => match literals.find(literal) {
                        Some(number) => number << 2 | LITERAL,
                        None => {
                            own.push(literal.clone());
                            (own.len() as u32 - 1) << 2 | OWN
                        }
                    },
                });
            }
        }
        Some(Code {
            words: words.into(),
            own: (!own.is_empty()).then(|| own.into()),
            steps: steps.len() as u32,
        })
    }

    /// The operations of the steps.
    pub(super) fn operations(&self) -> impl Iterator<Item = OperationId> {
        let mut rest = &self.words[..];
        std::iter::from_fn(move || {
            let (&[operation, arguments], others) = rest.split_first_chunk()?;
            rest = &others[arguments as usize..];
            Some(OperationId(operation))
        })
    }

    /// Appends the steps to others.
    pub(super) fn append_to(&self, literals: &Literals, steps: &mut Vec<Step>) {
        let mut rest = &self.words[..];
        while let Some((&[operation, count], others)) = rest.split_first_chunk() {
            let (arguments, others) = others.split_at(count as usize);
            let position = steps.len() as u32;
            let decode = |word: &u32| self.argument(literals, position, *word);
            steps.push(Step {
                operation: OperationId(operation),
                arguments: arguments.iter().map(decode).collect(),
            });
            rest = others;
        }
    }

    fn argument(&self, literals: &Literals, position: u32, word: u32) -> Argument {
        let number = word >> 2;
        let own = |own: &Rc<[Literal]>| own[number as usize].clone();
        match word & 3 {
            RESULT => Argument::Result(position - number),
            LITERAL => Argument::Literal(literals.get(number).clone()),
            OWN => Argument::Literal(self.own.as_ref().map_or_else(nothing, own)),
            _ => Argument::Literal(nothing()),
        }
    }
}

/// The literal that stands for nothing.
pub(super) fn nothing() -> Literal {
    Literal {
        value: Value::Nothing,
        origin: Origin::Builtin,
    }
}

#[cfg(test)]
mod tests {
    use super::super::slice::tests::closed_tests;
    use super::super::toy;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sequence_comes_back_as_it_was(
            mut test in closed_tests(),
            given in proptest::collection::vec((any::<prop::sample::Index>(), -2i64..12, any::<bool>()), 0..20),
        ) {
            for (place, number, mined) in given {
                let literal = match (number, mined) {
                    (11, _) => nothing(),
                    (_, false) => toy::literal(Value::Int(number)),
                    (_, true) => Literal { value: Value::Text(number.to_string()), origin: Origin::Mined("here".to_owned()) },
                };
                let step = place.index(test.steps.len());
                test.steps[step].arguments.push(Argument::Literal(literal));
            }
            let literals = Literals::new(&toy::calls());
            let code = Code::new(&literals, &test.steps).unwrap();
            let operations: Vec<OperationId> = test.steps.iter().map(|step| step.operation).collect();
            prop_assert_eq!(code.operations().collect::<Vec<_>>(), operations);
            let mut steps = Vec::new();
            code.append_to(&literals, &mut steps);
            prop_assert_eq!(steps, test.steps);
        }
    }
}
