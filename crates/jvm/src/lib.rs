//! JVM class files as subjects: what can be called, how it is run, what is written.
//!
//! The subject never runs in this process: sandboxed worker processes run encoded tests through trampolines.

pub mod coverage;
pub mod discovery;
pub mod edges;
pub mod implementors;
pub mod instrument;
pub mod java;
pub mod judge;
pub mod junit;
pub mod knowledge;
pub mod loss;
pub mod measure;
pub mod model;
pub mod mutation;
pub mod observed;
pub mod oracle;
pub mod prepared;
pub mod protocol;
pub mod session;
pub mod shape;
pub mod suite;
pub mod target;
pub mod trampolines;
pub mod types;
pub mod worker;
pub mod workers;

pub use java::{Java, JavaError, Places};
pub use model::{JvmClass, JvmModel, JvmOperation, OperationKind};
pub use observed::{
    Observed, ObservedGetter, ObservedObject, ObservedStep, ObservedThrow, ObservedValue,
};
