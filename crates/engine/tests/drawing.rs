//! How often sources of call sequences draw operations where parts of the slot `operation` guide them.
#![allow(clippy::unwrap_used)]

use engine::calls::{
    CallModel, CallSettings, CallSource, CallType, Knowledge, Parameter, Signature, TypeId,
};
use engine::frames::{Frame, FrameBlock};
use engine::observation::StepResult;
use engine::{
    CriterionId, End, Executed, Goal, Literal, Observation, OperationId, Origin, Proposal, Seed,
    Source, Stream, TestId, Value,
};
use std::collections::BTreeSet;

/// So many operations that take a number and give nothing, and numbers enough that new tests do not run out.
fn model(operations: usize) -> CallModel {
    let literal = |number| Literal {
        value: Value::Int(number),
        origin: Origin::Builtin,
    };
    let signature = Signature {
        parameters: vec![Parameter {
            kind: TypeId(0),
            nullable: false,
        }],
        ..Signature::default()
    };
    CallModel {
        types: vec![CallType {
            name: "int".to_owned(),
            supertypes: Vec::new(),
            literals: (0..20_000).map(literal).collect(),
            closed: false,
        }],
        signatures: vec![signature; operations],
    }
}

fn source(operations: usize, parts: &[&str], knowledge: &Knowledge) -> CallSource {
    let settings = CallSettings::default();
    CallSource::guided(model(operations), settings, Seed(1), parts, knowledge)
}

fn propose(source: &mut CallSource, stream: &mut Stream, number: u64) -> Proposal {
    let (test, frame): (_, Frame) = source.finish(&FrameBlock::new(0, 1), 0, stream).unwrap();
    Proposal {
        id: TestId(number),
        frame,
        test,
    }
}

fn tested(proposal: &Proposal) -> OperationId {
    proposal.test.steps.last().unwrap().operation
}

/// The operations of so many tests, of which nothing is learnt.
fn drawn(source: &mut CallSource, tests: u64) -> Vec<usize> {
    let mut stream = Seed(2).derive("drawn", 0).stream();
    let draw = |number| tested(&propose(source, &mut stream, number)).0 as usize;
    (0..tests).map(draw).collect()
}

/// How often each operation is drawn.
fn counts<const N: usize>(source: &mut CallSource, tests: u64) -> [u64; N] {
    let mut counts = [0; N];
    for operation in drawn(source, tests) {
        counts[operation] += 1;
    }
    counts
}

#[test]
fn loc_draws_operations_by_their_lines() {
    let knowledge = Knowledge {
        lines: vec![60, 20, 0],
        reachable_lines: vec![1, 1, 98],
        ..Knowledge::default()
    };
    let mut guided = source(3, &["loc"], &knowledge);
    let [long, short, unknown] = counts(&mut guided, 2_025);
    // 60, 20 and 1 of 81 parts; the tolerances are four standard deviations.
    assert!(long.abs_diff(1_500) < 80, "{long}");
    assert!(short.abs_diff(500) < 80, "{short}");
    assert!(unknown.abs_diff(25) < 20, "{unknown}");
    let mut reaching = source(3, &["loc-calls"], &knowledge);
    let [_, _, far] = counts(&mut reaching, 1_000);
    assert!(far > 950, "{far}");
    let even: [u64; 3] = counts(&mut source(3, &[], &knowledge), 3_000);
    assert!(even.iter().all(|one| one.abs_diff(1_000) < 80), "{even:?}");
}

/// Two operations with two branches each.
fn two_branches_each() -> Knowledge {
    Knowledge {
        branches: vec![vec![0, 1], vec![2, 3]],
        lines: vec![1, 3],
        ..Knowledge::default()
    }
}

/// Lets a source see so many tests, of which those of the first operation cover both its branches and the others none.
fn learn(source: &mut CallSource, tests: u64) {
    let mut stream = Seed(3).derive("learnt", 0).stream();
    for number in 0..tests {
        let proposal = propose(source, &mut stream, number);
        let mut observation = Observation::plain(End::Exited(0));
        observation.details.results = vec![StepResult::Void; proposal.test.steps.len()];
        if tested(&proposal) == OperationId(0) {
            let goal = |number| Goal {
                criterion: CriterionId(0),
                number,
            };
            observation.hits = [0, 1].map(goal).to_vec();
        }
        source.learn(&[Executed {
            proposal: &proposal,
            observation: &observation,
        }]);
    }
}

#[test]
fn bloodhound_draws_what_is_covered_less_often_from_the_next_refresh_on() {
    let knowledge = two_branches_each();
    let mut source = source(2, &["bloodhound"], &knowledge);
    // The first refresh comes after 256 tests.
    learn(&mut source, 255);
    let [first, second] = counts(&mut source.clone(), 1_000);
    assert!(first.abs_diff(second) < 150, "{first} and {second}");
    learn(&mut source, 1);
    let [covered, open] = counts(&mut source, 1_000);
    // At most 0.1 against at least 0.9.
    assert!(covered < 130, "{covered}");
    assert_eq!(covered + open, 1_000);
}

#[test]
fn without_the_part_coverage_changes_nothing() {
    let mut source = source(2, &[], &two_branches_each());
    learn(&mut source, 256);
    let [first, second] = counts(&mut source, 1_000);
    assert!(first.abs_diff(second) < 150, "{first} and {second}");
}

#[test]
fn bloodhound_and_loc_multiply() {
    let mut source = source(2, &["bloodhound", "loc"], &two_branches_each());
    let [one_line, three_lines] = counts(&mut source, 4_000);
    assert!(one_line.abs_diff(1_000) < 100, "{one_line}");
    assert_eq!(one_line + three_lines, 4_000);
}

#[test]
fn bloodhound_draws_an_operation_less_with_every_selection() {
    const OPERATIONS: usize = 2_000;
    let knowledge = Knowledge {
        branches: (0..OPERATIONS as u32).map(|one| vec![one]).collect(),
        ..Knowledge::default()
    };
    let different = |parts: &[&str]| {
        let mut source = source(OPERATIONS, parts, &knowledge);
        let drawn: BTreeSet<usize> = drawn(&mut source, OPERATIONS as u64).into_iter().collect();
        drawn.len()
    };
    // Blind draws leave out one of e; 60 are over four standard deviations.
    let blind = different(&[]);
    assert!(blind.abs_diff(1_264) < 60, "{blind}");
    let hunted = different(&["bloodhound"]);
    assert!(hunted > blind + 60, "{hunted} and {blind}");
}
