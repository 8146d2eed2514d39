//! What can be said of a category before all texts are known, so that wrong assignments are left early.

use super::recogniser::Recogniser;
use crate::spec::{ChoiceSpec, Spec};
use engine::frames::{ABSENT, Category, ChoiceKind, Condition, FrameSpace, PropertyId};

/// Facts about every category.
pub(super) struct Early {
    /// For every category and choice, whether fitting depends on its own text and the input alone.
    pub free: Vec<Vec<bool>>,
    /// Whether the choice of a category can be told from its own text alone.
    pub settled: Vec<bool>,
    /// Whether the category has a choice that is possible wherever its own condition holds.
    pub always_possible: Vec<bool>,
    /// The categories that the condition of a category depends on; `None` where it cannot be told early.
    pub needs: Vec<Option<Vec<usize>>>,
    /// For every property, the choices that bring it.
    bringers: Vec<Vec<(usize, u16)>>,
}

impl Early {
    pub fn new(spec: &Spec, recognisers: &[Vec<Option<Recogniser<'_>>>]) -> Early {
        let space = &spec.space;
        let free: Vec<Vec<bool>> = spec
            .categories
            .iter()
            .zip(recognisers)
            .map(|(category, recognisers)| {
                let choices = category.choices.iter().zip(recognisers);
                choices
                    .map(|(choice, recogniser)| is_free(choice, recogniser.as_ref()))
                    .collect()
            })
            .collect();
        let settled: Vec<bool> = space
            .categories
            .iter()
            .zip(&free)
            .map(|(category, free)| free.iter().all(|free| *free) && is_plain(category))
            .collect();
        let bringers = bringers(space);
        let needs = (0..space.categories.len())
            .map(|category| needs(space, category, &settled, &bringers))
            .collect();
        let always_possible = space.categories.iter().map(is_always_possible).collect();
        Early {
            free,
            settled,
            always_possible,
            needs,
            bringers,
        }
    }

    /// Whether the condition of a category holds for the choices of the categories it needs.
    pub fn is_open(&self, space: &FrameSpace, category: usize, row: &[u16]) -> bool {
        let has = |property: PropertyId| {
            let bringers = &self.bringers[usize::from(property.0)];
            bringers
                .iter()
                .any(|(at, choice)| *at < category && row[*at] == *choice && row[*at] != ABSENT)
        };
        let condition = space.categories[category].condition.as_ref();
        condition.is_none_or(|condition| condition.holds(row, &has))
    }
}

fn is_free(choice: &ChoiceSpec, recogniser: Option<&Recogniser<'_>>) -> bool {
    match (&choice.matches, recogniser) {
        (Some(matches), _) => matches.fields().is_empty() && !matches.uses_input(),
        (None, Some(recogniser)) => recogniser.is_free(),
        (None, None) => true,
    }
}

/// Whether no choice of it is tied to a condition.
fn is_plain(category: &Category) -> bool {
    let free = |choice: &engine::frames::Choice| choice.condition.is_none();
    category.choices.iter().all(free)
}

fn is_always_possible(category: &Category) -> bool {
    category.choices.iter().any(|choice| {
        let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
        let normal = |e: &engine::frames::Effects| e.kind == ChoiceKind::Normal;
        let unconditional = choice.condition.is_none() || choice.otherwise.is_some();
        unconditional && effects.into_iter().flatten().all(normal)
    })
}

fn bringers(space: &FrameSpace) -> Vec<Vec<(usize, u16)>> {
    let mut bringers = vec![Vec::new(); space.properties.len()];
    for (index, category) in space.categories.iter().enumerate() {
        for (position, choice) in category.choices.iter().enumerate() {
            let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
            for property in effects.into_iter().flatten().flat_map(|e| &e.properties) {
                bringers[usize::from(property.0)].push((index, position as u16 + 1));
            }
        }
    }
    bringers
}

/// The categories that decide whether a category is there, if all of them can be told from their own texts.
fn needs(
    space: &FrameSpace,
    category: usize,
    settled: &[bool],
    bringers: &[Vec<(usize, u16)>],
) -> Option<Vec<usize>> {
    let mut named = Vec::new();
    let mut properties = Vec::new();
    let condition: Option<&Condition> = space.categories[category].condition.as_ref();
    if let Some(condition) = condition {
        condition.visit(&mut |at, _| named.push(at), &mut |property| {
            properties.push(property);
        });
    }
    for property in properties {
        let earlier = bringers[usize::from(property.0)].iter().map(|(at, _)| *at);
        named.extend(earlier.filter(|at| *at < category));
    }
    named.sort_unstable();
    named.dedup();
    named.iter().all(|at| settled[*at]).then_some(named)
}
