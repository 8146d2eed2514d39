//! Sizes of action classes, kept in a file from run to run: `sizes.json` in the run folder, or wherever a project keeps it.
//!
//! Classes are known by their text, so that estimates survive changes of the harness and of the subject. A file `NAME.sizes.json` beside
//! the harness is used without being asked for: so a project ships its estimates.

use super::{Campaign, Plan, Rounds, worker_failed};
use crate::cli::{Share, SizeOf};
use crate::exit::{Failed, told};
use crate::generate::folder::pretty;
use crate::written::write_text;
use engine::actions::SizeEstimate;
use jvm::discovery::Changes;
use python::harness::HarnessTarget;
use python::session::Session;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The share of the budget in which sizes are sampled, unless the user says how much.
const SAMPLING: f64 = 0.1;
/// The longest sampling phase then: all classes of the paper's subjects could be sampled several times within it.
const LONGEST_SAMPLING: Duration = Duration::from_secs(120);

/// The share of the budget in which sizes are sampled.
pub fn sampling(asked: Option<Share>, time: Option<Duration>) -> f64 {
    match (asked, time) {
        (Some(share), _) => share.fraction(),
        (None, Some(time)) => {
            SAMPLING.min(LONGEST_SAMPLING.as_secs_f64() / time.as_secs_f64().max(1e-9))
        }
        (None, None) => SAMPLING,
    }
}

/// The lines that changed since the revision that the user named.
pub fn changes(plan: &Plan, target: &HarnessTarget) -> Result<Option<Changes>, Failed> {
    let Some(revision) = &plan.since else {
        return Ok(None);
    };
    let changes = Changes::since(revision, target.folder());
    let changes = changes.map_err(|error| told(&error.to_string(), Failed::input))?;
    Ok(Some(changes))
}

/// How workers measure sizes.
pub fn sizing(campaign: &Campaign<'_>) -> Value {
    let by = match campaign.plan.options.size {
        None | Some(SizeOf::Lines | SizeOf::Static) => "lines",
        Some(SizeOf::Branches) => "branches",
        Some(SizeOf::Complexity) => "complexity",
    };
    let changes = campaign.changes.as_ref();
    // Files of the same name elsewhere have not changed.
    let top = campaign.target.folder().ancestors();
    let top = top.into_iter().find(|folder| folder.join(".git").exists());
    let whole = |path: &String| match top {
        Some(top) => top.join(path).to_string_lossy().into_owned(),
        None => path.clone(),
    };
    let files = changes.map(|changes| changes.files().iter());
    let changed: Option<BTreeMap<String, _>> =
        files.map(|files| files.map(|(path, lines)| (whole(path), lines)).collect());
    json!({"by": by, "changed": changed})
}

/// The sizes that the user gave or wants guessed, or those shipped with the harness, unless they are of something else or an earlier
/// sitting of this run sampled its own; nothing if there are none.
pub fn known(campaign: &Campaign<'_>, session: &mut Session) -> Result<Option<Vec<f64>>, Failed> {
    let options = &campaign.plan.options;
    if options.size == Some(SizeOf::Static) {
        let sizes = session.ask("static_sizes", &());
        return Ok(sizes.map_err(|error| worker_failed(&error))?.ok());
    }
    let shipped = campaign.target.file.with_extension("sizes.json");
    let usual = options.size.unwrap_or(SizeOf::Lines) == SizeOf::Lines
        && campaign.changes.is_none()
        && !own(campaign).is_file();
    let given = options.sizes.clone();
    let Some(path) = given.or_else(|| (usual && shipped.is_file()).then_some(shipped)) else {
        return Ok(None);
    };
    let sizes = read(campaign, &path)?;
    Ok(Some(sizes.iter().map(SizeEstimate::mean).collect()))
}

/// What an earlier sitting of this run sampled, which may have been interrupted while it did; empty if there is nothing.
pub fn sampled(campaign: &Campaign<'_>) -> Result<Vec<SizeEstimate>, Failed> {
    let own = own(campaign);
    match campaign.flags.resume && own.is_file() {
        true => read(campaign, &own),
        false => Ok(Vec::new()),
    }
}

/// Where a run keeps the sizes that it measured.
fn own(campaign: &Campaign<'_>) -> PathBuf {
    campaign.out.join("sizes.json")
}

/// The sizes in a file, class by class.
fn read(campaign: &Campaign<'_>, path: &Path) -> Result<Vec<SizeEstimate>, Failed> {
    let broken =
        |cause: String| Failed::input(format!("cannot read `{}`: {cause}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    let sizes: BTreeMap<String, SizeEstimate> =
        serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    let classes = campaign.target.harness.classes.iter();
    let of = |text: &String| sizes.get(text).copied().unwrap_or_default();
    Ok(classes.map(|class| of(&class.text)).collect())
}

/// Writes the sizes that were measured.
pub fn write(campaign: &Campaign<'_>, rounds: &Rounds) -> Result<(), Failed> {
    let sizes = rounds.run.sizes();
    if sizes.iter().all(|size| size.samples == 0) {
        return Ok(());
    }
    let classes = campaign.target.harness.classes.iter();
    let texts = classes.map(|class| class.text.clone());
    let sizes: BTreeMap<String, SizeEstimate> = texts.zip(sizes).collect();
    write_text(&own(campaign), &pretty(&sizes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_takes_a_tenth_of_the_budget_and_at_most_two_minutes_unless_asked() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(sampling(None, seconds(60)), 0.1);
        assert_eq!(sampling(None, seconds(3600)), 120.0 / 3600.0);
        assert_eq!(sampling(None, None), 0.1);
        let half = serde_json::from_value(json!(5000)).unwrap();
        assert_eq!(sampling(Some(half), seconds(3600)), 0.5);
    }
}
