//! Any text is a valid specification, from which frames can be drawn and made concrete, or has errors with places.
#![no_main]

use command::Spec;
use engine::Seed;
use engine::frames::{Frame, Sampler};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let spec = match Spec::parse(Path::new("fuzz.toml"), text) {
        Ok(spec) => spec,
        Err(errors) => {
            assert!(!errors.0.is_empty());
            assert!(
                errors
                    .0
                    .iter()
                    .all(|error| error.line > 0 && error.column > 0)
            );
            return;
        }
    };
    spec.space
        .validate()
        .expect("a parsed specification has a valid space");
    let sampler = Sampler::new(&spec.space);
    let mut stream = Seed(1).stream();
    for _ in 0..3 {
        let mut frame = Frame(vec![0; spec.categories.len()]);
        sampler.draw(&mut stream, &mut frame.0);
        // Failing to make a text is no bug: bounds may leave nothing.
        let _ = spec.concretise(&mut frame, &mut stream, &mut |_, seed| Ok(seed.to_string()));
    }
});
