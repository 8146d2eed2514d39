//! `compare --choose`: which guide a project should use from now on, written to `testhound.toml`.
//!
//! Source: Holmes et al., "Using Relative Lines of Code to Guide Automated Test Generation for Python", section 4: run `random`, `loc`,
//! `ga` and `swarm` ten times for a minute each. Where `loc` is better than `random`, combine it with those of the others that are;
//! otherwise take the best of all. Later runs measure coverage only if `ga` is chosen.
//!
//! What counts is the number of branch sides that all tests of a run cover, measured in the same way for every guide.
//!
//! Differences: where `loc` is not better, `ga` and `swarm` are not combined, because the paper has no data on that.

use super::measured::Measured;
use crate::exit::Failed;
use crate::settings::SettingsFile;
use crate::written::write_text;
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;

/// The guides that are compared; the first is the baseline.
pub const GUIDES: [&str; 4] = ["random", "loc", "ga", "swarm"];

/// Writes the guide that these runs speak for to the settings of a folder, and tells it with the place of the file.
pub fn choose(folder: &Path, runs: &[Vec<Measured>]) -> Result<(String, PathBuf), Failed> {
    let mean = |runs: &Vec<Measured>| {
        let sum: u64 = runs.iter().map(Measured::covered).sum();
        sum as f64 / runs.len().max(1) as f64
    };
    let means: Vec<f64> = runs.iter().map(mean).collect();
    let guide = decide(&means);
    let path = SettingsFile::place(folder).unwrap_or_else(|| folder.join("testhound.toml"));
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = settings(&before, &guide).ok_or_else(|| {
        let message = format!("`{}` is not valid, so it stays as it is", path.display());
        let wanted = format!("write `guide = \"{guide}\"` into its table `[harness]`");
        Failed::input(message).hint(&wanted)
    })?;
    write_text(&path, &text)?;
    Ok((guide, path))
}

/// The guide for these means of [`GUIDES`].
fn decide(means: &[f64]) -> String {
    let baseline = means.first().copied().unwrap_or(0.0);
    let named = || GUIDES.iter().zip(means);
    let helps = |name: &str| named().any(|(one, mean)| *one == name && *mean > baseline);
    if helps("loc") {
        let parts = GUIDES.into_iter().filter(|name| helps(name));
        return parts.collect::<Vec<_>>().join(",");
    }
    let mut best = (GUIDES[0], baseline);
    for (name, mean) in named() {
        if *mean > best.1 {
            best = (name, *mean);
        }
    }
    best.0.to_owned()
}

/// The text of the settings with this guide for harnesses, all else as it is; nothing if there is no place for it.
fn settings(before: &str, guide: &str) -> Option<String> {
    let mut document: DocumentMut = before.parse().ok()?;
    let harness = document.entry("harness").or_insert_with(toml_edit::table);
    let harness = harness.as_table_like_mut()?;
    harness.insert("guide", toml_edit::value(guide));
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_is_combined_where_lines_of_code_help() {
        assert_eq!(decide(&[10.0, 12.0, 9.0, 9.0]), "loc");
        assert_eq!(decide(&[10.0, 12.0, 11.0, 9.0]), "loc,ga");
        assert_eq!(decide(&[10.0, 12.0, 11.0, 13.0]), "loc,ga,swarm");
    }

    #[test]
    fn the_best_is_taken_where_lines_of_code_do_not_help() {
        assert_eq!(decide(&[10.0, 9.0, 11.0, 12.0]), "swarm");
        assert_eq!(decide(&[10.0, 10.0, 9.0, 10.0]), "random");
    }

    #[test]
    fn other_settings_stay_and_other_kinds_of_subjects_keep_their_guide() {
        let before = "guide = 'grt'\ntime = \"5s\"\n[module]\nguide = 'random'\n";
        let settings = |before, guide| settings(before, guide).unwrap();
        let first = settings(before, "loc,ga");
        assert_eq!(
            first,
            "guide = 'grt'\ntime = \"5s\"\n[module]\nguide = 'random'\n\n[harness]\nguide = \"loc,ga\"\n"
        );
        assert_eq!(settings(&first, "loc"), first.replace("loc,ga", "loc"));
        assert_eq!(settings("", "swarm"), "[harness]\nguide = \"swarm\"\n");
        let noted = "[harness] # of ours\nguide = 'ga' # for now\n[module]\nguide = 'grt'\n";
        assert_eq!(
            settings(noted, "loc"),
            "[harness] # of ours\nguide = \"loc\"\n[module]\nguide = 'grt'\n"
        );
    }

    #[test]
    fn every_way_to_write_the_table_is_understood_and_what_is_not_valid_stays() {
        for before in [
            "harness.guide = 'ga'\n",
            "harness = { guide = 'ga' }\n",
            "[ harness ]\n",
        ] {
            let after = settings(before, "loc").unwrap();
            let read: toml::Table = after.parse().unwrap();
            assert_eq!(read["harness"]["guide"].as_str(), Some("loc"), "{after}");
        }
        for wrong in ["harness = 1\n", "[harness\n"] {
            assert_eq!(settings(wrong, "loc"), None);
        }
    }
}
