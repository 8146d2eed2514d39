//! Tail probabilities of the distributions that tests refer to. The special functions come from
//! `statrs`; no other file of this crate touches it.
//!
//! Source: Press, Teukolsky, Vetterling and Flannery, "Numerical Recipes" (3rd edition, 2007),
//! section 6.14, for the tails of the t and F distributions as incomplete beta functions.
//!
//! Differences:
//! - The argument of the beta function is formed without subtracting from 1, so that small
//!   probabilities keep their digits.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::{beta, gamma};

/// Probability that a standard normal value is farther from 0 than `z`, on both sides; at most 1.
///
/// A negative `z`, which a continuity correction may give, means no distance at all.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

/// The value below which a standard normal value lies with probability `p`, strictly between 0 and
/// 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// Probability that a chi-square value exceeds `x`, for a finite `x` and `freedom` of at least 1.
pub(crate) fn chi_square_upper(x: f64, freedom: usize) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    gamma::gamma_ur(freedom as f64 / 2.0, x / 2.0).clamp(0.0, 1.0)
}

/// Probability that an F value exceeds `f`, for a finite `f` of at least 0 and degrees of freedom
/// of at least 1.
pub(crate) fn f_upper(f: f64, numerator: usize, denominator: usize) -> f64 {
    let (numerator, denominator) = (numerator as f64, denominator as f64);
    let share = denominator / (denominator + numerator * f);
    beta::beta_reg(denominator / 2.0, numerator / 2.0, share).clamp(0.0, 1.0)
}

/// Probability that a value of Student's t is farther from 0 than `t`, on both sides.
pub(crate) fn t_two_sided(t: f64, freedom: usize) -> f64 {
    f_upper(t * t, 1, freedom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::assert_close;

    #[test]
    fn normal_tails_match_scipy() {
        // SciPy 1.17.1: 2 * scipy.stats.norm.sf(z)
        let expected = [
            (0.0, 1.0),
            (0.5, 0.6170750774519738),
            (1.96, 0.04999579029644087),
            (3.0, 0.0026997960632601866),
            (6.0, 1.973175290075389e-09),
            (10.0, 1.523970604832094e-23),
            (30.0, 9.813427854295816e-198),
        ];
        for (z, p) in expected {
            assert_close(normal_two_sided(z), p);
        }
        assert_eq!(normal_two_sided(-0.2), 1.0);
    }

    #[test]
    fn normal_quantiles_match_scipy() {
        // SciPy 1.17.1: scipy.stats.norm.ppf(p)
        assert_close(normal_quantile(0.95), 1.6448536269514722);
        assert_close(normal_quantile(0.975), 1.959963984540054);
        assert_close(normal_quantile(0.995), 2.5758293035489004);
    }

    #[test]
    fn chi_square_tails_match_scipy() {
        // SciPy 1.17.1: scipy.stats.chi2.sf(x, df)
        let expected = [
            (0.0, 3, 1.0),
            (0.1, 1, 0.7518296340458492),
            (5.991, 2, 0.05001161502657909),
            (30.0, 2, 3.0590232050182594e-07),
            (200.0, 5, 2.8406228986415534e-41),
            (9.99, 10, 0.4413710601431128),
            (1000.0, 1000, 0.49405285382923964),
        ];
        for (x, freedom, p) in expected {
            assert_close(chi_square_upper(x, freedom), p);
        }
    }

    #[test]
    fn f_tails_match_scipy() {
        // SciPy 1.17.1: scipy.stats.f.sf(f, dfn, dfd)
        let expected = [
            (0.0, 2, 9, 1.0),
            (1.0, 1, 1, 0.5),
            (4.2564, 2, 9, 0.05000243415668697),
            (50.0, 3, 20, 1.7760683360454804e-09),
            (1000.0, 4, 100, 1.1425265790104745e-79),
            (1.0, 2, 5997, 0.36794077656076485),
            (1.0001, 3, 200_000, 0.39158123752026475),
        ];
        for (f, numerator, denominator, p) in expected {
            assert_close(f_upper(f, numerator, denominator), p);
        }
    }

    #[test]
    fn t_tails_match_scipy() {
        // SciPy 1.17.1: 2 * scipy.stats.t.sf(t, df)
        let expected = [
            (0.0, 5, 1.0),
            (1.0, 1, 0.5),
            (2.5, 9, 0.033861827682985735),
            (20.0, 9, 9.079521299916546e-09),
            (5.0, 1999, 6.233156383431681e-07),
            (1e-5, 3, 0.9999926489480612),
            (1.96, 1_000_000, 0.04999606758526985),
        ];
        for (t, freedom, p) in expected {
            assert_close(t_two_sided(t, freedom), p);
            assert_close(t_two_sided(-t, freedom), p);
        }
    }

    #[test]
    fn tails_of_extreme_statistics_are_probabilities() {
        for x in [1e-300, 1e10, 1e300] {
            for p in [
                chi_square_upper(x, 1),
                chi_square_upper(x, 400),
                f_upper(x, 1, 1),
                f_upper(x, 9, 100_000),
            ] {
                assert!((0.0..=1.0).contains(&p), "{x} gives {p}");
            }
        }
    }
}
