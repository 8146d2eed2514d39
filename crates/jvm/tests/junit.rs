//! JUnit suites of any kind run in sandboxed processes, on every Java of this machine.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use classfile::analysis::coverage::Criterion;
use jvm::Java;
use jvm::instrument::OriginalClass;
use jvm::junit::{JunitError, JunitProcess, JunitSuite, Outcome, TestNumber};
use jvm::measure::{Measured, measure};
use jvm::mutation::{Fate, Running, Scored, SuiteSubject, score};
use jvm::worker::Launch;
use mutants::java::Options;
use sandbox::LauncherCommand;
use support::{compile, javas};

sandbox::launcher_here!();

const FIVE: [&str; 7] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-launcher",
    "opentest4j",
    "apiguardian-api",
];
const FOUR: [&str; 2] = ["junit4", "hamcrest-core"];

fn jars(names: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new("/usr/share/java");
    let jars = names.iter().map(|name| folder.join(format!("{name}.jar")));
    jars.collect()
}

/// Compiles the subject and one of its suites.
fn suite(java: &Java, folder: &Path, tests: &str, jars: Vec<PathBuf>, class: &str) -> JunitSuite {
    let (subject, compiled) = (folder.join("subject"), folder.join("tests"));
    for one in [&subject, &compiled] {
        std::fs::create_dir_all(one).unwrap();
    }
    compile(java, "junit/subject", &subject, &[]);
    let mut classpath = vec![subject, compiled.clone()];
    classpath.extend(jars);
    let joined = std::env::join_paths(&classpath).unwrap();
    compile(java, tests, &compiled, &["-cp", joined.to_str().unwrap()]);
    JunitSuite {
        classpath,
        classes: Vec::new(),
        places: 0,
        test_classes: vec![class.to_owned()],
    }
}

fn launch(java: &Java) -> Launch {
    let mut launch = Launch::new(java.clone(), LauncherCommand::this_program().unwrap());
    launch.patience = Duration::from_secs(60);
    launch
}

/// All tests with their outcomes, by name; a process that dies is started again behind the test that killed it.
fn outcomes(java: &Java, suite: &JunitSuite, folder: &Path) -> Vec<(String, Outcome)> {
    let (mut outcomes, mut next) = (Vec::new(), 0);
    loop {
        let mut process = JunitProcess::start(suite, &launch(java), folder).unwrap();
        let count = process.tests().len() as u32;
        let left: Vec<TestNumber> = (next..count).map(TestNumber).collect();
        let run = process.run(&left, u32::MAX, false);
        for result in &run.results {
            let name = process.tests()[result.test.0 as usize].name.clone();
            outcomes.push((name, result.outcome));
        }
        if run.alive {
            outcomes.sort_by(|one, two| one.0.cmp(&two.0));
            return outcomes;
        }
        next = run.results.last().unwrap().test.0 + 1;
    }
}

#[test]
fn tests_of_jupiter_pass_fail_are_skipped_and_unfold() {
    for java in javas() {
        let folder = tempfile::tempdir().unwrap();
        let suite = suite(
            &java,
            folder.path(),
            "junit/tests",
            jars(&FIVE),
            "counting/CounterTest",
        );
        let found = outcomes(&java, &suite, folder.path());
        let expected = [
            ("adds", Outcome::Passed),
            ("dynamic/[dynamic-test:#1]", Outcome::Passed),
            ("dynamic/[dynamic-test:#2]", Outcome::Passed),
            ("fails", Outcome::Failed),
            ("isNotLarge", Outcome::Passed),
            ("isSkipped", Outcome::Skipped),
            ("loops", Outcome::Passed),
            ("onlyExecutes", Outcome::Passed),
            ("refusesNegativeSteps", Outcome::Passed),
        ];
        let expected = expected.map(|(name, outcome)| (name.to_owned(), outcome));
        assert_eq!(found, expected);
    }
}

#[test]
fn tests_of_junit_4_run_without_the_platform_and_an_exit_costs_one_test() {
    for java in javas() {
        let folder = tempfile::tempdir().unwrap();
        let suite = suite(
            &java,
            folder.path(),
            "junit/old",
            jars(&FOUR),
            "counting/OldCounterTest",
        );
        let found = outcomes(&java, &suite, folder.path());
        let expected = [
            ("adds", Outcome::Passed),
            ("afterTheExit", Outcome::Passed),
            ("exits", Outcome::Died),
            ("fails", Outcome::Failed),
            ("isSkipped", Outcome::Skipped),
            ("refuses", Outcome::Passed),
        ];
        let expected = expected.map(|(name, outcome)| (name.to_owned(), outcome));
        assert_eq!(found, expected);
    }
}

#[test]
fn the_clock_on_the_wall_alone_ends_no_test() {
    let java = &javas()[0];
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(
        java,
        folder.path(),
        "junit/slow",
        jars(&FOUR),
        "counting/SlowTest",
    );
    let mut launch = launch(java);
    launch.patience = Duration::from_secs(1);
    let mut process = JunitProcess::start(&suite, &launch, folder.path()).unwrap();
    let run = process.run(&[TestNumber(0)], u32::MAX, false);
    let outcomes: Vec<Outcome> = run.results.iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [Outcome::Passed]);
}

#[test]
fn a_class_path_without_junit_is_told_with_a_hint() {
    let java = &javas()[0];
    let folder = tempfile::tempdir().unwrap();
    let suite = JunitSuite {
        classpath: Vec::new(),
        classes: Vec::new(),
        places: 0,
        test_classes: vec!["x/Y".to_owned()],
    };
    let error = JunitProcess::start(&suite, &launch(java), folder.path())
        .err()
        .unwrap();
    assert!(matches!(error, JunitError::Tests(_)));
    assert!(error.to_string().contains("\nhint: "), "{error}");
}

/// The one class of the subject, as compiled.
fn counter(suite: &JunitSuite) -> Vec<u8> {
    std::fs::read(suite.classpath[0].join("counting/Counter.class")).unwrap()
}

/// Calls `with` for the suite of JUnit 5 over the compiled subject.
fn over_counter(
    java: &Java,
    with: &dyn Fn(&SuiteSubject<'_>, &Launch, &Path) -> Result<(), JunitError>,
) {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(
        java,
        folder.path(),
        "junit/tests",
        jars(&FIVE),
        "counting/CounterTest",
    );
    let bytes = counter(&suite);
    let original = OriginalClass {
        name: "counting/Counter",
        bytes: &bytes,
        under_test: true,
        methods: None,
    };
    let subject = SuiteSubject {
        originals: &[original],
        classpath: &suite.classpath,
        test_classes: &suite.test_classes,
    };
    with(&subject, &launch(java), folder.path()).unwrap();
}

/// The lines that a test covers.
fn lines(measured: &Measured, test: &str) -> Vec<u32> {
    let test = measured.tests.iter().find(|one| one.test.name == test);
    let goals = &test.unwrap().goals;
    let class = &measured.coverage.classes()[0];
    let lines = class.goals.of_criterion(Criterion::Line);
    lines
        .filter(|(id, _)| goals.contains(&class.goal(*id)))
        .filter_map(|(_, goal)| goal.line)
        .collect()
}

#[test]
fn coverage_is_told_per_test() {
    for java in javas() {
        over_counter(&java, &|subject, launch, folder| {
            let measured = measure(subject, launch, folder)?;
            assert_eq!(lines(&measured, "adds"), [4, 6, 9, 12, 13, 14]);
            assert_eq!(lines(&measured, "refusesNegativeSteps"), [4, 6, 9, 10]);
            assert_eq!(lines(&measured, "loops"), [4, 6, 30, 31, 32, 34]);
            assert_eq!(lines(&measured, "isSkipped"), [0; 0]);
            let mut all: Vec<_> = measured.tests.iter().flat_map(|test| &test.goals).collect();
            all.sort();
            all.dedup();
            let total: u32 = measured
                .coverage
                .criteria()
                .iter()
                .map(|criterion| criterion.goals)
                .sum();
            // Only the line and the method of `untested` are never reached.
            assert_eq!(total - all.len() as u32, 2);
            Ok(())
        });
    }
}

fn fates(scored: &Scored, line: u32) -> Vec<(String, &Fate)> {
    let mutants = scored.mutants.iter();
    mutants
        .filter(|(mutant, _)| mutant.line == Some(line))
        .map(|(mutant, fate)| (mutant.replacement.clone(), fate))
        .collect()
}

#[test]
fn mutants_are_killed_by_tests_that_check_and_survive_those_that_only_execute() {
    for java in javas() {
        over_counter(&java, &|subject, launch, folder| {
            let mut told = Vec::new();
            let scored = score(
                subject,
                &Options::comparable(),
                Running {
                    launch,
                    parent: folder,
                    jobs: 2,
                },
                &mut |done, all| told.push((done, all)),
            )?;
            let total = scored.mutants.len();
            assert_eq!(told.last(), Some(&(total, total)));
            let killed = |line| {
                let fates = fates(&scored, line);
                assert!(!fates.is_empty());
                fates
                    .iter()
                    .all(|(_, fate)| matches!(fate, Fate::Killed { .. }))
            };
            // The sum and the returned count are asserted on; the negated guard throws in every test.
            assert!(killed(12) && killed(14));
            // The loop's counter running down needs a budget to end.
            assert!(killed(31) && killed(34), "{:?}", fates(&scored, 31));
            for (_, fate) in fates(&scored, 22) {
                assert_eq!(
                    *fate,
                    Fate::Survived { tests: 1 },
                    "nobody looks at the result"
                );
            }
            for (_, fate) in fates(&scored, 26) {
                assert_eq!(*fate, Fate::NotReached);
            }
            let (killed, all) = scored.counts();
            assert!(killed > 0 && killed < all, "{killed} of {all}");
            Ok(())
        });
    }
}
