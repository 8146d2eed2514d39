//! Tests as workers take them, and steps as they come back: a class and one number per hole.

use engine::actions::{ActionModel, HoleSize, Planned};
use engine::{Argument, Literal, OperationId, Origin, Step, Test, Value};
use serde::Serialize;

use super::target::Report;

/// A test for `harness.py`.
#[derive(Debug, Serialize)]
pub struct EncodedTest {
    prefix: Vec<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<&'static str>,
    /// Whether slots may be assigned that were not used since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    relaxed: bool,
    /// Whether the steps are left in a file as they are taken.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    log: bool,
    /// Whether the steps taken are asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    steps: bool,
    /// Whether what each step raised is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    outcomes: bool,
    /// The level up to which log lines are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<i32>,
}

/// Encodes a test.
pub fn encode(test: &Test, model: &ActionModel, report: Report) -> EncodedTest {
    let planned = Planned::of(test, model);
    let log = matches!(report, Report::Log | Report::Shown(_));
    let drawn = planned.plan.is_some();
    let plan = planned.plan.unwrap_or_default();
    let all = matches!(report, Report::All) && !plan.partial;
    EncodedTest {
        prefix: encode_steps(planned.prefix),
        length: drawn.then_some(plan.length),
        seed: drawn.then_some(plan.seed),
        weights: plan.weights,
        allowed: plan.allowed,
        sample: plan.sample,
        hits: all.then_some("all"),
        relaxed: !drawn,
        log,
        steps: log,
        outcomes: log,
        level: match report {
            Report::Shown(level) => Some(level),
            _ => None,
        },
    }
}

impl EncodedTest {
    /// The same test, which also tells its steps and what they raised.
    pub fn telling(self) -> EncodedTest {
        EncodedTest {
            steps: true,
            outcomes: true,
            ..self
        }
    }
}

/// Encodes steps: the class, then what fills each hole.
pub fn encode_steps(steps: &[Step]) -> Vec<Vec<i64>> {
    let number = |argument: &Argument| match argument {
        Argument::Slot { slot, .. } => i64::from(*slot),
        Argument::Literal(Literal {
            value: Value::Int(number),
            ..
        }) => *number,
        _ => 0,
    };
    let encode = |step: &Step| {
        let class = std::iter::once(i64::from(step.operation.0));
        class.chain(step.arguments.iter().map(number)).collect()
    };
    steps.iter().map(encode).collect()
}

/// Decodes steps; nothing if they are not of this harness.
pub fn decode_steps(steps: &[Vec<i64>], model: &ActionModel) -> Option<Vec<Step>> {
    steps.iter().map(|step| decode(step, model)).collect()
}

fn decode(step: &[i64], model: &ActionModel) -> Option<Step> {
    let (&class, numbers) = step.split_first()?;
    let holes = &model.classes.get(usize::try_from(class).ok()?)?.holes;
    if holes.len() != numbers.len() {
        return None;
    }
    let argument = |(hole, &number): (&HoleSize, &i64)| match hole {
        HoleSize::Slot { pool, count } => {
            let slot = u32::try_from(number).ok().filter(|slot| slot < count)?;
            Some(Argument::Slot { pool: *pool, slot })
        }
        HoleSize::Value(_) => Some(Argument::Literal(Literal {
            value: Value::Int(number),
            origin: Origin::Builtin,
        })),
    };
    Some(Step {
        operation: OperationId(u32::try_from(class).ok()?),
        arguments: holes
            .iter()
            .zip(numbers)
            .map(argument)
            .collect::<Option<_>>()?,
    })
}
