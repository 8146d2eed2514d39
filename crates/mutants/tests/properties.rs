//! Facts that hold for every text, C or not.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use mutants::c::{Options, Token, TokenKind, functions, lex, mutants};
use proptest::prelude::*;

/// Texts made of pieces of C in any order, so that brackets, literals and directives meet in all ways.
fn scrambled() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        "?",
        "=",
        "+=",
        "*",
        "&",
        "-",
        "+",
        "++",
        "--",
        "/",
        "<",
        "==",
        "&&",
        "!",
        ".",
        "->",
        "int ",
        "char ",
        "struct ",
        "typedef ",
        "static ",
        "sizeof",
        "if",
        "else ",
        "while",
        "for",
        "do ",
        "switch",
        "case ",
        "default:",
        "break;",
        "continue;",
        "goto a;",
        "a:",
        "return ",
        "x",
        "y",
        "f",
        "main",
        "0",
        "7",
        "0x1e",
        "1.5",
        "'a'",
        "'\"'",
        "\"s\"",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "\n",
        "\\\n",
        " ",
        "\n#if 0\n",
        "\n#if A\n",
        "\n#else\n",
        "\n#endif\n",
        "#define",
        "<%",
        "%>",
        "<:",
        ":>",
        "é",
        "int f(void) {",
        "f(x) int x; {",
        "(int *)",
        "({",
        "})",
        "NULL",
        "[2] = ",
        "@",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..120).prop_map(|pieces| pieces.concat())
}

/// A function whose body is scrambled, so that mutants are made more often.
fn scrambled_body() -> impl Strategy<Value = String> {
    scrambled().prop_map(|body| format!("int f(int x, int *y) {{ x = x + 1; {body} }}"))
}

fn any_text() -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let lossy = bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![scrambled(), scrambled_body(), any::<String>(), lossy]
}

/// The kinds and texts of some tokens, white space left out.
fn visible(source: &str, kept: &dyn Fn(&Token<'_>) -> bool) -> Vec<(TokenKind, String)> {
    let tokens = lex(source)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Whitespace && kept(token));
    tokens
        .map(|token| (token.kind, token.text.to_owned()))
        .collect()
}

fn options() -> Options {
    Options {
        case_labels: true,
        ..Options::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_put_together_are_the_source(source in any_text()) {
        let tokens = lex(&source);
        prop_assert_eq!(tokens.iter().map(|token| token.text).collect::<String>(), source.clone());
        let mut offset = 0;
        for token in tokens {
            prop_assert_eq!(token.start, offset);
            prop_assert!(!token.text.is_empty());
            offset = token.end();
        }
    }

    #[test]
    fn each_mutant_changes_its_span_and_nothing_else(source in any_text()) {
        for mutant in mutants(&source, &options()) {
            let mutated = mutant.apply(&source).unwrap();
            prop_assert_ne!(&mutated, &source);
            let (start, end) = (mutant.span.start, mutant.span.end);
            prop_assert_eq!(&source[start..end], mutant.original.as_str());
            prop_assert_eq!(&mutated[..start], &source[..start]);
            prop_assert_eq!(&mutated[start..start + mutant.replacement.len()], mutant.replacement.as_str());
            prop_assert_eq!(&mutated[start + mutant.replacement.len()..], &source[end..]);
            let line_start = source[..start].rfind('\n').map_or(0, |end| end + 1);
            prop_assert_eq!(mutant.line, source[..start].matches('\n').count() + 1);
            prop_assert_eq!(mutant.column, start - line_start + 1);
            prop_assert_eq!(mutated.matches('\n').count(), source.matches('\n').count());
        }
    }

    #[test]
    fn all_tokens_outside_of_the_span_stay_as_they_are(source in any_text()) {
        for mutant in mutants(&source, &options()) {
            let outside = |kept: &dyn Fn(&Token<'_>) -> bool| visible(&source, kept);
            let before = outside(&|token| token.end() <= mutant.span.start);
            let after = outside(&|token| token.start >= mutant.span.end);
            let expected = [before, visible(&mutant.replacement, &|_| true), after].concat();
            prop_assert_eq!(visible(&mutant.apply(&source).unwrap(), &|_| true), expected, "{}", mutant);
        }
    }

    #[test]
    fn ids_are_unique_and_the_order_is_that_of_places(source in any_text()) {
        let mutants = mutants(&source, &options());
        let ids: BTreeSet<_> = mutants.iter().map(|mutant| mutant.id.clone()).collect();
        prop_assert_eq!(ids.len(), mutants.len());
        prop_assert!(mutants.is_sorted_by_key(|mutant| mutant.span));
    }

    #[test]
    fn functions_have_names_and_lines_within_the_text(source in any_text()) {
        let last = source.matches('\n').count() + 1;
        for function in functions(&source) {
            prop_assert!(!function.name.is_empty());
            prop_assert!(*function.lines.start() >= 1 && function.lines.start() <= function.lines.end());
            prop_assert!(*function.lines.end() <= last);
        }
    }
}

#[test]
fn long_and_deep_texts_exhaust_neither_stack_nor_patience() {
    let nested = [
        ("{", "}"),
        ("(", ")"),
        ("[", "]"),
        ("if(x)", ""),
        ("else if(x)", ""),
        ("x=({", "});"),
        ("do ", ""),
    ];
    let repeated = [
        "*",
        "-",
        "x*",
        "x?y:",
        "x,",
        "(x)",
        "x[",
        "x->",
        "f(x) int x;",
        "a:",
        "case ",
        "#if A\n",
        "\"",
        "/",
    ];
    let repeated = repeated.map(|text| (text, ""));
    for (open, close) in nested.into_iter().chain(repeated) {
        let body = format!("{} 1 {}", open.repeat(5_000), close.repeat(5_000));
        for source in [
            format!("int f(int x) {{ x = {body}; }}"),
            format!("int f(int x) {{ {body} }}"),
            body,
        ] {
            mutants(&source, &Options::default());
            functions(&source);
        }
    }
}
