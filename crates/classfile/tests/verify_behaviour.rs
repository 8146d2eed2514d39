//! Rewritten programs do what they did, and their probes are reached when they should be.
#![allow(clippy::unwrap_used)]

mod subjects;
mod verifier;

use std::path::{Path, PathBuf};

use classfile::rewrite::{
    Chosen, Decision, Hit, HitKind, Numbers, PathChange, PathStep, Place, Probes, Rewriter, Side,
};
use classfile::{ClassFile, Flow};
use verifier::{Classes, Verifier, all_probes, rewrite};

fn source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rewrite");
    folder.join(format!("{name}.java"))
}

#[test]
fn a_program_does_the_same_with_every_probe() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    for release in [8, 17] {
        let classes = verifier.compile(&jdks[0], &source("Sample"), release);
        let (rewritten, done) = rewrite(all_probes(&classes), &classes);
        assert!(done.iter().all(|class| class.reduced.is_empty()));
        for jdk in &jdks {
            let (before, counts) = verifier.run(jdk, &classes, &["Sample"]);
            assert!(counts.is_empty());
            let (after, counts) = verifier.run(jdk, &rewritten, &["Sample"]);
            assert_eq!(after, before, "{}", jdk.display());
            let reached = |kind: &str| counts.keys().filter(|name| name.starts_with(kind)).count();
            assert!(
                reached("hit ") > 300 && reached("side ") > 100,
                "{counts:?}"
            );
            assert_eq!(reached("side "), reached("trace "));
            assert!(counts["tick 0"] > 300 && counts["array 0"] > 10 && counts["arrays 3"] == 1);
        }
    }
}

#[test]
fn static_state_is_as_at_the_start_after_a_reset() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let classes = verifier.compile(&jdks[0], &source("Sample"), 8);
    let probes = Probes {
        reset: true,
        ..Probes::default()
    };
    let (rewritten, _) = rewrite(probes, &classes);
    let (once, _) = verifier.run(&jdks[0], &rewritten, &["Sample"]);
    let (twice, _) = verifier.run(&jdks[0], &rewritten, &["Sample", "Sample"]);
    assert_eq!(twice, format!("{once}{once}"));
}

#[test]
fn calls_and_references_are_redirected() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let expected =
        "exit 3\nexit 3\nruntime exit 3\nhalt 3\n1000000000000 5\n1000000000000 0.25\ntrue\ntrue\n";
    let classes = verifier.compile(&jdks[0], &source("Redirected"), 8);
    let probes = Probes {
        calls: all_probes(&classes).calls,
        ..Probes::default()
    };
    let (rewritten, _) = rewrite(probes, &classes);
    for jdk in &jdks {
        let (output, _) = verifier.run(jdk, &rewritten, &["Redirected"]);
        assert_eq!(output, expected);
    }
}

/// The class of the test program with places, its methods by name.
fn places(verifier: &Verifier, jdk: &Path) -> (Classes, impl Fn(&str) -> u16) {
    let classes = verifier.compile(jdk, &source("Places"), 8);
    let class = ClassFile::parse(&classes[0].1).unwrap();
    let methods = class.methods.iter();
    let names: Vec<String> = methods
        .map(|method| method.name(&class.pool).to_owned())
        .collect();
    (classes, move |name: &str| {
        names.iter().position(|other| other == name).unwrap() as u16
    })
}

#[test]
fn sides_that_lead_to_one_place_are_counted_apart() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let (classes, method) = places(&verifier, &jdks[0]);
    let probes = Probes {
        edges: true,
        sides: true,
        ..Probes::default()
    };
    let (rewritten, done) = rewrite(probes, &classes);
    let (_, counts) = verifier.run(&jdks[0], &rewritten, &["Places"]);
    let hits = |method: u16, side: Side| -> u64 {
        let infos = done[0].hits.iter().enumerate();
        let same =
            infos.filter(|(_, info)| info.method == method && info.kind == HitKind::Edge(side));
        same.map(|(number, _)| {
            counts
                .get(&format!("hit {number}"))
                .copied()
                .unwrap_or_default()
        })
        .sum()
    };
    // The values are -1, 0, 1 and 2; the empty branch is jumped over for the first two.
    assert_eq!(hits(method("same"), Side::Taken), 2);
    assert_eq!(hits(method("same"), Side::Fall), 2);
    assert_eq!(hits(method("select"), Side::Default), 2);
    assert_eq!(hits(method("select"), Side::Case(0)), 1);
    assert_eq!(hits(method("select"), Side::Case(1)), 1);
    assert_eq!(hits(method("select"), Side::Case(3)), 0);
    let select = done[0]
        .branches
        .iter()
        .find(|branch| branch.method == method("select"));
    let select = select.unwrap();
    // Key 2 is a gap of the table and goes to the default.
    assert_eq!(select.decision, Decision::Switch(vec![0, 1, 3]));
    let sides: Vec<u64> = (select.edge..select.edge + 4)
        .map(|edge| {
            counts
                .get(&format!("side {edge}"))
                .copied()
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(sides, [2, 1, 1, 0]);
}

#[test]
fn chosen_hits_and_path_registers_tell_what_happened() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let (classes, method) = places(&verifier, &jdks[0]);
    let mut class = ClassFile::parse(&classes[0].1).unwrap();
    let both = method("both");
    let code = class.methods[usize::from(both)]
        .code(&class.pool)
        .unwrap()
        .unwrap();
    let jumps: Vec<u32> = code
        .instructions()
        .filter(|instruction| instruction.flow() == Flow::Branch)
        .map(|instruction| instruction.pc)
        .collect();
    let end = code.instructions().last().unwrap().pc;
    let [first, second] = jumps[..] else {
        panic!("two conditions expected");
    };
    let step = |place: Place, change: PathChange| PathStep {
        method: both,
        place,
        register: 7,
        change,
    };
    let paths = [
        step(Place::Entry, PathChange::Set(100)),
        step(Place::Edge(first, Side::Taken), PathChange::Add(1)),
        step(Place::Edge(second, Side::Taken), PathChange::Add(10)),
        step(Place::Before(end), PathChange::Record),
    ];
    let hit = |place: Place, number: u32| Hit {
        method: both,
        place,
        number,
    };
    let hits = [
        hit(Place::Entry, 40_000),
        hit(Place::Before(second), 2),
        hit(Place::After(0), 3),
        hit(Place::Edge(second, Side::Fall), 4),
    ];
    let chosen = Chosen {
        hits: &hits,
        paths: &paths,
        ..Chosen::default()
    };
    Rewriter::new(Probes::default()).rewrite(&mut class, &chosen, Numbers::default());
    let rewritten = vec![("Places".to_owned(), class.write())];
    for jdk in &jdks {
        let (_, counts) = verifier.run(jdk, &rewritten, &["Places"]);
        let expected = [
            ("hit 2", 2),
            ("hit 3", 4),
            ("hit 4", 1),
            ("hit 40000", 4),
            ("path 7 100", 1),
            ("path 7 101", 2),
            ("path 7 110", 1),
        ];
        let expected = expected.map(|(name, count)| (name.to_owned(), count));
        assert_eq!(counts, expected.into());
    }
}

#[test]
fn what_is_left_out_changes_no_other_number() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let (classes, _) = places(&verifier, &jdks[0]);
    let (rewritten, done) = rewrite(all_probes(&classes), &classes);
    let (_, before) = verifier.run(&jdks[0], &rewritten, &["Places"]);
    let without_hits = (0..done[0].next.hits)
        .filter(|number| number % 3 != 0)
        .collect();
    let without_edges = (0..done[0].next.edges)
        .filter(|number| number % 2 == 0)
        .collect();
    let chosen = Chosen {
        without_hits: Some(&without_hits),
        without_edges: Some(&without_edges),
        ..Chosen::default()
    };
    let mut class = ClassFile::parse(&classes[0].1).unwrap();
    let mut rewriter = Rewriter::new(all_probes(&classes));
    let again = rewriter.rewrite(&mut class, &chosen, Numbers::default());
    assert_eq!(again, done[0]);
    let rewritten = vec![("Places".to_owned(), class.write())];
    let (_, after) = verifier.run(&jdks[0], &rewritten, &["Places"]);
    let kept = |name: &str| match name.split_once(' ') {
        Some(("hit", number)) => number.parse::<u32>().unwrap() % 3 == 0,
        Some(("side" | "trace", number)) => number.parse::<u32>().unwrap() % 2 == 1,
        _ => true,
    };
    let expected = before.into_iter().filter(|(name, _)| kept(name));
    assert_eq!(after, expected.collect());
}
