//! `orienteering`: cheap sequences are drawn as inputs more often.
//!
//! ## What it does
//! A kept sequence is drawn with weight 1 / (t1 + … + tk) / √m, where ti is what its i-th execution cost, k is how often it was
//! selected and m is the number of its calls.
//!
//! ## Why
//! Long and dear sequences, drawn again and again, take the time that others would need.
//!
//! ## Example
//! `testhound generate app.jar --guide orienteering`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-E.
//!
//! ## Differences
//! - The execution that created a sequence counts as its first selection, so that nothing is divided by 0.
//! - Cost is counted in ticks of the worker (loops and calls inside the subject) and steps, and an execution costs the same each
//!   time. Under a budget in executions only steps count: ticks depend on what the worker ran before, and such a run must
//!   repeat exactly.

/// The part's name.
pub(in crate::calls) const NAME: &str = "orienteering";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str = "cheap input sequences are drawn more often";

/// The weight of a sequence of `calls` calls that cost `ticks` each time and was selected `selections` times.
pub(in crate::calls) fn weight(ticks: u64, calls: usize, selections: u32) -> f64 {
    let time = (ticks + calls as u64).max(1) as f64 * f64::from(selections.max(1));
    1.0 / (time * (calls.max(1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_that_of_the_paper() {
        // One call and 9 ticks, so a cost of 10, selected 3 times: 1 / ((10 + 10 + 10) * 1).
        assert!((weight(9, 1, 3) - 1.0 / 30.0).abs() < 1e-12);
        // Four calls: the square root of their number divides too.
        assert!((weight(96, 4, 1) - 1.0 / 200.0).abs() < 1e-12);
        assert_eq!(weight(0, 0, 0), 1.0);
    }
}
