//! JVM class files as subjects: what can be called, how it is run, what is written.
//!
//! The subject never runs in this process: sandboxed worker processes run encoded tests through trampolines.

pub mod discovery;
pub mod java;
pub mod model;
pub mod observed;

pub use java::{Java, JavaError, Places};
pub use model::{JvmClass, JvmModel, JvmOperation, OperationKind};
pub use observed::{
    Observed, ObservedGetter, ObservedObject, ObservedStep, ObservedThrow, ObservedValue,
};
