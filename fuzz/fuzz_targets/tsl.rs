//! Any text is a TSL file whose import is a valid specification, or has errors with places.
#![no_main]

use command::{Spec, tsl};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let label = Path::new("fuzz.tsl");
    match tsl::import(label, text) {
        Ok(toml) => {
            let spec = Spec::parse(label, &toml).expect("an imported file is a specification");
            spec.space
                .validate()
                .expect("a parsed specification has a valid space");
        }
        Err(errors) => {
            assert!(!errors.0.is_empty());
            assert!(
                errors
                    .0
                    .iter()
                    .all(|error| error.line > 0 && error.column > 0)
            );
        }
    }
});
