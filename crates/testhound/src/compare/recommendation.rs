//! Which guide a comparison speaks for, and against which of the others it is significantly better.
//!
//! The guide that covers most on average is compared with every other one. Differences are tested over the medians of units by Wilcoxon's signed-rank
//! test, so that every class counts the same; where units are few, over runs by Mann and Whitney's test. Nobody named the best guide
//! before, so p-values are corrected by Holm's method for all pairs of guides, not only for those with the best one.

use report::compare::{Beaten, Best, ComparedUnit};
use report::number::p_value;
use stats::{holm, mann_whitney, mean, vargha_delaney, wilcoxon_signed_rank};

/// Fewer units than these tell little: the differences of five can never be significant, those of nine hardly among several guides.
const FEW: usize = 10;

/// p-values below this are significant.
const ALPHA: f64 = 0.05;

/// One guide against another.
struct Pair {
    p: f64,
    /// Whether the first one is ahead.
    ahead: bool,
}

/// The guide that covers most, the first of equals; nothing where all cover the same. `shares` are those of the runs of each guide.
pub fn best(guides: &[String], units: &[ComparedUnit], shares: &[Vec<f64>]) -> Option<Best> {
    let by_units = units.len() >= FEW;
    let samples: Vec<Vec<f64>> = if by_units {
        let of = |number: usize| units.iter().map(|unit| unit.medians[number]).collect();
        (0..guides.len()).map(of).collect()
    } else {
        shares.to_vec()
    };
    let means: Vec<f64> = samples
        .iter()
        .map(|sample| mean(sample).unwrap_or(0.0))
        .collect();
    let most = means.iter().copied().fold(0.0, f64::max);
    let best = means.iter().position(|mean| *mean == most)?;
    if means.iter().all(|mean| *mean == most) {
        return None;
    }
    let others = corrected(&samples, by_units)
        .into_iter()
        .filter_map(|((one, two), pair)| {
            let (other, ahead) = match (one == best, two == best) {
                (true, _) => (two, pair.ahead),
                (_, true) => (one, !pair.ahead),
                _ => return None,
            };
            Some(Beaten {
                guide: guides[other].clone(),
                p: pair.p,
                significant: ahead && pair.p < ALPHA,
            })
        });
    Some(Best {
        guide: guides[best].clone(),
        over: if by_units { "units" } else { "runs" }.to_owned(),
        others: others.collect(),
    })
}

/// All pairs of guides by their numbers, with corrected p-values.
fn corrected(samples: &[Vec<f64>], by_units: bool) -> Vec<((usize, usize), Pair)> {
    let numbers = 0..samples.len();
    let pairs: Vec<(usize, usize)> = numbers
        .clone()
        .flat_map(|one| (one + 1..numbers.end).map(move |two| (one, two)))
        .collect();
    let mut tested: Vec<Pair> = pairs
        .iter()
        .map(|&(one, two)| pair(&samples[one], &samples[two], by_units))
        .collect();
    let raw: Vec<f64> = tested.iter().map(|pair| pair.p).collect();
    let adjusted = holm(&raw).expect("p-values are between 0 and 1");
    for (pair, p) in tested.iter_mut().zip(adjusted) {
        pair.p = p;
    }
    pairs.into_iter().zip(tested).collect()
}

/// What cannot be tested is not significant.
fn pair(one: &[f64], two: &[f64], by_units: bool) -> Pair {
    let tested = if by_units {
        wilcoxon_signed_rank(one, two)
            .ok()
            .map(|test| (test.p, test.w_plus > test.w_minus))
    } else {
        let ahead = vargha_delaney(one, two).is_ok_and(|a12| a12 > 0.5);
        mann_whitney(one, two).ok().map(|test| (test.p, ahead))
    };
    let (p, ahead) = tested.unwrap_or((1.0, false));
    Pair { p, ahead }
}

/// The advice for people; `first` is the guide that was named first, which is most often the simplest.
pub fn advice(best: Option<&Best>, first: &str) -> String {
    let Some(best) = best else {
        return format!("nothing speaks against `{first}`: no guide covers more than another");
    };
    let Best {
        guide,
        over,
        others,
    } = best;
    let (beaten, close): (Vec<&Beaten>, Vec<&Beaten>) =
        others.iter().partition(|other| other.significant);
    let mut text = match (beaten.as_slice(), close.as_slice()) {
        ([], close) => format!(
            "over {over} `{guide}` covers most, but not significantly more than {}",
            list(close, "or")
        ),
        (beaten, []) => format!(
            "use `{guide}`: over {over} it covers most, significantly more than {}",
            list(beaten, "and")
        ),
        (beaten, close) => format!(
            "use `{guide}`: over {over} it covers most, significantly more than {}, but not than {}",
            list(beaten, "and"),
            list(close, "or")
        ),
    };
    if close.iter().any(|other| other.guide == first) || (guide == first && beaten.is_empty()) {
        text += &format!("; nothing speaks against `{first}`");
    }
    if others.len() > 1 {
        text += " (p corrected for all pairs of guides)";
    }
    text
}

fn list(others: &[&Beaten], last: &str) -> String {
    let names: Vec<String> = others
        .iter()
        .map(|other| format!("`{}` (p {})", other.guide, p_value(other.p)))
        .collect();
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, before)) => format!("{} {last} {end}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(guides: &[&str]) -> Vec<String> {
        guides.iter().map(|one| (*one).to_owned()).collect()
    }

    /// Units with a median for each guide.
    fn units<const N: usize>(count: u32, medians: impl Fn(f64) -> [f64; N]) -> Vec<ComparedUnit> {
        let unit = |number: u32| ComparedUnit {
            name: format!("C{number}"),
            total: 10,
            means: Vec::new(),
            medians: medians(f64::from(number)).to_vec(),
            tests: Vec::new(),
        };
        (0..count).map(unit).collect()
    }

    fn significant(best: &Best) -> Vec<(&str, bool)> {
        let others = best.others.iter();
        others
            .map(|other| (other.guide.as_str(), other.significant))
            .collect()
    }

    #[test]
    fn the_best_guide_over_units_is_told_against_every_other_one() {
        // The second is a little ahead of the first everywhere, the third ahead of it in every other class by nearly nothing.
        let units = units(12, |number| {
            let sign = if number % 2.0 == 0.0 { 1.2 } else { -1.0 };
            let second = 0.5 + number / 100.0;
            [
                second - 0.01 - number / 1000.0,
                second,
                second - sign * (number + 1.0) / 1e4,
            ]
        });
        let guides = names(&["random", "grt", "grt-detective"]);
        let best = best(&guides, &units, &[]).unwrap();
        assert_eq!((best.guide.as_str(), best.over.as_str()), ("grt", "units"));
        assert_eq!(
            significant(&best),
            [("random", true), ("grt-detective", false)]
        );
        // Twelve differences with one sign have p = 2/2^12, the smallest of three.
        assert!((best.others[0].p - 3.0 * 2.0 / 4096.0).abs() < 1e-12);
        let advice = advice(Some(&best), "random");
        let start = "use `grt`: over units it covers most, significantly more than `random` (p 0.001), but not than `grt-detective`";
        assert!(advice.starts_with(start), "{advice}");
        assert!(!advice.contains("nothing speaks against"), "{advice}");
    }

    #[test]
    fn what_is_significant_alone_may_not_be_among_many() {
        // Of five runs against three without overlap p is 2 of the 56 ways to place three among eight.
        let far = |base: f64, runs: u32| -> Vec<f64> {
            (0..runs).map(|run| base + f64::from(run) / 100.0).collect()
        };
        let two = [far(0.1, 3), far(0.5, 5)];
        let alone = best(&names(&["a", "b"]), &[], &two).unwrap();
        assert_eq!(alone.over, "runs");
        assert!((alone.others[0].p - 2.0 / 56.0).abs() < 1e-12);
        assert_eq!(significant(&alone), [("a", true)]);
        let three = [far(0.1, 3), far(0.5, 5), far(0.1, 3)];
        let among = best(&names(&["a", "b", "c"]), &[], &three).unwrap();
        assert_eq!(significant(&among), [("a", false), ("c", false)]);
        assert!((among.others[0].p - 3.0 * 2.0 / 56.0).abs() < 1e-12);
        let advice = advice(Some(&among), "a");
        assert!(
            advice.starts_with("over runs `b` covers most, but not significantly more than `a` (p 0.107) or `c` (p 0.107); nothing speaks against `a`"),
            "{advice}"
        );
    }

    #[test]
    fn the_first_guide_may_be_the_best() {
        let units = units(10, |number| [0.6 + number / 100.0, 0.5]);
        let best = best(&names(&["random", "loc"]), &units, &[]).unwrap();
        assert_eq!(significant(&best), [("loc", true)]);
        assert_eq!(
            advice(Some(&best), "random"),
            "use `random`: over units it covers most, significantly more than `loc` (p 0.002)"
        );
    }

    #[test]
    fn of_guides_that_cover_the_same_none_is_best() {
        let same = [vec![0.5, 0.5], vec![0.5, 0.5]];
        let best = best(&names(&["random", "grt"]), &[], &same);
        assert_eq!(best, None);
        let advice = advice(best.as_ref(), "random");
        assert!(advice.starts_with("nothing speaks against `random`"));
    }
}
