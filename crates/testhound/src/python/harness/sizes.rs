//! Sizes of action classes, kept in a file from run to run: `sizes.json` in the run folder, or wherever a project keeps it.
//!
//! Classes are known by their text, so that estimates survive changes of the harness and of the subject.

use super::{Campaign, Rounds};
use crate::exit::Failed;
use crate::generate::folder::pretty;
use crate::written::write_text;
use engine::actions::SizeEstimate;
use std::collections::BTreeMap;

/// The sizes that the user gave, or those of an earlier sitting of this run; nothing if there are none.
pub fn known(campaign: &Campaign<'_>) -> Result<Option<Vec<f64>>, Failed> {
    let own = campaign.out.join("sizes.json");
    let given = campaign.plan.options.sizes.clone();
    let Some(path) = given.or_else(|| own.is_file().then_some(own)) else {
        return Ok(None);
    };
    let broken =
        |cause: String| Failed::input(format!("cannot read `{}`: {cause}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
    let sizes: BTreeMap<String, SizeEstimate> =
        serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    let classes = campaign.target.harness.classes.iter();
    let of = |text: &String| sizes.get(text).map_or(0.0, SizeEstimate::mean);
    Ok(Some(classes.map(|class| of(&class.text)).collect()))
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
    write_text(&campaign.out.join("sizes.json"), &pretty(&sizes))
}
