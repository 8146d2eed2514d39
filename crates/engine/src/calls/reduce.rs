//! Making a call sequence smaller while it still does what it is kept for: fails the same way, covers the same goals.
//!
//! First steps go, in ever smaller groups, as in delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", 2002, Section 3). Then results that are given to steps become literals, nothing, or results of
//! earlier steps, arrays lose elements, and literals become simple. This repeats until nothing changes.
//!
//! What the test is kept for is the caller's question. It is asked for many candidates at once, because execution is
//! batched; of those that hold the first is taken.
//!
//! ## Differences
//! - A step goes together with all steps that need its result.
//! - Only complements are asked for, not the groups alone: a group alone is seldom closed.

use super::simpler::simpler;
use super::slice::without;
use super::{CallModel, Parameter};
use crate::test::{Argument, Literal, Origin, Step, Test, Value};

/// The most candidates of one question.
const BATCH: usize = 64;

/// Tells for each candidate whether it still does what the test is kept for.
pub type Holds<'a> = dyn FnMut(&[Test]) -> Vec<bool> + 'a;

/// Reduces a test for which the question would be answered with yes. At most `limit` candidates are asked about; the
/// result is the test itself or a candidate that held. With enough of them no single step can be left out of it.
pub fn reduce(model: &CallModel, test: &Test, limit: usize, holds: &mut Holds<'_>) -> Test {
    let mut reduction = Reduction {
        model,
        current: test.clone(),
        left: limit,
        holds,
    };
    loop {
        let before = reduction.current.clone();
        reduction.drop_steps();
        reduction.accept_while(Reduction::with_fewer_arguments);
        reduction.accept_while(Reduction::with_simpler_results);
        reduction.accept_while(Reduction::with_simpler_literals);
        if reduction.current == before || reduction.left == 0 {
            return reduction.current;
        }
    }
}

struct Reduction<'a, 'b> {
    model: &'a CallModel,
    current: Test,
    /// How many candidates may still be asked about.
    left: usize,
    holds: &'a mut Holds<'b>,
}

impl Reduction<'_, '_> {
    /// Takes the first candidate that holds; false if there is none.
    fn accept(&mut self, candidates: Vec<Test>) -> bool {
        for batch in candidates.chunks(BATCH) {
            let batch = &batch[..batch.len().min(self.left)];
            if batch.is_empty() {
                return false;
            }
            self.left -= batch.len();
            let answers = (self.holds)(batch);
            if let Some(first) = answers.iter().position(|holds| *holds) {
                self.current = batch[first].clone();
                return true;
            }
        }
        false
    }

    fn accept_while(&mut self, candidates: fn(&Self) -> Vec<Test>) {
        while self.accept(candidates(self)) {}
    }

    /// Drops groups of steps, half of them first, single ones last.
    fn drop_steps(&mut self) {
        let mut group = self.current.steps.len().div_ceil(2);
        while group > 0 {
            if self.accept(self.without_groups(group)) {
                group = group.min(self.current.steps.len());
            } else {
                group /= 2;
            }
        }
    }

    /// The test without each group of so many steps, those at the end first: fewer steps need them.
    fn without_groups(&self, group: usize) -> Vec<Test> {
        let steps: Vec<u32> = (0..self.current.steps.len() as u32).collect();
        let groups = steps.rchunks(group);
        groups
            .map(|group| without(&self.current, group))
            .filter(|test| !test.steps.is_empty())
            .collect()
    }

    /// The test with one repeated argument less.
    fn with_fewer_arguments(&self) -> Vec<Test> {
        self.changes(|model, step| {
            let required = model.signatures[step.operation.0 as usize].required().len();
            let without = |place: usize| {
                let mut shorter = step.clone();
                shorter.arguments.remove(place);
                shorter
            };
            (required..step.arguments.len()).map(without).collect()
        })
    }

    /// The test with one result replaced by a literal, by nothing, or by the result of an earlier step.
    fn with_simpler_results(&self) -> Vec<Test> {
        let kinds: Vec<_> = self
            .current
            .steps
            .iter()
            .map(|step| self.model.signatures[step.operation.0 as usize].result)
            .collect();
        self.changes(|model, step| {
            let mut changed = Vec::new();
            for (place, argument) in step.arguments.iter().enumerate() {
                let (Argument::Result(given), Some(parameter)) =
                    (argument, parameter(model, step, place))
                else {
                    continue;
                };
                // The receiver of a call is not also its argument.
                let others = match place {
                    0 => &step.arguments[1..],
                    _ => &step.arguments[..1],
                };
                let earlier = (0..*given).map(Argument::Result).filter(|argument| {
                    let Argument::Result(index) = argument else {
                        return false;
                    };
                    let kind = kinds[*index as usize];
                    !others.contains(argument)
                        && kind.is_some_and(|kind| model.fits(kind, parameter.kind))
                });
                for argument in plain(model, parameter).into_iter().chain(earlier) {
                    let mut simpler = step.clone();
                    simpler.arguments[place] = argument;
                    changed.push(simpler);
                }
            }
            changed
        })
    }

    /// The test with one literal simplified.
    fn with_simpler_literals(&self) -> Vec<Test> {
        self.changes(|model, step| {
            let mut changed = Vec::new();
            for (place, argument) in step.arguments.iter().enumerate() {
                let Argument::Literal(literal) = argument else {
                    continue;
                };
                let kind = parameter(model, step, place);
                let kind = kind.map(|parameter| &model.types[parameter.kind.0 as usize]);
                let simpler = simpler(&literal.value).into_iter();
                for value in simpler.filter(|value| kind.is_none_or(|kind| kind.takes(value))) {
                    let mut simpler = step.clone();
                    simpler.arguments[place] = reduced(value);
                    changed.push(simpler);
                }
            }
            changed
        })
    }

    /// The test with one step changed, in every way that is given for it.
    fn changes(&self, ways: impl Fn(&CallModel, &Step) -> Vec<Step>) -> Vec<Test> {
        let mut candidates = Vec::new();
        for (index, step) in self.current.steps.iter().enumerate() {
            for changed in ways(self.model, step) {
                let mut candidate = self.current.clone();
                candidate.steps[index] = changed;
                candidates.push(candidate);
            }
        }
        candidates
    }
}

/// The parameter that takes the argument at this place.
fn parameter(model: &CallModel, step: &Step, place: usize) -> Option<Parameter> {
    let signature = &model.signatures[step.operation.0 as usize];
    let required = signature.required().get(place).copied();
    required.or_else(|| signature.repeated())
}

/// The shortest literal for a parameter, and nothing where that may be given.
fn plain(model: &CallModel, parameter: Parameter) -> Vec<Argument> {
    let literals = model.types[parameter.kind.0 as usize].literals.iter();
    let literals = literals.map(|literal| Argument::Literal(literal.clone()));
    let shortest = literals.min_by_key(Argument::size);
    let nothing = parameter.nullable.then(|| reduced(Value::Nothing));
    shortest.into_iter().chain(nothing).collect()
}

fn reduced(value: Value) -> Argument {
    let origin = Origin::Reduced;
    Argument::Literal(Literal { value, origin })
}

#[cfg(test)]
mod tests {
    use super::super::slice::is_closed;
    use super::super::toy;
    use super::*;
    use crate::calls::{CallSettings, CallSource};
    use crate::frames::FrameBlock;
    use crate::source::Source;
    use crate::stream::Seed;
    use crate::test::OperationId;
    use proptest::prelude::*;
    use std::mem::discriminant;

    fn step(operation: OperationId, arguments: Vec<Argument>) -> Step {
        Step {
            operation,
            arguments,
        }
    }

    fn int(number: i64) -> Argument {
        Argument::Literal(toy::literal(Value::Int(number)))
    }

    const NEW: OperationId = OperationId(0);
    const SIZE: OperationId = OperationId(3);
    const PUSH_ALL: OperationId = OperationId(5);

    /// Fails in the toy's bug, with much that does not matter around it.
    fn failing() -> Test {
        let result = Argument::Result;
        let steps = vec![
            step(NEW, vec![]),
            step(NEW, vec![]),
            step(toy::PUSH, vec![result(1), int(10)]),
            step(SIZE, vec![result(1)]),
            step(toy::PUSH, vec![result(0), result(3)]),
            step(toy::ARRAY, vec![int(7), int(10), int(2), int(10)]),
            step(PUSH_ALL, vec![result(0), result(5)]),
            step(toy::PUSH, vec![result(0), int(2)]),
            step(SIZE, vec![result(0)]),
            step(toy::CHECK, vec![result(0)]),
        ];
        Test { steps }
    }

    fn fails(test: &Test) -> bool {
        !toy::execute(test).failures.is_empty()
    }

    /// The numbers that are written in a test.
    fn written(test: &Test) -> Vec<i64> {
        let arguments = test.steps.iter().flat_map(|step| &step.arguments);
        let numbers = arguments.filter_map(|argument| match argument {
            Argument::Literal(literal) => match literal.value {
                Value::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        });
        numbers.collect()
    }

    #[test]
    fn a_failing_test_keeps_only_what_fails() {
        let model = toy::calls();
        assert!(fails(&failing()));
        let small = reduce(&model, &failing(), usize::MAX, &mut |batch| {
            assert!(batch.len() <= BATCH);
            batch.iter().map(fails).collect()
        });
        assert!(fails(&small));
        let operations: Vec<OperationId> = small.steps.iter().map(|step| step.operation).collect();
        assert_eq!(
            operations,
            [NEW, toy::ARRAY, PUSH_ALL, toy::PUSH, toy::CHECK]
        );
        assert_eq!(written(&small), [0, 10, 2]);
    }

    #[test]
    fn where_a_type_has_certain_literals_only_no_other_is_asked_for() {
        let mut model = toy::calls();
        let numbers = [1, 2, 7, 10];
        let kind = &mut model.types[toy::INT.0 as usize];
        kind.literals = numbers.map(|one| toy::literal(Value::Int(one))).into();
        kind.closed = true;
        let small = reduce(&model, &failing(), usize::MAX, &mut |batch| {
            for number in batch.iter().flat_map(written) {
                assert!(numbers.contains(&number), "{number}");
            }
            batch.iter().map(fails).collect()
        });
        assert_eq!(written(&small), [1, 10, 2]);
    }

    #[test]
    fn the_limit_on_questions_holds() {
        for limit in [0, 1, 5, 70] {
            let mut asked = 0;
            reduce(&toy::calls(), &failing(), limit, &mut |batch| {
                asked += batch.len();
                vec![false; batch.len()]
            });
            assert!(asked <= limit);
        }
    }

    /// Tests that the source would run after a while.
    fn generated(seed: u64, count: usize) -> Vec<Test> {
        let mut source = CallSource::new(toy::calls(), CallSettings::default(), Seed(seed));
        super::super::tests::grow(&mut source, seed, 4);
        let block = FrameBlock::new(0, 1);
        let mut stream = Seed(seed).derive("reduce", 0).stream();
        let mut test = || {
            source
                .finish(&block, 0, &mut stream)
                .unwrap()
                .0
                .as_ref()
                .clone()
        };
        (0..count).map(|_| test()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn reduction_keeps_the_predicate_and_ends_one_minimal(seed in 0u64..1000, wanted in 0u32..14) {
            // Whatever the source makes: the operation still ends normally, or still throws.
            let model = toy::calls();
            for test in generated(seed, 10) {
                let end = toy::execute(&test).end;
                let hit = |test: &Test| {
                    let seen = toy::execute(test);
                    discriminant(&seen.end) == discriminant(&end) && seen.hits.iter().any(|goal| goal.criterion.0 == 1 && goal.number == wanted)
                };
                if !hit(&test) {
                    continue;
                }
                let small = reduce(&model, &test, usize::MAX, &mut |batch| batch.iter().map(hit).collect());
                prop_assert!(hit(&small));
                prop_assert!(is_closed(&small));
                prop_assert!(small.steps.len() <= test.steps.len());
                for index in 0..small.steps.len() as u32 {
                    let less = without(&small, &[index]);
                    prop_assert!(less.steps.is_empty() || !hit(&less), "{small:?}");
                }
            }
        }
    }
}
