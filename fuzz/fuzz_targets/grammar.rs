//! Any text is a grammar whose symbols derive texts, or has faults inside it.
#![no_main]

use command::generate::{Grammar, SymbolId};
use engine::Seed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let grammar = match Grammar::parse(text, 4) {
        Ok(grammar) => grammar,
        Err(faults) => {
            assert!(!faults.is_empty());
            let inside = |at: usize| at <= text.len();
            assert!(
                faults
                    .iter()
                    .all(|f| inside(f.span.start) && inside(f.span.end))
            );
            return;
        }
    };
    let mut stream = Seed(1).stream();
    for (index, rule) in grammar.rules.iter().enumerate().take(4) {
        let mut out = String::new();
        // A derivation may be given up for its size.
        let _ = grammar.derive(SymbolId(index), rule.min_depth + 3, &mut stream, &mut out);
    }
});
