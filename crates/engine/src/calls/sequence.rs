//! Call sequences in few bytes. A test has one allocation per step; drawing from thousands of them would miss the cache at
//! every step, and most proposed tests are never looked at by a person. Here a sequence is one run of words, and literals of
//! the model are numbers.

use super::hash;
use super::literals::Literals;
use crate::test::{Argument, Literal, OperationId, Origin, Step, Test, Value};
use std::rc::Rc;

const RESULT: u32 = 0;
const LITERAL: u32 = 1;
const OWN: u32 = 2;
const NOTHING: u32 = 3;

static NULL: Literal = Literal {
    value: Value::Nothing,
    origin: Origin::Builtin,
};

/// A sequence: for every step its operation, the number of its arguments and the arguments, each with its kind in the lowest
/// two bits. Results are named by how many steps back they are, so sequences are put together without changing them.
#[derive(Clone, Debug)]
pub struct Sequence {
    words: Rc<[u32]>,
    /// Literals that are not the model's.
    own: Option<Rc<[Literal]>>,
    hash: u64,
    steps: u32,
}

/// A step of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// What is done.
    pub operation: OperationId,
    words: &'a [u32],
    sequence: &'a Sequence,
}

/// An argument of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    /// The result of the step so many steps back.
    Back(u32),
    /// A literal.
    Literal(&'a Literal),
}

impl Sequence {
    /// The sequence of these steps; `None` if they have arguments that call sequences do not have: slots of pools, results
    /// of later steps.
    pub fn new(literals: &Literals, steps: &[Step]) -> Option<Sequence> {
        let mut draft = Words::default();
        for (position, step) in steps.iter().enumerate() {
            draft.step(step.operation, step.arguments.len());
            for argument in &step.arguments {
                match argument {
                    Argument::Result(index) => {
                        let back = (position as u32).checked_sub(*index);
                        draft.back(back.filter(|steps| *steps > 0)?);
                    }
                    Argument::Slot { .. } => return None,
                    Argument::Literal(literal) if *literal == NULL => draft.nothing(),
                    Argument::Literal(literal) => match literals.find(literal) {
                        Some(number) => draft.literal(number),
                        None => draft.own(literal.clone()),
                    },
                }
            }
        }
        Some(draft.finish(hash::sequence(steps)))
    }

    /// How many steps it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.steps as usize
    }

    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// The structural hash, which does not depend on where it stands in a longer one.
    #[inline]
    pub(in crate::calls) fn hash(&self) -> u64 {
        self.hash
    }

    /// The steps in order.
    #[inline]
    pub fn calls(&self) -> impl Iterator<Item = Call<'_>> {
        let mut rest = &self.words[..];
        std::iter::from_fn(move || {
            let (&[operation, count], others) = rest.split_first_chunk()?;
            let (words, others) = others.split_at(count as usize);
            rest = others;
            Some(Call {
                operation: OperationId(operation),
                words,
                sequence: self,
            })
        })
    }

    /// For every step whether its result is given to a later one.
    pub(super) fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.len()];
        for (step, call) in self.calls().enumerate() {
            for back in call.results() {
                used[step - back as usize] = true;
            }
        }
        used
    }

    /// The operations of the steps.
    #[inline]
    pub fn operations(&self) -> impl Iterator<Item = OperationId> {
        self.calls().map(|call| call.operation)
    }

    /// The test that it is.
    pub fn test(&self, literals: &Literals) -> Test {
        let step = |(position, call): (usize, Call<'_>)| Step {
            operation: call.operation,
            arguments: call
                .arguments(literals)
                .map(|argument| match argument {
                    Given::Back(steps) => Argument::Result(position as u32 - steps),
                    Given::Literal(literal) => Argument::Literal(literal.clone()),
                })
                .collect(),
        };
        Test {
            steps: self.calls().enumerate().map(step).collect(),
        }
    }
}

impl<'a> Call<'a> {
    /// How many arguments it has.
    #[inline]
    pub fn count(&self) -> usize {
        self.words.len()
    }

    /// The arguments, where the numbered literals are these.
    #[inline]
    pub fn arguments(&self, literals: &'a Literals) -> impl Iterator<Item = Given<'a>> {
        let own = self.sequence.own.as_deref().unwrap_or_default();
        self.words.iter().map(move |word| {
            let number = word >> 2;
            match word & 3 {
                RESULT => Given::Back(number),
                LITERAL => Given::Literal(literals.get(number)),
                OWN => Given::Literal(&own[number as usize]),
                _ => Given::Literal(&NULL),
            }
        })
    }

    /// The place among its arguments of the result of this number that it is given.
    pub(super) fn parameter_of_result(&self, number: usize) -> usize {
        let words = self.words.iter().enumerate();
        let mut results = words.filter(|(_, word)| **word & 3 == RESULT);
        results.nth(number).map_or(0, |(place, _)| place)
    }

    /// The steps, counted back from this one, whose results it is given.
    pub(super) fn results(&self) -> impl Iterator<Item = u32> {
        let results = self.words.iter().filter(|word| **word & 3 == RESULT);
        results.map(|word| word >> 2)
    }
}

/// A sequence being written. Its memory is used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    words: Vec<u32>,
    own: Vec<Literal>,
    steps: u32,
}

impl Words {
    /// Begins a step, whose arguments follow.
    #[inline]
    pub(super) fn step(&mut self, operation: OperationId, arguments: usize) {
        self.words.extend([operation.0, arguments as u32]);
        self.steps += 1;
    }

    #[inline]
    pub(super) fn back(&mut self, steps: u32) {
        self.words.push(steps << 2 | RESULT);
    }

    #[inline]
    pub(super) fn literal(&mut self, number: u32) {
        self.words.push(number << 2 | LITERAL);
    }

    pub(super) fn own(&mut self, literal: Literal) {
        self.words.push((self.own.len() as u32) << 2 | OWN);
        self.own.push(literal);
    }

    #[inline]
    pub(super) fn nothing(&mut self) {
        self.words.push(NOTHING);
    }

    /// Appends a whole sequence.
    pub(super) fn append(&mut self, sequence: &Sequence) {
        self.steps += sequence.steps;
        let Some(own) = &sequence.own else {
            self.words.extend_from_slice(&sequence.words);
            return;
        };
        let before = self.own.len() as u32;
        self.own.extend_from_slice(own);
        for call in sequence.calls() {
            let words = call.words.iter();
            self.words.extend([call.operation.0, call.count() as u32]);
            self.words.extend(words.map(|word| match word & 3 {
                OWN => word + (before << 2),
                _ => *word,
            }));
        }
    }

    /// The sequence written since the last one was finished.
    pub(super) fn finish(&mut self, hash: u64) -> Sequence {
        let sequence = Sequence {
            words: Rc::from(&self.words[..]),
            own: (!self.own.is_empty()).then(|| self.own.drain(..).collect()),
            hash,
            steps: self.steps,
        };
        self.words.clear();
        self.steps = 0;
        sequence
    }
}

#[cfg(test)]
mod tests {
    use super::super::slice::tests::closed_tests;
    use super::super::toy;
    use super::*;
    use proptest::prelude::*;

    /// Tests with literals of the model, others, and nothing.
    fn tests_with_literals() -> impl Strategy<Value = Test> {
        let given = (any::<prop::sample::Index>(), -2i64..12, any::<bool>());
        let given = proptest::collection::vec(given, 0..20);
        (closed_tests(), given).prop_map(|(mut test, given)| {
            for (place, number, mined) in given {
                let literal = match (number, mined) {
                    (11, _) => NULL.clone(),
                    (_, false) => toy::literal(Value::Int(number)),
                    (_, true) => Literal {
                        value: Value::Text(number.to_string()),
                        origin: Origin::Mined("here".to_owned()),
                    },
                };
                let step = place.index(test.steps.len());
                test.steps[step].arguments.push(Argument::Literal(literal));
            }
            test
        })
    }

    proptest! {
        #[test]
        fn a_sequence_comes_back_as_it_was(test in tests_with_literals()) {
            let literals = Literals::new(&toy::calls());
            let sequence = Sequence::new(&literals, &test.steps).unwrap();
            let operations: Vec<OperationId> = test.steps.iter().map(|step| step.operation).collect();
            prop_assert_eq!(sequence.len(), test.steps.len());
            prop_assert_eq!(sequence.operations().collect::<Vec<_>>(), operations);
            prop_assert_eq!(sequence.test(&literals), test);
        }

        #[test]
        fn sequences_are_put_together_like_their_tests(first in tests_with_literals(), second in tests_with_literals()) {
            let literals = Literals::new(&toy::calls());
            let [one, other] = [&first, &second].map(|test| Sequence::new(&literals, &test.steps).unwrap());
            let mut words = Words::default();
            words.append(&one);
            words.append(&other);
            let hash = hash::concatenate(one.hash(), other.hash(), other.len());
            let together = words.finish(hash);
            let offset = first.steps.len() as u32;
            let mut steps = first.steps;
            steps.extend(second.steps);
            for argument in steps[offset as usize..].iter_mut().flat_map(|step| &mut step.arguments) {
                if let Argument::Result(index) = argument {
                    *index += offset;
                }
            }
            prop_assert_eq!(together.hash(), hash::sequence(&steps));
            prop_assert_eq!(together.test(&literals), Test { steps });
        }
    }
}
