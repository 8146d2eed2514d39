//! No text makes the reader of harnesses panic or hang, and every error has a place in the file.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(error) = python::harness::parse(text, "x.tstl") {
        assert!(error.place.line >= 1 && error.place.column >= 1);
    }
});
