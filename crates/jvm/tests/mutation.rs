//! Tests that we made run on mutants in workers, and closer looks show which of them notice what.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::PoisonError;
use std::time::Duration;

use engine::{Needs, Test};
use jvm::Java;
use jvm::discovery::Subject;
use jvm::mutation::{LookedTest, Looking, MutantLooks, MutantSubject, looks};
use jvm::observed::{Observed, ObservedStep, ObservedValue};
use jvm::prepared::Inside;
use jvm::protocol::{Encoded, Encoder, Needed, World};
use jvm::session::Session;
use jvm::target::originals;
use jvm::worker::Launch;
use mutants::java::{Options, mutants};
use support::{Ready, int, javas, result, test};

sandbox::launcher_here!();

const COUNTER: &str = "counting/Counter";

/// Adds, throws, and loops.
fn tests(ready: &Ready) -> Vec<Test> {
    let make = || ready.step(COUNTER, "<init>", vec![]);
    let call = |name, arguments| ready.step(COUNTER, name, arguments);
    vec![
        test(vec![make(), call("add", vec![result(0), int(3)])]),
        test(vec![make(), call("add", vec![result(0), int(-1)])]),
        test(vec![make(), call("loop", vec![result(0), int(3)])]),
    ]
}

fn encode(session: &Session, ready: &Ready, test: &Test) -> Encoded {
    let strings = session.strings();
    let mut strings = strings.lock().unwrap_or_else(PoisonError::into_inner);
    let mut encoder = Encoder::new(&ready.target.prepared.shapes, &mut strings);
    encoder.test(test, false).unwrap()
}

const ALL: Looking = Looking {
    most: usize::MAX,
    patience: None,
};

/// What each test gives on the original, and on the mutants it reaches.
fn look_at_all(java: &Java, options: &[&str], looking: Looking) -> (Vec<Observed>, MutantLooks) {
    let ready = Ready::compiled(java, "junit/subject", &Inside::default(), options);
    let launch = Launch {
        redefines: true,
        ..ready.launch()
    };
    let needed = Needed::of(Needs {
        hits: true,
        results: true,
        ..Needs::default()
    });
    let mut session = Session::new(&ready.target.prepared, &launch, needed);
    let tests = tests(&ready);
    let encoded: Vec<Encoded> = tests
        .iter()
        .map(|test| encode(&session, &ready, test))
        .collect();
    let mut seen = Vec::new();
    for encoded in &encoded {
        let look = session.look(encoded, World::USUAL).unwrap().unwrap();
        let goals = ready.target.coverage.goals(&look.reply.hits);
        seen.push((look.observed.unwrap(), goals, look.frames));
    }
    let looked: Vec<LookedTest> = encoded
        .iter()
        .zip(&seen)
        .map(|(encoded, (_, goals, frames))| LookedTest {
            encoded,
            goals,
            frames,
        })
        .collect();
    let paths = [ready.folder.path().join("classes")];
    let subject = Subject::open(&paths, &[], java.version as u16).unwrap();
    let originals = originals(&subject, &ready.discovered);
    let all = mutants(&subject.classes[COUNTER].bytes, &Options::default()).unwrap();
    let subject = MutantSubject {
        originals: &originals,
        coverage: &ready.target.coverage,
    };
    let looks = looks(&mut session, &subject, all, &looked, looking).unwrap();
    let after: Vec<Observed> = encoded
        .iter()
        .map(|encoded| {
            session
                .look(encoded, World::USUAL)
                .unwrap()
                .unwrap()
                .observed
                .unwrap()
        })
        .collect();
    let before: Vec<Observed> = seen.into_iter().map(|(observed, ..)| observed).collect();
    assert_eq!(before, after, "the original is back");
    (before, looks)
}

/// What a test gave on the mutant that this describes.
fn on<'l>(
    looks: &'l MutantLooks,
    test: usize,
    line: u32,
    replacement: &str,
) -> &'l Option<Observed> {
    let found = looks.by_test[test].iter().find(|(mutant, _)| {
        let mutant = &looks.mutants[mutant.0 as usize];
        mutant.line == Some(line) && mutant.replacement == replacement
    });
    &found
        .unwrap_or_else(|| panic!("{replacement} on line {line}"))
        .1
}

#[test]
fn a_test_that_is_over_its_time_runs_on_no_more_mutants() {
    let java = &javas()[0];
    let patience = Some(Duration::ZERO);
    let (_, looks) = look_at_all(java, &[], Looking { patience, ..ALL });
    assert!(looks.by_test.iter().all(|looked| looked.len() <= 1));
    assert!(looks.by_test.iter().any(|looked| looked.len() == 1));
}

#[test]
fn without_line_numbers_tests_run_on_all_mutants_of_the_methods_they_cover() {
    for java in javas() {
        let (_, with) = look_at_all(&java, &[], ALL);
        let (_, without) = look_at_all(&java, &["-g:none"], ALL);
        assert_eq!(without.refused, []);
        assert!(without.mutants.iter().all(|mutant| mutant.line.is_none()));
        assert!(without.not_reached > 0, "nothing calls `untested`");
        assert!(without.mutants.len() >= with.mutants.len());
        let sums = without.by_test[0].iter().any(|(mutant, observed)| {
            let mutant = &without.mutants[mutant.0 as usize];
            let value = observed.as_ref().map(|observed| observed.steps[1].clone());
            mutant.replacement == "isub"
                && value == Some(ObservedStep::Value(ObservedValue::Int(-3)))
        });
        assert!(sums, "the sum is a difference on a mutant");
    }
}

#[test]
fn tests_show_other_values_on_the_mutants_they_reach() {
    for java in javas() {
        let (_, looks) = look_at_all(&java, &[], ALL);
        assert_eq!(looks.refused, []);
        assert!(looks.not_reached > 0, "nothing calls `untested`");
        let value = |observed: &Option<Observed>| observed.as_ref().unwrap().steps[1].clone();
        let int = |number| ObservedStep::Value(ObservedValue::Int(number));
        assert_eq!(value(on(&looks, 0, 12, "isub")), int(-3));
        assert_eq!(value(on(&looks, 0, 14, "0")), int(0));
        let thrown = on(&looks, 0, 9, "iflt").as_ref().unwrap();
        assert!(thrown.threw().is_some(), "the guard was turned round");
        assert_eq!(*on(&looks, 2, 31, "iinc -1"), None, "it never ends");
        let looked_at: Vec<u32> = looks.by_test[1]
            .iter()
            .filter_map(|(mutant, _)| looks.mutants[mutant.0 as usize].line)
            .collect();
        assert!(
            looked_at.contains(&9),
            "a test that throws reaches its guard"
        );
    }
}

#[test]
fn too_many_mutants_are_left_out_and_counted() {
    let java = &javas()[0];
    let (_, all) = look_at_all(java, &[], ALL);
    let (_, some) = look_at_all(java, &[], Looking { most: 5, ..ALL });
    assert_eq!(some.mutants.len(), 5);
    assert_eq!(some.left_out, all.mutants.len() - 5);
    assert_eq!(some.not_reached, all.not_reached);
}
