//! Reads `[category.NAME]`: its entry in the frame space, and what the space does not need.

use super::condition::{Earlier, parse_condition};
use super::generator::{NoGenerator, no_generator, read_generator};
use super::model::{CategorySpec, ChoiceSpec, From};
use super::outline::{Outline, check_name, is_name};
use super::pattern::compile_bytes_regex;
use super::place::Fault;
use super::reader::{Entry, Problems, TableReader};
use crate::expression::{Expression, Stage};
use engine::frames::{Category, Choice, ChoiceKind, Condition, Effects, PropertyId};
use std::collections::BTreeMap;

/// The most choices of one category.
pub const MAX_CHOICES: usize = 10_000;

/// The weight of a single or error choice where nothing is said: one in every category at full weight would leave few frames
/// without.
const SPECIAL_WEIGHT: f64 = 0.1;

/// Reads categories one after the other, remembering the properties that earlier ones bring.
#[derive(Default)]
pub(super) struct CategoryReader {
    properties: BTreeMap<String, PropertyId>,
}

impl CategoryReader {
    pub fn read(
        &mut self,
        here: usize,
        entry: &Entry<'_>,
        outline: &mut Outline,
        problems: &mut Problems<'_>,
    ) -> Option<(Category, CategorySpec)> {
        let title = format!("`[category.{}]`", entry.key);
        let mut table = entry.table(&title, problems)?;
        let about = table.get("about").and_then(|about| about.text(problems));
        let weight = table
            .get("weight")
            .and_then(|weight| weight.weight(problems));
        let derived = table.get("derived");
        let derived = derived
            .and_then(|derived| derived.boolean(problems))
            .unwrap_or(false);
        let from = table
            .get("from")
            .and_then(|from| read_from(&from, problems));
        let absent = table.get("absent");
        let condition = table.get("if");
        let mut reading = ChoiceReading {
            here,
            category: &entry.key,
            derived,
            properties: &self.properties,
            outline,
            problems,
        };
        let absent = absent.filter(|entry| reading.draws(entry));
        let condition = condition.filter(|entry| reading.draws(entry));
        let condition = condition.and_then(|condition| reading.condition(&condition));
        let absent = absent.and_then(|absent| absent.weight(reading.problems));
        let choices = reading.choices(&mut table);
        table.finish(problems);
        self.remember(&choices, outline);
        let (choices, specs) = choices.into_iter().unzip();
        let category = Category {
            name: entry.key.clone(),
            weight: weight.unwrap_or(1.0),
            absent: absent.unwrap_or(0.0),
            condition,
            derived: outline.read_off[here],
            choices,
        };
        let spec = CategorySpec {
            about: about.map_or_else(String::new, |about| about.text.to_owned()),
            derived,
            from,
            choices: specs,
            span: entry.key_span.clone(),
        };
        Some((category, spec))
    }

    fn remember(&mut self, choices: &[(Choice, ChoiceSpec)], outline: &Outline) {
        for (choice, _) in choices {
            let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
            for property in effects.into_iter().flatten().flat_map(|e| &e.properties) {
                let name = outline.properties[usize::from(property.0)].clone();
                self.properties.insert(name, *property);
            }
        }
    }
}

struct ChoiceReading<'r, 's> {
    here: usize,
    category: &'r str,
    derived: bool,
    properties: &'r BTreeMap<String, PropertyId>,
    outline: &'r mut Outline,
    problems: &'r mut Problems<'s>,
}

impl ChoiceReading<'_, '_> {
    fn choices(&mut self, table: &mut TableReader<'_>) -> Vec<(Choice, ChoiceSpec)> {
        let Some(choices) = table.get("choice") else {
            let fault = Fault::new(table.span.clone(), format!("{} has no choices", table.name));
            self.problems
                .add(fault.hint("add `choice.NAME = { literal = \"…\" }`"));
            return Vec::new();
        };
        let entries = choices.entries(self.problems);
        if entries.len() > MAX_CHOICES {
            let cause = format!("there are more than {MAX_CHOICES} choices");
            self.problems.at(&choices.key_span, cause);
            return Vec::new();
        }
        entries
            .iter()
            .filter_map(|entry| self.choice(entry))
            .collect()
    }

    fn choice(&mut self, entry: &Entry<'_>) -> Option<(Choice, ChoiceSpec)> {
        check_name("choice", entry, self.problems);
        let title = format!("choice `{}` of `{}`", entry.key, self.category);
        let mut table = entry.table(&title, self.problems)?;
        let generator = read_generator(&mut table, self.outline, 1, self.problems);
        let missing = matches!(generator, Err(NoGenerator::Missing));
        let matches = table.get("match");
        if self.derived && !missing {
            let cause = format!("{title} has a generator, but its category is derived");
            let fault = Fault::new(entry.key_span.clone(), cause);
            self.problems
                .add(fault.hint("say with `match` which inputs belong to it"));
        }
        if missing && self.derived && matches.is_none() {
            let fault = Fault::new(entry.key_span.clone(), format!("{title} has no `match`"));
            self.problems
                .add(fault.hint("choices of a derived category are told by their `match`"));
        } else if missing && !(self.outline.read_off[self.here] && matches.is_some()) {
            no_generator(&table, self.problems);
        }
        let matches = matches.and_then(|matches| self.predicate(&matches));
        let choice = self.constraints(entry, &mut table);
        table.finish(self.problems);
        let spec = ChoiceSpec {
            generator: generator.ok(),
            matches,
            observed: Vec::new(),
            span: entry.key_span.clone(),
        };
        Some((choice, spec))
    }

    fn predicate(&mut self, entry: &Entry<'_>) -> Option<Expression> {
        let spot = entry.text(self.problems)?;
        match Expression::parse(spot.text, &self.outline.names(Stage::Finished)) {
            Ok(expression) => Some(expression),
            Err(fault) => {
                let fault = spot.lift(self.problems.source, fault);
                self.problems.add(fault);
                None
            }
        }
    }

    fn constraints(&mut self, entry: &Entry<'_>, table: &mut TableReader<'_>) -> Choice {
        let weight = table.get("weight").filter(|entry| self.draws(entry));
        let condition = table.get("if").filter(|entry| self.draws(entry));
        let otherwise = table.get("else").filter(|entry| self.draws(entry));
        if let (Some(otherwise), None) = (&otherwise, &condition) {
            let cause = "`else` has no meaning without `if`";
            self.problems.at(&otherwise.key_span, cause);
        }
        let effects = self.effects(table);
        let default = match effects.kind {
            ChoiceKind::Single | ChoiceKind::Error => SPECIAL_WEIGHT,
            ChoiceKind::Normal => 1.0,
        };
        let otherwise = otherwise.and_then(|otherwise| {
            let mut table = otherwise.table("`else`", self.problems)?;
            let effects = self.effects(&mut table);
            table.finish(self.problems);
            Some(effects)
        });
        Choice {
            name: entry.key.clone(),
            weight: weight
                .and_then(|weight| weight.weight(self.problems))
                .unwrap_or(default),
            condition: condition.and_then(|condition| self.condition(&condition)),
            effects,
            otherwise,
        }
    }

    fn effects(&mut self, table: &mut TableReader<'_>) -> Effects {
        let mut properties = Vec::new();
        if let Some(entry) = table.get("property").filter(|entry| self.draws(entry)) {
            for spot in entry.texts(self.problems) {
                properties.extend(self.property(spot.text, spot.span));
            }
        }
        let single = table.get("single").filter(|entry| self.draws(entry));
        let error = table.get("error");
        let error_span = error.as_ref().map(|error| error.key_span.clone());
        let single = single.and_then(|single| single.boolean(self.problems));
        let error = error.and_then(|error| error.boolean(self.problems));
        let kind = match (single.unwrap_or(false), error.unwrap_or(false)) {
            (true, true) => {
                let fault = Fault::new(error_span.unwrap_or_default(), "both `single` and `error`");
                self.problems
                    .add(fault.hint("an error choice is tried alone anyway; remove `single`"));
                ChoiceKind::Error
            }
            (true, false) => ChoiceKind::Single,
            (false, true) => ChoiceKind::Error,
            (false, false) => ChoiceKind::Normal,
        };
        Effects { properties, kind }
    }

    fn property(&mut self, name: &str, span: super::Span) -> Option<PropertyId> {
        let (cause, hint) = if !is_name(name) || ["and", "or", "not"].contains(&name) {
            (
                format!("`{}` is no name for a property", name.escape_debug()),
                "names start with a letter and hold letters, digits, `-` and `_`; `and`, `or` and `not` are taken",
            )
        } else if self.outline.categories.iter().any(|c| c == name) {
            (
                format!("the property `{name}` has the name of a category"),
                "conditions could not tell them apart; rename one",
            )
        } else {
            let position = self.outline.properties.iter().position(|p| p == name);
            return position.and_then(|p| u16::try_from(p).ok()).map(PropertyId);
        };
        self.problems.add(Fault::new(span, cause).hint(hint));
        None
    }

    fn condition(&mut self, entry: &Entry<'_>) -> Option<Condition> {
        let spot = entry.text(self.problems)?;
        let earlier = Earlier {
            categories: &self.outline.categories,
            choices: &self.outline.choices,
            read_off: &self.outline.read_off,
            here: self.here,
            properties: self.properties,
            all_properties: &self.outline.properties,
        };
        match parse_condition(spot.text, &earlier) {
            Ok(condition) => Some(condition),
            Err(fault) => {
                let fault = spot.lift(self.problems.source, fault);
                self.problems.add(fault);
                None
            }
        }
    }

    /// Whether the category is drawn; where it is not, reports a key that only matters for drawing.
    fn draws(&mut self, entry: &Entry<'_>) -> bool {
        if !self.outline.read_off[self.here] {
            return true;
        }
        let cause = format!(
            "`{}` has no meaning here: `{}` is read off the finished input",
            entry.key, self.category
        );
        let fault = Fault::new(entry.key_span.clone(), cause);
        self.problems
            .add(fault.hint("only `match` and `error` apply to it"));
        false
    }
}

fn read_from(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<From> {
    let mut table = entry.table("`from`", problems)?;
    let mut found = Vec::new();
    for key in ["arg", "after", "stdin", "file", "env"] {
        found.extend(table.get(key));
    }
    table.finish(problems);
    let [place] = found.as_slice() else {
        let fault = Fault::new(entry.span.clone(), "`from` must name exactly one place");
        problems.add(fault.hint("write `{ arg = 1 }`, `{ after = \"-d\" }`, `{ stdin = \"(regex)\" }`, `{ file = \"name\" }` or `{ env = \"NAME\" }`"));
        return None;
    };
    match place.key.as_str() {
        "arg" => {
            let number = place.whole(1, 1_000_000, problems)?;
            usize::try_from(number).ok().map(From::Arg)
        }
        "stdin" => {
            let spot = place.text(problems)?;
            match compile_bytes_regex(spot.text) {
                Ok(regex) if regex.captures_len() == 2 => return Some(From::Stdin(regex)),
                Ok(_) => problems.add(
                    Fault::new(
                        spot.span,
                        "this regular expression must have exactly one group",
                    )
                    .hint("put parentheses around the category's text, `(?:…)` elsewhere"),
                ),
                Err(fault) => problems.add(spot.lift(problems.source, fault)),
            }
            None
        }
        key => {
            let text = place.text(problems)?.text.to_owned();
            Some(match key {
                "after" => From::After(text),
                "file" => From::File(text),
                _ => From::Env(text),
            })
        }
    }
}
