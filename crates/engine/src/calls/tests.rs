//! Facts about generation, shown on the toy world.

use super::toy;
use super::{CallSettings, CallSource, Knowledge, Lack, PlaceId};
use crate::budget::{Budget, Stop};
use crate::event::Event;
use crate::frames::{Frame, FrameBlock};
use crate::goal::Goal;
use crate::guide::{Guide, TestKind};
use crate::kept::KeptTest;
use crate::model::Model;
use crate::observation::Observation;
use crate::run::{Executed, Proposal, ROUND, Run};
use crate::source::Source;
use crate::stream::Seed;
use crate::test::{Argument, OperationId, Test, TestId, Value};
use crate::until::Until;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

fn run(seed: u64, executions: u64) -> Run {
    let budget = Budget {
        executions: Some(executions),
        ..Budget::default()
    };
    run_with(seed, budget)
}

fn run_with(seed: u64, budget: Budget) -> Run {
    let source = CallSource::new(toy::calls(), CallSettings::default(), Seed(seed));
    run_from(source, toy::model(), seed, budget)
}

fn run_from(source: CallSource, model: Model, seed: u64, budget: Budget) -> Run {
    let guide = Guide::parse("random", TestKind::Calls).unwrap();
    let selector = guide.selector(&model.space, 1);
    Run::new(Seed(seed), budget, model, Box::new(source), selector)
}

/// Runs to the end with two rounds in flight on so many workers, of which each reports hits only with a test that hit
/// something new to it; gives all proposals and events in order.
fn finish_on(workers: usize, run: &mut Run) -> (Vec<Proposal>, Vec<Event>) {
    let mut reported: Vec<BTreeSet<Goal>> = vec![BTreeSet::new(); workers];
    let mut flying: VecDeque<Vec<Proposal>> = VecDeque::new();
    let (mut all, mut events) = (Vec::new(), Vec::new());
    loop {
        while flying.len() < 2 && run.over(Duration::ZERO).is_none() {
            let round = run.propose().unwrap();
            if round.is_empty() {
                break;
            }
            flying.push_back(round);
        }
        let Some(round) = flying.pop_front() else {
            return (all, events);
        };
        let observe = |(index, proposal): (usize, &Proposal)| {
            let mut observation = toy::execute(&proposal.test);
            let seen = &mut reported[index * workers / round.len()];
            let news = observation
                .hits
                .iter()
                .filter(|goal| seen.insert(**goal))
                .count();
            if news == 0 {
                observation.hits.clear();
            }
            observation
        };
        let observations: Vec<Observation> = round.iter().enumerate().map(observe).collect();
        events.extend(run.learn(&round, &observations, Duration::ZERO));
        all.extend(round);
    }
}

#[test]
fn a_test_stands_in_one_place() {
    let mut calls = toy::calls();
    let (here, there) = (Some(PlaceId(0)), Some(PlaceId(1)));
    calls.signatures[toy::POP.0 as usize].place = here;
    calls.signatures[toy::CHECK.0 as usize].place = there;
    let source = CallSource::new(calls, CallSettings::default(), Seed(1));
    let budget = Budget {
        executions: Some(5_000),
        ..Budget::default()
    };
    let mut run = run_from(source, toy::model(), 1, budget);
    let mut counts = [0; 2];
    for proposal in finish(&mut run) {
        let has = |operation| {
            let mut steps = proposal.test.steps.iter();
            steps.any(|step| step.operation == operation)
        };
        let [pops, checks] = [toy::POP, toy::CHECK].map(has);
        assert!(!(pops && checks), "{:?}", proposal.test);
        counts[0] += usize::from(pops);
        counts[1] += usize::from(checks);
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

fn finish(run: &mut Run) -> Vec<Proposal> {
    finish_on(1, run).0
}

/// Lets a source learn from some rounds.
pub(super) fn grow(source: &mut CallSource, seed: u64, rounds: u64) {
    let block = FrameBlock::new(0, 1);
    for round in 0..rounds {
        let mut stream = Seed(seed).derive("grow", round).stream();
        let proposal = |number: u64| Proposal {
            id: TestId(round * ROUND + number),
            frame: Frame::default(),
            test: source.finish(&block, 0, &mut stream).unwrap().0,
        };
        let proposals: Vec<Proposal> = (0..ROUND).map(proposal).collect();
        let observe = |proposal: &Proposal| toy::execute(&proposal.test);
        let observations: Vec<Observation> = proposals.iter().map(observe).collect();
        let executed = proposals.iter().zip(&observations);
        let executed: Vec<Executed<'_>> = executed
            .map(|(proposal, observation)| Executed {
                proposal,
                observation,
            })
            .collect();
        source.learn(&executed);
    }
}

#[test]
fn a_bug_behind_three_calls_is_found_within_8000_executions_for_seeds_0_to_20() {
    for seed in 0..=20 {
        let budget = Budget {
            executions: Some(8000),
            until: vec![Until::Failure],
            ..Budget::default()
        };
        let mut run = run_with(seed, budget);
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
fn inputs_that_only_other_calls_make_are_made_and_broken_makers_are_left_alone() {
    let mut run = run(12, 3000);
    let all = finish(&mut run);
    let statistics = run.statistics();
    let of = |operation: OperationId| statistics[operation.0 as usize];
    assert!(of(toy::SPEND).normal > 50, "{:?}", of(toy::SPEND));
    assert_eq!(of(toy::TOKEN_OF).proposed, 0);
    let makes = |operation: OperationId| {
        let steps = all.iter().flat_map(|one| &one.test.steps);
        steps.filter(|step| step.operation == operation).count()
    };
    assert!(makes(toy::TOKEN_NONE) * 5 < makes(toy::TOKEN_OF));
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
    let budget = Budget {
        executions: Some(500),
        ..Budget::default()
    };
    let mut run = run_from(source, toy::model(), 1, budget);
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
    let mut run = run_from(source, model, 1, Budget::default());
    let executed = finish(&mut run).len();
    assert!(executed < 2000, "{executed}");
}

#[test]
fn tests_that_cannot_be_built_do_not_exhaust_a_source_early() {
    // Ten operations that need more steps than a test may have, and one with a single test.
    let mut calls = toy::calls();
    let (single, merge) = (calls.signatures[0].clone(), &calls.signatures[6]);
    let mut signatures = vec![single];
    signatures.extend((0..10).map(|_| merge.clone()));
    calls.signatures = signatures;
    let mut model = toy::model();
    model.operations.truncate(11);
    let settings = CallSettings {
        longest_test: 1,
        ..CallSettings::default()
    };
    let patience = settings.patience as usize;
    let source = CallSource::new(calls, settings, Seed(1));
    let mut run = run_from(source, model, 1, Budget::default());
    let executed = finish(&mut run).len();
    assert!(executed > patience, "{executed}");
}

#[test]
fn goals_are_credited_the_same_whatever_the_number_of_workers() {
    let credited = |workers: usize| {
        let mut run = run(9, 1000);
        let (proposals, events) = finish_on(workers, &mut run);
        let tests = run.archive().tests().into_iter().cloned();
        let tests: Vec<_> = tests
            .map(|one| (one.id, one.test, one.hits, one.passed))
            .collect();
        let goals: Vec<(Goal, TestId)> = run
            .archive()
            .goals()
            .map(|goal| (goal, run.archive().get(goal).unwrap().id))
            .collect();
        assert_eq!(goals.len(), run.seen().len());
        let kept = run.kept(&proposals, &events);
        (tests, goals, events, kept)
    };
    let one = credited(1);
    assert!(one.0.len() > 5);
    for workers in 2..5 {
        assert!(credited(workers) == one, "{workers} workers");
    }
}

#[test]
fn stop_rules_end_a_run() {
    let until = |rule: &str| Budget {
        executions: Some(20_000),
        until: vec![rule.parse().unwrap()],
        ..Budget::default()
    };
    let mut failing = run_with(10, until("failure"));
    finish(&mut failing);
    assert_eq!(failing.over(Duration::ZERO), Some(Stop::Failure));
    assert_eq!(failing.ledger().len(), 1);
    let mut covering = run_with(10, until("coverage=60%"));
    finish(&mut covering);
    assert_eq!(covering.over(Duration::ZERO), Some(Stop::Coverage));
    assert!(covering.covered()[0] >= 3);
    assert!(covering.executions() < 20_000);
}

#[test]
fn a_resumed_run_finds_everything_kept_again_and_goes_on() {
    let mut first = run(11, 3000);
    let (proposals, events) = finish_on(1, &mut first);
    let kept = first.kept(&proposals, &events);
    assert!(kept.iter().any(|one| !one.reason.failures.is_empty()));
    let text = serde_json::to_string(&kept).unwrap();
    let kept: Vec<KeptTest> = serde_json::from_str(&text).unwrap();

    let mut second = run(11, 3500);
    second.resume(kept.clone(), first.executions());
    let (proposals, events) = finish_on(1, &mut second);
    assert_eq!(second.executions(), 3500);
    assert_eq!(proposals.len(), kept.len() + 500);
    assert!(second.seen().is_superset(first.seen()));
    assert_eq!(second.ledger().len(), first.ledger().len());
    let again: Vec<TestId> = proposals[..kept.len()].iter().map(|one| one.id).collect();
    assert!(again.iter().eq(kept.iter().map(|one| &one.id)));
    assert_eq!(proposals[kept.len()].id, TestId(3000));
    let news = second.kept(&proposals, &events);
    assert!(news.iter().all(|one| one.id.0 >= 3000));
}

#[test]
fn what_is_declared_too_vaguely_is_kept_under_its_run_time_type() {
    let executed = |observed: bool| {
        let mut calls = toy::calls();
        // As if nobody had said what a new stack is.
        calls.signatures[0].result = Some(toy::OBJECT);
        calls.signatures[0].observed = observed;
        let source = CallSource::new(calls, CallSettings::default(), Seed(1));
        let budget = Budget {
            executions: Some(200),
            ..Budget::default()
        };
        let mut run = run_from(source, toy::model(), 1, budget);
        let steps = finish(&mut run);
        let mut steps = steps.iter().flat_map(|proposal| &proposal.test.steps);
        steps.any(|step| step.operation == toy::PUSH)
    };
    assert!(executed(true), "a stack is known as one");
    assert!(!executed(false), "an object is no stack");
}

#[test]
fn what_is_compared_is_often_alike_where_run_time_types_are_known() {
    let equals = OperationId(7);
    let alike = |names: &[&str]| {
        let mut changes = vec![0; toy::calls().signatures.len()];
        for changing in [toy::PUSH, toy::POP, OperationId(5), toy::MERGE] {
            changes[changing.0 as usize] = 1;
        }
        let knowledge = Knowledge {
            changes,
            ..Knowledge::default()
        };
        let budget = Budget {
            executions: Some(3000),
            ..Budget::default()
        };
        let settings = CallSettings::default();
        let source = CallSource::guided(toy::calls(), settings, Seed(3), names, &knowledge);
        let mut run = run_from(source, toy::model(), 3, budget);
        let (mut stacks, mut same) = (0, 0);
        for proposal in finish(&mut run) {
            let Some(last) = proposal
                .test
                .steps
                .last()
                .filter(|one| one.operation == equals)
            else {
                continue;
            };
            let [Argument::Result(one), Argument::Result(other)] = last.arguments[..] else {
                continue;
            };
            stacks += 1;
            same += i32::from(one == other);
        }
        (stacks, same)
    };
    let (some, none) = alike(&[]);
    assert_eq!(none, 0, "nothing is given to itself");
    let (more, same) = alike(&["elephant", "impurity"]);
    assert!(more > some && same > 0, "{some} {more} {same}");
}
