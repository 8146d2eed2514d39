//! Tests that are lists of actions on pools, for subjects described by a harness: which class of actions comes next, which are
//! allowed, and which earlier test is built upon.
//!
//! A proposed test is a few given steps and one step [`ActionModel::draw`] that tells the worker how to go on: how long, from which
//! random stream, with which weights and classes. Which actions are enabled is known to the worker alone, so it returns the steps
//! really taken, and only those are stored.

mod bandit;
mod even;
mod model;
mod plan;
mod population;
mod sampling;
mod settings;
mod sizes;
mod source;
mod swarm;

pub use model::{ActionClass, ActionModel, HoleSize};
pub use plan::{DrawPlan, Planned};
pub use settings::{ActionSettings, Arm, Mix, arms};
pub use sizes::{SizeEstimate, weights};
pub use source::ActionSource;
