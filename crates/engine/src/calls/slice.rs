//! Leaving out steps of a test that others do not need, by looking at the steps alone; nothing is executed.

use crate::test::{Argument, Step, Test};

/// The test without the steps that cannot matter to the wanted ones. A step stays if it is wanted, if its result is given to
/// a step that stays, or if it comes before the last wanted step and is given a value of a step that stays and may so change
/// it. Values for which `fixed` is true cannot change: numbers, texts.
///
/// What a step does to the world outside the objects that it is given is not seen, so the slice must be executed before
/// it is trusted. All wanted steps must be in the test.
pub fn slice(test: &Test, wanted: &[u32], fixed: &dyn Fn(u32) -> bool) -> Test {
    with_steps(test, &steps_of_slice(test, wanted, fixed))
}

/// For every step whether it is in the slice.
pub(super) fn steps_of_slice(
    test: &Test,
    wanted: &[u32],
    fixed: &dyn Fn(u32) -> bool,
) -> Vec<bool> {
    let mut stays = vec![false; test.steps.len()];
    for step in wanted {
        stays[*step as usize] = true;
    }
    let end = wanted.iter().max().map_or(0, |last| *last as usize + 1);
    loop {
        let mut changed = false;
        for index in (0..end).rev() {
            let step = &test.steps[index];
            let touches = |given: u32| stays[given as usize] && !fixed(given);
            if !stays[index] && results(step).any(touches) {
                stays[index] = true;
                changed = true;
            }
            if stays[index] {
                for given in results(step) {
                    changed |= !std::mem::replace(&mut stays[given as usize], true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    stays
}

/// The test without the given step and all that need its result, directly or not.
pub fn without(test: &Test, dropped: &[u32]) -> Test {
    let mut stays = vec![true; test.steps.len()];
    for step in dropped {
        stays[*step as usize] = false;
    }
    for (index, step) in test.steps.iter().enumerate() {
        let lost = results(step).any(|given| !stays[given as usize]);
        stays[index] &= !lost;
    }
    with_steps(test, &stays)
}

/// The parts of a test that share no values, each as a test of its own, in the order of their first steps.
///
/// Parts may still meet in state outside their values, so they must be executed before they are trusted.
pub fn parts(test: &Test) -> Vec<Test> {
    // The first step of each step's part, as far as it is known.
    let mut first: Vec<usize> = (0..test.steps.len()).collect();
    for (index, step) in test.steps.iter().enumerate() {
        for given in results(step) {
            let (one, other) = (first[index], first[given as usize]);
            let (low, high) = (one.min(other), one.max(other));
            first
                .iter_mut()
                .filter(|part| **part == high)
                .for_each(|part| *part = low);
        }
    }
    let starts = (0..first.len()).filter(|&index| first[index] == index);
    starts
        .map(|start| {
            let stays: Vec<bool> = first.iter().map(|part| *part == start).collect();
            with_steps(test, &stays)
        })
        .collect()
}

/// Whether every argument that is a result is the result of an earlier step.
pub fn is_closed(test: &Test) -> bool {
    let earlier =
        |(index, step): (usize, &Step)| results(step).all(|given| (given as usize) < index);
    test.steps.iter().enumerate().all(earlier)
}

/// The steps whose results a step is given.
pub fn results(step: &Step) -> impl Iterator<Item = u32> {
    step.arguments.iter().filter_map(|argument| match argument {
        Argument::Result(index) => Some(*index),
        _ => None,
    })
}

/// The steps that stay, renumbered. Nothing that stays needs a step that does not.
pub(super) fn with_steps(test: &Test, stays: &[bool]) -> Test {
    let mut numbers = Vec::with_capacity(stays.len());
    let mut steps = Vec::new();
    for (step, stays) in test.steps.iter().zip(stays) {
        numbers.push(steps.len() as u32);
        if !stays {
            continue;
        }
        let mut step = step.clone();
        for argument in &mut step.arguments {
            if let Argument::Result(index) = argument {
                *index = numbers[*index as usize];
            }
        }
        steps.push(step);
    }
    Test { steps }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::test::OperationId;
    use proptest::prelude::*;

    /// A test in which step `n` is operation `n`, given the results of these steps.
    fn test(given: &[&[u32]]) -> Test {
        let step = |(operation, given): (usize, &&[u32])| Step {
            operation: OperationId(operation as u32),
            arguments: given.iter().copied().map(Argument::Result).collect(),
        };
        let steps = given.iter().enumerate().map(step).collect();
        Test { steps }
    }

    fn operations(test: &Test) -> Vec<u32> {
        test.steps.iter().map(|step| step.operation.0).collect()
    }

    /// Any closed test, step `n` being operation `n`.
    pub(in crate::calls) fn closed_tests() -> impl Strategy<Value = Test> {
        let given = proptest::collection::vec(any::<prop::sample::Index>(), 0..3);
        proptest::collection::vec(given, 1..20).prop_map(|steps| {
            let given: Vec<Vec<u32>> = steps
                .iter()
                .enumerate()
                .map(|(index, given)| {
                    let earlier = given.iter().filter(|_| index > 0);
                    earlier.map(|one| one.index(index) as u32).collect()
                })
                .collect();
            test(&given.iter().map(Vec::as_slice).collect::<Vec<_>>())
        })
    }

    #[test]
    fn steps_on_other_objects_go_and_steps_that_may_change_the_object_stay() {
        // 0 and 1 make objects; 2 changes 0, 3 changes 1, 4 reads 0, 5 comes after what is wanted.
        let whole = test(&[&[], &[], &[0], &[1], &[0], &[0]]);
        let small = slice(&whole, &[4], &|_| false);
        assert_eq!(operations(&small), [0, 2, 4]);
        assert_eq!(small.steps[2].arguments, [Argument::Result(0)]);
    }

    #[test]
    fn a_value_that_cannot_change_ties_nothing_to_it() {
        // 1 is the size of 0; it is given to 3, which changes 2. Wanted is only the size.
        let whole = test(&[&[], &[0], &[], &[2, 1], &[1]]);
        assert_eq!(
            operations(&slice(&whole, &[4], &|step| step == 1)),
            [0, 1, 4]
        );
        assert_eq!(operations(&slice(&whole, &[4], &|_| false)).len(), 5);
    }

    #[test]
    fn steps_that_share_no_value_are_parts_of_their_own() {
        // 0, 2 and 5 belong together, 1 and 3 too, until 6 joins them with 4.
        let apart = test(&[&[], &[], &[0], &[1], &[], &[2]]);
        let found: Vec<Vec<u32>> = parts(&apart).iter().map(operations).collect();
        assert_eq!(found, [vec![0, 2, 5], vec![1, 3], vec![4]]);
        let joined = test(&[&[], &[], &[0], &[1], &[], &[2], &[3, 4]]);
        let found: Vec<Vec<u32>> = parts(&joined).iter().map(operations).collect();
        assert_eq!(found, [vec![0, 2, 5], vec![1, 3, 4, 6]]);
        assert!(parts(&Test { steps: vec![] }).is_empty());
    }

    #[test]
    fn dropping_a_step_drops_all_that_need_it() {
        let whole = test(&[&[], &[0], &[], &[1], &[2]]);
        assert_eq!(operations(&without(&whole, &[0])), [2, 4]);
    }

    proptest! {
        #[test]
        fn slices_are_closed_contain_what_is_wanted_and_slicing_again_changes_nothing(
            whole in closed_tests(), wanted: prop::sample::Index
        ) {
            let wanted = wanted.index(whole.steps.len()) as u32;
            let small = slice(&whole, &[wanted], &|step| step % 3 == 0);
            prop_assert!(is_closed(&small));
            prop_assert_eq!(small.steps.last().unwrap().operation, OperationId(wanted));
            let kept = operations(&small);
            let last = small.steps.len() as u32 - 1;
            let again = slice(&small, &[last], &|step| kept[step as usize].is_multiple_of(3));
            prop_assert_eq!(again, small);
        }

        #[test]
        fn parts_are_closed_and_hold_every_step_once(whole in closed_tests()) {
            let parts = parts(&whole);
            prop_assert!(parts.iter().all(is_closed));
            let mut all: Vec<u32> = parts.iter().flat_map(operations).collect();
            all.sort_unstable();
            prop_assert_eq!(all, operations(&whole));
        }

        #[test]
        fn what_is_left_after_dropping_is_closed(whole in closed_tests(), dropped: prop::sample::Index) {
            let dropped = dropped.index(whole.steps.len()) as u32;
            let left = without(&whole, &[dropped]);
            prop_assert!(is_closed(&left));
            prop_assert!(!operations(&left).contains(&dropped));
        }
    }
}
