//! Makes failing tests small and plain: delta debugging to a 1-minimal list of steps, then lower slots and simpler values.
//!
//! Groce, Holmes, Kellar, "One test to rule them all", ISSTA 2017: normalisation rewrites a test to a fixpoint and reduces it again
//! after each change.
//!
//! Differences: rewriting is of one slot or value at a time, or of all uses of a slot; steps are not swapped.

use engine::actions::ActionModel;
use engine::reduce::shrink_list;
use engine::{Argument, Literal, Step, Value};

/// Makes a failing test smaller. `fails` says whether a list of steps fails the same way, and is asked at most `limit` times.
pub fn reduce(
    steps: &[Step],
    model: &ActionModel,
    limit: usize,
    fails: &mut dyn FnMut(&[Step]) -> bool,
) -> Vec<Step> {
    let mut asked = 0;
    let mut fails = |candidate: &[Step]| {
        asked += 1;
        asked <= limit && fails(candidate)
    };
    let mut current = shrink_list(steps, limit, &mut fails);
    while let Some(plainer) = plainer(&current, &mut fails) {
        current = shrink_list(&plainer, limit, &mut fails);
    }
    debug_assert!(current.iter().all(|step| step.operation < model.draw()));
    current
}

/// The first plainer test that fails, if there is one.
fn plainer(steps: &[Step], fails: &mut dyn FnMut(&[Step]) -> bool) -> Option<Vec<Step>> {
    let candidates = lower_slots(steps).into_iter().chain(lower_values(steps));
    candidates.into_iter().find(|candidate| fails(candidate))
}

/// Tests in which all uses of one slot are of a lower one that the test does not use.
fn lower_slots(steps: &[Step]) -> Vec<Vec<Step>> {
    let used = |pool: u32, slot: u32| {
        let arguments = steps.iter().flat_map(|step| &step.arguments);
        arguments
            .into_iter()
            .any(|one| *one == Argument::Slot { pool, slot })
    };
    let mut slots: Vec<(u32, u32)> = steps
        .iter()
        .flat_map(|step| &step.arguments)
        .filter_map(|one| match one {
            Argument::Slot { pool, slot } => Some((*pool, *slot)),
            _ => None,
        })
        .collect();
    slots.sort_unstable();
    slots.dedup();
    let mut found = Vec::new();
    for (pool, slot) in slots {
        if let Some(lower) = (0..slot).find(|lower| !used(pool, *lower)) {
            let from = Argument::Slot { pool, slot };
            let to = Argument::Slot { pool, slot: lower };
            found.push(replaced(steps, &from, &to));
        }
        // One slot where two were used makes assignments superfluous.
        for lower in (0..slot).filter(|lower| used(pool, *lower)) {
            let from = Argument::Slot { pool, slot };
            let to = Argument::Slot { pool, slot: lower };
            found.push(replaced(steps, &from, &to));
        }
    }
    found
}

fn replaced(steps: &[Step], from: &Argument, to: &Argument) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for argument in steps.iter_mut().flat_map(|step| &mut step.arguments) {
        if argument == from {
            *argument = to.clone();
        }
    }
    steps
}

/// Tests in which one value is the first of its list, half of what it was, or one less.
fn lower_values(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        for (index, argument) in step.arguments.iter().enumerate() {
            let Argument::Literal(Literal {
                value: Value::Int(value),
                origin,
            }) = argument
            else {
                continue;
            };
            let mut lower = vec![0, value / 2, value - 1];
            lower.dedup();
            for lower in lower
                .into_iter()
                .filter(|lower| (0..*value).contains(lower))
            {
                let mut steps = steps.to_vec();
                steps[number].arguments[index] = Argument::Literal(Literal {
                    value: Value::Int(lower),
                    origin: origin.clone(),
                });
                found.push(steps);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{OperationId, Origin};

    fn put(slot: u32, value: i64) -> Step {
        let literal = Argument::Literal(Literal {
            value: Value::Int(value),
            origin: Origin::Builtin,
        });
        Step {
            operation: OperationId(0),
            arguments: vec![Argument::Slot { pool: 0, slot }, literal],
        }
    }

    fn values(steps: &[Step]) -> Vec<i64> {
        let value = |step: &Step| match &step.arguments[1] {
            Argument::Literal(Literal {
                value: Value::Int(value),
                ..
            }) => *value,
            _ => 0,
        };
        steps.iter().map(value).collect()
    }

    #[test]
    fn a_test_becomes_minimal_with_the_lowest_slots_and_values() {
        let steps: Vec<Step> = (0..40)
            .map(|number| put(number % 4 + 1, i64::from(number) + 5))
            .collect();
        let model = ActionModel {
            classes: vec![engine::actions::ActionClass::default()],
        };
        let mut fails = |steps: &[Step]| {
            let values = values(steps);
            values
                .windows(2)
                .any(|pair| pair[0] >= 7 && pair[1] > pair[0])
        };
        let reduced = reduce(&steps, &model, 10_000, &mut fails);
        assert_eq!(reduced, [put(0, 7), put(0, 8)]);
    }
}
