//! Which operation is tested next: a draw by weight among those whose inputs can be made.
//!
//! This is where the parts of the slot `operation` come in: each gives one factor per operation, and factors multiply.

use crate::stream::Stream;
use crate::test::OperationId;

/// Operations with their weights, for drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    operations: Vec<OperationId>,
    sums: Vec<f64>,
    even: bool,
}

impl Weights {
    /// Weights of the operations that take part; those with a weight that is not above 0 do not.
    pub(super) fn new(weighted: impl Iterator<Item = (OperationId, f64)>) -> Weights {
        let mut weights = Weights {
            even: true,
            ..Weights::default()
        };
        let mut sum = 0.0;
        let mut first = None;
        for (operation, weight) in weighted.filter(|(_, weight)| *weight > 0.0) {
            sum += weight;
            weights.even &= *first.get_or_insert(weight) == weight;
            weights.operations.push(operation);
            weights.sums.push(sum);
        }
        weights
    }

    /// A random operation; `None` if there is none.
    #[inline]
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<OperationId> {
        let total = *self.sums.last()?;
        let index = if self.even {
            stream.index(self.operations.len())
        } else {
            let point = stream.unit() * total;
            self.sums.partition_point(|sum| *sum <= point)
        };
        // Rounding may carry the point to the very end.
        self.operations
            .get(index)
            .or(self.operations.last())
            .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Seed;

    #[test]
    fn operations_are_drawn_in_proportion_to_their_weights() {
        let given = [1.0, 0.0, 3.0];
        let numbered = (0..).map(OperationId).zip(given);
        let weights = Weights::new(numbered);
        let mut stream = Seed(5).stream();
        let mut counts = [0; 3];
        for _ in 0..40_000 {
            counts[weights.draw(&mut stream).unwrap().0 as usize] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
        assert!(Weights::new(std::iter::empty()).draw(&mut stream).is_none());
    }
}
