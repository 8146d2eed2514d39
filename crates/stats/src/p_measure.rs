//! The P-measure, the probability that a suite of n tests reveals a failure, and the area under its
//! curve.
//!
//! Source: Barus, Chen, Kuo, Liu, Merkel and Rothermel, "A cost-effective random testing method for
//! programs with non-numeric inputs" (IEEE Transactions on Computers, 2016), Sections 4.3.2
//! (Equation 5) and 4.7.3 (Equation 6).
//!
//! Differences:
//! - The paper's sizes end at 1,000; for a larger maximum they go on in the same way, 2,000 to
//!   10,000 and so forth.
//! - P-measures are read from the first failure of each run; tests after it change nothing.

use crate::{FCount, Undefined, check};

/// One point of the P-measure curve (Barus et al., 2016, Equation 5).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PMeasure {
    /// Number of tests in the suite.
    pub size: u64,
    /// Share of runs in which the first `size` tests reveal a failure.
    pub probability: f64,
}

/// The suite sizes of the paper, 1 to 10, 20 to 100, 200 to 1,000, that do not exceed `maximum`
/// (Barus et al., 2016, Section 4.7.3).
pub fn p_measure_sizes(maximum: u64) -> Vec<u64> {
    let mut sizes = Vec::new();
    let (mut size, mut step) = (1_u64, 1_u64);
    while size <= maximum {
        sizes.push(size);
        if size / step == 10 {
            step = size;
        }
        match size.checked_add(step) {
            Some(next) => size = next,
            None => break,
        }
    }
    sizes
}

/// P-measures of one method on one fault at each size (Barus et al., 2016, Equation 5). Needs one
/// run; a run that was censored before a size says nothing about that size, which is
/// [`Undefined::ShortRun`].
pub fn p_measures(runs: &[FCount], sizes: &[u64]) -> Result<Vec<PMeasure>, Undefined> {
    check::enough("runs", 1, runs.len())?;
    let longest = sizes.iter().copied().max().unwrap_or(0);
    for (index, run) in runs.iter().enumerate() {
        match *run {
            FCount::Revealed(0) => return Err(Undefined::Value { index, value: 0.0 }),
            FCount::Censored(tests) if tests < longest => {
                return Err(Undefined::ShortRun {
                    index,
                    tests,
                    size: longest,
                });
            }
            FCount::Revealed(_) | FCount::Censored(_) => {}
        }
    }
    let mut failures: Vec<u64> = runs
        .iter()
        .filter(|run| matches!(run, FCount::Revealed(_)))
        .map(|run| run.tests())
        .collect();
    failures.sort_unstable();
    let share =
        |size: u64| failures.partition_point(|&test| test <= size) as f64 / runs.len() as f64;
    Ok(sizes
        .iter()
        .map(|&size| PMeasure {
            size,
            probability: share(size),
        })
        .collect())
}

/// The P-measure area, PMA: the area under the curve by trapezoids, starting at (0, 0) (Barus et
/// al., 2016, Equation 6). Larger is better. Needs one point; sizes must ascend from at least 1,
/// probabilities lie between 0 and 1.
pub fn p_measure_area(curve: &[PMeasure]) -> Result<f64, Undefined> {
    check::enough("points", 1, curve.len())?;
    let mut area = 0.0;
    let mut before = PMeasure {
        size: 0,
        probability: 0.0,
    };
    for (index, &point) in curve.iter().enumerate() {
        if point.size <= before.size {
            return Err(Undefined::Order {
                index,
                size: point.size,
            });
        }
        if !(0.0..=1.0).contains(&point.probability) {
            return Err(Undefined::Value {
                index,
                value: point.probability,
            });
        }
        area += (point.probability + before.probability) / 2.0 * (point.size - before.size) as f64;
        before = point;
    }
    Ok(area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    fn curve(points: &[(u64, f64)]) -> Vec<PMeasure> {
        points
            .iter()
            .map(|&(size, probability)| PMeasure { size, probability })
            .collect()
    }

    #[test]
    fn sizes_are_those_of_the_paper() {
        let paper = [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400, 500,
            600, 700, 800, 900, 1000,
        ];
        assert_eq!(p_measure_sizes(1000), paper);
        assert_eq!(p_measure_sizes(1999), paper);
    }

    #[test]
    fn sizes_stop_at_the_maximum_and_go_on_past_the_paper() {
        assert_eq!(p_measure_sizes(0), []);
        assert_eq!(p_measure_sizes(3), [1, 2, 3]);
        assert_eq!(p_measure_sizes(35).last(), Some(&30));
        assert_eq!(p_measure_sizes(3000)[27..], [1000, 2000, 3000]);
        assert_eq!(
            p_measure_sizes(u64::MAX).last(),
            Some(&10_000_000_000_000_000_000)
        );
    }

    #[test]
    fn a_p_measure_is_the_share_of_runs_that_failed_in_time() {
        let runs = [
            FCount::Revealed(1),
            FCount::Revealed(5),
            FCount::Revealed(5),
            FCount::Censored(10),
        ];
        let measures = p_measures(&runs, &[1, 4, 5, 10]).unwrap();
        assert_eq!(
            measures,
            curve(&[(1, 0.25), (4, 0.25), (5, 0.75), (10, 0.75)])
        );
    }

    #[test]
    fn a_run_that_stopped_early_without_failure_is_refused() {
        let short = p_measures(&[FCount::Revealed(2), FCount::Censored(9)], &[1, 10]);
        assert_eq!(
            short,
            Err(Undefined::ShortRun {
                index: 1,
                tests: 9,
                size: 10
            })
        );
        assert_eq!(
            p_measures(&[], &[1]),
            Err(Undefined::TooFew {
                what: "runs",
                needed: 1,
                found: 0
            })
        );
        assert_eq!(
            p_measures(&[FCount::Revealed(0)], &[1]),
            Err(Undefined::Value {
                index: 0,
                value: 0.0
            })
        );
    }

    #[test]
    fn the_area_matches_equation_6_by_hand() {
        // 0.2/2 x 1
        assert_close(p_measure_area(&curve(&[(1, 0.2)])).unwrap(), 0.1);
        // 0.4/2 x 2
        assert_close(p_measure_area(&curve(&[(2, 0.4)])).unwrap(), 0.4);
        // 0.1/2 x 1 + (0.1 + 0.3)/2 x 1 + (0.3 + 0.5)/2 x 8 = 0.05 + 0.2 + 3.2
        assert_close(
            p_measure_area(&curve(&[(1, 0.1), (2, 0.3), (10, 0.5)])).unwrap(),
            3.45,
        );
    }

    #[test]
    fn the_area_of_certain_failure_misses_only_the_first_triangle() {
        // 1/2 x 1 + 1 x 999
        let certain = p_measures(&[FCount::Revealed(1)], &p_measure_sizes(1000)).unwrap();
        assert_close(p_measure_area(&certain).unwrap(), 999.5);
    }

    #[test]
    fn a_curve_out_of_order_or_range_is_refused() {
        assert_eq!(
            p_measure_area(&[]),
            Err(Undefined::TooFew {
                what: "points",
                needed: 1,
                found: 0
            })
        );
        assert_eq!(
            p_measure_area(&curve(&[(0, 0.1)])),
            Err(Undefined::Order { index: 0, size: 0 })
        );
        let twice = p_measure_area(&curve(&[(3, 0.1), (3, 0.2)]));
        assert_eq!(twice, Err(Undefined::Order { index: 1, size: 3 }));
        assert_eq!(
            p_measure_area(&curve(&[(1, 1.5)])),
            Err(Undefined::Value {
                index: 0,
                value: 1.5
            })
        );
    }
}
