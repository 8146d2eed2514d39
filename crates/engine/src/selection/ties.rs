//! The lowest score, with ties broken at random. Used by every method, so that none favours early candidates.

use crate::Stream;

/// The index of the lowest score. Equal scores are equally likely; the stream is read only if there are several.
pub(super) fn lowest<T: PartialOrd + Copy>(scores: &[T], stream: &mut Stream) -> usize {
    let smaller = |a: T, b: T| if b < a { b } else { a };
    let Some(lowest) = scores.iter().copied().reduce(smaller) else {
        return 0;
    };
    // Without branches, since which candidate wins cannot be predicted.
    let (mut first, mut ties) = (0, 0);
    for (index, &score) in scores.iter().enumerate().rev() {
        let tied = score == lowest;
        first = if tied { index } else { first };
        ties += usize::from(tied);
    }
    if ties <= 1 {
        return first;
    }
    let mut tied = (first..scores.len()).filter(|&index| scores[index] == lowest);
    tied.nth(stream.index(ties)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn a_single_lowest_score_needs_no_randomness() {
        let mut stream = Seed(1).stream();
        let before = stream.clone().bits();
        assert_eq!(lowest(&[3, 1, 2], &mut stream), 1);
        assert_eq!(stream.bits(), before);
    }

    #[test]
    fn tied_scores_are_equally_likely() {
        let mut stream = Seed(2).stream();
        let mut counts = [0; 5];
        for _ in 0..9000 {
            counts[lowest(&[1.5, 0.5, 0.5, 2.0, 0.5], &mut stream)] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        for tied in [1, 2, 4] {
            assert!((2800..3200).contains(&counts[tied]), "{counts:?}");
        }
    }
}
