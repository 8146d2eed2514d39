//! What generating call sequences costs: `cargo bench -p engine --bench calls`.
//!
//! The subject is made up: 18 classes with 741 operations, about as many as JDK collections, commons-lang3 and joda-time gave
//! in the prototype. Nothing is executed: observations are drawn, 21 % of the last calls throw. Prints the time per
//! proposal and per learnt test, how long tests are, and how much memory grows. Times are processor time of
//! this thread.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use engine::calls::{CallModel, CallSettings, CallSource, CallType, Parameter, Signature, TypeId};
use engine::observation::StepResult;
use engine::{
    Budget, End, Guide, Hits, Literal, Model, Observation, Origin, Proposal, Run, Seed, Stream,
    TestKind, Value,
};
use std::time::Duration;

const CLASSES: u32 = 18;
const OPERATIONS: usize = 741;
const INT: TypeId = TypeId(0);
const TEXT: TypeId = TypeId(1);
const BOOLEAN: TypeId = TypeId(2);
const OBJECT: TypeId = TypeId(3);
const INTS: TypeId = TypeId(4);
const FIRST_CLASS: u32 = 5;

fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|word| word.parse().ok());
    pages.unwrap_or(0) * 4
}

fn subject() -> CallModel {
    let kind = |name: String, supertypes: Vec<TypeId>, literals: Vec<Value>| CallType {
        name,
        supertypes,
        literals: literals
            .into_iter()
            .map(|value| Literal {
                value,
                origin: Origin::Builtin,
            })
            .collect(),
        closed: false,
    };
    let numbers = [-1, 0, 1, 10, 100].map(Value::Int).to_vec();
    let texts = ["", "hi!", "a", "10"].map(|text| Value::Text(text.to_owned()));
    let mut types = vec![
        kind("int".into(), vec![], numbers),
        kind("String".into(), vec![OBJECT], texts.to_vec()),
        kind(
            "boolean".into(),
            vec![],
            vec![Value::Bool(false), Value::Bool(true)],
        ),
        kind("Object".into(), vec![], vec![]),
        kind("int[]".into(), vec![OBJECT], vec![]),
    ];
    types.extend((0..CLASSES).map(|n| kind(format!("Class{n}"), vec![OBJECT], vec![])));
    let mut stream = Seed(1).stream();
    let mut signatures = vec![Signature {
        parameters: vec![parameter(INT)],
        repeats: true,
        result: Some(INTS),
        auxiliary: true,
        observed: false,
        place: None,
    }];
    while signatures.len() < OPERATIONS {
        signatures.push(signature(signatures.len(), &mut stream));
    }
    CallModel { types, signatures }
}

fn parameter(kind: TypeId) -> Parameter {
    let nullable = kind != INT && kind != BOOLEAN;
    Parameter { kind, nullable }
}

/// A constructor, a method or, one time in ten, a static method, with up to three more parameters.
fn signature(number: usize, stream: &mut Stream) -> Signature {
    let class = TypeId(FIRST_CLASS + number as u32 % CLASSES);
    let any = |stream: &mut Stream| match stream.index(10) {
        0..4 => INT,
        4..6 => TEXT,
        6 => BOOLEAN,
        7 => OBJECT,
        8 => INTS,
        _ => TypeId(FIRST_CLASS + stream.index(CLASSES as usize) as u32),
    };
    let constructor = number <= 2 * CLASSES as usize;
    let mut parameters = Vec::new();
    if !constructor && !stream.chance(0.1) {
        parameters.push(Parameter {
            kind: class,
            nullable: false,
        });
    }
    for _ in 0..[0, 0, 1, 1, 1, 2, 2, 3][stream.index(8)] {
        parameters.push(parameter(any(stream)));
    }
    let result = if constructor {
        Some(class)
    } else if stream.chance(0.25) {
        None
    } else {
        Some(any(stream))
    };
    Signature {
        parameters,
        result,
        ..Signature::default()
    }
}

/// What a run of this test might have shown.
fn observe(calls: &CallModel, proposal: &Proposal, stream: &mut Stream) -> Observation {
    let steps = &proposal.test.steps;
    let mut observation = Observation::plain(End::Exited(0));
    if stream.chance(0.21) {
        observation.end = End::Threw(steps.len() as u32 - 1);
        return observation;
    }
    let result = |operation: usize| match calls.signatures[operation].result {
        None => StepResult::Void,
        Some(kind) if kind == INT || kind == TEXT || kind == BOOLEAN => StepResult::Value {
            kind,
            fingerprint: 1 + stream.below(1000),
        },
        Some(kind) => StepResult::Value {
            kind,
            fingerprint: 0,
        },
    };
    let operations = steps.iter().map(|step| step.operation.0 as usize);
    observation.details.results = operations.map(result).collect();
    observation
}

fn main() {
    let calls = subject();
    let source = CallSource::new(calls.clone(), CallSettings::default(), Seed(1));
    let guide = Guide::parse("random", TestKind::Calls).expect("a preset");
    let model = Model {
        hits: Hits::FirstSeen,
        ..Model::default()
    };
    let selector = guide.selector(&model.space, 1);
    let mut run = Run::new(
        Seed(1),
        Budget::default(),
        model,
        Box::new(source),
        selector,
    );
    let mut stream = Seed(2).stream();
    let before = resident();
    println!("  tests  ns/proposal  ns/learn  steps/test  RSS KiB over start");
    for _ in 0..8 {
        let (mut proposing, mut learning, mut tests, mut steps) = (0.0, 0.0, 0, 0);
        while tests < 50_000 {
            let start = now();
            let round = run.propose().expect("the subject is large");
            proposing += now() - start;
            let observed = |one: &Proposal| observe(&calls, one, &mut stream);
            let observations: Vec<Observation> = round.iter().map(observed).collect();
            tests += round.len();
            steps += round.iter().map(|one| one.test.steps.len()).sum::<usize>();
            let start = now();
            run.learn(&round, &observations, Duration::ZERO);
            drop(round);
            learning += now() - start;
        }
        let each = |seconds: f64| seconds / tests as f64 * 1e9;
        println!(
            "{:>7}{:>13.0}{:>10.0}{:>12.2}{:>10}",
            run.executions(),
            each(proposing),
            each(learning),
            steps as f64 / tests as f64,
            resident() - before,
        );
    }
}
