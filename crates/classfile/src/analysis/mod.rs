//! What can be known of a class without running it.
//!
//! Every analysis takes parsed class files and gives plain data; none changes a class. Graph algorithms work on plain
//! numbered graphs, so that methods, classes and call graphs share them.

pub mod calls;
pub mod constants;
pub mod coverage;
mod dependence;
mod dominance;
pub mod flow;
mod graph;
pub mod hierarchy;
pub mod lines;
mod loops;
pub mod purity;

pub use dependence::{Dependence, control_dependence};
pub use dominance::Dominators;
pub use graph::Graph;
pub use loops::{Loop, Loops};
