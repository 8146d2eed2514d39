//! Python code as subjects: the user's interpreter, sandboxed worker processes, coverage by probes, harnesses and modules.
//!
//! The subject never runs in this process. `runtime/` is the Python side: plain files for Python 3.8 and newer that are
//! embedded here and laid out for the user's interpreter.

pub mod death;
pub mod harness;
pub mod interpreter;
pub mod module;
pub mod protocol;
pub mod pytest;
pub mod runtime;
pub mod session;
pub mod worker;
pub mod workers;

pub use interpreter::{Interpreter, InterpreterError, Places};
