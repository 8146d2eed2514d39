//! The constants that a method's code uses, with constant propagation and folding.
//!
//! Abstract interpretation over the flow graph: every slot of the stack and the local variables is a known value or unknown
//! (Kildall, "A unified approach to global program optimization", 1973). Strings built by `StringBuilder`, `StringBuffer` or
//! `invokedynamic` are followed. Class literals, enum constants and static final fields count as constants.
//!
//! Differences: branches are not evaluated, both sides are taken; arrays, instance fields and results of calls are unknown;
//! floating-point numbers are not turned into text; methods whose flow graph times local variables is over 4 million slots
//! give only literals.

mod environment;
mod fold;
mod members;
mod propagate;
mod state;
mod step;
mod text;

pub use environment::Environment;

use std::sync::Arc;

use crate::class::ClassFile;
use crate::descriptor::Kind;
use crate::error::Error;

/// A value known without running the code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// A boolean, byte, char, short or int.
    Int(i32),
    /// A long.
    Long(i64),
    /// The bits of a float.
    Float(u32),
    /// The bits of a double.
    Double(u64),
    /// A string.
    Text(Arc<str>),
    /// A class, interface or array type, as class constants name it.
    Class(Arc<str>),
    /// A constant of an enum.
    Enum {
        /// The enum's class.
        class: Arc<str>,
        /// The constant's name.
        name: Arc<str>,
    },
    /// The null reference.
    Null,
}

/// How the code comes to a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is written in the code.
    Literal,
    /// It is computed from other constants.
    Folded,
    /// It is a key of a switch.
    SwitchKey,
    /// It is read from a static final field or is an enum constant.
    Static,
}

/// A constant and where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The instruction that gives it.
    pub pc: u32,
    /// The value.
    pub value: Known,
    /// How the code comes to it.
    pub origin: Origin,
    /// The type it is used as, where a call, a field, an array or a return says so; otherwise the widest it can have.
    pub kind: Kind,
}

/// The constants of the method of this number, by offset, each once per instruction. Methods without code have none.
pub fn constants(
    class: &ClassFile,
    method: usize,
    environment: &Environment,
) -> Result<Vec<Use>, Error> {
    let Some(member) = class.methods.get(method) else {
        return Ok(Vec::new());
    };
    match member.code(&class.pool)? {
        Some(code) => Ok(propagate::uses(class, member, &code, environment)),
        None => Ok(Vec::new()),
    }
}

impl Known {
    /// The widest type of the value.
    pub fn kind(&self) -> Kind {
        match self {
            Known::Int(_) => Kind::Int,
            Known::Long(_) => Kind::Long,
            Known::Float(_) => Kind::Float,
            Known::Double(_) => Kind::Double,
            _ => Kind::Object,
        }
    }
}
