//! Input specifications: from the text of a TOML file to a compiled [`Spec`], with places for everything that is wrong.
//!
//! The language is described in `docs/specifications.md`. [`Spec::parse`] touches no file; [`Spec::load`] reads the
//! specification and the files it names.

mod category;
mod condition;
mod generator;
mod load;
mod model;
mod oracle;
mod outline;
mod parse;
mod pattern;
mod place;
mod raw;
mod reader;
mod run;
mod template;

pub use category::MAX_CHOICES;
pub use condition::{Earlier, parse_condition};
pub use load::MAX_FILE;
pub use model::{
    Allow, Argument, CategorySpec, ChoiceSpec, From, Learn, Normaliser, OracleSpec, Reference, Run,
    Spec, Subject,
};
pub(crate) use outline::is_reserved;
pub use outline::{MAX_CATEGORIES, MAX_PROPERTIES};
pub use parse::MAX_SPEC;
pub use pattern::{MAX_REGEX_SIZE, compile_bytes_regex, compile_regex, parse_regex};
pub use place::{Fault, MAX_ERRORS, Source, Span, SpecError, SpecErrors};
pub use template::{Part, Template};
