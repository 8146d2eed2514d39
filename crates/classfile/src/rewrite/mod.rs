//! Rewriting: probes put into methods without changing what the methods do.
//!
//! [`Rewriter`] takes a class and a table of what a run asks for ([`Probes`]) and changes the class in place. Underneath, each
//! method gets an insertion [`Plan`] of straight code, which is laid out, written, and followed by every table that holds
//! offsets. The constant pool only grows, so everything without offsets stays as it was. No frame is ever inferred and no
//! other class is ever needed.
//!
//! Methods that would outgrow the format get fewer probes, by the steps of [`Level`]; each such method is reported.

mod annotations;
mod bootstrap;
mod calls;
mod class;
mod emit;
mod frames;
mod layout;
mod method;
mod place;
mod plan;
mod planner;
mod probes;
mod references;
pub mod replacement;
mod reset;
pub mod runtime;
mod shape;
mod tables;

use crate::error::{Error, PoolFull};

pub use class::{Reduced, Rewriter, Rewritten};
pub use place::{Place, Side};
pub use plan::Plan;
pub use probes::{
    Branch, Chosen, Decision, Hit, HitInfo, HitKind, Level, NumberSet, Numbers, PathChange,
    PathStep, Probes, Statics,
};

/// Why a method cannot have all insertions that were planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The code, the stack, the locals or the handlers would outgrow the format.
    #[error("the method would be larger than the format allows")]
    TooLarge,
    /// A conditional is too far from any place where an island can stand.
    #[error("a jump would be longer than the format allows")]
    TooFar,
    /// The constant pool cannot take what the insertions refer to.
    #[error(transparent)]
    Pool(#[from] PoolFull),
    /// The method or an attribute of its code does not follow the format.
    #[error(transparent)]
    Malformed(#[from] Error),
}
