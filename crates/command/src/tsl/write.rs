//! Writes what TSL said as a specification of ours.

use super::parse::{Categories, Choice, Effects};
use crate::spec::is_reserved;
use engine::frames::Condition;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The text of the specification.
pub(super) fn toml(label: &Path, found: &Categories) -> String {
    let texts = found
        .categories
        .iter()
        .map(|category| category.name.as_str());
    let categories = names(texts, "category", &|name| is_reserved(name));
    let properties = found.properties.iter().map(String::as_str);
    let properties = property_names(properties, &categories);
    let file = label.file_name().unwrap_or_default().to_string_lossy();
    let args: Vec<String> = categories
        .iter()
        .map(|name| format!("\"{{{name}}}\""))
        .collect();
    let mut out = format!(
        "about = {}\n\n[run]\nprogram = \"echo\" # put the program under test here\nargs = [{}]\n",
        quoted(&format!("imported from {file}")),
        args.join(", ")
    );
    for (category, name) in found.categories.iter().zip(&categories) {
        write!(out, "\n[category.{name}]\n").expect("a string takes any text");
        let about = quoted(&category.name);
        writeln!(out, "about = {about}").expect("a string takes any text");
        let texts = category.choices.iter().map(|choice| choice.text.as_str());
        let choices = names(texts, "choice", &|_| false);
        for (choice, name) in category.choices.iter().zip(choices) {
            let entry = entry(choice, &found.properties, &properties);
            writeln!(out, "choice.{name} = {{ {entry} }}").expect("a string takes any text");
        }
    }
    out
}

fn entry(choice: &Choice, known: &[String], names: &[String]) -> String {
    let mut keys = vec![format!("literal = {}", quoted(&choice.text))];
    if let Some(condition) = &choice.condition {
        keys.push(format!(
            "if = {}",
            quoted(&condition_text(condition, names, 0))
        ));
    }
    keys.extend(effects(&choice.effects, known, names));
    if let Some(otherwise) = &choice.otherwise {
        let inner = effects(otherwise, known, names).join(", ");
        let gap = if inner.is_empty() { "" } else { " " };
        keys.push(format!("else = {{{gap}{inner}{gap}}}"));
    }
    keys.join(", ")
}

fn effects(effects: &Effects, known: &[String], names: &[String]) -> Vec<String> {
    let mut keys = Vec::new();
    if !effects.properties.is_empty() {
        let name = |property: &String| {
            let number = known.iter().position(|known| known == property);
            quoted(number.map_or(property, |number| &names[number]))
        };
        let list: Vec<String> = effects.properties.iter().map(name).collect();
        keys.push(format!("property = [{}]", list.join(", ")));
    }
    if effects.single {
        keys.push("single = true".to_owned());
    }
    if effects.error {
        keys.push("error = true".to_owned());
    }
    keys
}

/// A condition over properties in our spelling; `outer` is how tightly what stands around it binds.
fn condition_text(condition: &Condition, names: &[String], outer: u8) -> String {
    let joined = |parts: &[Condition], symbol: &str, binding: u8| {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| condition_text(part, names, binding))
            .collect();
        (parts.join(symbol), binding)
    };
    let (text, binding) = match condition {
        Condition::Property(property) => (names[usize::from(property.0)].clone(), 4),
        Condition::Not(inner) => (format!("!{}", condition_text(inner, names, 3)), 3),
        Condition::All(parts) => joined(parts, " && ", 2),
        Condition::Any(parts) => joined(parts, " || ", 1),
        // TSL has no other conditions, and its parser knows no categories.
        Condition::Is(..) | Condition::Present(_) => (String::new(), 4),
    };
    match binding < outer {
        true => format!("({text})"),
        false => text,
    }
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

/// Different names of ours for texts of TSL.
fn names<'t>(
    texts: impl Iterator<Item = &'t str>,
    what: &str,
    taken: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut names = Vec::new();
    let mut given = BTreeSet::new();
    let mut last_number: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts {
        let base = name_of(text, what);
        let mut name = base.clone();
        while taken(&name) || given.contains(&name) {
            let number = last_number.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}-{number}");
        }
        given.insert(name.clone());
        names.push(name);
    }
    names
}

/// Names for properties: their own, except where it is none of ours or a category has it.
fn property_names<'t>(
    properties: impl Iterator<Item = &'t str> + Clone,
    categories: &[String],
) -> Vec<String> {
    let own: Vec<&str> = properties.clone().collect();
    let mut names: Vec<String> = Vec::new();
    for property in properties {
        let fits = property.starts_with(|c: char| c.is_ascii_alphabetic());
        let free = |name: &String| {
            !categories.contains(name)
                && !names.contains(name)
                && (name == property || !own.contains(&name.as_str()))
        };
        let first = fits.then(|| property.to_owned());
        let numbered = (1..).map(|number| format!("property-{property}-{number}"));
        names.extend(first.into_iter().chain(numbered).find(free));
    }
    names
}

/// Letters and digits in lower case, everything else as single hyphens.
fn name_of(text: &str, what: &str) -> String {
    let mut name = String::new();
    for character in text.chars().take(60) {
        if character.is_ascii_alphanumeric() || character == '_' {
            name.push(character.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-');
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name.to_owned(),
        false => format!("{what}-{name}").trim_end_matches('-').to_owned(),
    }
}
