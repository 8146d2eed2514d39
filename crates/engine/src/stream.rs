//! Seeded random streams. One seed decides everything; each purpose and each test gets a stream of its own, derived from
//! that seed, so that what one part draws never shifts what another one sees.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The number from which all random streams of a run are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// A seed for one purpose (`label`) and one occasion (`index`), independent of all others.
    pub fn derive(self, label: &str, index: u64) -> Seed {
        let mut hash = mix(self.0 ^ 0x9e37_79b9_7f4a_7c15);
        for byte in label.bytes() {
            hash = mix(hash ^ u64::from(byte));
        }
        Seed(mix(hash ^ mix(index)))
    }

    /// The stream of this seed.
    pub fn stream(self) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A reproducible source of random numbers (xoshiro256++).
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, unbiased (Lemire, 2019). `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0, "a bound of 0 leaves nothing to draw");
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index into something of this length.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A whole number from `low` to `high`, both included; `low` if the range is empty.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let width = high.wrapping_sub(low) as u64;
        let offset = match width.checked_add(1) {
            Some(bound) => self.below(bound),
            None => self.bits(),
        };
        low.wrapping_add(offset as i64)
    }

    /// A number in [0, 1), with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed: u64| {
            let mut stream = Seed(seed).derive("test", 3).stream();
            (0..5).map(|_| stream.bits()).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn label_and_index_give_different_streams() {
        let seed = Seed(7);
        let mut all: Vec<u64> = (0..100)
            .flat_map(|i| [seed.derive("a", i).0, seed.derive("b", i).0])
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200);
    }

    #[test]
    fn below_reaches_every_value_about_equally() {
        let mut stream = Seed(1).stream();
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[stream.index(7)] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
    }

    proptest! {
        #[test]
        fn range_stays_inside(low: i64, high: i64, seed: u64) {
            let drawn = Seed(seed).stream().range(low, high);
            prop_assert!(drawn >= low && (drawn <= high || high < low));
        }
    }
}
