//! Reports of `measure` and `mutate`: small samples kept as expected text.

#[path = "samples/jvm.rs"]
#[allow(dead_code)]
mod samples;

use report::jvm::{
    self, GoalRecord, MeasureRecord, MeasuredTestRecord, MutantFate, MutantRecord, MutateRecord,
};

fn measured() -> MeasureRecord {
    let test = |name: &str, outcome: &str, goals: &[u32]| MeasuredTestRecord {
        class: "org.example.WordsTest".into(),
        name: name.into(),
        outcome: outcome.into(),
        message: if outcome == "failed" {
            "java.lang.AssertionError: <3>".into()
        } else {
            String::new()
        },
        goals: goals.into(),
    };
    let goal = |line: u32| GoalRecord {
        criterion: "line".into(),
        class: "org/example/Words".into(),
        method: "count(Ljava/lang/String;)I".into(),
        line: Some(line),
        offset: line * 2,
    };
    MeasureRecord {
        subject: "words.jar".into(),
        command: "testhound measure words.jar --tests tests.jar".into(),
        program: "testhound 0.1.0".into(),
        runtime: "Java 17.0.2".into(),
        elapsed_seconds: 1.5,
        criteria: ["branch", "line", "method"].map(str::to_owned).to_vec(),
        tests: vec![
            test("counts", "passed", &[0, 1]),
            test("countsNothing", "passed", &[1]),
            test("breaks", "failed", &[]),
            test("later", "skipped", &[]),
        ],
        goals: [5, 8].map(goal).to_vec(),
        classes: samples::classes(),
    }
}

fn mutated() -> MutateRecord {
    let mutant = |line: u32, operator: &str, fate: MutantFate| MutantRecord {
        id: format!("{operator}-{line}-00000000"),
        operator: operator.into(),
        class: "org/example/Words".into(),
        method: "count(Ljava/lang/String;)I".into(),
        line: Some(line),
        description: format!("line {line}: {operator}: `ifeq` -> `ifne`"),
        fate,
        killed_by: (fate == MutantFate::Killed).then(|| "org.example.WordsTest.counts".into()),
        detail: match fate {
            MutantFate::Killed => "failed",
            MutantFate::Refused => "the class is too large",
            MutantFate::Survived | MutantFate::NotReached => "",
        }
        .into(),
    };
    MutateRecord {
        subject: "words.jar".into(),
        command: "testhound mutate words.jar --tests tests.jar".into(),
        program: "testhound 0.1.0".into(),
        runtime: "Java 17.0.2".into(),
        elapsed_seconds: 12.0,
        tests: 2,
        unusable_tests: vec!["org.example.WordsTest.breaks".into()],
        mutants: vec![
            mutant(5, "condition-negation", MutantFate::Killed),
            mutant(5, "relational", MutantFate::Survived),
            mutant(6, "return-value", MutantFate::NotReached),
            mutant(8, "return-value", MutantFate::Killed),
            mutant(8, "constant", MutantFate::Refused),
        ],
    }
}

fn body(page: &str) -> &str {
    page.split_once("<body>").map_or("", |(_, body)| body)
}

#[test]
fn the_terminal_summary_of_a_measurement_is_as_expected() {
    insta::assert_snapshot!(jvm::measure_terminal(&measured()));
}

#[test]
fn the_page_of_a_measurement_is_as_expected() {
    let mut record = measured();
    record.classes.truncate(1);
    insta::assert_snapshot!(body(&jvm::measure_html(&record, &[])));
}

#[test]
fn the_terminal_summary_of_mutants_is_as_expected() {
    insta::assert_snapshot!(jvm::mutate_terminal(&mutated()));
}

#[test]
fn the_page_of_mutants_is_as_expected() {
    insta::assert_snapshot!(body(&jvm::mutate_html(&mutated())));
}

#[test]
fn refused_mutants_do_not_count_and_those_not_reached_do() {
    let totals = mutated().totals();
    assert_eq!(
        (totals.killed, totals.mutants, totals.not_covered),
        (2, 4, 1)
    );
    assert_eq!(totals.score(), Some(0.5));
}

#[test]
fn json_reads_back_as_the_same_record() {
    let read: MeasureRecord =
        serde_json::from_str(&jvm::measure_json(&measured())).expect("it was just written");
    assert_eq!(read, measured());
    let read: MutateRecord =
        serde_json::from_str(&jvm::mutate_json(&mutated())).expect("it was just written");
    assert_eq!(read, mutated());
}
