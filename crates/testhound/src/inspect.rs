//! `testhound inspect` and `testhound import`: frames of inputs and of specifications, and specifications of other tools.

use crate::cli::{Import, Inspect};
use crate::exit::{Exit, Failed};
use crate::generate::folder::pretty;
use crate::setup::load_spec;
use crate::written::write_text;
use command::classify::{Classified, classify};
use command::pool;
use command::spec::Spec;
use command::{Input, tsl};
use serde::Serialize;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The most frames that are counted one by one where the number cannot be computed.
pub const COUNT_LIMIT: u64 = 10_000_000;

/// One category of an inspected input.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Found<'a> {
    category: &'a str,
    choice: &'a str,
    text: Option<&'a str>,
}

/// Runs the subcommand.
pub fn inspect(flags: &Inspect) -> anyhow::Result<Exit> {
    let spec = load_spec(&flags.spec)?;
    if flags.frames {
        return crate::print_bytes(frames(&spec, flags.limit, flags.json).as_bytes());
    }
    if let Some(folder) = &flags.pool {
        return crate::print_bytes(choice_counts(&spec, folder)?.as_bytes());
    }
    let mut stdin = Vec::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin().read_to_end(&mut stdin)?;
    }
    let input = Input {
        args: flags.input.clone(),
        stdin,
        ..Input::default()
    };
    let classified = classify(&spec, &input);
    if classified.unmatched {
        eprintln!(
            "warning: part of this input fits no template of `[run]`; `?` marks what cannot be told"
        );
    }
    let found = found(&spec, &classified);
    let text = if flags.json {
        pretty(&found)
    } else {
        let width = found
            .iter()
            .map(|found| found.category.len())
            .max()
            .unwrap_or(0);
        let line = |found: &Found<'_>| {
            let text = found
                .text
                .map(|text| format!("  {text:?}"))
                .unwrap_or_default();
            format!("{:width$}  {}{text}\n", found.category, found.choice)
        };
        found.iter().map(line).collect()
    };
    crate::print_bytes(text.as_bytes())
}

fn found<'a>(spec: &'a Spec, classified: &'a Classified) -> Vec<Found<'a>> {
    let categories = spec.space.categories.iter().enumerate();
    categories
        .map(|(index, category)| Found {
            category: &category.name,
            choice: if classified.unknown.contains(&index)
                || classified.unmatched && classified.fields.0[index].is_none()
            {
                "?"
            } else {
                spec.space.choice_name(index, classified.frame.0[index])
            },
            text: classified.fields.0[index].as_deref(),
        })
        .collect()
}

/// The number of frames, and the first of them.
fn frames(spec: &Spec, limit: u64, json: bool) -> String {
    let mut listed = Vec::new();
    if limit > 0 {
        spec.space.enumerate(&mut |frame| {
            listed.push(spec.space.describe(&frame.0));
            (listed.len() as u64) < limit
        });
    }
    let count = spec.space.count(COUNT_LIMIT);
    let more = if count.more { "more than " } else { "" };
    if json {
        let total = count.total().to_string();
        return pretty(
            &serde_json::json!({ "total": total, "exact": !count.more, "frames": listed }),
        );
    }
    let mut text: String = listed.iter().map(|frame| format!("{frame}\n")).collect();
    text.push_str(&format!(
        "{more}{} frames: {} normal, {} single, {} error\n",
        count.total(),
        count.normal,
        count.single,
        count.error
    ));
    text
}

/// How often each choice occurs in a folder of inputs.
fn choice_counts(spec: &Spec, folder: &Path) -> Result<String, Failed> {
    let inputs = pool::load(spec, folder).map_err(|error| Failed::input(error.to_string()))?;
    let mut text = format!("{} inputs\n", inputs.len());
    for (index, category) in spec.space.categories.iter().enumerate() {
        text.push_str(&format!("{}\n", category.name));
        for choice in 0..=category.choices.len() as u16 {
            let count = inputs
                .iter()
                .filter(|input| input.frame.0[index] == choice)
                .count();
            text.push_str(&format!(
                "  {:>8}  {}\n",
                count,
                spec.space.choice_name(index, choice)
            ));
        }
    }
    Ok(text)
}

/// Turns a TSL file into our TOML.
pub fn import(flags: &Import) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(&flags.file).map_err(|error| {
        Failed::input(format!("cannot read `{}`: {error}", flags.file.display()))
    })?;
    let toml = tsl::import(&flags.file, &text)
        .map_err(|errors| Failed::input(errors.to_string().trim_end()))?;
    match &flags.out {
        None => crate::print_bytes(toml.as_bytes()),
        Some(path) => {
            write_text(path, &toml)?;
            Ok(Exit::Clean)
        }
    }
}
