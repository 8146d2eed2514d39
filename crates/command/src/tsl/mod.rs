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

use crate::spec::{Source, Spec, SpecErrors};
use std::path::Path;

/// Turns a TSL file into the text of a specification. Errors are placed in the TSL file.
pub fn import(label: &Path, text: &str) -> Result<String, SpecErrors> {
    Ok(write::toml(label, &parsed(label, text)?))
}

/// The specification that a TSL file is; its categories and choices have their places in the TSL file.
pub fn spec(label: &Path, text: &str) -> Result<Spec, SpecErrors> {
    let found = parsed(label, text)?;
    let mut spec = Spec::parse(label, &write::toml(label, &found))?;
    spec.source = Source::new(label, text);
    for (category, found) in spec.categories.iter_mut().zip(found.categories) {
        category.span = found.span;
        for (choice, found) in category.choices.iter_mut().zip(found.choices) {
            choice.span = found.span;
        }
    }
    Ok(spec)
}

fn parsed(label: &Path, text: &str) -> Result<parse::Categories, SpecErrors> {
    let source = Source::new(label, text);
    parse::parse(text).map_err(|faults| {
        let errors = faults.into_iter().map(|fault| source.error(fault));
        SpecErrors(errors.collect())
    })
}
