//! Laws that hold for every sample, tried on random ones. Values of particular samples are checked
//! beside the code.

use proptest::collection::vec;
use proptest::prelude::*;
use stats::{
    Better, Bootstrap, FCount, SplitMix64, bootstrap_interval, box_summary, f_measure, friedman,
    geometric_mean, holm, kruskal_wallis, mann_whitney, mean, one_way_anova, p_measure_area,
    p_measure_sizes, p_measures, paired_t, quantile, ranks, vargha_delaney, variance,
    wilcoxon_signed_rank, win_table,
};

/// Values with many ties, so that both branches of the rank tests are met.
fn tied() -> impl Strategy<Value = Vec<f64>> {
    vec((-6_i32..6).prop_map(f64::from), 1..40)
}

fn finite() -> impl Strategy<Value = Vec<f64>> {
    vec(-1e6..1e6, 1..40)
}

fn sample() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![tied(), finite()]
}

fn groups() -> impl Strategy<Value = Vec<Vec<f64>>> {
    vec(sample(), 2..6)
}

/// Blocks of three values each.
fn blocks() -> impl Strategy<Value = Vec<Vec<f64>>> {
    vec(vec((-6_i32..6).prop_map(f64::from), 3), 1..30)
}

fn pairs() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    vec(
        (
            (-9_i32..9).prop_map(f64::from),
            (-9_i32..9).prop_map(f64::from),
        ),
        1..70,
    )
    .prop_map(|pairs| pairs.into_iter().unzip())
}

fn runs() -> impl Strategy<Value = Vec<FCount>> {
    let run = prop_oneof![
        (1_u64..=1000).prop_map(FCount::Revealed),
        Just(FCount::Censored(1000))
    ];
    vec(run, 1..60)
}

fn least_and_greatest(sample: &[f64]) -> (f64, f64) {
    let least = sample.iter().copied().fold(f64::INFINITY, f64::min);
    (
        least,
        sample.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    )
}

/// A strictly rising function that keeps small whole numbers apart.
fn risen(sample: &[f64]) -> Vec<f64> {
    sample
        .iter()
        .map(|value| value.powi(3) + 5.0 * value)
        .collect()
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
}

fn is_probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}

proptest! {
    #[test]
    fn the_mean_and_every_quantile_lie_within_the_data(sample in sample(), p in 0.0..=1.0) {
        let (least, greatest) = least_and_greatest(&sample);
        prop_assert!((least..=greatest).contains(&mean(&sample).unwrap()));
        prop_assert!((least..=greatest).contains(&quantile(&sample, p).unwrap()));
    }

    #[test]
    fn quantiles_rise_with_p(sample in sample(), p in 0.0..=1.0, q in 0.0..=1.0) {
        let (lower, upper) = (f64::min(p, q), f64::max(p, q));
        prop_assert!(quantile(&sample, lower).unwrap() <= quantile(&sample, upper).unwrap());
    }

    #[test]
    fn variance_ignores_a_shift(sample in vec(-1e3..1e3, 2..30), shift in -1e3..1e3) {
        let shifted: Vec<f64> = sample.iter().map(|value| value + shift).collect();
        prop_assert!(near(variance(&sample).unwrap(), variance(&shifted).unwrap()));
    }

    #[test]
    fn the_geometric_mean_of_inverses_is_the_inverse(sample in vec(0.01..100.0, 1..30)) {
        let inverses: Vec<f64> = sample.iter().map(|value| 1.0 / value).collect();
        let product = geometric_mean(&sample).unwrap() * geometric_mean(&inverses).unwrap();
        prop_assert!(near(product, 1.0));
    }

    #[test]
    fn a_box_is_ordered_and_keeps_every_value(sample in sample()) {
        let summary = box_summary(&sample).unwrap();
        let parts = [
            summary.low_whisker,
            summary.lower_quartile,
            summary.median,
            summary.upper_quartile,
            summary.high_whisker,
        ];
        prop_assert!(parts.is_sorted());
        let inside = sample.iter().filter(|&&value| (parts[0]..=parts[4]).contains(&value)).count();
        prop_assert_eq!(inside + summary.outliers.len(), sample.len());
    }

    #[test]
    fn ranks_add_up_and_keep_the_order(sample in sample()) {
        let ranked = ranks(&sample).unwrap().ranks;
        let n = sample.len() as f64;
        prop_assert!(near(ranked.iter().sum(), n * (n + 1.0) / 2.0));
        for left in 0..sample.len() {
            for right in 0..sample.len() {
                let order = sample[left].partial_cmp(&sample[right]);
                prop_assert_eq!(order, ranked[left].partial_cmp(&ranked[right]));
            }
        }
    }

    #[test]
    fn both_u_add_up_to_all_pairs(first in sample(), second in sample()) {
        let result = mann_whitney(&first, &second).unwrap();
        let pairs = (first.len() * second.len()) as f64;
        prop_assert_eq!(result.u_first + result.u_second, pairs);
        prop_assert!(result.u_first >= 0.0 && result.u_second >= 0.0);
        prop_assert!(is_probability(result.p));
    }

    #[test]
    fn mann_whitney_does_not_care_which_sample_is_first(first in sample(), second in sample()) {
        let (there, back) = (mann_whitney(&first, &second), mann_whitney(&second, &first));
        let (there, back) = (there.unwrap(), back.unwrap());
        prop_assert_eq!((there.u_first, there.u_second), (back.u_second, back.u_first));
        prop_assert!(near(there.p, back.p));
    }

    #[test]
    fn both_effects_add_up_to_one(first in sample(), second in sample()) {
        let there = vargha_delaney(&first, &second).unwrap();
        let back = vargha_delaney(&second, &first).unwrap();
        prop_assert!(is_probability(there));
        prop_assert!(near(there + back, 1.0));
    }

    #[test]
    fn the_effect_is_u_over_all_pairs(first in sample(), second in sample()) {
        let u = mann_whitney(&first, &second).unwrap().u_first;
        let pairs = (first.len() * second.len()) as f64;
        prop_assert!(near(vargha_delaney(&first, &second).unwrap(), u / pairs));
    }

    #[test]
    fn both_signed_rank_sums_add_up(pair in pairs()) {
        let result = wilcoxon_signed_rank(&pair.0, &pair.1).unwrap();
        let n = result.pairs as f64;
        prop_assert_eq!(result.w_plus + result.w_minus, n * (n + 1.0) / 2.0);
        prop_assert_eq!(result.pairs + result.zeros, pair.0.len());
        prop_assert!(is_probability(result.p));
    }

    #[test]
    fn wilcoxon_does_not_care_which_sample_is_first(pair in pairs()) {
        let there = wilcoxon_signed_rank(&pair.0, &pair.1).unwrap();
        let back = wilcoxon_signed_rank(&pair.1, &pair.0).unwrap();
        prop_assert_eq!((there.w_plus, there.w_minus), (back.w_minus, back.w_plus));
        prop_assert!(near(there.p, back.p));
    }

    #[test]
    fn friedman_sees_only_the_order_within_blocks(blocks in blocks()) {
        let transformed: Vec<Vec<f64>> = blocks.iter().map(|block| risen(block)).collect();
        prop_assert_eq!(friedman(&blocks).unwrap(), friedman(&transformed).unwrap());
    }

    #[test]
    fn friedman_mean_ranks_average_to_the_middle(blocks in blocks()) {
        let result = friedman(&blocks).unwrap();
        prop_assert!(near(result.mean_ranks.iter().sum::<f64>(), 6.0));
        prop_assert!(result.chi_square >= 0.0 && is_probability(result.p));
    }

    #[test]
    fn kruskal_wallis_sees_only_the_order(groups in vec(tied(), 2..6)) {
        let transformed: Vec<Vec<f64>> = groups.iter().map(|group| risen(group)).collect();
        let result = kruskal_wallis(&groups).unwrap();
        prop_assert_eq!(result, kruskal_wallis(&transformed).unwrap());
        prop_assert!(result.h >= 0.0 && is_probability(result.p));
    }

    #[test]
    fn anova_ignores_the_order_of_groups(groups in groups()) {
        let reversed: Vec<Vec<f64>> = groups.iter().rev().cloned().collect();
        match (one_way_anova(&groups), one_way_anova(&reversed)) {
            (Ok(there), Ok(back)) => {
                prop_assert!(near(there.f, back.f));
                prop_assert!(is_probability(there.p));
            }
            (there, back) => prop_assert_eq!(there, back),
        }
    }

    #[test]
    fn paired_t_turns_its_sign_with_the_samples(pair in pairs()) {
        match (paired_t(&pair.0, &pair.1), paired_t(&pair.1, &pair.0)) {
            (Ok(there), Ok(back)) => {
                prop_assert!(near(there.t, -back.t) && near(there.p, back.p));
                prop_assert!(is_probability(there.p));
            }
            (there, back) => prop_assert_eq!(there, back),
        }
    }

    #[test]
    fn holm_raises_every_p_value_and_keeps_their_order(p_values in vec(0.0..=1.0, 0..30)) {
        let adjusted = holm(&p_values).unwrap();
        prop_assert_eq!(adjusted.len(), p_values.len());
        for left in 0..p_values.len() {
            prop_assert!(adjusted[left] >= p_values[left] && adjusted[left] <= 1.0);
            for right in 0..p_values.len() {
                prop_assert!(p_values[left] > p_values[right] || adjusted[left] <= adjusted[right]);
            }
        }
    }

    #[test]
    fn a_bootstrap_interval_of_the_mean_lies_within_the_data(sample in sample(), seed: u64) {
        let mut stream = SplitMix64::new(seed);
        let settings = Bootstrap { resamples: 50, confidence: 0.9 };
        let interval = bootstrap_interval(&sample, &mean, settings, &mut || stream.draw()).unwrap();
        let (least, greatest) = least_and_greatest(&sample);
        prop_assert!(least <= interval.low && interval.low <= interval.high);
        prop_assert!(interval.high <= greatest);
    }

    #[test]
    fn a_bootstrap_depends_on_its_seed_alone(sample in sample(), seed: u64) {
        let settings = Bootstrap { resamples: 20, confidence: 0.9 };
        let interval = |mut stream: SplitMix64| {
            bootstrap_interval(&sample, &mean, settings, &mut || stream.draw()).unwrap()
        };
        prop_assert_eq!(interval(SplitMix64::new(seed)), interval(SplitMix64::new(seed)));
    }

    #[test]
    fn p_measures_never_fall_and_their_area_fits_the_axes(runs in runs()) {
        let curve = p_measures(&runs, &p_measure_sizes(1000)).unwrap();
        prop_assert!(curve.is_sorted_by(|left, right| left.probability <= right.probability));
        prop_assert!((0.0..=999.5).contains(&p_measure_area(&curve).unwrap()));
    }

    #[test]
    fn censoring_makes_the_mean_a_lower_bound_of_the_estimate(runs in runs()) {
        let measure = f_measure(&runs, 0.95).unwrap();
        match measure.geometric_estimate {
            Some(estimate) => prop_assert!(estimate >= measure.mean * (1.0 - 1e-12)),
            None => prop_assert_eq!(measure.censored, measure.runs),
        }
    }

    #[test]
    fn wins_losses_and_ties_are_all_faults(blocks in blocks()) {
        let table = win_table(&blocks, Better::Smaller).unwrap();
        for (left, right) in [(0, 1), (0, 2), (1, 2)] {
            let ties = blocks.iter().filter(|fault| fault[left] == fault[right]).count();
            let decided = table.wins(left, right) + table.wins(right, left);
            prop_assert_eq!(decided + ties, table.faults);
        }
    }
}
