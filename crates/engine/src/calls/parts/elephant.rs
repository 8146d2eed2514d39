//! `elephant`: values are kept under their run-time types.
//!
//! ## What it does
//! A value that a sequence made is filed under the class that it really is of, not under the type that the operation declares.
//! So an `Object` that is a `Class` can be given for a `Class`. And where a parameter can take values of the class of the first input, as
//! that of `equals` can, such values are given more often: another one, one that the same calls made, or the very same.
//!
//! ## Why
//! Declared types are often supertypes, and what needs the exact type is then never called.
//!
//! ## Example
//! `testhound generate app.jar --guide elephant`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-C.
//!
//! ## Differences
//! - Classes that nobody declared join the model as types when a value of theirs is first seen.
//! - Values of a test that ended normally are kept although an oracle found that one of them breaks a contract, such as a `toString` that
//!   throws for an empty document: others have a use for them.
//! - The paper knows no values that are alike; but that two values are of the same class is seen at run time only.
//! - Casts in written tests name the type of the parameter, not the class of the value, which source may not see.

use crate::calls::CallModel;

/// The part's name.
pub(in crate::calls) const NAME: &str = "elephant";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str = "values are kept under their run-time types";

/// Has the results of all operations filed under their run-time types.
pub(in crate::calls) fn apply(model: &mut CallModel) {
    for signature in &mut model.signatures {
        signature.observed = signature.result.is_some();
    }
}
