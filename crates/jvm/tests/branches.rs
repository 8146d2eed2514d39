//! The branches that `bloodhound` is told of belong to the operations that lead there, by the numbers that runs report.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use classfile::ClassFile;
use engine::{CriterionId, Test};
use jvm::discovery::{Jdk, Subject};
use jvm::knowledge::knowledge;
use jvm::prepared::Inside;
use jvm::workers::PoolSettings;
use support::{Ready, int, javas, test};

sandbox::launcher_here!();

const OPERATIONS: [(&str, &str); 7] = [
    ("branches/Door", "open"),
    ("branches/Door", "guarded"),
    ("branches/Door", "behind"),
    ("branches/Door", "both"),
    ("branches/Door", "later"),
    ("branches/Door", "plain"),
    ("branches/Window", "look"),
];

/// The subject as a run opens it.
fn subject(ready: &Ready) -> Subject {
    let classes = ready.folder.path().join("classes");
    Subject::open(&[classes], &[], ready.java.version as u16).unwrap()
}

/// The branches of every operation of the list, in its order.
fn branches(ready: &Ready) -> Vec<Vec<u32>> {
    let jdk = Jdk::open(&ready.java.home).unwrap();
    let coverage = &ready.target.coverage;
    let parts = ["bloodhound"];
    let known = knowledge(&subject(ready), &jdk, &ready.discovered, coverage, &parts);
    assert_eq!(known.branches.len(), ready.target.model.operations.len());
    let of = |(owner, name)| {
        let operation = ready.operation(owner, name);
        known.branches[operation.0 as usize].clone()
    };
    OPERATIONS.into_iter().map(of).collect()
}

/// The method that every branch of the subject is in, by its number as a goal.
fn methods(ready: &Ready) -> BTreeMap<u32, String> {
    let subject = subject(ready);
    let mut methods = BTreeMap::new();
    for class in ready.target.coverage.classes() {
        let parsed = ClassFile::parse(&subject.classes[&class.name].bytes).unwrap();
        for number in 0..class.goals.goals.len() as u32 {
            let id = classfile::analysis::coverage::GoalId(number);
            let goal = class.goal(id);
            let method = class.goals.goals[number as usize].method;
            if goal.criterion == CriterionId(0) {
                let name = parsed.methods[method].name(&parsed.pool);
                methods.insert(goal.number, name.to_owned());
            }
        }
    }
    methods
}

#[test]
fn branches_of_private_methods_and_lambdas_belong_to_the_operations_that_lead_there() {
    for java in javas() {
        let ready = Ready::new(&java, "branches", &Inside::default());
        let methods = methods(&ready);
        let told = branches(&ready);
        let mut named = BTreeMap::new();
        for ((_, name), branches) in OPERATIONS.iter().zip(&told) {
            let inside = branches.iter().map(|number| methods[number].as_str());
            let mut inside: Vec<&str> = inside.collect();
            inside.sort_unstable();
            named.insert(*name, inside);
        }
        // Two ways out of each; what has an operation of its own is that operation's.
        let expected = BTreeMap::from([
            ("open", vec!["open", "open"]),
            ("guarded", vec!["hidden", "hidden"]),
            ("behind", vec!["deeper", "deeper", "hidden", "hidden"]),
            ("both", vec!["both", "both", "hidden", "hidden"]),
            ("later", vec!["lambda$later$0", "lambda$later$0"]),
            ("plain", vec![]),
            ("look", vec!["look", "look"]),
        ]);
        assert_eq!(named, expected, "{}", java.home.display());
    }
}

#[test]
fn what_a_call_is_seen_to_hit_is_what_its_operation_has() {
    let ready = Ready::new(&javas()[0], "branches", &Inside::default());
    let call = |(owner, name)| test(vec![ready.step(owner, name, vec![int(9)])]);
    let tests: Vec<Test> = OPERATIONS.into_iter().map(call).collect();
    let mut workers = ready.workers(PoolSettings::default());
    let observations = workers.execute(&tests).unwrap().observations;
    let mut all = BTreeSet::new();
    for ((operation, told), observation) in
        OPERATIONS.iter().zip(branches(&ready)).zip(&observations)
    {
        let hits = observation.hits.iter();
        let hits = hits.filter(|goal| goal.criterion == CriterionId(0));
        let hits: BTreeSet<u32> = hits.map(|goal| goal.number).collect();
        let told: BTreeSet<u32> = told.into_iter().collect();
        assert!(hits.is_subset(&told), "{operation:?}: {hits:?} of {told:?}");
        all.extend(hits);
    }
    // One way out of each method with branches, whoever was the first to take it.
    assert_eq!(all.len(), methods(&ready).len() / 2);
}
