//! What can be wrong with a class file, and where.
//!
//! Every error names a byte of the file. Errors of descriptors and generic signatures have their own types, because they
//! name a character of a text.

/// A class file, or a part of one, is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at byte {offset}")]
pub struct Error {
    /// The byte of the file at which reading failed.
    pub offset: u32,
    /// What is wrong there.
    pub kind: ErrorKind,
}

impl Error {
    /// An error at a byte of the file.
    pub fn at(offset: usize, kind: ErrorKind) -> Error {
        Error {
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            kind,
        }
    }
}

/// What is wrong at a byte of a class file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// The bytes end inside a structure.
    #[error("the data ends early, {missing} more bytes are needed")]
    Truncated {
        /// How many bytes are missing.
        missing: u64,
    },
    /// The magic number is missing.
    #[error("not a class file, it starts with `{found:#010x}`")]
    Magic {
        /// The number found instead.
        found: u32,
    },
    /// No class file has this version.
    #[error("class file version `{major}.{minor}` does not exist")]
    Version {
        /// The major version.
        major: u16,
        /// The minor version.
        minor: u16,
    },
    /// Bytes follow where a structure must end.
    #[error("{extra} bytes too many")]
    Trailing {
        /// How many bytes follow.
        extra: u64,
    },
    /// The data is larger than a class file can be.
    #[error("the data is larger than 4 GiB")]
    TooLarge,
    /// No constant has this tag.
    #[error("unknown constant tag `{tag}`")]
    Tag {
        /// The tag found.
        tag: u8,
    },
    /// The text of a constant is not modified UTF-8.
    #[error("constant `{index}` is not modified UTF-8")]
    Utf8 {
        /// The constant.
        index: u16,
    },
    /// A constant of another kind is needed.
    #[error("constant `{index}` is {found}, but {wanted} is needed")]
    Constant {
        /// The constant referred to.
        index: u16,
        /// What it is.
        found: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// A method's code is empty or over 65,535 bytes.
    #[error("code of {length} bytes, where 1 to 65535 are allowed")]
    CodeLength {
        /// The length found.
        length: u32,
    },
    /// No class file may hold this opcode here.
    #[error("unknown opcode `{opcode}`")]
    Opcode {
        /// The opcode.
        opcode: u8,
    },
    /// `wide` stands before an instruction that has no wide form.
    #[error("opcode `{opcode}` has no wide form")]
    Wide {
        /// The opcode after `wide`.
        opcode: u8,
    },
    /// A jump leads out of the code or into the middle of an instruction.
    #[error("jump to `{target}`, where no instruction starts")]
    Jump {
        /// Where it leads.
        target: i64,
    },
    /// The bounds or keys of a switch are out of order.
    #[error("the bounds or keys of a switch are not in order")]
    Switch,
    /// An exception handler's range or target is not made of instructions.
    #[error("exception handler `{number}` does not cover whole instructions")]
    Handler {
        /// Which one, counted from 0.
        number: u16,
    },
    /// An attribute's content is not what its name promises.
    #[error("malformed attribute: {what}")]
    Attribute {
        /// What is wrong.
        what: &'static str,
    },
}

/// The constant pool cannot take another entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolFull {
    /// All 65,534 places are taken.
    #[error("the constant pool is full")]
    Entries,
    /// A text is longer than 65,535 bytes.
    #[error("a text of {length} bytes is too long for a constant")]
    Text {
        /// Its length in modified UTF-8.
        length: usize,
    },
}
