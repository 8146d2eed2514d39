//! Tests as plain pytest files: readable, without anything of ours, and checked in fresh processes before they are handed out.
//!
//! `literal` writes values, `imports` names modules, `body` the steps of a test, `assertion` what is claimed, `name` the test, `file`
//! puts a file together, `check` runs it, `verify` drops what does not hold, `kills` leaves out assertions that kill no mutant, `run` only tells what does not.
//! `suite` runs suites that others wrote, `reaching` tells which of their tests reach a line.

pub mod assertion;
pub mod body;
pub mod check;
pub mod file;
pub mod imports;
pub mod kills;
pub mod literal;
pub mod name;
pub mod operator;
mod reaching;
mod run;
pub mod suite;
pub mod verify;

pub use file::{KeptCall, TestFile, WrittenTest, write};
pub use kills::{Mutating, Score};
pub use reaching::Reaching;
pub use run::run_file;
pub use verify::{Dropped, Verified, verify};
