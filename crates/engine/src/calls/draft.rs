//! A test under construction: kept sequences and new steps, put together without copying anything until it is wanted.

use super::code::{Literals, nothing};
use super::hash::{self, StepHash};
use super::pool::Pool;
use super::{CallModel, PlaceId, TypeId};
use crate::test::{Argument, OperationId, Step, Test, Value};

/// An argument of a new step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// The result of a step of the draft.
    Step(u32),
    /// A literal of a type, by its number among all.
    Literal(TypeId, u32),
    /// Nothing: `null`, `None`.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
enum Piece {
    Kept {
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
    /// The type of every step's value; `None` where a step gave none.
    values: Vec<Option<TypeId>>,
    hash: u64,
    place: Option<PlaceId>,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.inputs.clear();
        self.values.clear();
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
        self.values.len()
    }

    /// The type of every step's value, as far as it gave one.
    #[inline]
    pub(super) fn values(&self) -> &[Option<TypeId>] {
        &self.values
    }

    /// The structural hash of what there is.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Appends a kept sequence; gives the step of its value.
    pub(super) fn append(
        &mut self,
        model: &CallModel,
        pool: &Pool,
        kind: TypeId,
        number: u32,
    ) -> u32 {
        let kept = pool.get(kind, number);
        let start = self.values.len();
        for (index, operation) in kept.code.operations().enumerate() {
            let result = model.signatures[operation.0 as usize].result;
            let gave = kept.values >> index & 1 == 1;
            self.values.push(result.filter(|_| gave));
        }
        // The file it lies in may be more precise than the signature, or the value may have changed hands.
        self.values[start + kept.step as usize] = Some(kind);
        self.hash = hash::concatenate(self.hash, kept.hash, kept.code.steps as usize);
        self.pieces.push(Piece::Kept { kind, number });
        start as u32 + kept.step
    }

    /// Appends a new step; gives its number.
    pub(super) fn push(
        &mut self,
        model: &CallModel,
        literals: &Literals,
        operation: OperationId,
        inputs: &[Input],
    ) -> u32 {
        let position = self.values.len() as u32;
        let step = inputs
            .iter()
            .fold(StepHash::new(operation), |step, input| match input {
                Input::Step(index) => step.back(position - index),
                Input::Literal(_, number) => step.literal(literals.hash(*number)),
                Input::Nothing => step.literal(hash::value(&Value::Nothing)),
            });
        self.hash = hash::concatenate(self.hash, step.finish(), 1);
        let first = self.inputs.len() as u32;
        self.inputs.extend_from_slice(inputs);
        self.pieces.push(Piece::New {
            operation,
            inputs: (first, self.inputs.len() as u32),
        });
        self.values
            .push(model.signatures[operation.0 as usize].result);
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

    /// Makes the test.
    pub(super) fn finish(&self, literals: &Literals, pool: &Pool) -> Test {
        let mut steps = Vec::with_capacity(self.len());
        for piece in &self.pieces {
            match *piece {
                Piece::Kept { kind, number } => {
                    let kept = pool.get(kind, number);
                    kept.code.append_to(literals, &mut steps);
                }
                Piece::New {
                    operation,
                    inputs: (first, end),
                } => {
                    let inputs = &self.inputs[first as usize..end as usize];
                    let arguments = inputs
                        .iter()
                        .map(|input| argument(literals, *input))
                        .collect();
                    steps.push(Step {
                        operation,
                        arguments,
                    });
                }
            }
        }
        Test { steps }
    }
}

fn argument(literals: &Literals, input: Input) -> Argument {
    match input {
        Input::Step(index) => Argument::Result(index),
        Input::Literal(_, number) => Argument::Literal(literals.get(number).clone()),
        Input::Nothing => Argument::Literal(nothing()),
    }
}
