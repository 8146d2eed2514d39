//! Scales: from values to positions, with ticks at nice numbers.
//!
//! Ticks are 1, 2 or 5 times a power of ten. A scale never fails: without usable values it spans 0 to 1 (or 1 to 10), and a
//! single value gets some room on both sides.

use crate::number;

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart; only positive values can be shown.
    Log,
}

/// A scale from a range of values to a range of positions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    spacing: Spacing,
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// The value it stands at.
    pub value: f64,
    /// Its text.
    pub label: String,
}

/// Whether to round the ends of a scale outwards to ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Round to nice numbers.
    Nice,
    /// Keep the smallest and largest value.
    Exact,
}

impl Scale {
    /// A scale that shows all usable `values`, running from position `start` to `end`.
    pub fn new(spacing: Spacing, ends: Ends, values: &[f64], start: f64, end: f64) -> Self {
        let usable = values
            .iter()
            .copied()
            .filter(|&value| Self::shows(spacing, value));
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = widen(spacing, low, high);
        let (low, high) = match (ends, spacing) {
            (Ends::Exact, _) => (low, high),
            (Ends::Nice, Spacing::Linear) => {
                let step = nice_step(high - low, 5.0);
                (
                    (low / step + 1e-9).floor() * step,
                    (high / step - 1e-9).ceil() * step,
                )
            }
            (Ends::Nice, Spacing::Log) => (nice_below(low), nice_above(high)),
        };
        Self {
            spacing,
            low,
            high,
            start,
            end,
        }
    }

    /// Whether a value can stand on an axis of this spacing. Differences of larger values could overflow.
    pub fn shows(spacing: Spacing, value: f64) -> bool {
        value.abs() <= 1e300 && (spacing == Spacing::Linear || value > 0.0)
    }

    /// The position of a value; values outside the range are put at its ends.
    pub fn position(&self, value: f64) -> f64 {
        let share = match self.spacing {
            Spacing::Linear => (value - self.low) / (self.high - self.low),
            Spacing::Log => {
                let low = self.low.ln();
                (value.max(f64::MIN_POSITIVE).ln() - low) / (self.high.ln() - low)
            }
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Whether the value lies within the range.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// About `wanted` ticks within the range.
    pub fn ticks(&self, wanted: f64) -> Vec<Tick> {
        if self.spacing == Spacing::Log && self.high / self.low >= 8.0 {
            return self.log_ticks(wanted);
        }
        let step = nice_step(self.high - self.low, wanted);
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let count = (last - first).clamp(0.0, 1000.0) as u32;
        let values = (0..=count).map(|index| (first + f64::from(index)) * step);
        let ticks: Vec<Tick> = values
            .map(|value| Tick {
                value,
                label: self.label(value, decimals),
            })
            .collect();
        let distinct = ticks.windows(2).all(|pair| pair[0].label != pair[1].label);
        if distinct {
            return ticks;
        }
        // A short range of large numbers: their difference shows only when they are written out.
        let written = |tick: Tick| Tick {
            label: number::fixed(tick.value, decimals),
            ..tick
        };
        ticks.into_iter().map(written).collect()
    }

    fn label(&self, value: f64, decimals: usize) -> String {
        let size = value.abs();
        if size != 0.0 && self.high.abs().max(self.low.abs()) >= 10_000.0 {
            return thousands(value);
        }
        if size != 0.0 && size < 1e-4 {
            return number::significant(value, 2);
        }
        number::fixed(value, decimals)
    }

    fn log_ticks(&self, wanted: f64) -> Vec<Tick> {
        let (first, last) = (
            (self.low.log10() - 1e-9).floor() as i32,
            (self.high.log10() + 1e-9).ceil() as i32,
        );
        let decades = self.high.log10() - self.low.log10();
        let every = (decades / wanted).ceil().max(1.0) as i32;
        let factors: &[f64] = if decades * 3.0 <= wanted * 1.6 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
        let values = powers.flat_map(|power| {
            factors
                .iter()
                .map(move |factor| factor * power_of_ten(power))
        });
        let margin = 1e-9;
        let inside = values.filter(|value| {
            (self.low * (1.0 - margin)..=self.high * (1.0 + margin)).contains(value)
        });
        inside
            .map(|value| Tick {
                value,
                label: log_label(value),
            })
            .collect()
    }
}

/// Room around a range that is empty or a single value.
fn widen(spacing: Spacing, low: f64, high: f64) -> (f64, f64) {
    match spacing {
        Spacing::Linear if low > high => (0.0, 1.0),
        Spacing::Log if low > high => (1.0, 10.0),
        Spacing::Linear if high - low <= low.abs() * 1e-12 => {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
            (low - room, high + room)
        }
        Spacing::Log if high / low <= 1.0 + 1e-12 => (low / 2.0, high * 2.0),
        _ => (low, high),
    }
}

/// 1, 2 or 5 times a power of ten, so that `span` holds about `wanted` of it.
fn nice_step(span: f64, wanted: f64) -> f64 {
    let raw = (span / wanted).max(f64::MIN_POSITIVE);
    let power = raw.log10().floor();
    let base = 10f64.powf(power);
    let factor = match raw / base {
        share if share <= 1.0 + 1e-9 => 1.0,
        share if share <= 2.0 + 1e-9 => 2.0,
        share if share <= 5.0 + 1e-9 => 5.0,
        _ => 10.0,
    };
    factor * base
}

fn nice_below(value: f64) -> f64 {
    let power = (value.log10() + 1e-9).floor() as i32;
    let candidates = [5.0, 2.0, 1.0].map(|factor| factor * power_of_ten(power));
    candidates
        .into_iter()
        .find(|candidate| *candidate <= value * (1.0 + 1e-9))
        .unwrap_or(value)
}

fn nice_above(value: f64) -> f64 {
    let power = (value.log10() - 1e-9).floor() as i32;
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power_of_ten(power));
    candidates
        .into_iter()
        .find(|candidate| *candidate >= value * (1.0 - 1e-9))
        .unwrap_or(value)
}

/// Exact where a power of ten is: `powi` of 0.1 would give 0.0010000000000000002.
fn power_of_ten(power: i32) -> f64 {
    if power < 0 {
        1.0 / 10f64.powi(-power)
    } else {
        10f64.powi(power)
    }
}

fn log_label(value: f64) -> String {
    if value >= 10_000.0 {
        return thousands(value);
    }
    if value < 1e-4 {
        return format!("{value:.0e}");
    }
    let decimals = (-(value.log10() + 1e-9).floor()).max(0.0) as usize;
    number::fixed(value, decimals)
}

/// 10k, 2.5M, 1G: long axes have no room for zeros.
fn thousands(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    if value.abs() >= 1e13 {
        return format!("{value:.0e}");
    }
    let (unit, suffix) = units
        .into_iter()
        .find(|(unit, _)| value.abs() >= *unit)
        .unwrap_or((1.0, ""));
    let text = number::fixed(value / unit, 2);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(spacing: Spacing, values: &[f64]) -> Vec<String> {
        let scale = Scale::new(spacing, Ends::Nice, values, 0.0, 100.0);
        scale
            .ticks(5.0)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn linear_ticks_are_nice_numbers() {
        assert_eq!(
            labels(Spacing::Linear, &[0.0, 1.0]),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            labels(Spacing::Linear, &[0.63, 1.27]),
            ["0.6", "0.8", "1.0", "1.2", "1.4"]
        );
        assert_eq!(
            labels(Spacing::Linear, &[0.0, 100_000.0]),
            ["0", "20k", "40k", "60k", "80k", "100k"]
        );
        assert_eq!(
            labels(Spacing::Linear, &[0.0, 12_000.0]),
            ["0", "5k", "10k", "15k"]
        );
        assert_eq!(
            labels(Spacing::Linear, &[1e6, 1e6 + 4.0])[..2],
            ["1000000", "1000001"]
        );
        assert_eq!(
            labels(Spacing::Linear, &[-3.0, 4.0]),
            ["-4", "-2", "0", "2", "4"]
        );
    }

    #[test]
    fn log_ticks_are_powers_of_ten_or_one_two_five() {
        assert_eq!(
            labels(Spacing::Log, &[1.0, 1000.0]),
            ["1", "10", "100", "1000"]
        );
        assert_eq!(
            labels(Spacing::Log, &[0.3, 30.0]),
            ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]
        );
        assert_eq!(
            labels(Spacing::Log, &[1e-6, 1e-1]),
            ["1e-6", "1e-5", "0.0001", "0.001", "0.01", "0.1"]
        );
    }

    #[test]
    fn ends_of_a_log_scale_are_nice_numbers() {
        let scale = Scale::new(Spacing::Log, Ends::Nice, &[0.23, 7.0], 0.0, 100.0);
        assert_eq!((scale.low, scale.high), (0.2, 10.0));
    }

    #[test]
    fn positions_run_from_start_to_end_and_stay_inside() {
        let scale = Scale::new(Spacing::Log, Ends::Exact, &[1.0, 100.0], 10.0, 30.0);
        assert_eq!(
            [1.0, 10.0, 100.0, 1e9, 0.0].map(|value| scale.position(value)),
            [10.0, 20.0, 30.0, 30.0, 10.0]
        );
    }

    #[test]
    fn a_scale_exists_for_no_value_one_value_and_undefined_values() {
        for values in [
            &[][..],
            &[5.0],
            &[0.0],
            &[f64::NAN, f64::INFINITY],
            &[-1.0],
            &[1e-300, 1e300],
        ] {
            for spacing in [Spacing::Linear, Spacing::Log] {
                let scale = Scale::new(spacing, Ends::Nice, values, 0.0, 100.0);
                assert!(scale.low < scale.high, "{values:?} {spacing:?}");
                assert!(scale.position(1.0).is_finite());
                let ticks = scale.ticks(5.0);
                assert!(
                    !ticks.is_empty() && ticks.len() < 20,
                    "{values:?} {spacing:?}: {ticks:?}"
                );
            }
        }
    }
}
