//! Any text is an expression with a value, or has a fault inside it.
#![no_main]

use command::Input;
use command::expression::{Context, Expression, Names, Stage};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (&str, &str, &str)| {
    let (text, field, own) = data;
    let names = Names {
        categories: &["a".to_owned(), "b-2".to_owned()],
        read_off: &[false, false],
        has_input: true,
        stage: Stage::Finished,
    };
    let expression = match Expression::parse(text, &names) {
        Ok(expression) => expression,
        Err(fault) => {
            assert!(fault.span.start <= text.len() && fault.span.end <= text.len());
            return;
        }
    };
    let input = Input {
        args: vec![own.to_owned()],
        stdin: field.as_bytes().to_vec(),
        ..Input::default()
    };
    let context = Context {
        fields: &[Some(field.to_owned()), None],
        own: Some(own),
        whole: field,
        input: Some(&input),
    };
    expression.holds(&context);
    assert!(expression.number(&context).to_f64().is_finite());
    expression.text(&context);
});
