//! Import of the test specification language (TSL) of the category-partition tools (Ostrand and Balcer, 1988).
//!
//! A TSL file has a line `Category:` per category, below it a line `choice.` per choice, each followed by constraints in
//! brackets: `[property A, B]`, `[if expression]`, `[else]`, `[single]`, `[error]`. A line that starts with a bracket goes
//! on with the constraints of the choice above it. `#` starts a comment. A category without choices is a heading
//! (`Parameters:`, `Environments:`) and is skipped.
//!
//! What is written is a specification of ours with the same frames. Names become names of ours; the text of a choice
//! becomes its `literal`, because TSL does not say how a choice is made concrete.

mod parse;
mod write;

use crate::spec::{Source, SpecErrors};
use std::path::Path;

/// Turns a TSL file into the text of a specification. Errors are placed in the TSL file.
pub fn import(label: &Path, text: &str) -> Result<String, SpecErrors> {
    let source = Source::new(label, text);
    match parse::parse(text) {
        Ok(categories) => Ok(write::toml(label, &categories)),
        Err(faults) => {
            let errors = faults.into_iter().map(|fault| source.error(fault));
            Err(SpecErrors(errors.collect()))
        }
    }
}
