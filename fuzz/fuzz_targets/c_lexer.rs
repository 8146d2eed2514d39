//! The tokens of any text, put together, are the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let tokens = mutants::c::lex(text);
    let together: String = tokens.iter().map(|token| token.text).collect();
    assert_eq!(together, text);
});
