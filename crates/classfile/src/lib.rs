//! JVM class files as data: bytes in, bytes out.
//!
//! Reads, prints, analyses and rewrites class files of every version. Never panics on malformed input, never looks at a
//! file, a process or a clock.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod analysis;
mod attribute;
pub mod attributes;
pub mod build;
mod class;
mod code;
pub mod descriptor;
mod error;
pub mod frames;
mod instruction;
pub mod jar;
mod member;
pub mod opcode;
mod pool;
mod print;
mod reader;
pub mod rewrite;
pub mod signature;
pub mod utf8;

pub use attribute::Attribute;
pub use class::ClassFile;
pub use code::{Code, Handler, Instructions};
pub use error::{Error, ErrorKind, PoolFull};
pub use instruction::{Instruction, Operand, StackEffect, Switch};
pub use member::Member;
pub use opcode::{Flow, Opcode, OpcodeInfo, OperandKind};
pub use pool::{Constant, ConstantPool, MemberRef};
pub use print::print;
