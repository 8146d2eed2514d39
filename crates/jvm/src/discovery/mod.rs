//! From jars, class folders and projects to what tests can call, with a reason for everything that they cannot.
//!
//! Reads class files only and runs nothing of the subject. Types are erased; generic signatures are kept for rendering. Of
//! the supply for parameters, members of the classes under test and fixed literals count, and what `detective` finds.

mod archive;
mod candidate;
mod changes;
mod checks;
mod class_literals;
mod class_names;
mod detective;
mod discover;
mod entry;
mod error;
mod filter;
mod hierarchy;
mod image;
mod implement;
mod inherited;
mod jdk;
mod library;
mod literals;
mod makeable;
mod members;
mod method_pattern;
mod names;
mod nest;
mod open_methods;
mod pattern;
mod places;
mod project;
mod reason;
mod relations;
mod subject;
mod summary;
mod types;
mod unfit;

pub use archive::Archive;
pub use changes::Changes;
pub use checks::Check;
pub use discover::{ClassUnderTest, Discovered, discover};
pub use error::Error;
pub use filter::{Deprecated, Filters, Inputs, Since};
pub use image::{Image, ImageError};
pub use jdk::Jdk;
pub use pattern::Pattern;
pub use reason::{Found, REASONS, Reason, Untested};
pub use subject::{Subject, SubjectClass};
