//! Inputs are classified into the frames they belong to.

#![allow(clippy::unwrap_used)]

use command::source::run_helper;
use command::{Classified, Classifier, Input, Spec, classify};
use engine::frames::{Frame, Sampler};
use engine::{Seed, Stream};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn spec(text: &str) -> Spec {
    Spec::parse(Path::new("test.toml"), text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn args(args: &[&str]) -> Input {
    Input {
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..Input::default()
    }
}

fn stdin(text: &str) -> Input {
    Input {
        stdin: text.as_bytes().to_vec(),
        ..Input::default()
    }
}

/// The frame as a line, with `?` for what fits no choice.
fn shown(spec: &Spec, input: &Input) -> String {
    let Classified { frame, unknown, .. } = classify(spec, input);
    let mut line = spec.space.describe(&frame.0);
    for category in unknown {
        line.push_str(&format!(" {}=?", spec.space.categories[category].name));
    }
    line.trim_start().to_owned()
}

/// A specification with one category on standard input.
fn one(choices: &str) -> Spec {
    spec(&format!(
        "[run]\nprogram = \"x\"\nstdin = \"{{a}}\"\n[category.a]\n{choices}"
    ))
}

fn check(spec: &Spec, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(spec, &stdin(text)), *expected, "{text:?}");
    }
}

const CAL: &str = r#"
[run]
program = "cal"
args = ["{options...}", ["-d", "{date}"], "{month}", "{year}"]
[category.options]
absent = 2
choice.monday = { literal = "-M" }
choice.both = { literal = "-M -j" }
[category.date]
absent = 3
choice.some = { regex = "20[0-9]{2}-[0-9]{2}" }
[category.month]
absent = 1
choice.short = { int = [1, 9] }
choice.long = { int = [10, 12] }
[category.year]
choice.small = { int = [1, 99], if = "month" }
choice.large = { int = [100, 9999] }
"#;

#[test]
fn optional_arguments_are_told_apart_by_what_fits() {
    let cal = spec(CAL);
    let cases: [(&[&str], &str); 6] = [
        (&["2000"], "year=large"),
        (&["5", "2000"], "month=short year=large"),
        (&["5", "12"], "month=short year=small"),
        (&["-M", "11", "7"], "options=monday month=long year=small"),
        (
            &["-M", "-j", "-d", "2024-01", "300"],
            "options=both date=some year=large",
        ),
        (
            &["-d", "2024-01", "1", "1"],
            "date=some month=short year=small",
        ),
    ];
    for (words, expected) in cases {
        assert_eq!(shown(&cal, &args(words)), expected, "{words:?}");
    }
}

#[test]
fn what_fits_nothing_is_unknown_and_absent() {
    let cal = spec(CAL);
    assert_eq!(
        shown(&cal, &args(&["-x", "5", "2000"])),
        "month=short year=large options=?"
    );
    assert_eq!(shown(&cal, &args(&["13", "2000"])), "year=large month=?");
    let classified = classify(&cal, &args(&["13", "2000"]));
    assert_eq!(classified.frame.0[2], 0);
    assert_eq!(classified.fields.0[2].as_deref(), Some("13"));
    assert_eq!(classified.unknown, [2]);
}

#[test]
fn superfluous_and_missing_arguments_do_not_hide_the_others() {
    let cal = spec(CAL);
    assert_eq!(
        shown(&cal, &args(&["5", "2000", "7"])),
        "month=short year=large"
    );
    assert_eq!(shown(&cal, &args(&["-M", "-d"])), "options=monday year=?");
    assert_eq!(shown(&cal, &args(&[])), "");
    let many: Vec<&str> = std::iter::repeat_n("-M", 3000).collect();
    assert!(!shown(&cal, &args(&many)).is_empty());
}

#[test]
fn conditions_of_categories_decide_between_assignments() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["{command}", "{first}", "{second}"]
[category.command]
choice.a = { literal = "a", property = ["First"] }
choice.b = { literal = "b" }
[category.first]
if = "First"
choice.number = { int = [0, 9] }
[category.second]
if = "!First"
choice.number = { int = [0, 9] }
"#,
    );
    assert_eq!(shown(&spec, &args(&["a", "1"])), "command=a first=number");
    assert_eq!(shown(&spec, &args(&["b", "1"])), "command=b second=number");
}

#[test]
fn a_choice_whose_condition_fails_is_taken_only_where_no_other_fits() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["{a}", "{b}"]
[category.a]
choice.x = { literal = "x" }
choice.y = { literal = "y" }
[category.b]
choice.first = { int = [1, 5], if = "a = x" }
choice.second = { int = [3, 9] }
"#,
    );
    assert_eq!(shown(&spec, &args(&["x", "4"])), "a=x b=first");
    assert_eq!(shown(&spec, &args(&["y", "4"])), "a=y b=second");
    assert_eq!(shown(&spec, &args(&["y", "1"])), "a=y b=first");
}

#[test]
fn numbers_are_told_by_range_step_width_and_base() {
    let numbers = one(r#"
choice.step = { int = [4, 40], step = 4 }
choice.wide = { int = [-20, 99], width = 4 }
choice.hex = { int = [160, 255], base = 16 }
choice.decimal = { float = [-1, 1.5], decimals = 2 }
"#);
    check(
        &numbers,
        &[
            ("8", "a=step"),
            ("40", "a=step"),
            ("44", "a=?"),
            ("08", "a=?"),
            ("0008", "a=wide"),
            ("-008", "a=wide"),
            ("0100", "a=?"),
            ("a0", "a=hex"),
            ("A0", "a=?"),
            ("+8", "a=?"),
            ("1.50", "a=decimal"),
            ("1.51", "a=?"),
            ("-0.25", "a=decimal"),
            ("1.5", "a=?"),
            ("99999999999999999999", "a=?"),
            ("é", "a=?"),
            ("nan", "a=?"),
        ],
    );
}

#[test]
fn bounds_may_depend_on_other_categories() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["{other}", "{own}", "{= own + other}"]
[category.other]
choice.above = { int = ["own + 1", "own + 1000"] }
choice.same = { text = "{own}" }
[category.own]
choice.any = { int = [0, 999] }
"#,
    );
    assert_eq!(
        shown(&spec, &args(&["7", "5", "12"])),
        "other=above own=any"
    );
    assert_eq!(shown(&spec, &args(&["5", "5", "10"])), "other=same own=any");
    assert_eq!(shown(&spec, &args(&["4", "5", "9"])), "own=any other=?");
}

#[test]
fn lines_are_cut_counted_and_ordered() {
    let lines = one(r#"
choice.sorted = { lines = { regex = "[a-c]+" }, count = [2, 3], sorted = true, unique = true }
choice.plain = { lines = { regex = "[a-c]+" }, count = [2, 4] }
choice.commas = { lines = { int = [0, 9] }, count = [0, 3], separator = "," }
choice.nested = { lines = { lines = { literal = "x" }, separator = " ", count = [1, 2] }, count = [2, 2] }
choice.tangled = { lines = { regex = 'y(\n-)?' }, count = [1, 2] }
"#);
    check(
        &lines,
        &[
            ("a\nb\n", "a=sorted"),
            ("b\na\n", "a=plain"),
            ("a\na\n", "a=plain"),
            ("a\na\na\na\n", "a=plain"),
            ("a\na\na\na\na\n", "a=?"),
            ("a\n", "a=?"),
            ("a\nb", "a=?"),
            ("1,2", "a=commas"),
            ("", "a=commas"),
            ("1,2,", "a=?"),
            ("x\nx x\n", "a=nested"),
            ("x\nx x x\n", "a=?"),
            ("y\n-\ny\n", "a=tangled"),
            ("y\ny\n-\n", "a=tangled"),
            ("-\ny\n", "a=?"),
        ],
    );
}

#[test]
fn grammars_may_be_left_recursive_ambiguous_and_empty() {
    let grammar = spec(
        r#"
[run]
program = "x"
stdin = "{a}"
[category.a]
choice.sum = { grammar = "sum" }
choice.twice = { grammar = "twice" }
choice.hollow = { grammar = "hollow" }
[grammar]
rules = """
<sum> ::= <sum> "+" <sum> | <number>
<number> ::= /[0-9]+/
<twice> ::= "(" <twice> ")" <twice> | <none>
<none> ::= ""
<hollow> ::= <hollow> <hollow> | "h" | <none> <none> /i*/
"""
"#,
    );
    check(
        &grammar,
        &[
            ("1", "a=sum"),
            ("1+23+4+5+6+7+8", "a=sum"),
            ("1+", "a=?"),
            ("(()())()", "a=twice"),
            ("(()", "a=?"),
            ("", "a=twice"),
            ("hih", "a=hollow"),
            ("hxh", "a=?"),
        ],
    );
}

#[test]
fn picks_any_and_match_tell_choices() {
    let choices = one(r#"
choice.pick = { pick = ["p", "q"] }
choice.any = { any = [{ literal = "r" }, { int = [1, 9] }, { literal = "never", weight = 0 }] }
choice.helper = { command = ["helper"] , match = "text ~ '^h'" }
choice.late = { literal = "z", match = "len(text) = 3" }
"#);
    check(
        &choices,
        &[
            ("q", "a=pick"),
            ("r", "a=any"),
            ("5", "a=any"),
            ("never", "a=?"),
            ("hello", "a=helper"),
            ("abc", "a=late"),
            ("z", "a=?"),
        ],
    );
}

#[test]
fn neighbouring_placeholders_share_a_text() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["--{name}={worth}"]
stdin = "{sign}{digits}{unit}\n{rest}"
files = { f = "{rest}" }
env = { V = "<{sign}>" }
[category.name]
choice.a = { regex = "[a-z]+" }
[category.worth]
choice.v = { regex = ".*" }
[category.sign]
absent = 1
choice.minus = { literal = "-" }
[category.digits]
choice.some = { regex = "[0-9]{1,3}" }
choice.many = { regex = "[0-9]{4,9}" }
[category.unit]
absent = 1
choice.metre = { literal = "m" }
choice.number = { regex = "[0-9]m" }
[category.rest]
absent = 1
choice.r = { regex = "r*" }
"#,
    );
    let mut input = args(&["--key=a=b"]);
    input.stdin = b"-1234m\nrr".to_vec();
    input.files.insert("f".to_owned(), b"rr".to_vec());
    input.env.insert("V".to_owned(), "<->".to_owned());
    assert_eq!(
        shown(&spec, &input),
        "name=a worth=v sign=minus digits=many unit=metre rest=r"
    );
}

#[test]
fn from_says_where_a_text_stands() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["{words...}"]
[category.words]
choice.any = { regex = ".*" }
[category.after]
from = { after = "-d" }
choice.date = { regex = "[0-9]+" }
[category.second]
from = { arg = 2 }
choice.x = { regex = "[0-9]+" }
[category.size]
derived = true
choice.small = { match = "words(args) < 3" }
choice.large = { match = "otherwise" }
"#,
    );
    assert_eq!(
        shown(&spec, &args(&["-d", "12"])),
        "words=any after=date second=x size=small"
    );
    assert_eq!(shown(&spec, &args(&["-d"])), "words=any size=small");
}

#[test]
fn categories_inside_the_text_of_another_one_are_found() {
    let spec = spec(
        r#"
[run]
program = "x"
args = ["{url}"]
[category.url]
choice.web = { text = "{scheme}://{host}" }
choice.local = { text = "file:{path}" }
[category.scheme]
absent = 1
choice.plain = { literal = "http" }
choice.safe = { literal = "https" }
[category.host]
absent = 1
choice.name = { regex = "[a-z.]+" }
[category.path]
absent = 1
choice.some = { regex = "/[a-z]*" }
"#,
    );
    assert_eq!(
        shown(&spec, &args(&["https://a.b"])),
        "url=web scheme=safe host=name"
    );
    assert_eq!(shown(&spec, &args(&["file:/x"])), "url=local path=some");
}

#[test]
fn what_a_whole_input_generator_leaves_open_is_read_off() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/specs/good/program.toml");
    let spec = Spec::load(&path).unwrap();
    let input = stdin("print 7\nlet x = 3");
    assert_eq!(shown(&spec, &input), "first=small size=short");
    let classifier = Classifier::new(&spec);
    let mut frame = Frame(vec![0; 3]);
    let mut fields = command::Fields(vec![None; 3]);
    classifier.read_off(&input, &mut fields, &mut frame);
    assert_eq!(frame.0, [0, 1, 0]);
    assert_eq!(fields.0[1].as_deref(), Some("7"));
}

/// The specifications of `examples/`.
fn examples() -> Vec<Spec> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path())
    };
    let files = entries(&examples).flat_map(|folder| entries(&folder).collect::<Vec<_>>());
    let specs = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    specs
        .map(|path| Spec::load(&path).unwrap_or_else(|errors| panic!("{errors}")))
        .collect()
}

#[test]
fn inputs_of_the_examples_are_classified_as_the_frames_they_were_made_from() {
    let specs = examples();
    assert!(specs.len() >= 16);
    for spec in specs {
        let classifier = Classifier::new(&spec);
        let sampler = Sampler::new(&spec.space);
        let mut stream = Seed(5).stream();
        for _ in 0..200 {
            let mut frame = Frame(vec![0; spec.categories.len()]);
            sampler.draw(&mut stream, &mut frame.0);
            let made = spec.concretise(&mut frame, &mut stream, &mut |command, seed| {
                run_helper(spec.folder(), command, seed)
            });
            let (fields, input) = made.unwrap();
            let classified = classifier.classify(&input);
            let shown = |frame: &Frame| format!("{}: {}", spec.name, spec.space.describe(&frame.0));
            assert_eq!(shown(&classified.frame), shown(&frame), "{input:?}");
            assert_eq!(classified.fields, fields, "{}: {input:?}", spec.name);
            assert!(classified.unknown.is_empty());
        }
    }
}

/// Changes an input a little, as another hand might have written it.
fn damage(input: &mut Input, stream: &mut Stream) {
    let odd = ["é", "", "-", "\n", "\0", "9", "x y"][stream.index(7)];
    let arg = stream.index(input.args.len() + 1);
    match stream.index(6) {
        0 => input.args.insert(arg, odd.to_owned()),
        1 if arg < input.args.len() => drop(input.args.remove(arg)),
        2 if arg < input.args.len() => input.args[arg].push_str(odd),
        3 => input.args.rotate_left(arg),
        4 => {
            let at = stream.index(input.stdin.len() + 1);
            input.stdin.splice(at..at, odd.bytes());
        }
        _ => {
            let at = stream.index(input.stdin.len() + 1);
            input.stdin.drain(at..);
        }
    }
}

#[test]
fn damaged_inputs_are_classified_within_the_space() {
    for spec in examples() {
        let classifier = Classifier::new(&spec);
        let sampler = Sampler::new(&spec.space);
        let mut stream = Seed(6).stream();
        for _ in 0..20 {
            let mut frame = Frame(vec![0; spec.categories.len()]);
            sampler.draw(&mut stream, &mut frame.0);
            let made = spec.concretise(&mut frame, &mut stream, &mut |command, seed| {
                run_helper(spec.folder(), command, seed)
            });
            let (_, mut input) = made.unwrap();
            (0..3).for_each(|_| damage(&mut input, &mut stream));
            let found = classifier.classify(&input);
            for (choice, size) in found.frame.0.iter().zip(spec.space.sizes()) {
                assert!(usize::from(*choice) <= size, "{}: {input:?}", spec.name);
            }
            for category in found.unknown {
                assert_eq!(found.frame.0[category], 0);
                assert!(found.fields.0[category].is_some());
            }
        }
    }
}

/// Grammars and rows of elements with the regular expression, or the count, that says the same.
const SAME: &str = r#"
[run]
program = "x"
args = ["{list}", "{nested}", "{lines}"]
[category.list]
choice.yes = { grammar = "list" }
choice.no = { regex = "(?s).*" }
[category.nested]
choice.yes = { grammar = "nested" }
choice.no = { regex = "(?s).*" }
[category.lines]
choice.yes = { lines = { regex = "a;?b?" }, count = [1, 3], end = ";", separator = "," }
choice.no = { regex = "(?s).*" }
[grammar]
rules = """
<list> ::= <list> "," <word> | <word> | <list>
<word> ::= /[ab]+/ | "a" <word>
<nested> ::= <nested> <nested> | "(" <nested> ")" | ""
"""
"#;

proptest! {
    #[test]
    fn grammars_and_lines_agree_with_regular_expressions_and_counts(
        list in "[ab,]{0,8}",
        nested in "[()]{0,8}",
        lines in "[ab;,]{0,10}",
    ) {
        let spec = spec(SAME);
        let found = classify(&spec, &args(&[&list, &nested, &lines])).frame;
        let is = |pattern: &str, text: &str| {
            regex::Regex::new(&format!("^(?:{pattern})$")).unwrap().is_match(text)
        };
        let depths = nested.bytes().scan(0_i32, |depth, byte| {
            *depth += if byte == b'(' { 1 } else { -1 };
            Some(*depth)
        });
        let depths: Vec<i32> = depths.collect();
        let balanced = depths.iter().all(|d| *d >= 0) && depths.last().is_none_or(|d| *d == 0);
        let number = |yes: bool| if yes { 1 } else { 2 };
        prop_assert_eq!(found.0[0], number(is("[ab]+(,[ab]+)*", &list)));
        prop_assert_eq!(found.0[1], number(balanced));
        prop_assert_eq!(found.0[2], number(is("a;?b?;(,a;?b?;){0,2}", &lines)));
    }
}
