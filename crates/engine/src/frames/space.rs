//! The space of frames: categories, choices, their chances and constraints.

use super::condition::{Condition, PropertyId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a choice combines with others, as in the category-partition method (Ostrand and Balcer, 1988).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceKind {
    /// Combines freely.
    #[default]
    Normal,
    /// Enough to try once.
    Single,
    /// The subject must refuse it.
    Error,
}

/// What a choice brings when it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    /// Properties that later conditions can ask for.
    pub properties: Vec<PropertyId>,
    /// How it combines.
    pub kind: ChoiceKind,
}

/// One choice of a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// Its chance relative to the other choices of its category.
    pub weight: f64,
    /// Where it is possible, or where `effects` apply if there is an `otherwise`.
    pub condition: Option<Condition>,
    /// What it brings where the condition holds.
    pub effects: Effects,
    /// What it brings where the condition does not hold; `None` means it is not possible there.
    pub otherwise: Option<Effects>,
}

/// One category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Its weight in the distance between frames.
    pub weight: f64,
    /// The chance of leaving it out, beside the weights of its choices. 0: only absent where no choice is possible.
    pub absent: f64,
    /// Where it does not hold, the category is absent.
    pub condition: Option<Condition>,
    /// Computed from the finished test, never drawn.
    pub derived: bool,
    /// Its choices, numbered from 1.
    pub choices: Vec<Choice>,
}

/// The categories of a subject, in drawing order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameSpace {
    /// The categories.
    pub categories: Vec<Category>,
    /// The names of the properties.
    pub properties: Vec<String>,
}

/// Why a space is not usable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpaceError {
    /// A condition names a category that is drawn later.
    #[error("the condition of `{category}` names `{named}`, which is not an earlier category")]
    NotEarlier {
        /// The category whose condition it is.
        category: String,
        /// The category it names.
        named: String,
    },
    /// A weight is negative or not a number.
    #[error("the weight of `{0}` is negative or not a number")]
    BadWeight(String),
    /// More choices than a frame can number.
    #[error("`{0}` has more than 65535 choices")]
    TooManyChoices(String),
}

impl FrameSpace {
    /// A space of free categories with these numbers of choices, all equally likely: for tests and benchmarks.
    pub fn uniform(choices: &[usize]) -> FrameSpace {
        let categories = choices
            .iter()
            .enumerate()
            .map(|(index, &count)| Category {
                name: format!("c{index}"),
                weight: 1.0,
                absent: 0.0,
                condition: None,
                derived: false,
                choices: (1..=count)
                    .map(|choice| Choice::plain(&format!("p{choice}")))
                    .collect(),
            })
            .collect();
        FrameSpace {
            categories,
            properties: Vec::new(),
        }
    }

    /// Checks that conditions look back only and that weights are weights.
    pub fn validate(&self) -> Result<(), SpaceError> {
        for (index, category) in self.categories.iter().enumerate() {
            self.validate_category(index, category)?;
        }
        Ok(())
    }

    fn validate_category(&self, index: usize, category: &Category) -> Result<(), SpaceError> {
        let choices = &category.choices;
        if choices.len() > usize::from(u16::MAX) {
            return Err(SpaceError::TooManyChoices(category.name.clone()));
        }
        let weights = choices.iter().map(|choice| choice.weight);
        if weights
            .chain([category.weight, category.absent])
            .any(|w| !w.is_finite() || w < 0.0)
        {
            return Err(SpaceError::BadWeight(category.name.clone()));
        }
        let mut later = None;
        let conditions = choices
            .iter()
            .filter_map(|choice| choice.condition.as_ref());
        for condition in conditions.chain(&category.condition) {
            condition.visit(
                &mut |named, _| {
                    if named >= index || self.categories[named].derived {
                        later = Some(named);
                    }
                },
                &mut |_| {},
            );
        }
        match later {
            Some(named) => Err(SpaceError::NotEarlier {
                category: category.name.clone(),
                named: self
                    .categories
                    .get(named)
                    .map_or_else(String::new, |c| c.name.clone()),
            }),
            None => Ok(()),
        }
    }

    /// The weighted distance of two frames: the sum of the weights of the categories in which they differ. With weights of
    /// 1 this is |DA| of the ARTsum paper, Section 3.1.
    pub fn distance(&self, a: &[u16], b: &[u16]) -> f64 {
        let pairs = a.iter().zip(b).zip(&self.categories);
        pairs
            .filter(|((x, y), _)| x != y)
            .map(|(_, category)| category.weight)
            .sum()
    }

    /// The numbers of choices per category, not counting "absent".
    pub fn sizes(&self) -> Vec<usize> {
        self.categories
            .iter()
            .map(|category| category.choices.len())
            .collect()
    }

    /// The name of a choice number of a category: `-` for absent, `?` for one that is not there.
    pub fn choice_name(&self, category: usize, choice: u16) -> &str {
        match choice.checked_sub(1) {
            None => "-",
            Some(index) => self.categories[category]
                .choices
                .get(usize::from(index))
                .map_or("?", |choice| choice.name.as_str()),
        }
    }

    /// A readable line: `month=short year=leap`, absent categories left out.
    pub fn describe(&self, frame: &[u16]) -> String {
        let present = frame
            .iter()
            .enumerate()
            .filter(|(_, choice)| **choice != super::ABSENT);
        let words = present.map(|(category, &choice)| {
            format!(
                "{}={}",
                self.categories[category].name,
                self.choice_name(category, choice)
            )
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether a frame could have been drawn: conditions hold, no category is left out that must be there, and at most
    /// one choice is single or error. Derived categories are not looked at.
    pub fn allows(&self, frame: &[u16]) -> bool {
        let mut partial = super::partial::Partial::new(self);
        let mut row = vec![super::ABSENT; self.categories.len()];
        for (index, category) in self.categories.iter().enumerate() {
            if category.derived {
                continue;
            }
            let chosen = frame[index];
            let fits = match chosen {
                super::ABSENT => {
                    category.absent > 0.0 || partial.options(index, &row).next().is_none()
                }
                _ => partial.options(index, &row).any(|option| option == chosen),
            };
            if !fits {
                return false;
            }
            row[index] = chosen;
            partial.choose(index, chosen, &row);
        }
        true
    }
}

impl Choice {
    /// A choice without constraints, of weight 1.
    pub fn plain(name: &str) -> Choice {
        Choice {
            name: name.to_owned(),
            weight: 1.0,
            condition: None,
            effects: Effects::default(),
            otherwise: None,
        }
    }
}
