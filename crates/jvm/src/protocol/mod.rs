//! What is said between the engine's process and a worker: requests and replies as bytes.
//!
//! Every request and reply is its length in four bytes and then its content. Requests begin with their kind:
//!
//! | kind | request | reply |
//! |---|---|---|
//! | 1 | batch number, needs, new strings, tests | per test a 1, its steps' results, its report; then 0 and why the worker is to be retired |
//! | 2 | number, needs, world, new strings, one test | the report of the test, its values in full, and why the worker is to be retired |
//! | 3 | nothing | operations that cannot be called, each with the reason |
//! | 4 | classes | what went wrong, or nothing |
//!
//! A test is a byte of flags, its length, the number of steps; a step is its operation and arguments, as many as the operation
//! has parameters. An argument begins with its kind:
//!
//! | kind | argument | content |
//! |---|---|---|
//! | 0 | null | |
//! | 1, 2 | an earlier result, object or primitive | step |
//! | 3, 4 | the same, boxed or unboxed | step |
//! | 5, 6 | a primitive literal | signed number, or 8 bytes |
//! | 7, 8 | a string | its number, or itself |
//! | 9 | a boxed literal | letter of its type, 8 bytes |
//!
//! Strings that were sent get numbers, in order; equal strings are one object, as literals in Java source are.

pub(crate) mod bytes;
mod classes;
mod decode;
mod encode;
mod examined;

pub use bytes::Broken;
pub use classes::{ClassInfo, ClassNumber, Classes};
pub use decode::{
    Ran, Retired, Step, TestReply, Violation, decode_batch, decode_links, decode_problem,
};
pub use encode::{
    Encoded, Encoder, Malformed, Needed, Strings, World, batch, examination, link, redefinition,
};
pub use examined::{Frame, Look, decode_look};
