//! A test under construction: kept sequences and new steps, put together without copying anything until it is wanted.

use super::hash::{self, StepHash};
use super::literals::Literals;
use super::pool::{Kept, Pool};
use super::sequence::{Sequence, Words};
use super::{CallModel, PlaceId, TypeId};
use crate::test::{Literal, OperationId, Value};

/// An argument of a new step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// The result of a step of the draft.
    Step(u32),
    /// A literal of a type, by its number among all.
    Literal(TypeId, u32),
    /// A literal that was made for the draft, of a type, by its number there.
    Own(TypeId, u32),
    /// Nothing: `null`, `None`.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
enum Piece {
    Kept {
        kind: TypeId,
        number: u32,
    },
    /// A sequence that is not in the pool, by its number in the draft.
    Stored {
        kind: TypeId,
        number: u32,
    },
    New {
        operation: OperationId,
        inputs: (u32, u32),
    },
}

/// A test under construction. Its memory is used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pieces: Vec<Piece>,
    inputs: Vec<Input>,
    own: Vec<Literal>,
    stored: Vec<Kept>,
    steps: u32,
    hash: u64,
    place: Option<PlaceId>,
    /// The type of every step's value, as far as somebody asked; `None` where a step gave none.
    values: Vec<Option<TypeId>>,
    /// The values of the pool among the steps.
    appended: Vec<(u32, TypeId, u32)>,
    /// How many pieces the values are of.
    valued: usize,
    words: Words,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.inputs.clear();
        self.own.clear();
        self.stored.clear();
        self.values.clear();
        self.appended.clear();
        self.valued = 0;
        self.steps = 0;
        self.hash = 0;
        self.place = None;
    }

    /// Whether something that must stand in a place can be added. From then on the draft stands there.
    #[inline]
    pub(super) fn move_to(&mut self, place: Option<PlaceId>) -> bool {
        let free = place.is_none() || self.place.is_none() || self.place == place;
        if free {
            self.place = self.place.or(place);
        }
        free
    }

    /// How many steps it has.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.steps as usize
    }

    /// The type of every step's value, as far as it gave one.
    pub(super) fn values(&mut self, model: &CallModel, pool: &Pool) -> &[Option<TypeId>] {
        let result = |operation: OperationId| model.signatures[operation.0 as usize].result;
        for piece in &self.pieces[self.valued..] {
            let (kept, kind) = match *piece {
                Piece::New { operation, .. } => {
                    self.values.push(result(operation));
                    continue;
                }
                Piece::Kept { kind, number } => (pool.get(kind, number), kind),
                Piece::Stored { kind, number } => (&self.stored[number as usize], kind),
            };
            let start = self.values.len();
            for (index, operation) in kept.sequence.operations().enumerate() {
                let gave = kept.values >> index & 1 == 1;
                self.values.push(result(operation).filter(|_| gave));
            }
            // The file it lies in may be more precise than the signature, or the value may have changed hands.
            self.values[start + kept.step as usize] = Some(kind);
        }
        self.valued = self.pieces.len();
        &self.values
    }

    /// The type of a step's value, as far as [`Draft::values`] was asked since the step was added.
    pub(super) fn value(&self, step: u32) -> Option<TypeId> {
        self.values.get(step as usize).copied().flatten()
    }

    /// Whether a step is given the value of another one.
    pub(super) fn is_given(&self, pool: &Pool, step: u32, value: u32) -> bool {
        let mut start = 0;
        for piece in &self.pieces {
            let kept = match *piece {
                Piece::New {
                    inputs: (first, end),
                    ..
                } if start == step => {
                    let inputs = &self.inputs[first as usize..end as usize];
                    return inputs.contains(&Input::Step(value));
                }
                Piece::New { .. } => {
                    start += 1;
                    continue;
                }
                Piece::Kept { kind, number } => pool.get(kind, number),
                Piece::Stored { number, .. } => &self.stored[number as usize],
            };
            let end = start + kept.sequence.len() as u32;
            if (start..end).contains(&step) {
                let call = kept.sequence.calls().nth((step - start) as usize);
                return call.is_some_and(|call| call.results().any(|back| step - back == value));
            }
            start = end;
        }
        false
    }

    /// The structural hash of what there is.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Appends a kept sequence; gives the step of its value.
    pub(super) fn append(&mut self, pool: &Pool, kind: TypeId, number: u32) -> u32 {
        self.pieces.push(Piece::Kept { kind, number });
        let step = self.extend(pool.get(kind, number));
        self.appended.push((step, kind, number));
        step
    }

    /// Appends a sequence that is not in the pool; gives the step of its value.
    pub(super) fn append_stored(&mut self, kind: TypeId, kept: Kept) -> u32 {
        let number = self.stored.len() as u32;
        self.pieces.push(Piece::Stored { kind, number });
        let step = self.extend(&kept);
        self.stored.push(kept);
        step
    }

    #[inline]
    fn extend(&mut self, kept: &Kept) -> u32 {
        let start = self.steps;
        self.steps += kept.sequence.len() as u32;
        self.hash = hash::concatenate(self.hash, kept.sequence.hash(), kept.sequence.len());
        start + kept.step
    }

    /// The values of the pool that it is made of.
    pub(super) fn kept(&self) -> impl Iterator<Item = (TypeId, u32)> {
        self.pieces.iter().filter_map(|piece| match *piece {
            Piece::Kept { kind, number } => Some((kind, number)),
            _ => None,
        })
    }

    /// The value of the pool that a step gives, if it is the one that its sequence was kept for.
    pub(super) fn kept_at(&self, step: u32) -> Option<(TypeId, u32)> {
        let appended = self.appended.iter().find(|(at, ..)| *at == step);
        appended.map(|&(_, kind, number)| (kind, number))
    }

    /// Makes a literal of its own an input.
    pub(super) fn own(&mut self, kind: TypeId, literal: Literal) -> Input {
        self.own.push(literal);
        Input::Own(kind, self.own.len() as u32 - 1)
    }

    /// Appends a new step; gives its number.
    pub(super) fn push(
        &mut self,
        literals: &Literals,
        operation: OperationId,
        inputs: &[Input],
    ) -> u32 {
        let position = self.steps;
        let step = inputs
            .iter()
            .fold(StepHash::new(operation), |step, input| match input {
                Input::Step(index) => step.back(position - index),
                Input::Literal(_, number) => step.literal(literals.hash(*number)),
                Input::Own(_, number) => {
                    step.literal(hash::value(&self.own[*number as usize].value))
                }
                Input::Nothing => step.literal(hash::value(&Value::Nothing)),
            });
        self.hash = hash::concatenate(self.hash, step.finish(), 1);
        let first = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        self.pieces.push(Piece::New {
            operation,
            inputs: (first, self.inputs.len() as u32),
        });
        self.steps += 1;
        position
    }

    /// The inputs of the last step, which must be a new one.
    pub(super) fn last_inputs(&self) -> &[Input] {
        match self.pieces.last() {
            Some(Piece::New {
                inputs: (first, end),
                ..
            }) => &self.inputs[*first as usize..*end as usize],
            _ => &[],
        }
    }

    /// Makes the sequence.
    pub(super) fn finish(&mut self, pool: &Pool) -> Sequence {
        let mut position = 0;
        for piece in &self.pieces {
            match *piece {
                Piece::Kept { kind, number } => {
                    let kept = pool.get(kind, number);
                    self.words.append(&kept.sequence);
                    position += kept.sequence.len() as u32;
                }
                Piece::Stored { number, .. } => {
                    let kept = &self.stored[number as usize];
                    self.words.append(&kept.sequence);
                    position += kept.sequence.len() as u32;
                }
                Piece::New {
                    operation,
                    inputs: (first, end),
                } => {
                    let inputs = &self.inputs[first as usize..end as usize];
                    self.words.step(operation, inputs.len());
                    for input in inputs {
                        match *input {
                            Input::Step(index) => self.words.back(position - index),
                            Input::Literal(_, number) => self.words.literal(number),
                            Input::Own(_, number) => {
                                self.words.own(self.own[number as usize].clone());
                            }
                            Input::Nothing => self.words.nothing(),
                        }
                    }
                    position += 1;
                }
            }
        }
        self.words.finish(self.hash)
    }
}
