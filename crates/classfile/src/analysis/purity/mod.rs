//! What calling a method can change: which of its parameters, the receiver among them, and static state.
//!
//! In the family of reference immutability: a parameter is mutable if the method writes to an object that is reached from it,
//! itself or by a call, and methods that change nothing are pure (Huang, Milanova, Dietl and Ernst, "ReIm & ReImInfer: checking
//! and inference of reference immutability and method purity", OOPSLA 2012). `sketch` interprets each method once and notes
//! where its values come from: parameters, static fields, results of calls. `solve` finds the least effects that satisfy
//! all sketches over the call graph. `known` says what code alone does not.
//!
//! Differences
//! - ReIm types variables; here a value is the set of places it may come from, which is what its qualifiers are inferred from.
//! - What is loaded from a field or an array comes from where its holder comes from. What is stored in an object is not followed:
//!   changing a list does not change its elements, also where a wrapper would pass the change on.
//! - `equals`, `hashCode`, `toString` and `compareTo` count as pure: what they change are caches. So does `compare` where it is called.
//! - Of a library, what a virtual call names is taken to run, and a typical implementation where that is abstract or an interface of
//!   the JDK; of the classes given, every override.
//! - A lambda counts as called where it is made; what it is given when it runs is not followed.
//! - Native methods change nothing, apart from those in a table; static initialisers are not looked at.

mod known;
mod lambda;
mod sketch;
mod solve;
mod state;
mod world;

pub use solve::{MethodCall, effects};
pub use world::LibraryClasses;

/// What a call can change, and what its result is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Bit `i` is set if the object given for parameter `i` may change, the receiver being the first; [`STATIC`] if static
    /// state may. Parameters from the 32nd on share a bit.
    pub mutates: u64,
    /// Where the result may be reached from, in the same bits; none if it is new.
    pub returns: u64,
}

/// The bit of static state.
pub const STATIC: u64 = 1 << 32;

/// The last bit of parameters.
const LAST_PARAMETER: u32 = 31;

impl Effects {
    /// Whether nothing changes that was there before the call.
    pub fn is_pure(self) -> bool {
        self.mutates == 0
    }

    /// Whether the object given for a parameter may change.
    pub fn mutates_parameter(self, index: usize) -> bool {
        self.mutates & parameter(index) != 0
    }

    /// Whether static state may change.
    pub fn mutates_static(self) -> bool {
        self.mutates & STATIC != 0
    }
}

/// The bit of a parameter.
fn parameter(index: usize) -> u64 {
    let index = u32::try_from(index).unwrap_or(LAST_PARAMETER);
    1 << index.min(LAST_PARAMETER)
}
