//! What a target knows of its subject before any test runs.

use crate::frames::FrameSpace;
use crate::goal::{Criterion, CriterionId, Goal};
use serde::{Deserialize, Serialize};

/// One thing a test can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its name as a person would write it.
    pub name: String,
    /// Its size in source lines, where known.
    pub lines: Option<u32>,
}

/// Which hits the observations of a target carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hits {
    /// All goals that a test hit. The shortest test of each goal is kept. Of a test whose hits are partial, only those count that
    /// no test before had hit: which others it reports depends on the number of workers.
    #[default]
    All,
    /// All goals of a test that hit one which its worker had not reported before, else none. Who reports later depends on
    /// the number of workers, so the first test of each goal in the order of proposal is kept, whatever comes later.
    FirstSeen,
}

/// How many tests are proposed before the run learns from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundSize {
    /// Always the same number.
    #[default]
    Fixed,
    /// An eighth of all tests before, from 1 on: where tests are long, few are run, and what the first ones show matters.
    Growing,
}

/// Operations, criteria and frames of a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// What tests can do.
    pub operations: Vec<Operation>,
    /// What can be covered. The first one is `choice` where the subject has categories.
    pub criteria: Vec<Criterion>,
    /// How tests are described as frames; no categories where they are not.
    pub space: FrameSpace,
    /// Which hits observations carry.
    #[serde(default)]
    pub hits: Hits,
    /// How large rounds are.
    #[serde(default)]
    pub rounds: RoundSize,
}

impl Model {
    /// A model of a subject that is described by categories alone.
    pub fn of_space(space: FrameSpace, operations: Vec<Operation>) -> Model {
        let goals = space.sizes().iter().sum::<usize>() as u32;
        let choice = Criterion {
            name: "choice".to_owned(),
            goals,
        };
        Model {
            operations,
            criteria: vec![choice],
            space,
            hits: Hits::All,
            rounds: RoundSize::Fixed,
        }
    }

    /// The goals of criterion `choice` that a frame covers.
    pub fn choice_goals<'a>(&'a self, frame: &'a [u16]) -> impl Iterator<Item = Goal> + 'a {
        let mut offset = 0;
        frame
            .iter()
            .zip(&self.space.categories)
            .filter_map(move |(&choice, category)| {
                let first = offset;
                offset += category.choices.len() as u32;
                let number = u32::from(choice).checked_sub(1)?;
                let known = number < category.choices.len() as u32;
                known.then_some(Goal {
                    criterion: CriterionId(0),
                    number: first + number,
                })
            })
    }

    /// The name of a goal: `month=short` for a choice, else the criterion and number.
    pub fn goal_name(&self, goal: Goal) -> String {
        let mut rest = goal.number as usize;
        if goal.criterion == CriterionId(0) {
            for category in &self.space.categories {
                if let Some(choice) = category.choices.get(rest) {
                    return format!("{}={}", category.name, choice.name);
                }
                rest -= category.choices.len();
            }
        }
        let criterion = self.criteria.get(usize::from(goal.criterion.0));
        format!(
            "{} {}",
            criterion.map_or("goal", |c| c.name.as_str()),
            goal.number
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choice_goals_are_numbered_through_all_categories() {
        let model = Model::of_space(FrameSpace::uniform(&[3, 4, 2]), vec![]);
        let goals: Vec<u32> = model
            .choice_goals(&[2, 0, 1])
            .map(|goal| goal.number)
            .collect();
        assert_eq!(goals, [1, 7]);
        let goal = Goal {
            criterion: CriterionId(0),
            number: 7,
        };
        assert_eq!(model.goal_name(goal), "c2=p1");
        assert_eq!(model.criteria[0].goals, 9);
    }
}
