//! Every file `testdata/c/NAME.c` has its mutants listed in `NAME.txt` beside it. Run with `UPDATE_EXPECT=1` to write
//! the listings anew, and read the difference before you commit it.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use mutants::c::{Function, Options, functions, mutants};
use mutants::{Mutant, Operator};

fn testdata() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/c")
}

fn read(name: &str) -> String {
    fs::read_to_string(testdata().join(name)).unwrap()
}

fn listing(source: &str) -> String {
    let mut text = String::new();
    for Function { name, lines } in functions(source) {
        writeln!(
            text,
            "function {name}: lines {} to {}",
            lines.start(),
            lines.end()
        )
        .unwrap();
    }
    for mutant in mutants(source, &Options::default()) {
        writeln!(text, "{mutant} (column {})", mutant.column).unwrap();
    }
    text
}

#[test]
fn the_mutants_of_every_file_are_the_listed_ones() {
    let mut sources: Vec<PathBuf> = fs::read_dir(testdata())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty());
    for path in sources {
        let found = listing(&fs::read_to_string(&path).unwrap());
        let beside = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&beside, &found).unwrap();
        }
        let expected = fs::read_to_string(&beside).unwrap();
        let difference = found
            .lines()
            .zip(expected.lines())
            .find(|(found, expected)| found != expected);
        assert!(
            found == expected,
            "{}: first difference {difference:?}",
            path.display()
        );
    }
}

fn with(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

#[test]
fn mutants_can_be_kept_to_operators_lines_and_functions() {
    let source = read("words.c");
    let all = mutants(&source, &Options::default());
    let keep =
        |kept: &dyn Fn(&&Mutant) -> bool| all.iter().filter(kept).cloned().collect::<Vec<_>>();

    let only = with(|options| options.operators = [Operator::Relational, Operator::Logical].into());
    let expected =
        keep(&|mutant| matches!(mutant.operator, Operator::Relational | Operator::Logical));
    assert_eq!(mutants(&source, &only), expected);

    let lines = with(|options| options.lines = vec![4..=7, 22..=22]);
    let expected = keep(&|mutant| (4..=7).contains(&mutant.line) || mutant.line == 22);
    assert!(!expected.is_empty());
    assert_eq!(mutants(&source, &lines), expected);

    let function = functions(&source)
        .into_iter()
        .find(|function| function.name == "multiply")
        .unwrap();
    let named = with(|options| options.functions = vec!["multiply".to_owned()]);
    let expected = keep(&|mutant| function.lines.contains(&mutant.line));
    assert!(!expected.is_empty());
    assert_eq!(mutants(&source, &named), expected);
}

#[test]
fn tables_are_outside_of_every_function() {
    let named = with(|options| options.functions = vec!["lookup".to_owned()]);
    assert!(
        mutants(&read("tables.c"), &named)
            .iter()
            .all(|mutant| mutant.line > 14)
    );
}

#[test]
fn case_labels_change_only_when_asked_for() {
    let source = "int f(int x) { switch (x) { case 3: return 7; } return x; }";
    let originals = |options: &Options| -> Vec<String> {
        let constants = mutants(source, options)
            .into_iter()
            .filter(|mutant| mutant.operator == Operator::Constant);
        let mut originals: Vec<String> = constants.map(|mutant| mutant.original).collect();
        originals.dedup();
        originals
    };
    assert_eq!(originals(&Options::default()), ["7"]);
    assert_eq!(
        originals(&with(|options| options.case_labels = true)),
        ["3", "7"]
    );
}

/// All mutated texts of a source.
fn mutated(source: &str) -> Vec<String> {
    let all = mutants(source, &Options::default());
    all.iter()
        .map(|mutant| mutant.apply(source).unwrap())
        .collect()
}

#[test]
fn a_replacement_never_runs_into_its_neighbours() {
    let made = |source: &str, part: &str| mutated(source).iter().any(|text| text.contains(part));
    let source = "int f(int *p, int x) { return-x+*p-1+/**/x*0x1e*2; }";
    assert!(made(source, "return x+"), "a dropped sign leaves a blank");
    assert!(made(source, "x/ *p"), "no comment begins");
    assert!(made(source, "1/ /**/x"), "no line comment begins");
    assert!(made(source, "- -1+"), "no decrement");
    assert!(made(source, "0x1e +2"), "no exponent");
}
