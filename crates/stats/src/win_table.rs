//! How often one method beats another over a set of faults. Whether a count is significant is the
//! matter of `wilcoxon` and `holm`.
//!
//! Source: Barus, Chen, Kuo, Liu, Merkel and Rothermel, "A cost-effective random testing method for
//! programs with non-numeric inputs" (IEEE Transactions on Computers, 2016), Tables 5 (F-measure)
//! and 6 (PMA).
//!
//! Differences:
//! - The paper does not speak of ties; here a tie is a win for neither.

use crate::{Undefined, check};

/// Which of two values wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The smaller one, as for the F-measure.
    Smaller,
    /// The larger one, as for the P-measure area.
    Larger,
}

/// Pairwise wins between methods (Barus et al., 2016, Tables 5 and 6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinTable {
    /// One row per method on the left, one cell per method on top: on how many faults the method on
    /// top beats the one on the left. The diagonal is 0.
    pub cells: Vec<Vec<usize>>,
    /// Number of faults.
    pub faults: usize,
}

impl WinTable {
    /// On how many faults `winner` beats `loser`, both numbered as the input's columns.
    pub fn wins(&self, winner: usize, loser: usize) -> usize {
        self.cells[loser][winner]
    }
}

/// Counts wins (Barus et al., 2016, Table 5): each row is a fault and holds one value per method.
///
/// Needs one fault and one method; infinities compare as usual, NaN is refused, its index counting
/// within its row.
pub fn win_table(faults: &[Vec<f64>], better: Better) -> Result<WinTable, Undefined> {
    check::enough("faults", 1, faults.len())?;
    let methods = faults[0].len();
    check::enough("methods", 1, methods)?;
    for fault in faults {
        check::same_length(&faults[0], fault)?;
        check::ordered(fault)?;
    }
    let beats = |top: f64, left: f64| match better {
        Better::Smaller => top < left,
        Better::Larger => top > left,
    };
    let wins = |top: usize, left: usize| {
        faults
            .iter()
            .filter(|fault| beats(fault[top], fault[left]))
            .count()
    };
    let cells = (0..methods)
        .map(|left| (0..methods).map(|top| wins(top, left)).collect())
        .collect();
    Ok(WinTable {
        cells,
        faults: faults.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RT, ARTmif and ARTsum with the wins of Table 5a, `cal`: 11 faults, ARTsum ahead of ARTmif on
    /// 8.
    fn cal() -> Vec<Vec<f64>> {
        (0..11)
            .map(|fault| vec![100.0, 50.0, if fault < 8 { 40.0 } else { 60.0 }])
            .collect()
    }

    #[test]
    fn cells_are_laid_out_as_in_table_5a() {
        let table = win_table(&cal(), Better::Smaller).unwrap();
        assert_eq!(table.cells, [vec![0, 11, 11], vec![0, 0, 8], vec![0, 3, 0]]);
        assert_eq!(table.faults, 11);
        assert_eq!(table.wins(2, 1), 8);
    }

    #[test]
    fn larger_is_better_turns_the_table_around() {
        let smaller = win_table(&cal(), Better::Smaller).unwrap();
        let larger = win_table(&cal(), Better::Larger).unwrap();
        for (winner, loser) in [(0, 1), (1, 2), (2, 0)] {
            assert_eq!(larger.wins(winner, loser), smaller.wins(loser, winner));
        }
    }

    #[test]
    fn a_tie_is_a_win_for_neither() {
        let table = win_table(&[vec![1.0, 1.0], vec![1.0, 2.0]], Better::Smaller).unwrap();
        assert_eq!((table.wins(0, 1), table.wins(1, 0)), (1, 0));
    }

    #[test]
    fn incomplete_data_is_refused() {
        assert_eq!(
            win_table(&[], Better::Larger),
            Err(Undefined::TooFew {
                what: "faults",
                needed: 1,
                found: 0
            })
        );
        let ragged = win_table(&[vec![1.0, 2.0], vec![1.0]], Better::Larger);
        assert_eq!(
            ragged,
            Err(Undefined::Lengths {
                first: 2,
                second: 1
            })
        );
        let nan = win_table(&[vec![1.0, f64::NAN]], Better::Larger);
        assert!(matches!(nan, Err(Undefined::Value { index: 1, .. })));
    }
}
