//! Observations carry distances, side counts, rows and traces where they are asked for, and probes of covered goals can go.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use classfile::rewrite::{PathChange, PathStep, Place, Side};
use classfile::{ClassFile, Flow};
use engine::{Goal, Needs, Observation, OperationId, Step, Test};
use jvm::Java;
use jvm::discovery::{Discovered, Filters, Jdk, Subject, discover};
use jvm::edges::ROWS;
use jvm::instrument::Extras;
use jvm::prepared::Inside;
use jvm::target::Target;
use jvm::worker::Launch;
use jvm::workers::{PoolSettings, Workers};
use sandbox::LauncherCommand;
use support::{compile, int, javas, test};

sandbox::launcher_here!();

const NEEDS: Needs = Needs {
    hits: true,
    distances: true,
    sides: true,
    rows: true,
    trace: true,
    results: true,
};

struct Choice {
    folder: tempfile::TempDir,
    java: Java,
    subject: Subject,
    discovered: Discovered,
}

impl Choice {
    fn new(java: &Java) -> Choice {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        std::fs::create_dir(&classes).unwrap();
        compile(java, "details", &classes, &[]);
        let subject = Subject::open(&[classes], &[], java.version as u16).unwrap();
        let jdk = Jdk::open(&java.home).unwrap();
        let discovered = discover(&subject, &jdk, &Filters::default()).unwrap();
        Choice {
            folder,
            java: java.clone(),
            subject,
            discovered,
        }
    }

    /// A test that calls `pick`.
    fn pick(&self, a: i64, b: i64) -> Test {
        let operations = &self.discovered.model.operations;
        let found = operations.iter().position(|one| one.name == "pick");
        test(vec![Step {
            operation: OperationId(found.unwrap() as u32),
            arguments: vec![int(a), int(b)],
        }])
    }

    fn observe(&self, extras: &Extras, tests: &[Test]) -> Vec<Observation> {
        let inside = Inside::default();
        let parent = self.folder.path();
        let (subject, discovered) = (&self.subject, &self.discovered);
        let target =
            Target::with_extras(parent, subject, discovered, NEEDS, &inside, extras).unwrap();
        let launch = Launch::new(self.java.clone(), LauncherCommand::this_program().unwrap());
        let settings = PoolSettings {
            needs: NEEDS,
            ..PoolSettings::default()
        };
        let mut workers = Workers::start(&target, &launch, settings);
        workers.execute(tests).unwrap().observations
    }

    /// Registers the two conditions: 2 for the first, 1 for the second, told before the switch.
    fn paths(&self) -> Vec<PathStep> {
        let class = ClassFile::parse(&self.subject.classes["details/Choice"].bytes).unwrap();
        let mut methods = class.methods.iter();
        let method = methods.position(|one| one.name(&class.pool) == "pick");
        let method = method.unwrap() as u16;
        let code = class.methods[usize::from(method)].code(&class.pool);
        let code = code.unwrap().unwrap();
        let of = |flow: Flow| -> Vec<u32> {
            let all = code.instructions().filter(|one| one.flow() == flow);
            all.map(|one| one.pc).collect()
        };
        let (branches, switches) = (of(Flow::Branch), of(Flow::Switch));
        let step = |place, change| PathStep {
            method,
            place,
            register: 0,
            change,
        };
        let [_, first, second] = branches[..] else {
            panic!("{branches:?}");
        };
        vec![
            step(Place::Edge(first, Side::Fall), PathChange::Set(2)),
            step(Place::Edge(first, Side::Taken), PathChange::Set(0)),
            step(Place::Edge(second, Side::Fall), PathChange::Add(1)),
            step(Place::Before(switches[0]), PathChange::Record),
        ]
    }
}

#[test]
fn distances_sides_and_traces_speak_of_goals() {
    for java in javas() {
        let choice = Choice::new(&java);
        let seen = choice.observe(&Extras::default(), &[choice.pick(4, 2), choice.pick(8, 2)]);
        let details = &seen[0].details;
        let distances: Vec<f64> = details.distances.iter().map(|(_, one)| *one).collect();
        // 4 > 10, 2 == 5, the key 1, and the nearer of the keys 7 and 8, which are one goal.
        assert_eq!(distances, [7.0, 3.0, 3.0, 3.0]);
        let mut counts: Vec<u8> = details.sides.iter().map(|(_, count)| *count).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 1, 1, 1, 2], "the loop's body runs three times");
        assert_eq!(details.trace.len(), 7);
        assert!(
            details.trace[..3]
                .iter()
                .all(|goal| *goal == details.trace[0])
        );
        let taken: BTreeSet<Goal> = details.trace.iter().copied().collect();
        let branch = seen[0].hits.iter().filter(|goal| goal.criterion.0 == 0);
        assert_eq!(taken, branch.copied().collect());
        // Key 8 is the goal of key 7.
        let nearest = details.distances[3].0;
        assert_eq!(seen[1].details.trace.last(), Some(&nearest));
    }
}

#[test]
fn rows_are_numbered_as_they_are_seen() {
    for java in javas() {
        let choice = Choice::new(&java);
        let extras = Extras {
            paths: BTreeMap::from([("details/Choice".to_owned(), choice.paths())]),
            ..Extras::default()
        };
        let tests = [(4, 2), (11, 5), (4, 2), (11, 2)].map(|(a, b)| choice.pick(a, b));
        let seen = choice.observe(&extras, &tests);
        let rows = seen.iter().map(|one| match one.details.rows[..] {
            [Goal { criterion, number }] if criterion == ROWS => number,
            _ => panic!("{:?}", one.details.rows),
        });
        assert_eq!(rows.collect::<Vec<u32>>(), [0, 1, 0, 2]);
    }
}

#[test]
fn probes_of_covered_goals_can_be_left_out() {
    let choice = Choice::new(&javas()[0]);
    let tests = [choice.pick(4, 2), choice.pick(11, 5)];
    // Each in a pool of its own, because workers tell only what is new to them.
    let full = |test: &Test| -> BTreeSet<Goal> {
        let seen = choice.observe(&Extras::default(), std::slice::from_ref(test));
        seen[0].hits.iter().copied().collect()
    };
    let (first, second) = (full(&tests[0]), full(&tests[1]));
    let extras = Extras {
        covered: first.clone(),
        ..Extras::default()
    };
    let lighter = choice.observe(&extras, &tests);
    assert_eq!(lighter[0].hits, []);
    let left: BTreeSet<Goal> = lighter[1].hits.iter().copied().collect();
    let new: BTreeSet<Goal> = second.difference(&first).copied().collect();
    assert!(!new.is_empty() && left.is_superset(&new) && second.is_superset(&left));
    assert!(left.len() < second.len());
}
