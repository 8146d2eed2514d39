//! Which choices can be drawn at all.
//!
//! Whether a choice is possible depends on few categories: those that conditions name, those that bring the properties that
//! conditions ask for, and so on. All combinations of these are tried; where they are too many, frames are drawn instead.

use super::{Linting, Severity};
use crate::classify::Progress;
use engine::Seed;
use engine::frames::{ABSENT, Category, ChoiceKind, Condition, FrameSpace, PropertyId, Sampler};

/// The most partial frames that are tried for one category.
const MAX_PARTIAL: usize = 200_000;

/// How many frames are drawn where that is too few.
const DRAWN: usize = 20_000;

/// Choices of other categories with which a choice was possible.
pub(super) type Witness = Vec<(usize, u16)>;

/// What is known of the choices of one category.
pub(super) struct Reached {
    /// For every choice, how it was reached.
    pub choices: Vec<Option<Witness>>,
    /// The categories of which all combinations were tried; `None` where frames were drawn.
    pub tried: Option<Vec<usize>>,
}

/// What is known of all categories; derived ones are left out.
pub(super) struct Reach {
    pub categories: Vec<Option<Reached>>,
}

impl Reach {
    pub fn new(space: &FrameSpace, seed: Seed) -> Reach {
        let mut drawn = None;
        let reached = |(index, category): (usize, &Category)| {
            if category.derived {
                return None;
            }
            let tried = deciding(space, index);
            let mut search = Search {
                space,
                target: index,
                deciding: &tried,
                named: named_choices(space, index, &tried),
                choices: vec![None; category.choices.len()],
                partial: 0,
            };
            search.descend(0, &Progress::new(space));
            if search.partial <= MAX_PARTIAL {
                return Some(Reached {
                    choices: search.choices,
                    tried: Some(tried),
                });
            }
            let drawn = drawn.get_or_insert_with(|| draw(space, seed));
            for (found, drawn) in search.choices.iter_mut().zip(&drawn[index]) {
                if found.is_none() {
                    found.clone_from(drawn);
                }
            }
            Some(Reached {
                choices: search.choices,
                tried: None,
            })
        };
        let categories = space.categories.iter().enumerate().map(reached).collect();
        Reach { categories }
    }
}

/// The choices seen in drawn frames, each with the rest of its frame.
fn draw(space: &FrameSpace, seed: Seed) -> Vec<Vec<Option<Witness>>> {
    let sampler = Sampler::new(space);
    let mut stream = seed.stream();
    let mut seen: Vec<Vec<Option<Witness>>> = space
        .categories
        .iter()
        .map(|category| vec![None; category.choices.len()])
        .collect();
    let mut row = vec![ABSENT; space.categories.len()];
    for _ in 0..DRAWN {
        sampler.draw(&mut stream, &mut row);
        for (category, &choice) in row.iter().enumerate() {
            if choice != ABSENT {
                let seen = &mut seen[category][usize::from(choice) - 1];
                seen.get_or_insert_with(|| row.iter().copied().enumerate().collect());
            }
        }
    }
    seen
}

/// The categories on which the choices of this one depend, in ascending order.
fn deciding(space: &FrameSpace, target: usize) -> Vec<usize> {
    let mut deciding = vec![false; target + 1];
    let mut work = vec![target];
    // A category all of whose choices are single or error takes the one place that a frame has for these.
    work.extend((0..target).filter(|index| takes_the_place(&space.categories[*index])));
    while let Some(index) = work.pop() {
        if std::mem::replace(&mut deciding[index], true) {
            continue;
        }
        for condition in conditions(&space.categories[index]) {
            let mut properties = Vec::new();
            condition.visit(&mut |named, _| work.push(named), &mut |property| {
                properties.push(property);
            });
            let brings = |earlier: &usize| {
                let category = &space.categories[*earlier];
                properties
                    .iter()
                    .any(|property| can_bring(category, *property))
            };
            work.extend((0..index).filter(brings));
        }
    }
    (0..target).filter(|index| deciding[*index]).collect()
}

fn conditions(category: &Category) -> impl Iterator<Item = &Condition> {
    let choices = category.choices.iter().map(|choice| &choice.condition);
    choices.chain([&category.condition]).flatten()
}

fn can_bring(category: &Category, property: PropertyId) -> bool {
    category.choices.iter().any(|choice| {
        let effects = [Some(&choice.effects), choice.otherwise.as_ref()];
        let mut effects = effects.into_iter().flatten();
        effects.any(|effects| effects.properties.contains(&property))
    })
}

fn takes_the_place(category: &Category) -> bool {
    !category.derived
        && category.absent == 0.0
        && category
            .choices
            .iter()
            .filter(|choice| choice.weight > 0.0)
            .all(|choice| choice.effects.kind != ChoiceKind::Normal)
}

/// The choices of other categories that conditions name, so that they must be told apart.
fn named_choices(space: &FrameSpace, target: usize, deciding: &[usize]) -> Vec<(usize, u16)> {
    let mut named = Vec::new();
    for &index in deciding.iter().chain([&target]) {
        for condition in conditions(&space.categories[index]) {
            condition.visit(
                &mut |category, choice| named.extend(choice.map(|choice| (category, choice))),
                &mut |_| {},
            );
        }
    }
    named
}

struct Search<'s> {
    space: &'s FrameSpace,
    target: usize,
    deciding: &'s [usize],
    named: Vec<(usize, u16)>,
    choices: Vec<Option<Witness>>,
    partial: usize,
}

impl Search<'_> {
    /// Tries all combinations from this deciding category on; true when nothing is left to find.
    fn descend(&mut self, depth: usize, progress: &Progress<'_>) -> bool {
        self.partial += 1;
        if self.partial > MAX_PARTIAL {
            return true;
        }
        let Some(&category) = self.deciding.get(depth) else {
            return self.reach(progress);
        };
        for choice in self.options(category, progress) {
            let mut next = progress.clone();
            next.choose(category, choice);
            if self.descend(depth + 1, &next) {
                return true;
            }
        }
        false
    }

    /// The choices of a category that could be drawn now, one of each kind that conditions can tell apart.
    fn options(&self, category: usize, progress: &Progress<'_>) -> Vec<u16> {
        let entry = &self.space.categories[category];
        let mut options: Vec<u16> = Vec::new();
        for choice in drawable(self.space, category, progress) {
            let same = |other: &u16| {
                let is_named = |choice| self.named.contains(&(category, choice));
                !is_named(choice)
                    && !is_named(*other)
                    && progress.effects(category, choice) == progress.effects(category, *other)
            };
            if !options.iter().any(same) {
                options.push(choice);
            }
        }
        if options.is_empty() || entry.absent > 0.0 {
            options.push(ABSENT);
        }
        options
    }

    fn reach(&mut self, progress: &Progress<'_>) -> bool {
        for choice in drawable(self.space, self.target, progress) {
            let found = &mut self.choices[usize::from(choice) - 1];
            found.get_or_insert_with(|| {
                let known = self.deciding.iter();
                known.map(|index| (*index, progress.row[*index])).collect()
            });
        }
        self.choices.iter().all(Option::is_some)
    }
}

fn drawable(space: &FrameSpace, category: usize, progress: &Progress<'_>) -> Vec<u16> {
    let choices = &space.categories[category].choices;
    progress
        .options(category)
        .filter(|choice| choices[usize::from(*choice) - 1].weight > 0.0)
        .collect()
}

impl Linting<'_> {
    /// Reports categories and choices that are never drawn.
    pub(super) fn reachability(&mut self) {
        for category in 0..self.spec.categories.len() {
            let Some(reached) = &self.reach.categories[category] else {
                continue;
            };
            let how = match &reached.tried {
                None => format!("in {DRAWN} drawn frames"),
                Some(tried) if tried.is_empty() => "whatever is drawn before it".to_owned(),
                Some(tried) => {
                    let names = tried.iter().map(|index| self.named(*index, ABSENT));
                    let names: Vec<String> = names.collect();
                    format!("in all combinations of {}", names.join(", "))
                }
            };
            let missing: Vec<u16> = (1..)
                .zip(&reached.choices)
                .filter(|(_, found)| found.is_none())
                .map(|(choice, _)| choice)
                .collect();
            if missing.len() == reached.choices.len() {
                self.never(category, ABSENT, &how);
                continue;
            }
            for choice in missing {
                self.never(category, choice, &how);
            }
        }
    }

    fn never(&mut self, category: usize, choice: u16, how: &str) {
        let entry = &self.spec.space.categories[category];
        let name = self.named(category, choice);
        let weight = choice
            .checked_sub(1)
            .map(|choice| entry.choices[usize::from(choice)].weight);
        if weight == Some(0.0) {
            let message = format!("{name} is never drawn: its weight is 0");
            self.add(Severity::Warning, (category, choice), message);
            return;
        }
        let message = match choice {
            ABSENT => format!("{name} is never present, {how}"),
            _ => format!("{name} is never possible, {how}"),
        };
        let hint = "look at its `if`, at those of the categories it names, and at `single` and `error` before it";
        self.add(Severity::Error, (category, choice), message)
            .hint(hint);
    }
}
