//! Makes failing tests small and plain: delta debugging to a 1-minimal list of steps, then rewriting by rules, and again until
//! neither changes anything.
//!
//! Groce, Holmes, Kellar, "One test to rule them all", ISSTA 2017: different tests of one fault often become the same test.
//!
//! Differences: a test is reduced again after a pass over all rules, not after every change; what did not fail is not asked again.

use std::collections::BTreeSet;

use engine::Step;
use engine::reduce::shrink_list;

use super::encode::encode_steps;
use super::measure::Simplicity;
use super::rewrite::{RULES, Rewriting, Rule};
use super::target::HarnessTarget;

/// What a test is run for while it is reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Are there fewer steps that fail?
    Shrinking,
    /// Are there plainer ones?
    Rewriting,
}

/// A test that was reduced.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    /// Its steps.
    pub steps: Vec<Step>,
    /// Whether every step is known to be needed.
    pub minimal: bool,
    /// Whether no rule is known to change it.
    pub plain: bool,
}

/// Makes a failing test smaller and plainer. `fails` says whether a list of steps fails the same way, or nothing if it is asked too
/// much. If that never happens, the result is 1-minimal, and no rule changes it.
pub fn reduce(
    steps: &[Step],
    target: &HarnessTarget,
    fails: &mut dyn FnMut(Phase, &[Step]) -> Option<bool>,
) -> Reduced {
    let mut passed = BTreeSet::new();
    let mut ask = |phase: Phase, candidate: &[Step], refused: &mut bool| {
        let key = encode_steps(candidate);
        if passed.contains(&key) {
            return false;
        }
        let failed = fails(phase, candidate);
        *refused |= failed.is_none();
        if failed == Some(false) {
            passed.insert(key);
        }
        failed == Some(true)
    };
    let rewriting = Rewriting {
        harness: &target.harness,
        simplicity: Simplicity::new(&target.harness),
    };
    let mut current = steps.to_vec();
    let (mut unshrunk, mut unwritten);
    loop {
        (unshrunk, unwritten) = (false, false);
        current = shrink_list(&current, usize::MAX, &mut |steps| {
            ask(Phase::Shrinking, steps, &mut unshrunk)
        });
        let before = current.clone();
        for rule in RULES {
            current = rewritten(current, &rewriting, *rule, &mut |steps| {
                ask(Phase::Rewriting, steps, &mut unwritten)
            });
        }
        if current == before {
            break;
        }
    }
    debug_assert!(
        current
            .iter()
            .all(|step| step.operation < target.model.draw())
    );
    Reduced {
        steps: current,
        minimal: !unshrunk,
        plain: !unwritten,
    }
}

/// Goes over all sites of a rule once, and takes what is plainer and fails.
fn rewritten(
    mut current: Vec<Step>,
    rewriting: &Rewriting<'_>,
    rule: Rule,
    fails: &mut dyn FnMut(&[Step]) -> bool,
) -> Vec<Step> {
    let simplicity = &rewriting.simplicity;
    let mut measure = simplicity.measure(&current);
    let mut site = 0;
    while let Some(candidates) = rule(rewriting, &current, site) {
        let mut candidates = candidates.into_iter();
        let found = candidates.find(|one| simplicity.measure(one) < measure && fails(one));
        match found {
            Some(plainer) => {
                measure = simplicity.measure(&plainer);
                current = plainer;
            }
            None => site += 1,
        }
    }
    current
}

#[cfg(test)]
mod tests {
    use super::super::encode::decode_steps;
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    /// Numbers are made and put into lists.
    const TOY: &str = "\
pool: <n> 3
pool: <l> 2
<n> := <[-20..20]>
<n> := <[0..5]> * <[1..9]>
<l> := []
<l>.append(<n>)
<l>.extend([<n>, <n>])
<l>.pop()
";

    fn toy() -> HarnessTarget {
        HarnessTarget::new(Path::new("toy.tstl"), TOY).unwrap()
    }

    /// What the lists of the toy hold after each step. A step that is not enabled is left out.
    fn run(steps: &[Step]) -> Vec<[Option<Vec<i64>>; 2]> {
        let (mut numbers, mut lists) = ([None; 3], [None, None]);
        let mut states = Vec::new();
        for step in encode_steps(steps) {
            let at = |hole: usize| step[hole] as usize;
            match step[0] {
                0 => numbers[at(1)] = Some(step[2] - 20),
                1 => numbers[at(1)] = Some(step[2] * (step[3] + 1)),
                2 => lists[at(1)] = Some(Vec::new()),
                kind => {
                    let more = match kind {
                        3 => vec![numbers[at(2)]],
                        4 => vec![numbers[at(2)], numbers[at(3)]],
                        _ => Vec::new(),
                    };
                    let more: Option<Vec<i64>> = more.into_iter().collect();
                    if let (Some(list), Some(more)) = (&mut lists[at(1)], more) {
                        list.extend(more);
                        if kind == 5 {
                            list.pop();
                        }
                    }
                }
            }
            states.push(lists.clone());
        }
        states
    }

    /// The fault of the toy: a list rises by some above a bound.
    fn rises(steps: &[Step], bound: i64) -> bool {
        let states = run(steps);
        let mut lists = states.iter().flatten().flatten();
        lists.any(|list| {
            list.windows(2)
                .any(|two| two[0] >= bound && two[1] > two[0])
        })
    }

    fn any_steps() -> impl Strategy<Value = Vec<Step>> {
        let slot = 0i64..3;
        let list = 0i64..2;
        let step = prop_oneof![
            4 => (slot.clone(), 0i64..41).prop_map(|(n, value)| vec![0, n, value]),
            1 => (slot.clone(), 0i64..6, 0i64..9).prop_map(|(n, a, b)| vec![1, n, a, b]),
            1 => list.clone().prop_map(|l| vec![2, l]),
            4 => (list.clone(), slot.clone()).prop_map(|(l, n)| vec![3, l, n]),
            1 => (list.clone(), slot.clone(), slot).prop_map(|(l, n, m)| vec![4, l, n, m]),
            1 => list.prop_map(|l| vec![5, l]),
        ];
        let steps = proptest::collection::vec(step, 20..60);
        steps.prop_map(|steps| decode_steps(&steps, &toy().model).unwrap())
    }

    fn shown(steps: &[Step]) -> String {
        let step = |step: &Vec<i64>| format!("{step:?}");
        let steps = encode_steps(steps);
        steps.iter().map(step).collect::<Vec<_>>().join(" ")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn a_reduced_test_fails_is_one_minimal_and_stays_as_it_is(steps in any_steps(), bound in -5i64..6) {
            prop_assume!(rises(&steps, bound));
            let target = toy();
            let fails = |steps: &[Step]| rises(steps, bound);
            let reduced = reduce(&steps, &target, &mut |_, steps| Some(fails(steps)));
            prop_assert!(reduced.minimal && reduced.plain);
            let reduced = reduced.steps;
            prop_assert!(fails(&reduced));
            for left_out in 0..reduced.len() {
                let mut fewer = reduced.clone();
                fewer.remove(left_out);
                prop_assert!(!fails(&fewer), "{}", shown(&reduced));
            }
            let again = reduce(&reduced, &target, &mut |_, steps| Some(fails(steps)));
            prop_assert_eq!(&again.steps, &reduced);
        }

        #[test]
        fn tests_of_one_fault_become_the_same_test(mut steps in any_steps()) {
            // With `extend` there is a shorter test, which is not always found.
            steps.retain(|step| step.operation.0 != 4);
            prop_assume!(rises(&steps, 0));
            let reduced = reduce(&steps, &toy(), &mut |_, steps| Some(rises(steps, 0)));
            // n0 = 0; l0 = []; l0.append(n0); n0 = 1; l0.append(n0)
            prop_assert_eq!(shown(&reduced.steps), "[0, 0, 20] [2, 0] [3, 0, 0] [0, 0, 21] [3, 0, 0]");
        }

        #[test]
        fn a_test_whose_reduction_is_ended_fails_and_is_called_minimal_only_if_it_is(
            steps in any_steps(),
            shrinking in 0usize..150,
            rewriting in 0usize..150,
        ) {
            prop_assume!(rises(&steps, 0));
            let mut left = [shrinking, rewriting];
            let reduced = reduce(&steps, &toy(), &mut |phase, steps| {
                let left = &mut left[phase as usize];
                *left = left.checked_sub(1)?;
                Some(rises(steps, 0))
            });
            prop_assert!(rises(&reduced.steps, 0));
            for left_out in 0..reduced.steps.len() {
                let mut fewer = reduced.steps.clone();
                fewer.remove(left_out);
                prop_assert!(!reduced.minimal || !rises(&fewer, 0), "{}", shown(&reduced.steps));
            }
        }
    }

    #[test]
    fn a_bound_deep_in_a_range_is_found_in_few_runs() {
        let text = "<n> := 1\npool: <n> 1\nf(<[-1000000..1000000]>)\n";
        let target = HarnessTarget::new(Path::new("own.tstl"), text).unwrap();
        let steps = decode_steps(&[vec![1, 1_900_017]], &target.model).unwrap();
        let mut asked = 0;
        let reduced = reduce(&steps, &target, &mut |_, steps| {
            asked += 1;
            Some(steps.len() == 1 && encode_steps(steps)[0][1] - 1_000_000 >= 4321)
        });
        assert_eq!(encode_steps(&reduced.steps), [[1, 1_004_321]]);
        assert!(asked < 400, "{asked}");
    }
}
