//! Options for harnesses.

use clap::{Args, ValueEnum};
use engine::actions::arms;
use engine::{Guide, TestKind};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

use super::parse_duration;

/// Options that only harnesses (`.tstl`) have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Options for harnesses")]
pub struct Harness {
    /// How many actions a test has [default: 100]
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
    /// How long one action may take [default: 1s of processor time, 5s of wall time]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub step_time: Option<Duration>,
    /// Sizes of action classes of an earlier run (its `sizes.json`), so that `loc` need not sample
    #[arg(long, value_name = "FILE")]
    pub sizes: Option<PathBuf>,
    /// The share of the budget in which `loc` samples sizes [default: 10%, at most two minutes]
    #[arg(long, value_name = "PERCENT", value_parser = parse_share)]
    #[serde(default)]
    pub sampling: Option<Share>,
    /// The guides that `ensemble` and `auto` share the budget among, separated by `;`; `auto` favours the first until another shows that it
    /// gains more [default: loc; ga; ga,loc; swarm,loc for `ensemble`, and also random and swarm for `auto`]
    #[arg(long, value_name = "GUIDES", value_delimiter = ';', value_parser = parse_arm)]
    #[serde(default)]
    pub arms: Vec<String>,
    /// What `loc` takes for the size of an action; with `--since`, only what changed in functions counts [default: lines]
    #[arg(long, value_name = "WHAT")]
    #[serde(default)]
    pub size: Option<SizeOf>,
    /// Measure coverage while tests run also where no guide, budget or stop rule needs it; without, what the suite covers is measured
    /// afterwards, by replaying tests
    #[arg(long, conflicts_with = "no_coverage")]
    #[serde(default)]
    pub coverage: bool,
    /// Measure coverage only where something needs it, also if `testhound.toml` says otherwise [default]
    #[arg(long)]
    #[serde(skip)]
    pub no_coverage: bool,
    /// Load the modules under test anew before every test, for subjects whose state outlives a test; without it, from when a test is seen
    /// to do something else in a fresh worker
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    #[serde(default)]
    pub reload: Option<Reload>,
}

/// When modules under test are loaded anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reload {
    /// Before every test
    Always,
    /// Never, whatever tests do
    Never,
}

/// A share, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share(u32);

impl Share {
    /// As a number from 0 to 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1e4
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", f64::from(self.0) / 100.0)
    }
}

fn parse_share(text: &str) -> Result<Share, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    match number.parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => {
            Ok(Share((percent * 100.0).round() as u32))
        }
        _ => Err(format!("`{text}` is no percentage from 0% to 100%")),
    }
}

/// A guide that is no mixture itself.
fn parse_arm(text: &str) -> Result<String, String> {
    let guide = Guide::parse(text.trim(), TestKind::Actions);
    let guide = guide.map_err(|error| error.to_string())?;
    if arms(guide.parts()).0.len() > 1 {
        return Err(format!("`{}` shares a budget itself", text.trim()));
    }
    Ok(text.trim().to_owned())
}

/// What is shown of the `log:` lines of harnesses.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Options for harnesses")]
pub struct Logging {
    /// Show what `log:` lines up to this level give in failing tests: a number, `all` or `none` [default: 0, the level of lines that name none]
    #[arg(long, value_name = "LEVEL", value_parser = parse_level, allow_hyphen_values = true)]
    log: Option<LogLevel>,
}

impl Logging {
    /// The highest level that is shown; nothing if none is.
    pub fn level(self) -> Option<i32> {
        self.log.map_or(Some(0), |level| level.0)
    }
}

/// The highest level that is shown, if any is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLevel(Option<i32>);

fn parse_level(text: &str) -> Result<LogLevel, String> {
    match text {
        "all" => Ok(LogLevel(Some(i32::MAX))),
        "none" => Ok(LogLevel(None)),
        text => match text.parse() {
            Ok(level) => Ok(LogLevel(Some(level))),
            Err(_) => Err(format!("`{text}` is no number, `all` or `none`")),
        },
    }
}

/// The size of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeOf {
    /// The source lines of all functions that it enters
    Lines,
    /// The sides of branches in these functions
    Branches,
    /// The cyclomatic complexity of these functions
    Complexity,
    /// The lines of functions whose names stand in it, without running anything
    Static,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        let share = |text| parse_share(text).unwrap();
        assert_eq!(share("10%").fraction(), 0.1);
        assert_eq!(share("2.5").to_string(), "2.5%");
        for wrong in ["101%", "-1%", "many", "NaN", ""] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn arms_are_guides_that_share_no_budget() {
        assert_eq!(parse_arm(" ga,loc").unwrap(), "ga,loc");
        assert_eq!(parse_arm("random").unwrap(), "random");
        for wrong in ["auto", "ensemble", "constants", "local"] {
            assert!(parse_arm(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn levels_are_numbers_all_or_none() {
        let level = |text| parse_level(text).unwrap().0;
        assert_eq!(level("3"), Some(3));
        assert_eq!(level("-1"), Some(-1));
        assert_eq!(level("all"), Some(i32::MAX));
        assert_eq!(level("none"), None);
        assert!(parse_level("loud").is_err());
        assert_eq!(Logging::default().level(), Some(0));
    }
}
