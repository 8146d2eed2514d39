//! What can be seen without sampling: categories that stand nowhere, properties that nobody asks for, helper commands whose
//! output cannot be told.

use super::{Linting, Severity, uses_helper};
use crate::classify::uses;
use crate::generate::{Bound, Generator};
use crate::spec::Spec;
use engine::frames::PropertyId;

impl Linting<'_> {
    pub(super) fn structure(&mut self) {
        self.unused();
        self.unasked();
        self.helpers_without_match();
    }

    fn unused(&mut self) {
        let uses = uses(self.spec);
        let (in_texts, in_bounds) = references(self.spec);
        for category in 0..self.spec.categories.len() {
            let entry = &self.spec.categories[category];
            let findable =
                uses[category] > 0 || entry.from.is_some() || self.spec.is_read_off(category);
            if findable || in_texts[category] {
                continue;
            }
            self.nowhere[category] = true;
            let name = self.named(category, 0);
            let (message, hint) = match in_bounds[category] {
                true => (
                    format!(
                        "the text of {name} cannot be found in an input: it stands in no template"
                    ),
                    "put it into a template of `[run]`",
                ),
                false => (
                    format!("{name} changes nothing: it stands in no template"),
                    "put it into a template of `[run]`, or make it `derived`",
                ),
            };
            self.add(Severity::Warning, (category, 0), message)
                .hint(hint);
        }
    }

    /// Properties that choices bring but no condition asks for.
    fn unasked(&mut self) {
        let space = &self.spec.space;
        let mut asked = vec![false; space.properties.len()];
        let mut ask = |property: PropertyId| asked[usize::from(property.0)] = true;
        for category in &space.categories {
            let choices = category.choices.iter().map(|choice| &choice.condition);
            for condition in choices.chain([&category.condition]).flatten() {
                condition.visit(&mut |_, _| {}, &mut ask);
            }
        }
        for (property, name) in space.properties.iter().enumerate() {
            if asked[property] {
                continue;
            }
            let place = bringer(self.spec, property as u16);
            let message = format!("no condition asks for the property `{name}`");
            if let Some(place) = place {
                self.add(Severity::Warning, place, message);
            }
        }
    }

    fn helpers_without_match(&mut self) {
        for category in 0..self.spec.categories.len() {
            let choices = self.spec.categories[category].choices.iter();
            let wrong = (1..).zip(choices).filter(|(_, choice)| {
                choice.matches.is_none() && choice.generator.as_ref().is_some_and(uses_helper)
            });
            for (choice, _) in wrong {
                let name = self.named(category, choice);
                let message =
                    format!("what the helper of {name} prints cannot be told from other texts");
                self.add(Severity::Error, (category, choice), message)
                    .hint("say with `match` which texts belong to it");
            }
        }
    }
}

/// The first choice that brings a property.
fn bringer(spec: &Spec, property: u16) -> Option<(usize, u16)> {
    for (index, category) in spec.space.categories.iter().enumerate() {
        for (number, choice) in (1..).zip(&category.choices) {
            let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
            let mut effects = effects.into_iter().flatten();
            if effects.any(|effects| effects.properties.contains(&PropertyId(property))) {
                return Some((index, number));
            }
        }
    }
    None
}

/// For every category, whether it stands in the texts of others, and whether only their bounds depend on it.
fn references(spec: &Spec) -> (Vec<bool>, Vec<bool>) {
    let count = spec.categories.len();
    let (mut in_texts, mut in_bounds) = (vec![false; count], vec![false; count]);
    let choices = spec
        .categories
        .iter()
        .flat_map(|category| &category.choices);
    let generators = choices.filter_map(|choice| choice.generator.as_ref());
    for generator in generators.chain(&spec.input) {
        generator.visit(&mut |generator| {
            let bounds: [&Bound; 2] = match generator {
                Generator::Text(template) => {
                    template.fields().for_each(|field| in_texts[field] = true);
                    return;
                }
                Generator::Int(range) => [&range.low, &range.high],
                Generator::Float(range) => [&range.low, &range.high],
                Generator::Lines(lines) => [&lines.count.0, &lines.count.1],
                _ => return,
            };
            for bound in bounds {
                if let Bound::Expression(expression) = bound {
                    let fields = expression.fields().iter();
                    fields.for_each(|field| in_bounds[*field] = true);
                }
            }
        });
    }
    (in_texts, in_bounds)
}
