//! Statistics for comparing test generators: descriptive figures, rank tests, effect sizes,
//! corrections and the effectiveness measures of random testing. Plain numbers in, plain numbers
//! out.
//!
//! This crate reads no file, no clock and no global randomness, and it renders nothing. Every
//! function says what it needs; a figure that does not exist for the given numbers is an
//! [`Undefined`], never a NaN and never a panic.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod check;
mod undefined;

mod descriptive;
mod quantile;

mod box_summary;
mod interval;

mod splitmix;

mod bootstrap;

mod ranks;

mod null_distribution;
mod tail;

mod mann_whitney;
mod vargha_delaney;
mod wilcoxon;

mod friedman;
mod kruskal_wallis;

mod anova;
mod paired_t;

mod holm;

mod f_measure;
mod p_measure;
mod win_table;

#[cfg(test)]
mod reference;

pub use anova::{Anova, one_way_anova};
pub use bootstrap::{Bootstrap, bootstrap_interval};
pub use box_summary::{BoxSummary, WHISKER_REACH, box_summary};
pub use descriptive::{geometric_mean, mean, standard_deviation, variance};
pub use f_measure::{FCount, FMeasure, f_measure, f_ratio};
pub use friedman::{Friedman, friedman};
pub use holm::holm;
pub use interval::{Interval, mean_interval, share_interval};
pub use kruskal_wallis::{KruskalWallis, kruskal_wallis};
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use null_distribution::{EXACT_BELOW, NullDistribution};
pub use p_measure::{PMeasure, p_measure_area, p_measure_sizes, p_measures};
pub use paired_t::{PairedT, paired_t};
pub use quantile::{median, quantile};
pub use ranks::{Ranks, ranks};
pub use splitmix::SplitMix64;
pub use undefined::Undefined;
pub use vargha_delaney::vargha_delaney;
pub use wilcoxon::{Wilcoxon, wilcoxon_signed_rank};
pub use win_table::{Better, WinTable, win_table};
