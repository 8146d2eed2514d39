//! The curve of a run: goals covered per criterion, over executions and time. Bounded: past the limit every other point goes.

use serde::{Deserialize, Serialize};
use std::time::Duration;

const LIMIT: usize = 1000;

/// One point of the curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Tests executed so far.
    pub executions: u64,
    /// Time since the start, in milliseconds.
    pub elapsed_ms: u64,
    /// Goals covered, per criterion in the model's order.
    pub covered: Vec<u32>,
    /// Distinct failures so far.
    pub failures: u32,
}

/// The points of a run, one per change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Curve {
    points: Vec<Point>,
}

impl Curve {
    /// Adds a point if goals or failures have changed since the last one.
    pub fn add(&mut self, executions: u64, elapsed: Duration, covered: &[u32], failures: u32) {
        let changed = |last: &Point| last.covered != covered || last.failures != failures;
        if !self.points.last().is_none_or(changed) {
            return;
        }
        if self.points.len() == LIMIT {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        let elapsed_ms = elapsed.as_millis() as u64;
        self.points.push(Point {
            executions,
            elapsed_ms,
            covered: covered.to_vec(),
            failures,
        });
    }

    /// The points in order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_make_points_and_their_number_is_bounded() {
        let mut curve = Curve::default();
        for executions in 0..5000 {
            curve.add(
                executions,
                Duration::from_millis(executions),
                &[executions as u32 / 2],
                0,
            );
        }
        assert!(curve.points().len() <= LIMIT);
        assert_eq!(curve.points()[0].executions, 0);
        assert!(
            curve
                .points()
                .windows(2)
                .all(|pair| pair[0].covered < pair[1].covered)
        );
    }
}
