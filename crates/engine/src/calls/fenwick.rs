//! Drawing by weights that change: a tree of partial sums (Fenwick, "A new data structure for cumulative frequency tables",
//! 1994). Changing a weight and drawing take logarithmic time.

use crate::stream::Stream;

/// Weights by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Fenwick {
    sums: Vec<f64>,
    weights: Vec<f64>,
}

impl Fenwick {
    /// How many weights there are.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Appends a weight.
    pub(super) fn push(&mut self, weight: f64) {
        let index = self.sums.len() + 1;
        let low = index & index.wrapping_neg();
        // The sum of the weights below this one that its node stands for.
        let mut sum = weight;
        let mut part = 1;
        while part < low {
            sum += self.sums[index - part - 1];
            part <<= 1;
        }
        self.sums.push(sum);
        self.weights.push(weight);
    }

    /// Changes a weight.
    pub(super) fn set(&mut self, index: usize, weight: f64) {
        let change = weight - std::mem::replace(&mut self.weights[index], weight);
        let mut node = index + 1;
        while node <= self.sums.len() {
            self.sums[node - 1] += change;
            node += node & node.wrapping_neg();
        }
    }

    /// Multiplies a weight.
    pub(super) fn scale(&mut self, index: usize, factor: f64) {
        self.set(index, self.weights[index] * factor);
    }

    /// A random index, as [`Fenwick::draw`] gives it, where there are weights at all.
    #[inline]
    pub(super) fn draw_if_any(&self, stream: &mut Stream) -> Option<usize> {
        if self.weights.is_empty() {
            return None;
        }
        self.draw(stream)
    }

    /// A random index in proportion to the weights; `None` if no weight is above 0.
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<usize> {
        let mut left = stream.unit() * self.total();
        let mut node = 0;
        let mut step = self.sums.len().checked_next_power_of_two().unwrap_or(0);
        while step > 0 {
            let next = node + step;
            if next <= self.sums.len() && self.sums[next - 1] <= left {
                left -= self.sums[next - 1];
                node = next;
            }
            step >>= 1;
        }
        // Rounding may carry the point to a weight of 0 or beyond the end.
        let drawn = node.min(self.len().checked_sub(1)?);
        if self.weights[drawn] > 0.0 {
            return Some(drawn);
        }
        let behind = (drawn..self.len()).find(|index| self.weights[*index] > 0.0);
        behind.or_else(|| (0..drawn).rev().find(|index| self.weights[*index] > 0.0))
    }

    fn total(&self) -> f64 {
        let mut node = self.sums.len();
        let mut sum = 0.0;
        while node > 0 {
            sum += self.sums[node - 1];
            node &= node - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Seed;
    use proptest::prelude::*;

    #[test]
    fn indices_are_drawn_in_proportion_to_their_weights() {
        let mut tree = Fenwick::default();
        for weight in [5.0, 0.0, 3.0, 2.0, 9.0] {
            tree.push(weight);
        }
        tree.set(0, 1.0);
        tree.set(4, 4.0);
        let mut stream = Seed(3).stream();
        let mut counts = [0; 5];
        for _ in 0..100_000 {
            counts[tree.draw(&mut stream).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, expected) in counts.iter().zip([10_000, 0, 30_000, 20_000, 40_000]) {
            assert!(
                (*count as i64 - expected as i64).abs() < 1_000,
                "{counts:?}"
            );
        }
    }

    #[test]
    fn nothing_is_drawn_where_all_weights_are_0() {
        let mut tree = Fenwick::default();
        assert_eq!(tree.draw(&mut Seed(1).stream()), None);
        tree.push(0.0);
        assert_eq!(tree.draw(&mut Seed(1).stream()), None);
    }

    proptest! {
        #[test]
        fn the_total_is_the_sum_of_the_weights(weights in proptest::collection::vec(0u32..100, 1..70), changes in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..100), 0..40)) {
            let mut tree = Fenwick::default();
            for weight in &weights {
                tree.push(f64::from(*weight));
            }
            let mut plain = weights;
            for (index, weight) in changes {
                let index = index.index(plain.len());
                plain[index] = weight;
                tree.set(index, f64::from(weight));
            }
            prop_assert_eq!(tree.total(), plain.iter().map(|one| f64::from(*one)).sum::<f64>());
        }
    }
}
