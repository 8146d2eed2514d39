//! Where in a method a probe can stand.
//!
//! Places are named by offsets of the class file as it was read, so they are the same in every run and whatever else is
//! inserted.

/// One way out of a conditional or a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The conditional does not jump.
    Fall,
    /// The conditional jumps.
    Taken,
    /// No case of the switch has the value.
    Default,
    /// The case of the switch with this key.
    Case(i32),
}

/// A place in a method's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The method is entered. A jump back to its first instruction does not pass here.
    Entry,
    /// The instruction at this offset is about to be executed, whether it was jumped to or not.
    Before(u32),
    /// The instruction at this offset was executed and control goes on to the next one.
    After(u32),
    /// The conditional or switch at this offset is left by this side, also where several sides lead to one place.
    Edge(u32, Side),
}
