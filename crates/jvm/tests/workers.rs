//! Tests run in worker processes, on every Java of this machine, and show what they give.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use engine::observation::StepResult;
use engine::{End, Observation, Test, Value};
use jvm::observed::{ObservedStep, ObservedValue};
use jvm::prepared::Inside;
use jvm::protocol::{Encoder, Needed, World};
use jvm::session::Session;
use jvm::workers::PoolSettings;
use support::{Ready, int, javas, literal, result, test, text};

sandbox::launcher_here!();

const BASKET: &str = "shop/Basket";

fn run(ready: &Ready, tests: &[Test]) -> Vec<Observation> {
    let mut workers = ready.workers(PoolSettings::default());
    workers.execute(tests).unwrap().observations
}

/// What a step gave, as text through `String.valueOf` on the Java side where it is one.
fn look(
    session: &mut Session,
    ready: &Ready,
    test: &Test,
    world: World,
) -> Option<Vec<ObservedStep>> {
    let encoded = {
        let mut strings = session.strings().lock().unwrap();
        let mut encoder = Encoder::new(&ready.target.prepared.shapes, &mut strings);
        encoder.test(test, false).unwrap()
    };
    session
        .look(&encoded, world)
        .unwrap()
        .unwrap()
        .observed
        .map(|observed| observed.steps)
}

#[test]
fn a_test_gives_values_exceptions_and_types() {
    for java in javas() {
        let ready = Ready::new(&java, "workers", &Inside::default());
        let fills = test(vec![
            ready.step(BASKET, "<init>", vec![int(1)]),
            ready.step(BASKET, "add", vec![result(0), text("a")]),
            ready.step(BASKET, "first", vec![result(0)]),
            ready.step(BASKET, "clear", vec![result(0)]),
            ready.step(BASKET, "hidden", vec![result(0)]),
        ]);
        let overflows = test(vec![
            ready.step(BASKET, "<init>", vec![int(0)]),
            ready.step(BASKET, "add", vec![result(0), text("a")]),
            ready.step(BASKET, "clear", vec![result(0)]),
        ]);
        let mut workers = ready.workers(PoolSettings {
            contracts_every: 0,
            ..PoolSettings::default()
        });
        let collected = workers.execute(&[fills, overflows]).unwrap();
        let [first, second] = &collected.observations[..] else {
            panic!("{collected:?}");
        };
        assert_eq!(first.end, End::Exited(0));
        assert_eq!(first.failures, []);
        let string = ready.target.model.type_of("Ljava/lang/String;").unwrap();
        let basket = ready.target.model.type_of("Lshop/Basket;").unwrap();
        let results = &first.details.results;
        assert_eq!(
            results[0],
            StepResult::Value {
                kind: basket,
                fingerprint: 0
            }
        );
        let kind = ready.target.model.type_of("I").unwrap();
        assert_eq!(results[1], StepResult::Number { kind, bits: 1 });
        assert!(
            matches!(results[2], StepResult::Value { kind, fingerprint } if kind == string && fingerprint != 0)
        );
        assert_eq!(results[3], StepResult::Void);
        assert!(matches!(results[4], StepResult::Value { .. }));
        assert_eq!(second.end, End::Threw(1));
        let StepResult::Threw { kind } = second.details.results[1] else {
            panic!("{second:?}");
        };
        let added = collected.types.iter().find(|one| one.id == kind);
        assert_eq!(
            added.unwrap().descriptor,
            "Ljava/lang/IllegalStateException;"
        );
    }
}

#[test]
fn all_primitives_and_arrays_arrive_as_they_were_written() {
    for java in javas() {
        let ready = Ready::new(&java, "workers", &Inside::default());
        let mix = test(vec![ready.step(
            BASKET,
            "mix",
            vec![
                literal(Value::Bool(true)),
                int(-128),
                int(-32768),
                int(65535),
                int(i64::from(i32::MIN)),
                int(i64::MIN),
                literal(Value::Float(1.5)),
                literal(Value::Float(-0.0)),
                text("end"),
            ],
        )]);
        let mut session = Session::new(&ready.target.prepared, &ready.launch(), Needed(0));
        let steps = look(&mut session, &ready, &mix, World::USUAL).unwrap();
        let expected = "true,-128,-32768,65535,-2147483648,-9223372036854775808,1.5,-0.0,end";
        let units = expected.encode_utf16().collect();
        assert_eq!(steps, [ObservedStep::Value(ObservedValue::Text(units))]);

        let numbers = test(vec![
            ready.step("[I", "[]", vec![int(1), int(20), int(300)]),
            ready.step(BASKET, "sum", vec![result(0)]),
            ready.step(BASKET, "half", vec![literal(Value::Float(3.0))]),
            ready.step(BASKET, "half", vec![result(2)]),
            ready.step(BASKET, "third", vec![literal(Value::Float(6.0))]),
        ]);
        let steps = look(&mut session, &ready, &numbers, World::USUAL).unwrap();
        assert_eq!(steps[1], ObservedStep::Value(ObservedValue::Int(321)));
        assert_eq!(
            steps[3],
            ObservedStep::Value(ObservedValue::Double(0.75f64.to_bits()))
        );
        assert_eq!(
            steps[4],
            ObservedStep::Value(ObservedValue::Float(2f32.to_bits()))
        );
        let ObservedStep::Value(ObservedValue::Object(array)) = &steps[0] else {
            panic!("{steps:?}");
        };
        assert_eq!((array.class.as_str(), array.length), ("[I", Some(3)));
    }
}

#[test]
fn exceptions_that_no_input_excuses_and_broken_contracts_are_failures() {
    for java in javas() {
        let ready = Ready::new(&java, "workers", &Inside::default());
        let careless = test(vec![ready.step(BASKET, "careless", vec![int(1)])]);
        let excused = test(vec![ready.step(
            BASKET,
            "length",
            vec![literal(Value::Nothing)],
        )]);
        let broken = test(vec![ready.step(BASKET, "<init>", vec![int(1)])]);
        let observations = run(&ready, &[careless, excused, broken]);
        let [careless, excused, broken] = &observations[..] else {
            panic!("{observations:?}");
        };
        let failure = &careless.failures[0];
        assert_eq!(failure.oracle, "null-pointer");
        assert!(
            failure
                .signature
                .contains("NullPointerException at shop.Basket.careless:"),
            "{}",
            failure.signature
        );
        assert_eq!(excused.end, End::Threw(0));
        assert_eq!(excused.failures, []);
        let oracles: Vec<&str> = broken
            .failures
            .iter()
            .map(|one| one.oracle.as_str())
            .collect();
        assert_eq!(oracles, ["equals-null"]);
    }
}

#[test]
fn two_workers_show_what_one_shows() {
    let java = &javas()[0];
    let ready = Ready::new(java, "workers", &Inside::default());
    let tests: Vec<Test> = (0..64)
        .map(|number| {
            test(vec![
                ready.step(BASKET, "<init>", vec![int(number % 5 - 1)]),
                ready.step(
                    BASKET,
                    "add",
                    vec![result(0), text(&format!("name {number}"))],
                ),
                ready.step(BASKET, "getNames", vec![result(0)]),
            ])
        })
        .collect();
    let observe = |workers| {
        let mut pool = ready.workers(PoolSettings {
            workers,
            batch: 8,
            ..PoolSettings::default()
        });
        pool.submit(&tests[..32]).unwrap();
        pool.submit(&tests[32..]).unwrap();
        let first = pool.collect().unwrap().unwrap();
        let second = pool.collect().unwrap().unwrap();
        assert!(pool.collect().unwrap().is_none());
        let mut observations = first.observations;
        observations.extend(second.observations);
        // Every worker reports a goal once; only the first test that shows it counts.
        let mut seen = BTreeSet::new();
        for observation in &mut observations {
            observation.hits.retain(|goal| seen.insert(*goal));
        }
        assert!(!seen.is_empty());
        (observations, first.types, second.types)
    };
    assert!(observe(1) == observe(2));
}

#[test]
fn threads_that_a_test_starts_are_ahead_of_it_in_another_world() {
    let [_, latest] = World::OTHER_TIMES;
    for java in javas() {
        let ready = Ready::new(&java, "workers", &Inside::default());
        let mut session = Session::new(&ready.target.prepared, &ready.launch(), Needed(0));
        let race = test(vec![ready.step(BASKET, "overtaken", vec![])]);
        let seen = look(&mut session, &ready, &race, latest).unwrap();
        assert_eq!(format!("{seen:?}"), "[Value(Boolean(true))]", "{java:?}");
    }
}

#[test]
fn chance_and_the_clock_are_pinned_and_differ_between_worlds() {
    let [later, latest] = World::OTHER_TIMES;
    for java in javas() {
        let ready = Ready::new(&java, "workers", &Inside::default());
        let mut session = Session::new(&ready.target.prepared, &ready.launch(), Needed(0));
        let both = test(vec![
            ready.step(BASKET, "chance", vec![]),
            ready.step(BASKET, "now", vec![]),
            ready.step(BASKET, "now", vec![]),
        ]);
        let mut in_world = |world| look(&mut session, &ready, &both, world).unwrap();
        let usual = in_world(World::USUAL);
        let other = in_world(World::OTHER_CHANCE);
        assert_ne!(usual[0], other[0]);
        assert_eq!(usual[1], other[1]);
        let (later, latest) = (in_world(later), in_world(latest));
        for (one, two) in [(&usual, &later), (&usual, &latest), (&later, &latest)] {
            assert_ne!(one[0], two[0]);
            assert_ne!(one[1], two[1]);
        }
        assert_eq!(usual[1], usual[2], "the clock stands still");
        for moved in [&later, &latest] {
            assert_ne!(moved[1], moved[2], "time passes");
        }
        assert_eq!(in_world(World::USUAL), usual);
    }
}
