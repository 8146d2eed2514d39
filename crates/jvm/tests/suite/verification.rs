//! Verification on tests that do not hold: they are dropped with a reason, the others stay.

use crate::case;
use crate::subject::{jdks, model, testdata};
use jvm::suite::{
    Compiler, Junit, JunitPlaces, KeptTest, Suite, SuiteInput, SuiteOptions, SuiteSummary,
    Verifier, verify, write,
};
use jvm::{Java, JvmModel};
use sandbox::{LauncherCommand, Policy};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

pub fn verifier(java: &Java, classes: &Path, folder: &Path, junit: Junit) -> Verifier {
    let mut classpath = vec![classes.to_owned()];
    classpath.extend(
        JunitPlaces::of_this_process(Vec::new())
            .find(junit)
            .unwrap(),
    );
    Verifier {
        compiler: Compiler {
            java: java.clone(),
            classpath,
            folder: folder.join("compiled"),
            timeout: Duration::from_secs(300),
        },
        policy: Policy::new(folder.join("scratch")),
        launcher: LauncherCommand::this_program().unwrap(),
        test_timeout: Duration::from_secs(5),
    }
}

fn verified(
    java: &Java,
    model: &JvmModel,
    classes: &Path,
    tests: &[KeptTest],
) -> (Suite, SuiteSummary) {
    verified_within(Duration::from_secs(5), java, model, classes, tests)
}

fn verified_within(
    test_timeout: Duration,
    java: &Java,
    model: &JvmModel,
    classes: &Path,
    tests: &[KeptTest],
) -> (Suite, SuiteSummary) {
    let folder = tempfile::tempdir().unwrap();
    let closed = BTreeSet::new();
    let input = SuiteInput {
        model,
        tests,
        options: SuiteOptions::default(),
        closed: &closed,
    };
    let verifier = Verifier {
        test_timeout,
        ..verifier(java, classes, folder.path(), Junit::Five)
    };
    let suite = verify(&input, write(&input), &verifier).unwrap();
    let summary = SuiteSummary::of(&input, &suite);
    (suite, summary)
}

/// What was dropped, as `method: reason`, with the assertion's description where only that was.
fn dropped(summary: &SuiteSummary) -> Vec<String> {
    let tests = summary
        .dropped_tests
        .iter()
        .chain(&summary.dropped_assertions);
    let mut lines: Vec<String> = tests
        .map(|one| {
            let what = one.assertion.as_deref().unwrap_or("all");
            let method = one.method.as_deref().unwrap_or_default();
            format!("{method}: {what}: {}", one.reason)
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn what_is_not_the_same_in_fresh_jvms_is_dropped_with_a_reason() {
    let java = &jdks()[0];
    let classes = tempfile::tempdir().unwrap();
    let model = model(java, "flaky", classes.path());
    let text = fs::read_to_string(testdata().join("flaky.json")).unwrap();
    let tests = case::read(&model, &text);
    let (suite, summary) = verified(java, &model, classes.path(), &tests);
    let expected = [
        "country_noArguments_returnsUS: result of step 1: unstable",
        "version_noArguments_returnsTrue: result of step 1: unstable",
        "headless_noArguments_returnsFalse: result of step 1: unstable",
        "count_noArguments_returns1: result of step 1: unstable",
        "exit_noArguments_returns: all: ended-jvm",
        "failsByLocale_noArguments_failsWithIllegalStateException: all: failed-differently",
        "first_noArguments_returns: all: unstable",
        "good_noArguments_failsWithIllegalStateException: all: did-not-fail",
        "hang_noArguments_returns: all: time-out",
        "constructor_noArguments_creates: getTime() of the result of step 1: unstable",
        "identity_noArguments_returns1: result of step 1: unstable",
        "locale_noArguments_returnsString: result of step 1: unstable",
        "order_noArguments_returnsString: result of step 1: unstable",
        "time_noArguments_returns1: result of step 1: unstable",
        "upper_noArguments_returnsTITLE: result of step 1: unstable",
        "zone_noArguments_returnsUTC: result of step 1: unstable",
    ];
    let mut expected: Vec<String> = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(dropped(&summary), expected);
    let text: String = suite.files.iter().map(|file| file.text.as_str()).collect();
    assert!(text.contains("assertEquals(7, intValue);"), "{text}");
    assert!(text.contains("mixed.getSize()"), "{text}");
    assert!(!text.contains("getTime"), "{text}");
    assert!(
        text.contains("bad_noArguments_failsWithIllegalStateException"),
        "{text}"
    );
    assert!(text.contains("Flaky.count((Collection) words);"), "{text}");
    // A test without assertions still says that nothing is thrown.
    assert!(text.contains("        Flaky.time();"), "{text}");
}

#[test]
fn what_holds_forwards_and_backwards_but_not_in_a_mixed_order_is_dropped() {
    let java = &jdks()[0];
    let classes = tempfile::tempdir().unwrap();
    let model = model(java, "orders", classes.path());
    let text = fs::read_to_string(testdata().join("orders.json")).unwrap();
    let tests = case::read(&model, &text);
    let (_, summary) = verified(java, &model, classes.path(), &tests);
    // Both ask for what whoever came before them left.
    let expected = [
        "beOpen_noArguments_returnsFalse: result of step 1: unstable",
        "beShut_noArguments_returnsTrue: result of step 1: unstable",
    ];
    assert_eq!(dropped(&summary), expected);
}

#[test]
fn the_clock_on_the_wall_alone_drops_no_test() {
    let java = &jdks()[0];
    let classes = tempfile::tempdir().unwrap();
    let model = model(java, "slow", classes.path());
    let text = fs::read_to_string(testdata().join("slow.json")).unwrap();
    let tests = case::read(&model, &text);
    let second = Duration::from_secs(1);
    let (_, summary) = verified_within(second, java, &model, classes.path(), &tests);
    assert_eq!(dropped(&summary), [""; 0]);
}

#[test]
fn a_test_that_does_not_compile_is_dropped_alone() {
    let java = jdks().pop().unwrap();
    let classes = tempfile::tempdir().unwrap();
    let mut model = model(&java, "subject", classes.path());
    let text = fs::read_to_string(testdata().join("cases/stack.json")).unwrap();
    let tests = case::read(&model, &text);
    let half = case::operation(&model, "demo/Numbers.half(D)D");
    model.operations[half.0 as usize].name = "quarter".to_owned();
    let (suite, summary) = verified(&java, &model, classes.path(), &tests);
    let lost: Vec<&str> = summary
        .dropped_tests
        .iter()
        .filter(|one| one.reason == "does-not-compile")
        .map(|one| one.detail.as_str())
        .collect();
    assert_eq!(lost.len(), 2, "{lost:?}");
    assert!(
        lost.iter().all(|detail| detail.contains("quarter")),
        "{lost:?}"
    );
    // One of the tests is there twice.
    assert_eq!(suite.methods.len(), tests.len() - 3);
    assert!(summary.dropped_assertions.is_empty());
}
