//! Whatever numbers come in, a figure is finite or undefined: no panic, no NaN, no infinity.

use proptest::collection::vec;
use proptest::prelude::*;
use stats::{
    Bootstrap, SplitMix64, bootstrap_interval, box_summary, friedman, geometric_mean, holm,
    kruskal_wallis, mann_whitney, mean, mean_interval, one_way_anova, paired_t, quantile,
    vargha_delaney, variance, wilcoxon_signed_rank,
};

/// Any numbers at all, NaN, infinities and the extremes among them.
fn wild() -> impl Strategy<Value = Vec<f64>> {
    vec(
        prop_oneof![
            any::<f64>(),
            -9.0..9.0,
            Just(f64::MAX),
            Just(f64::MIN),
            Just(f64::NAN)
        ],
        0..9,
    )
}

proptest! {
    #[test]
    fn no_numbers_make_a_panic_or_a_nan(first in wild(), second in wild()) {
        let rows = [first.clone(), second.clone()];
        let mut stream = SplitMix64::new(1);
        let settings = Bootstrap { resamples: 3, confidence: 0.9 };
        let interval = bootstrap_interval(&first, &mean, settings, &mut || stream.draw());
        let box_middle = box_summary(&first).map(|summary| summary.median);
        let results = [
            mean(&first),
            variance(&first),
            geometric_mean(&first),
            quantile(&first, 0.3),
            box_middle,
            interval.map(|interval| interval.low),
            mean_interval(&first, 0.9).map(|interval| interval.high),
            mann_whitney(&first, &second).map(|result| result.p),
            vargha_delaney(&first, &second),
            wilcoxon_signed_rank(&first, &second).map(|result| result.p),
            paired_t(&first, &second).map(|result| result.p),
            friedman(&rows).map(|result| result.p),
            kruskal_wallis(&rows).map(|result| result.p),
            one_way_anova(&rows).map(|result| result.p),
            holm(&first).map(|adjusted| adjusted.iter().sum()),
        ];
        for (place, result) in results.into_iter().enumerate() {
            prop_assert!(result.is_err() || result.is_ok_and(f64::is_finite), "result {}", place);
        }
    }
}
