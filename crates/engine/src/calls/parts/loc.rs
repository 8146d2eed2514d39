//! `loc` and `loc-calls`: larger operations are tested more often.
//!
//! ## What it does
//! `loc` weighs every operation by its lines of code, `loc-calls` by the lines of everything that it can call. Operations
//! without code of the subject have the weight of one line.
//!
//! ## Why
//! More code holds more branches, and hard ones more often. Counting lines costs nothing at run time.
//!
//! ## Example
//! `testhound generate app.jar --guide loc`, `--guide grt,loc`
//!
//! ## References
//! Holmes et al., "Using relative lines of code to guide automated test generation for Python" (TOSEM 2020), Section 3.7.
//!
//! ## Differences
//! - Lines are those that class files name, so blank and comment lines do not count.
//! - `loc-calls` goes beyond the paper. For Java it follows calls into all classes of the subject and its class path that are named by what it
//!   follows, the nearest first, up to 20,000 methods: what each of them reaches takes memory by their square. The JDK's classes are not
//!   followed, nor are overriding methods of classes that nothing names. For Python it follows calls within the module.

/// The part's name.
pub(in crate::calls) const NAME: &str = "loc";

/// The name of the part that counts the lines of callees too.
pub(in crate::calls) const NAME_WITH_CALLS: &str = "loc-calls";

/// One line for people.
pub(in crate::calls) const SUMMARY_WITH_CALLS: &str =
    "operations by the lines of code that they can reach by calls";

/// A factor per operation.
pub(in crate::calls) fn factors(lines: &[u64]) -> Vec<f64> {
    lines.iter().map(|lines| (*lines).max(1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_weighs_its_lines_and_at_least_one() {
        assert_eq!(factors(&[0, 1, 12]), [1.0, 1.0, 12.0]);
    }
}
