use proptest::prelude::*;

use super::*;

#[test]
fn a_class_signature_is_read_and_printed_as_java() {
    let text = "<K:Ljava/lang/Object;V::Ljava/lang/Comparable<-TV;>;>Ljava/util/AbstractMap<TK;TV;>;Ljava/io/Serializable;";
    let class = ClassSignature::parse(text).unwrap();
    assert_eq!(class.signature(), text);
    assert_eq!(
        class.to_string(),
        "<K extends java.lang.Object, V extends java.lang.Comparable<? super V>> extends java.util.AbstractMap<K, V> implements java.io.Serializable"
    );
}

#[test]
fn a_method_signature_is_read_and_printed_as_java() {
    let text = "<T:Ljava/lang/Exception;:Ljava/lang/Runnable;>(I[[JTT;Ljava/util/Map<*+[B>.Entry<TT;>;)V^TT;^Ljava/io/IOException;";
    let method = MethodSignature::parse(text).unwrap();
    assert_eq!(method.signature(), text);
    assert_eq!(
        method.to_string(),
        "<T extends java.lang.Exception & java.lang.Runnable> void (int, long[][], T, java.util.Map<?, ? extends byte[]>.Entry<T>) throws T, java.io.IOException"
    );
    let GenericType::Class(entry) = &method.parameters[3] else {
        panic!("{:?}", method.parameters[3]);
    };
    assert_eq!(entry.class_name(), "java/util/Map$Entry");
    assert_eq!(entry.arguments().len(), 1);
}

#[test]
fn malformed_signatures_are_refused_with_a_place() {
    for (text, at) in [
        ("", 0),
        ("V", 0),
        ("L;", 1),
        ("La", 2),
        ("La<>;", 3),
        ("La<I>;", 3),
        ("La/b.c/d;", 6),
        ("TT", 2),
        ("IZ", 1),
        ("[", 1),
    ] {
        assert_eq!(GenericType::parse(text).unwrap_err().at, at, "{text}");
    }
    for (text, at) in [
        ("<>()V", 1),
        ("()", 2),
        ("()V^I", 4),
        ("<T>()V", 2),
        ("()VV", 3),
    ] {
        assert_eq!(MethodSignature::parse(text).unwrap_err().at, at, "{text}");
    }
    assert_eq!(ClassSignature::parse("<T:>").unwrap_err().at, 4);
}

#[test]
fn nesting_is_limited() {
    let arrays = |depth: usize| format!("{}I", "[".repeat(depth));
    assert!(GenericType::parse(&arrays(249)).is_ok());
    assert_eq!(GenericType::parse(&arrays(60_000)).unwrap_err().at, 250);
    let nested = format!("{}*{}", "La<".repeat(20_000), ">;".repeat(20_000));
    assert!(GenericType::parse(&nested).is_err());
}

/// Texts of types, built by the grammar.
fn type_text() -> impl Strategy<Value = String> {
    let name = "[a-zA-Z$_é][a-z0-9$]{0,3}";
    let leaf = prop_oneof![
        name.prop_map(|name| format!("T{name};")),
        (name, name).prop_map(|(package, name)| format!("L{package}/{name};")),
        "[BCDFIJSZ]".prop_map(|letter| format!("[{letter}")),
    ];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let argument = prop_oneof![
            Just("*".to_owned()),
            ("[+-]?", inner.clone()).prop_map(|(mark, bound)| mark + &bound),
        ];
        let arguments = prop::collection::vec(argument, 1..3).prop_map(|all| all.concat());
        prop_oneof![
            inner.prop_map(|element| format!("[{element}")),
            (name, arguments.clone()).prop_map(|(name, all)| format!("L{name}<{all}>;")),
            (name, arguments, name).prop_map(|(name, all, part)| format!("L{name}<{all}>.{part};")),
        ]
    })
}

proptest! {
    #[test]
    fn every_type_of_the_grammar_prints_back(text in type_text()) {
        let parsed = GenericType::parse(&text).unwrap();
        prop_assert_eq!(parsed.signature(), text);
    }

    #[test]
    fn every_method_of_the_grammar_prints_back(
        bound in type_text(),
        parameters in prop::collection::vec(type_text(), 0..4),
        result in type_text(),
    ) {
        let text = format!("<A:{bound}B::{bound}C:>({}){result}^TA;", parameters.concat());
        let parsed = MethodSignature::parse(&text).unwrap();
        prop_assert_eq!(parsed.parameters.len(), parameters.len());
        prop_assert_eq!(parsed.signature(), text);
    }

    #[test]
    fn any_text_gives_a_signature_or_a_place_inside_it(text in "[LTa/;<>:()VI\\[*+^.é-]{0,24}") {
        for (printed, error) in [
            outcome(GenericType::parse(&text).map(|found| found.signature())),
            outcome(MethodSignature::parse(&text).map(|found| found.signature())),
            outcome(ClassSignature::parse(&text).map(|found| found.signature())),
        ] {
            prop_assert!(printed.is_none_or(|printed| printed == text));
            prop_assert!(error.is_none_or(|error| error.at <= text.len()));
        }
    }
}

fn outcome(found: Result<String, SignatureError>) -> (Option<String>, Option<SignatureError>) {
    match found {
        Ok(text) => (Some(text), None),
        Err(error) => (None, Some(error)),
    }
}
