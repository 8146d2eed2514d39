//! Replies of workers to observations: types, goals, failures. Done in the order of proposal, so that nothing depends on which
//! worker answered first.

use std::sync::Arc;

use engine::calls::TypeId;
use engine::observation::{Details, StepResult};
use engine::{End, Needs, Observation, OperationId};

use crate::coverage::Coverage;
use crate::edges::{Edges, Rows};
use crate::model::JvmModel;
use crate::oracle;
use crate::protocol::{Classes, Ran, Step, TestReply};
use crate::target::Target;
use crate::types::{NewType, Types};

/// Makes observations.
#[derive(Debug)]
pub struct Judge {
    model: Arc<JvmModel>,
    coverage: Arc<Coverage>,
    edges: Arc<Edges>,
    rows: Rows,
    types: Types,
    classes: Classes,
    needs: Needs,
}

impl Judge {
    /// A judge over replies that name these classes.
    pub fn new(target: &Target, classes: Classes, needs: Needs) -> Judge {
        Judge {
            model: Arc::clone(&target.model),
            coverage: Arc::clone(&target.coverage),
            edges: Arc::clone(&target.edges),
            rows: Rows::default(),
            types: Types::of(&target.model),
            classes,
            needs,
        }
    }

    /// What a reply to a test of these operations means; types that nobody knew are added to `added`.
    pub fn observation(
        &mut self,
        operations: &[OperationId],
        reply: &TestReply,
        added: &mut Vec<NewType>,
    ) -> Observation {
        let failures = if reply.suspicious.is_none() && reply.violations.is_empty() {
            Vec::new()
        } else {
            oracle::failures(reply, operations, &self.classes, &self.model)
        };
        let results = if self.needs.results {
            self.results(operations, reply, added)
        } else {
            Vec::new()
        };
        Observation {
            end: end(reply),
            failures,
            ticks: u64::from(reply.ticks),
            taken: None,
            hits: self.coverage.goals(&reply.hits),
            details: Details {
                results,
                ..self.details(reply)
            },
        }
    }

    /// The dear parts, which are empty unless they were asked for.
    fn details(&mut self, reply: &TestReply) -> Details {
        let Needs {
            distances,
            sides,
            rows,
            trace,
            ..
        } = self.needs;
        let mut details = Details {
            micros: micros(reply),
            ..Details::default()
        };
        if distances {
            details.distances = self.edges.distances(reply);
        }
        if sides {
            details.sides = self.edges.sides(reply);
        }
        if rows {
            details.rows = self.rows.of(reply);
        }
        if trace {
            details.trace = self.edges.trace(reply);
        }
        details
    }

    fn results(
        &mut self,
        operations: &[OperationId],
        reply: &TestReply,
        added: &mut Vec<NewType>,
    ) -> Vec<StepResult> {
        let mut results = Vec::with_capacity(reply.steps.len());
        for (operation, reply) in operations.iter().zip(&reply.steps) {
            let mut of = |class| self.types.of_class(class, &self.classes, added);
            results.push(match *reply {
                Step::Void => StepResult::Void,
                Step::Nothing => StepResult::Nothing,
                Step::Plain(class) => StepResult::Value {
                    kind: of(class),
                    fingerprint: 0,
                },
                Step::Marked(class, mark) => StepResult::Value {
                    kind: of(class),
                    fingerprint: fingerprint(mark),
                },
                Step::Primitive(bits) => {
                    let signature = &self.model.calls.signatures[operation.0 as usize];
                    let number = |kind: TypeId| {
                        let float = self.model.descriptors[kind.0 as usize] == "F";
                        let bits = if float { widened(bits) } else { bits };
                        StepResult::Number { kind, bits }
                    };
                    signature.result.map_or(StepResult::Void, number)
                }
                Step::Threw(class) => StepResult::Threw { kind: of(class) },
            });
        }
        results
    }
}

/// What it takes to start another worker, in microseconds, and what was lost with the old one.
const WORKER: u64 = 500_000;

/// The time that a test took, as far as that was asked for, and the worker that it used up.
fn micros(reply: &TestReply) -> u64 {
    let lost = matches!(reply.ran, Ran::Hung | Ran::Died) || reply.retired.is_some();
    u64::from(reply.micros) + if lost { WORKER } else { 0 }
}

/// How an observation ends.
fn end(reply: &TestReply) -> End {
    match reply.ran {
        Ran::Normally => End::Exited(0),
        Ran::Threw => End::Threw(reply.steps.len().saturating_sub(1) as u32),
        Ran::TimedOut | Ran::Hung => End::TimedOut,
        Ran::Exited | Ran::NoMemory | Ran::Died => End::WorkerLost,
    }
}

/// The bits of a `float` as those of a `double`.
fn widened(bits: u64) -> u64 {
    f64::from(f32::from_bits(bits as u32)).to_bits()
}

/// Spreads a mark over all bits; never 0, which means none.
fn fingerprint(mark: u64) -> u64 {
    // The multiplier of Steele and Vigna's linear congruential generators.
    (mark ^ (mark >> 32)).wrapping_mul(0xd134_2543_de82_ef95) | 1
}
