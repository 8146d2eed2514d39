//! A small random stream for callers that have a seed and no stream of their own. Not for secrets.
//!
//! Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014),
//! with the constants of its reference implementation; the unbiased index is from Lemire, "Fast
//! random integer generation in an interval" (ACM Transactions on Modeling and Computer Simulation,
//! 2019).
//!
//! Differences:
//! - The stream is never split; the increment is the fixed golden-ratio one.

/// A SplitMix64 stream (Steele, Lea and Flood, 2014): same seed, same numbers, for ever.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A stream that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// A number in 0..`bound`, each with the same probability (Lemire, 2019). `bound` must not be 0.
pub(crate) fn below(bound: u64, random: &mut dyn FnMut() -> u64) -> u64 {
    // Some results would get one draw more than others; rejecting the draws whose low half falls
    // below 2^64 mod bound takes that one away.
    let rejected = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(random()) * u128::from(bound);
        if product as u64 >= rejected {
            return (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_matches_the_published_numbers() {
        // The first outputs for seed 1234567 that implementations of SplitMix64 are usually checked
        // with.
        let mut stream = SplitMix64::new(1_234_567);
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!(expected.map(|_| stream.draw()), expected);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut stream = SplitMix64::new(0);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[below(7, &mut || stream.draw()) as usize] += 1;
        }
        assert!(
            seen.iter().all(|&count| (850..1150).contains(&count)),
            "{seen:?}"
        );
    }

    #[test]
    fn a_draw_from_the_uneven_rest_is_rejected() {
        // 2^64 mod 3 is 1, so the draw 0 belongs to no equal share.
        let mut draws = [0, u64::MAX].into_iter();
        assert_eq!(
            below(3, &mut || draws.next().expect("two draws are enough")),
            2
        );
    }
}
