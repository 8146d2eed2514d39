//! How a worker goes on after the given steps of a test, as the last step of a proposed test.

use crate::actions::model::ActionModel;
use crate::test::{Argument, Literal, Origin, Step, Test, Value};

/// How further steps are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawPlan {
    /// The seed of the test's own random stream.
    pub seed: u64,
    /// How many steps the whole test shall have.
    pub length: u32,
    /// The weight of every class, separated by spaces; all enabled actions are equally likely without.
    pub weights: Option<String>,
    /// For every class `1` or `0`: whether it is allowed. All are without.
    pub allowed: Option<String>,
    /// The size of steps is measured, of the classes marked `1` first.
    pub sample: Option<String>,
    /// Whether only hits are told that the worker did not report before, even where all are asked for.
    pub partial: bool,
}

/// A proposed test, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned<'a> {
    /// The steps that are given.
    pub prefix: &'a [Step],
    /// How it goes on; it ends with the given steps without.
    pub plan: Option<DrawPlan>,
}

impl DrawPlan {
    /// The step that stands for this plan.
    pub fn step(self, model: &ActionModel) -> Step {
        let literal = |value| {
            Argument::Literal(Literal {
                value,
                origin: Origin::Builtin,
            })
        };
        let text = |text: Option<String>| literal(text.map_or(Value::Nothing, Value::Text));
        Step {
            operation: model.draw(),
            arguments: vec![
                literal(Value::Int(self.seed.cast_signed())),
                literal(Value::Int(i64::from(self.length))),
                text(self.weights),
                text(self.allowed),
                text(self.sample),
                literal(Value::Bool(self.partial)),
            ],
        }
    }

    fn of(step: &Step) -> Option<DrawPlan> {
        let [seed, length, weights, allowed, sample, partial] = step.arguments.as_slice() else {
            return None;
        };
        let number = |argument: &Argument| match argument {
            Argument::Literal(Literal {
                value: Value::Int(number),
                ..
            }) => Some(*number),
            _ => None,
        };
        let text = |argument: &Argument| match argument {
            Argument::Literal(Literal {
                value: Value::Text(text),
                ..
            }) => Some(text.clone()),
            _ => None,
        };
        Some(DrawPlan {
            seed: number(seed)?.cast_unsigned(),
            length: u32::try_from(number(length)?).ok()?,
            weights: text(weights),
            allowed: text(allowed),
            sample: text(sample),
            partial: matches!(
                partial,
                Argument::Literal(Literal {
                    value: Value::Bool(true),
                    ..
                })
            ),
        })
    }
}

impl<'a> Planned<'a> {
    /// Takes a test apart.
    pub fn of(test: &'a Test, model: &ActionModel) -> Planned<'a> {
        match test.steps.split_last() {
            Some((last, prefix)) if last.operation == model.draw() => Planned {
                prefix,
                plan: DrawPlan::of(last),
            },
            _ => Planned {
                prefix: &test.steps,
                plan: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_being_a_step() {
        let model = ActionModel::default();
        let plan = DrawPlan {
            seed: u64::MAX,
            length: 100,
            weights: Some("0.5 0.5".to_owned()),
            allowed: None,
            sample: Some("10".to_owned()),
            partial: true,
        };
        let test = Test {
            steps: vec![plan.clone().step(&model)],
        };
        assert_eq!(Planned::of(&test, &model).plan, Some(plan));
        assert_eq!(Planned::of(&Test::default(), &model).plan, None);
    }
}
