//! The bars of what suites are worth, as far as there are results: mutants killed, agreement with PIT, fresh runs.

use super::Options;
use super::gathered::{Gathered, Group};
use super::results::{Fresh, Mutants, OnJdk, Part, Pit, mean, percent, sum};
use super::step::Step;
use std::collections::BTreeMap;

/// Bars 4 and 6.
pub fn lines(options: &Options) -> Vec<String> {
    let mut lines = killed(&Gathered::of(Step::Mutants, options));
    lines.extend(agreement(&Gathered::of(Step::Pit, options)));
    lines.extend(fresh(&Gathered::of(Step::Fresh, options)));
    lines
}

/// Bar 4 by our mutants.
fn killed(found: &Gathered<Mutants>) -> Vec<String> {
    let line = |group: &Group<Mutants>| {
        let scores = group.subjects.iter().map(|(_, runs)| {
            let shares = runs.values().map(|one| percent((one.killed, one.all)));
            mean(shares)
        });
        format!(
            "  bar 4: {} with {} s per class kills {:.1} % of our PIT-like mutants (50; {} subjects)",
            group.guide,
            group.seconds,
            mean(scores).unwrap_or(0.0),
            group.subjects.len()
        )
    };
    found.groups.iter().map(line).collect()
}

/// Bar 4 by the real PIT.
fn agreement(found: &Gathered<Pit>) -> Vec<String> {
    let mut lines = Vec::new();
    for group in &found.groups {
        for (subject, runs) in &group.subjects {
            for (seed, run) in runs {
                let sides = [&run.ours, &run.pit].map(|side| sum(side.values().copied()));
                let [ours, theirs] = sides.map(|side| percent(side).unwrap_or(0.0));
                lines.push(format!(
                    "  bar 4, real PIT: {}, {}, {} s, seed {seed}: ours {ours:.1} % of {}, PIT {theirs:.1} % of {}, {:.1} points apart (5)",
                    subject.name,
                    group.guide,
                    group.seconds,
                    sides[0].1,
                    sides[1].1,
                    (ours - theirs).abs()
                ));
                lines.push(format!("    ours: {}", operators(&run.ours)));
                lines.push(format!("    pit: {}", operators(&run.pit)));
            }
        }
    }
    lines
}

fn operators(side: &BTreeMap<String, Part>) -> String {
    let parts = side.iter();
    let texts = parts.map(|(name, (killed, all))| format!("{name} {killed}/{all}"));
    texts.collect::<Vec<_>>().join(", ")
}

/// Bar 6: tests that do not compile, or do not do the same every time.
fn fresh(found: &Gathered<Fresh>) -> Vec<String> {
    let mut lines = Vec::new();
    for Group {
        seconds,
        guide,
        subjects,
    } in &found.groups
    {
        let runs = subjects.iter().flat_map(|(_, runs)| runs.values());
        let entries: Vec<&OnJdk> = runs.flat_map(|run| run.jdks.values()).collect();
        let wrong: Vec<&String> = entries.iter().flat_map(|entry| &entry.wrong).collect();
        let broken = entries.iter().filter(|entry| !entry.broken.is_empty());
        let all: usize = entries.iter().map(|entry| entry.run).sum();
        lines.push(format!(
            "  bar 6: {guide}, {seconds} s: {} suites do not compile, {} of {all} tests run wrong",
            broken.count(),
            wrong.len()
        ));
        lines.extend(wrong.iter().take(5).map(|name| format!("    {name}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::subjects::SUBJECTS;
    use super::*;

    fn found<R>(result: R) -> Gathered<R> {
        let mut found = Gathered::default();
        found.add(2.0, "grt", &SUBJECTS[0], 7, result);
        found
    }

    #[test]
    fn bars_of_mutants_tell_both_sides_by_operator() {
        let part = |name: &str, part: Part| BTreeMap::from([(name.to_owned(), part)]);
        let mutants = Mutants {
            classes: 1,
            killed: 1,
            all: 4,
        };
        let pit = Pit {
            classes: 1,
            ours: part("math", (3, 4)),
            pit: part("MathMutator", (1, 2)),
        };
        let lines = [killed(&found(mutants)), agreement(&found(pit))].concat();
        insta::assert_snapshot!("mutants", lines.join("\n"));
    }

    #[test]
    fn bars_of_fresh_runs_name_the_tests_that_are_wrong() {
        let wrong = OnJdk {
            run: 6,
            wrong: vec!["p.ATest.a()".to_owned()],
            ..OnJdk::default()
        };
        let broken = OnJdk {
            broken: vec!["A.java:1: no".to_owned()],
            ..OnJdk::default()
        };
        let jdks = BTreeMap::from([("17".to_owned(), wrong), ("25".to_owned(), broken)]);
        assert_eq!(
            fresh(&found(Fresh { classes: 1, jdks })),
            [
                "  bar 6: grt, 2 s: 1 suites do not compile, 1 of 6 tests run wrong",
                "    p.ATest.a()"
            ]
        );
    }
}
