//! Python modules without a harness: what they offer, as operations over types, and how tests of them are run and judged.
//!
//! `discovered` is what the Python side says about a module, `kind` the types in it, `fits` how they stand for one another, `model` what the engine makes of it.
//! `encode` and `reply` speak with workers, `coverage` numbers goals, `changed` limits all that to functions that changed, `judge` and `oracle` turn replies into observations.

pub mod discovered;
pub mod fits;
pub mod kind;

mod changed;
mod knowledge;
mod literals;
mod makers;
mod types;
mod variants;

pub mod model;
pub mod operation;

pub mod coverage;
pub mod encode;
pub mod judge;
pub mod oracle;
pub mod reply;

pub mod choose;
mod failing;
pub mod open;

pub use model::ModuleModel;
pub use operation::{ModuleOperation, OperationKind};
