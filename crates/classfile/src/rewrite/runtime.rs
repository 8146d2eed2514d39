//! The names that inserted code refers to: the runtime's methods and the calls it takes over.
//!
//! This is the whole contract between rewriting and the Java side; nothing else of the runtime is ever named in a class.
//! It says nothing about what the methods do inside.
//!
//! Numbers that inserted code passes:
//! - `hit` gets the number of a block, line, method, edge or chosen place.
//! - `side`, `trace` and the distance recorders get numbers of edges, which are counted apart from hits. A conditional has
//!   two in a row: first the side that falls through (condition false), then the side taken (condition true). A switch has
//!   its default first, then one per case in the order of the keys, without the cases that go where the default goes.
//! - distance recorders get `first edge << OPERATOR_BITS | operator`, so that they need no table.

/// The class with the probes.
pub const PROBES: &str = "testhound/rt/Probes";

/// The class that calls are redirected to.
pub const CALLS: &str = "testhound/rt/Calls";

/// The static method that the body of `<clinit>` moves to where static state can be reset: `()V`, private.
pub const RESET: &str = "testhound$clinit";

/// The static `int[]` of [`PROBES`] that holds the path registers.
pub const PATH: &str = "PATH";

/// How many low bits of a distance recorder's number say which [`Operator`] it is.
pub const OPERATOR_BITS: u32 = 3;

/// What a conditional asks about its two values, in the order of the opcodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// Equal, the same object, or null.
    Equal,
    /// The opposite of equal.
    NotEqual,
    /// Less.
    Less,
    /// Greater or equal.
    GreaterEqual,
    /// Greater.
    Greater,
    /// Less or equal.
    LessEqual,
}

/// A static method of [`PROBES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Probe {
    /// A numbered place was reached.
    Hit,
    /// A method was entered or a jump backwards is about to be decided; throws once the budget is used up, and from then on.
    Tick,
    /// An edge was taken; counted.
    Side,
    /// An edge was taken; kept in order.
    Trace,
    /// Two ints are about to be compared.
    CompareInts,
    /// An int is about to be compared with zero.
    CompareZero,
    /// A reference is about to be compared with null.
    CompareNull,
    /// Two references are about to be compared.
    CompareSame,
    /// An int is about to be switched on; the number is the plain number of the first edge.
    Select,
    /// `lcmp`, whose result the next instruction compares with zero.
    Lcmp,
    /// `fcmpl`, likewise.
    Fcmpl,
    /// `fcmpg`, likewise.
    Fcmpg,
    /// `dcmpl`, likewise.
    Dcmpl,
    /// `dcmpg`, likewise.
    Dcmpg,
    /// The size of an array about to be made; gives it back or throws.
    Array,
    /// Puts a size before a list of sizes, which is null at first.
    Dimension,
    /// The sizes of an array of arrays about to be made; gives them back or throws.
    Arrays,
    /// A static field of the numbered class is about to be written (or an object in it may be changed).
    Dirty,
    /// A path register is complete: its value is recorded and it starts again at zero.
    Path,
}

impl Probe {
    /// All of them, in the order of their numbers.
    pub const ALL: [Probe; 19] = [
        Probe::Hit,
        Probe::Tick,
        Probe::Side,
        Probe::Trace,
        Probe::CompareInts,
        Probe::CompareZero,
        Probe::CompareNull,
        Probe::CompareSame,
        Probe::Select,
        Probe::Lcmp,
        Probe::Fcmpl,
        Probe::Fcmpg,
        Probe::Dcmpl,
        Probe::Dcmpg,
        Probe::Array,
        Probe::Dimension,
        Probe::Arrays,
        Probe::Dirty,
        Probe::Path,
    ];

    /// The method's name and descriptor.
    pub const fn signature(self) -> (&'static str, &'static str) {
        match self {
            Probe::Hit => ("hit", "(I)V"),
            Probe::Tick => ("tick", "()V"),
            Probe::Side => ("side", "(I)V"),
            Probe::Trace => ("trace", "(I)V"),
            Probe::CompareInts => ("compareInts", "(III)V"),
            Probe::CompareZero => ("compareZero", "(II)V"),
            Probe::CompareNull => ("compareNull", "(Ljava/lang/Object;I)V"),
            Probe::CompareSame => ("compareSame", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            Probe::Select => ("select", "(II)V"),
            Probe::Lcmp => ("lcmp", "(JJI)I"),
            Probe::Fcmpl => ("fcmpl", "(FFI)I"),
            Probe::Fcmpg => ("fcmpg", "(FFI)I"),
            Probe::Dcmpl => ("dcmpl", "(DDI)I"),
            Probe::Dcmpg => ("dcmpg", "(DDI)I"),
            Probe::Array => ("array", "(I)I"),
            Probe::Dimension => ("dimension", "(I[I)[I"),
            Probe::Arrays => ("arrays", "([I)[I"),
            Probe::Dirty => ("dirty", "(I)V"),
            Probe::Path => ("path", "(I)V"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Probe;

    #[test]
    fn all_lists_every_probe_at_its_number() {
        for (number, probe) in Probe::ALL.into_iter().enumerate() {
            assert_eq!(probe as usize, number);
        }
        assert_eq!(Probe::ALL.len(), Probe::Path as usize + 1);
    }
}
