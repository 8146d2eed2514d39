//! What expressions mean, as a table, and that no text makes them panic.

use super::*;
use crate::input::Input;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn names(categories: &[String]) -> Names<'_> {
    Names {
        categories,
        read_off: &[false, false, false],
        has_input: true,
        stage: Stage::Finished,
    }
}

fn value(text: &str) -> String {
    let categories = ["a", "b-2", "gone"].map(str::to_owned);
    let fields = [Some("12 apples".to_owned()), Some("-3.50".to_owned()), None];
    let input = Input {
        args: vec!["-n".to_owned(), "7".to_owned()],
        stdin: b"b\na\nb\n".to_vec(),
        files: BTreeMap::from([("x".to_owned(), b"one\ntwo".to_vec())]),
        env: BTreeMap::from([("HOME".to_owned(), "/h".to_owned())]),
    };
    let context = Context {
        fields: &fields,
        own: Some("007"),
        whole: "whole text",
        input: Some(&input),
    };
    match Expression::parse(text, &names(&categories)) {
        Ok(expression) => expression.text(&context).into_owned(),
        Err(fault) => format!("{}..{}: {}", fault.span.start, fault.span.end, fault.cause),
    }
}

#[test]
fn values_are_those_of_the_manual() {
    let table = [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * -3", "-9"),
        ("7 / 2", "3.5"),
        ("floor(7 / 2)", "3"),
        ("8 / 2", "4"),
        ("-7 % 4", "1"),
        ("1 / 0", "0"),
        ("1 % 0", "0"),
        ("-9223372036854775808 / -1", "9223372036854776000"),
        ("9223372036854775807 + 1", "9223372036854776000"),
        ("0.1 + 0.2 < 0.31", "1"),
        ("a", "12 apples"),
        ("a + 1", "13"),
        ("b-2 * 2", "-7"),
        ("gone", ""),
        ("gone + 1", "1"),
        ("text", "007"),
        ("value", "7"),
        ("text = 7", "1"),
        ("text = '7'", "0"),
        ("text < 'a'", "1"),
        ("a < b-2", "0"),
        ("a = 'it''s'", "0"),
        ("len('it''s')", "4"),
        ("!a = 12", "0"),
        ("not gone and a", "1"),
        ("1 = 2 || 2 = 2 && 3 = 4", "0"),
        ("text ~ '^0+'", "1"),
        ("text !~ '7$'", "0"),
        ("count(stdin, 'b')", "2"),
        ("lines(stdin)", "3"),
        ("lines('')", "0"),
        ("words(a)", "2"),
        ("sorted(stdin)", "0"),
        ("unique(stdin)", "0"),
        ("sorted(file('x'))", "1"),
        ("unique(file('x'))", "1"),
        ("file('y')", ""),
        ("arg(1)", "-n"),
        ("arg(2) + 1", "8"),
        ("arg(0)", ""),
        ("arg(-1)", ""),
        ("arg(99)", ""),
        ("args", "-n 7"),
        ("env('HOME')", "/h"),
        ("input", "whole text"),
        ("is-number('-1.5')", "1"),
        ("is-number('1.')", "0"),
        ("is-number('')", "0"),
        ("min(3, b-2)", "-3.5"),
        ("max(3, 3.5)", "3.5"),
        ("abs(b-2)", "3.5"),
        ("otherwise", "1"),
        ("'1e5' + 0", "1"),
        ("' +5x' + 0", "5"),
        ("99999999999999999999 > 1", "1"),
        ("1 < 2 < 3", "6..7: unexpected `<`"),
        ("", "0..0: the expression ends where a value is expected"),
    ];
    for (text, expected) in table {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn it_knows_what_it_refers_to() {
    let categories = ["a", "b-2", "gone"].map(str::to_owned);
    let expression = Expression::parse("gone + a + a", &names(&categories)).unwrap();
    assert_eq!(expression.fields(), [0, 2]);
    assert!(!expression.uses_input());
    assert!(
        Expression::parse("len(input)", &names(&categories))
            .unwrap()
            .uses_input()
    );
    let uses_run = |text| {
        Expression::parse(text, &names(&categories))
            .unwrap()
            .uses_run()
    };
    assert!(uses_run("len(text) > 2 && args ~ '-c'"));
    assert!(uses_run("a = arg(1)"));
    assert!(!uses_run("value > a && otherwise"));
}

#[test]
fn overflow_saturates() {
    let product = vec!["9223372036854775807"; 40].join(" * ");
    assert_eq!(value(&format!("{product} > 0")), "1");
    assert_eq!(value(&format!("{product} - {product}")), "0");
}

/// Expressions as they are written, of bounded depth.
fn expressions() -> impl Strategy<Value = String> {
    let leaves = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "[0-9]{1,3}\\.[0-9]{1,3}",
        Just("a".to_owned()),
        Just("b-2".to_owned()),
        Just("gone".to_owned()),
        Just("value".to_owned()),
        Just("stdin".to_owned()),
        "'[a-z0-9 ]{0,4}'",
    ];
    leaves.prop_recursive(5, 40, 3, |inner| {
        let operators = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "=", "!=", "<", "<=", ">", ">=", "&&", "||",
        ]);
        prop_oneof![
            (inner.clone(), operators, inner.clone())
                .prop_map(|(l, o, r)| format!("({l} {o} {r})")),
            inner.clone().prop_map(|i| format!("(!({i}))")),
            inner.clone().prop_map(|i| format!("-({i})")),
            inner.clone().prop_map(|i| format!("floor({i})")),
            inner.clone().prop_map(|i| format!("arg({i})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("min({a}, max({b}, {a}))")),
        ]
    })
}

proptest! {
    #[test]
    fn every_expression_has_a_finite_value(text in expressions()) {
        let value = value(&text);
        prop_assert!(!value.contains("NaN") && !value.contains("inf"), "{}", value);
        prop_assert!(!value.contains(".."), "{} gives {}", text, value);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z0-9 '\"()!&|<>=~+*/%,.\\[\\]-]{0,60}") {
        value(&text);
    }

    #[test]
    fn sums_and_products_are_those_of_whole_numbers(a in -1_000_000_i64..1_000_000, b in 1_i64..1_000_000) {
        prop_assert_eq!(value(&format!("{a} * {b} + {a} - {b}")), (a * b + a - b).to_string());
        prop_assert_eq!(value(&format!("floor({a} / {b}) * {b} + {a} % {b}")), a.to_string());
    }
}
