//! Facts about generation, shown on the toy world.

use super::toy;
use super::{CallSettings, CallSource, Lack};
use crate::budget::Budget;
use crate::observation::Observation;
use crate::run::{Proposal, Run};
use crate::selection;
use crate::stream::Seed;
use crate::test::{Argument, OperationId, Test, Value};
use std::collections::VecDeque;
use std::time::Duration;

fn run(seed: u64, executions: u64) -> Run {
    let budget = Budget {
        executions: Some(executions),
        ..Budget::default()
    };
    let model = toy::model();
    let selector = selection::by_name("random", &model.space, 1).unwrap();
    let source = CallSource::new(toy::calls(), CallSettings::default(), Seed(seed));
    Run::new(Seed(seed), budget, model, Box::new(source), selector)
}

/// Runs to the end with two rounds in flight; gives all proposals in order.
fn finish(run: &mut Run) -> Vec<Proposal> {
    let mut flying: VecDeque<Vec<Proposal>> = VecDeque::new();
    let mut all = Vec::new();
    loop {
        while flying.len() < 2 && run.over(Duration::ZERO).is_none() {
            let round = run.propose().unwrap();
            if round.is_empty() {
                break;
            }
            flying.push_back(round);
        }
        let Some(round) = flying.pop_front() else {
            return all;
        };
        let observe = |proposal: &Proposal| toy::execute(&proposal.test);
        let observations: Vec<Observation> = round.iter().map(observe).collect();
        run.learn(&round, &observations, Duration::ZERO);
        all.extend(round);
    }
}

#[test]
fn a_bug_behind_three_calls_is_found_within_8000_executions_for_seeds_0_to_20() {
    for seed in 0..=20 {
        let mut run = run(seed, 8000);
        finish(&mut run);
        assert_eq!(run.ledger().len(), 1, "seed {seed}");
    }
}

#[test]
fn the_budget_in_executions_is_exact_with_two_rounds_in_flight() {
    for executions in [1, 64, 100, 128, 130, 200] {
        let mut run = run(1, executions);
        assert_eq!(finish(&mut run).len() as u64, executions);
        assert_eq!(run.executions(), executions);
    }
}

#[test]
fn the_same_seed_proposes_the_same_tests_and_another_seed_others() {
    let tests = |seed: u64| {
        let all = finish(&mut run(seed, 1000));
        let tests = all.iter().map(|proposal| proposal.test.as_ref().clone());
        tests.collect::<Vec<Test>>()
    };
    assert!(tests(1) == tests(1));
    assert!(tests(1) != tests(2));
}

#[test]
fn no_test_is_proposed_twice_while_others_can_be_made() {
    let all = finish(&mut run(3, 3000));
    // The first rounds are proposed before much is known of the subject.
    let mut texts: Vec<String> = all[512..]
        .iter()
        .map(|proposal| format!("{:?}", proposal.test))
        .collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), all.len() - 512);
}

#[test]
fn tests_that_threw_or_hung_are_not_extended() {
    for proposal in finish(&mut run(4, 2000)) {
        let (last, before) = proposal.test.steps.split_last().unwrap();
        let bad = |operation: OperationId| [toy::HANG, OperationId(9)].contains(&operation);
        let repeats = before.iter().all(|step| step.operation == last.operation);
        let extended = before.iter().any(|step| bad(step.operation));
        assert!(!extended || repeats || bad(last.operation), "{proposal:?}");
    }
}

#[test]
fn the_length_of_tests_is_bounded() {
    let longest = CallSettings::default().longest_test;
    let all = finish(&mut run(5, 3000));
    assert!(all.iter().all(|one| one.test.steps.len() <= longest));
    assert!(all.iter().any(|one| one.test.steps.len() > 10));
}

#[test]
fn statistics_say_what_became_of_each_operation() {
    let mut run = run(6, 3000);
    finish(&mut run);
    let statistics = run.statistics();
    let of = |operation: OperationId| statistics[operation.0 as usize];
    let haunt = of(toy::HAUNT);
    assert_eq!(haunt.lack, Some(Lack::NoProducer(toy::GHOST)));
    assert_eq!(haunt.proposed, 0);
    assert_eq!(of(toy::CRY).lack, Some(Lack::NoValue(toy::SAD)));
    let sad = of(OperationId(9));
    assert!(sad.threw > 0 && sad.normal == 0);
    let pop = of(toy::POP);
    assert!(pop.threw > 0 && pop.normal > 0 && pop.lack.is_none());
    assert_eq!(pop.proposed, pop.threw + pop.normal);
    assert!(of(toy::CHECK).failed > 0);
    assert!(of(toy::GHOSTLY).normal > 0, "only nothing can be given");
    assert_eq!(of(toy::ARRAY).proposed, 0, "auxiliary");
    let hang = of(toy::HANG);
    assert!(hang.lost > 0 && hang.lost < pop.proposed / 5, "{hang:?}");
}

#[test]
fn arrays_have_different_numbers_of_elements() {
    let mut lengths = [false; 6];
    for proposal in finish(&mut run(7, 2000)) {
        for step in &proposal.test.steps {
            if step.operation == toy::ARRAY {
                lengths[step.arguments.len()] = true;
            }
        }
    }
    assert_eq!(lengths, [true, true, true, true, true, false]);
}

#[test]
fn values_of_the_test_under_construction_and_nothing_are_given_too() {
    let all = finish(&mut run(8, 2000));
    let merges = || {
        let last = all.iter().filter_map(|one| one.test.steps.last());
        last.filter(|step| step.operation == toy::MERGE)
    };
    let nothing = merges().filter(|step| {
        matches!(&step.arguments[1], Argument::Literal(literal) if literal.value == Value::Nothing)
    });
    let share = nothing.count() as f64 / merges().count() as f64;
    assert!(share > 0.01 && share < 0.15, "{share}");
    let reused = all.iter().any(|one| {
        let shared = |step: &crate::Step| {
            step.operation == toy::PUSH && matches!(step.arguments[1], Argument::Result(_))
        };
        one.test.steps.iter().any(shared)
    });
    assert!(reused, "a number that was popped is pushed");
}

#[test]
fn an_operation_of_weight_0_is_never_tested() {
    let mut source = CallSource::new(toy::calls(), CallSettings::default(), Seed(1));
    let mut factors = vec![1.0; toy::calls().signatures.len()];
    factors[toy::PUSH.0 as usize] = 0.0;
    source.weigh(&factors);
    let model = toy::model();
    let selector = selection::by_name("random", &model.space, 1).unwrap();
    let budget = Budget {
        executions: Some(500),
        ..Budget::default()
    };
    let mut run = Run::new(Seed(1), budget, model, Box::new(source), selector);
    finish(&mut run);
    assert_eq!(run.statistics()[toy::PUSH.0 as usize].proposed, 0);
    assert!(run.statistics()[toy::POP.0 as usize].proposed > 0);
}

#[test]
fn a_subject_with_nothing_new_to_try_exhausts_its_source() {
    let mut calls = toy::calls();
    calls.signatures.truncate(1);
    let mut model = toy::model();
    model.operations.truncate(1);
    let source = CallSource::new(calls, CallSettings::default(), Seed(1));
    let selector = selection::by_name("random", &model.space, 1).unwrap();
    let mut run = Run::new(
        Seed(1),
        Budget::default(),
        model,
        Box::new(source),
        selector,
    );
    let executed = finish(&mut run).len();
    assert!(executed < 2000, "{executed}");
}
