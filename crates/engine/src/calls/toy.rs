//! A small object world in memory, to test generation against: stacks of numbers, arrays, a type nobody can make, a class
//! whose constructor always throws, a call that hangs, and a bug that only a certain sequence reaches.

use super::{CallModel, CallType, Parameter, Signature, TypeId};
use crate::goal::{Criterion, CriterionId, Goal};
use crate::model::{Hits, Model, Operation};
use crate::observation::{End, Failure, Observation, StepResult};
use crate::test::{Argument, Literal, OperationId, Origin, Test, Value};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

pub(super) const INT: TypeId = TypeId(0);
pub(super) const BOOLEAN: TypeId = TypeId(1);
pub(super) const OBJECT: TypeId = TypeId(2);
pub(super) const STACK: TypeId = TypeId(3);
pub(super) const INTS: TypeId = TypeId(4);
pub(super) const GHOST: TypeId = TypeId(5);
pub(super) const SAD: TypeId = TypeId(6);
pub(super) const TOKEN: TypeId = TypeId(7);

pub(super) const PUSH: OperationId = OperationId(1);
pub(super) const POP: OperationId = OperationId(2);
pub(super) const ARRAY: OperationId = OperationId(4);
pub(super) const MERGE: OperationId = OperationId(6);
pub(super) const HAUNT: OperationId = OperationId(8);
pub(super) const CRY: OperationId = OperationId(10);
pub(super) const GHOSTLY: OperationId = OperationId(11);
pub(super) const HANG: OperationId = OperationId(12);
pub(super) const CHECK: OperationId = OperationId(13);
pub(super) const TOKEN_OF: OperationId = OperationId(14);
pub(super) const TOKEN_NONE: OperationId = OperationId(15);
pub(super) const SPEND: OperationId = OperationId(16);

/// Parameters (`true` where nothing may be given) and result, by operation.
type Row = (&'static str, &'static [(TypeId, bool)], Option<TypeId>);

const OPERATIONS: &[Row] = &[
    ("new Stack", &[], Some(STACK)),
    ("push", &[(STACK, false), (INT, false)], None),
    ("pop", &[(STACK, false)], Some(INT)),
    ("size", &[(STACK, false)], Some(INT)),
    ("int[]", &[(INT, false)], Some(INTS)),
    ("pushAll", &[(STACK, false), (INTS, true)], None),
    ("merge", &[(STACK, false), (STACK, true)], None),
    ("equals", &[(STACK, false), (OBJECT, true)], Some(BOOLEAN)),
    ("haunt", &[(GHOST, false)], None),
    ("new Sad", &[], Some(SAD)),
    ("cry", &[(SAD, false)], None),
    ("ghostly", &[(GHOST, true)], Some(INT)),
    ("hang", &[(STACK, false)], None),
    ("check", &[(STACK, false)], Some(BOOLEAN)),
    ("Token.of", &[(INT, false)], Some(TOKEN)),
    ("Token.none", &[], Some(TOKEN)),
    ("spend", &[(TOKEN, false)], None),
];

/// Not to be tested: they make inputs.
const AUXILIARY: [&str; 3] = ["int[]", "Token.of", "Token.none"];

pub(super) fn literal(value: Value) -> Literal {
    let origin = Origin::Builtin;
    Literal { value, origin }
}

pub(super) fn calls() -> CallModel {
    let kind = |name: &str, supertypes: &[TypeId], literals: Vec<Value>| CallType {
        name: name.to_owned(),
        supertypes: supertypes.to_vec(),
        literals: literals.into_iter().map(literal).collect(),
        closed: false,
    };
    let signature = |(name, parameters, result): &Row| Signature {
        parameters: parameters
            .iter()
            .map(|&(kind, nullable)| Parameter { kind, nullable })
            .collect(),
        repeats: *name == "int[]",
        result: *result,
        auxiliary: AUXILIARY.contains(name),
        observed: false,
        place: None,
    };
    CallModel {
        types: vec![
            kind("int", &[], [-1, 0, 1, 2, 10].map(Value::Int).to_vec()),
            kind("boolean", &[], [false, true].map(Value::Bool).to_vec()),
            kind("Object", &[], vec![]),
            kind("Stack", &[OBJECT], vec![]),
            kind("int[]", &[OBJECT], vec![]),
            kind("Ghost", &[OBJECT], vec![]),
            kind("Sad", &[OBJECT], vec![]),
            kind("Token", &[OBJECT], vec![]),
        ],
        signatures: OPERATIONS.iter().map(signature).collect(),
    }
}

/// The toy as a run sees it. Goal n of criterion `method` is that operation n ended normally; criterion `branch` has one goal
/// per size of a checked stack up to 4.
pub(super) fn model() -> Model {
    let operation = |(name, _, _): &Row| Operation {
        name: (*name).to_owned(),
        lines: None,
    };
    let criterion = |name: &str, goals: u32| Criterion {
        name: name.to_owned(),
        goals,
    };
    Model {
        operations: OPERATIONS.iter().map(operation).collect(),
        criteria: vec![
            criterion("branch", 5),
            criterion("method", OPERATIONS.len() as u32),
        ],
        hits: Hits::FirstSeen,
        ..Model::default()
    }
}

#[derive(Clone, Debug)]
enum Thing {
    Nothing,
    Int(i64),
    Bool(bool),
    Stack(Rc<RefCell<Vec<i64>>>),
    Ints(Vec<i64>),
    Token,
}

impl Thing {
    fn fits(&self, kind: TypeId) -> bool {
        match self {
            Thing::Nothing => ![INT, BOOLEAN].contains(&kind),
            Thing::Int(_) => kind == INT,
            Thing::Bool(_) => kind == BOOLEAN,
            Thing::Stack(_) => [STACK, OBJECT].contains(&kind),
            Thing::Ints(_) => [INTS, OBJECT].contains(&kind),
            Thing::Token => [TOKEN, OBJECT].contains(&kind),
        }
    }

    fn result(&self) -> StepResult {
        let (kind, fingerprint) = match self {
            Thing::Nothing => return StepResult::Nothing,
            Thing::Int(number) => (INT, (*number as u64).wrapping_add(1000)),
            Thing::Bool(value) => (BOOLEAN, 1 + u64::from(*value)),
            Thing::Stack(_) => (STACK, 0),
            Thing::Ints(_) => (INTS, 0),
            Thing::Token => (TOKEN, 0),
        };
        StepResult::Value { kind, fingerprint }
    }
}

enum Gave {
    Thing(Thing),
    Threw,
    Hung,
    Failed,
}

fn call(operation: OperationId, given: &[Thing]) -> Gave {
    let stack = || match &given[0] {
        Thing::Stack(stack) => Rc::clone(stack),
        other => panic!("the receiver is {other:?}"),
    };
    let void = Gave::Thing(Thing::Nothing);
    let int = |number: i64| Gave::Thing(Thing::Int(number));
    match (operation.0, given.get(1)) {
        (0, None) => Gave::Thing(Thing::Stack(Rc::default())),
        (1, Some(Thing::Int(number))) => {
            stack().borrow_mut().push(*number);
            void
        }
        (2, None) => stack().borrow_mut().pop().map_or(Gave::Threw, int),
        (3, None) => int(stack().borrow().len() as i64),
        (4, _) => {
            let ints = given.iter().map(|thing| match thing {
                Thing::Int(number) => *number,
                other => panic!("an array of numbers holds {other:?}"),
            });
            Gave::Thing(Thing::Ints(ints.collect()))
        }
        (5, Some(Thing::Ints(ints))) => {
            stack().borrow_mut().extend(ints);
            void
        }
        (6, Some(Thing::Stack(other))) => {
            assert!(!Rc::ptr_eq(other, &stack()), "a stack is given to itself");
            let other = other.borrow().clone();
            stack().borrow_mut().extend(other);
            void
        }
        (7, Some(_)) => Gave::Thing(Thing::Bool(false)),
        (11, None) => int(77),
        (12, None) => Gave::Hung,
        // The bug: three numbers or more, the last two of them 10 and 2.
        (13, None) if stack().borrow().len() >= 3 && stack().borrow().ends_with(&[10, 2]) => {
            Gave::Failed
        }
        (13, None) => Gave::Thing(Thing::Bool(true)),
        (14, None) if matches!(given[0], Thing::Int(10)) => Gave::Thing(Thing::Token),
        (16, None) => void,
        (5 | 6, Some(Thing::Nothing)) | (9 | 14 | 15, None) => Gave::Threw,
        _ => panic!("operation {} with {given:?}", operation.0),
    }
}

/// Executes a test; panics if a step is given what its signature forbids.
pub(super) fn execute(test: &Test) -> Observation {
    static MODEL: LazyLock<CallModel> = LazyLock::new(calls);
    let mut things: Vec<Thing> = Vec::new();
    let mut observation = Observation::plain(End::Exited(0));
    for (index, step) in test.steps.iter().enumerate() {
        let given: Vec<Thing> = step
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Result(index) => things[*index as usize].clone(),
                Argument::Literal(literal) => match literal.value {
                    Value::Nothing => Thing::Nothing,
                    Value::Int(number) => Thing::Int(number),
                    Value::Bool(value) => Thing::Bool(value),
                    _ => panic!("the toy has no such literals"),
                },
                Argument::Slot { .. } => panic!("the toy has no slots"),
            })
            .collect();
        let signature = &MODEL.signatures[step.operation.0 as usize];
        let repeated = std::iter::repeat_n(signature.repeated(), given.len());
        let asked = signature.required().iter().copied().map(Some);
        for (thing, asked) in given.iter().zip(asked.chain(repeated)) {
            let asked = asked.expect("no more arguments than parameters");
            assert!(thing.fits(asked.kind), "step {index} of {test:?}");
            assert!(asked.nullable || !matches!(thing, Thing::Nothing));
        }
        if step.operation == CHECK
            && let Thing::Stack(stack) = &given[0]
        {
            let number = stack.borrow().len().min(4) as u32;
            let criterion = CriterionId(0);
            observation.hits.push(Goal { criterion, number });
        }
        match call(step.operation, &given) {
            Gave::Thing(thing) => {
                let void = signature.result.is_none();
                let result = if void {
                    StepResult::Void
                } else {
                    thing.result()
                };
                observation.details.results.push(result);
                observation.hits.push(Goal {
                    criterion: CriterionId(1),
                    number: step.operation.0,
                });
                things.push(thing);
            }
            Gave::Threw => observation.end = End::Threw(index as u32),
            Gave::Hung => observation.end = End::TimedOut,
            Gave::Failed => {
                observation.end = End::Threw(index as u32);
                observation.failures.push(Failure {
                    oracle: "assertion".to_owned(),
                    signature: "check".to_owned(),
                    message: "the stack is broken".to_owned(),
                });
            }
        }
        if observation.end != End::Exited(0) {
            break;
        }
    }
    observation.hits.sort_unstable();
    observation.hits.dedup();
    observation
}
