//! Which types can be supplied, and so which operations can be called.
//!
//! A type is supplied once it has literals, once a value of it or of a subtype is kept, or once an auxiliary operation that
//! gives it can be called. Literals serve their own type only: what a literal means depends on the parameter it is given
//! to. Supply only grows, so an operation that became callable stays so.

use crate::calls::{CallModel, TypeId};
use crate::test::OperationId;

/// Ways to supply a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Types of which values are kept that can be given for this one.
    pub kept: Vec<TypeId>,
    /// Operations that make new arrays which can be given for this one.
    pub arrays: Vec<OperationId>,
    /// Other callable auxiliary operations whose results can be given for this one.
    pub makers: Vec<OperationId>,
    /// Whether any way exists.
    pub any: bool,
    takers: Vec<Taker>,
}

/// One parameter of an operation that waits for a type.
#[derive(Clone, Copy, Debug)]
struct Taker {
    operation: OperationId,
    nullable: bool,
}

/// Supply per type, and what each operation still waits for.
#[derive(Clone, Debug)]
pub(super) struct Supply {
    ways: Vec<Ways>,
    /// Parameters that nothing can be given for, per operation.
    waiting: Vec<u32>,
    /// Parameters for which only nothing (`null`) can be given, per operation.
    only_nothing: Vec<u32>,
}

impl Supply {
    /// The supply before any test was run.
    pub(super) fn new(model: &CallModel) -> Supply {
        let mut supply = Supply {
            ways: vec![Ways::default(); model.types.len()],
            waiting: vec![0; model.signatures.len()],
            only_nothing: vec![0; model.signatures.len()],
        };
        for (number, signature) in model.signatures.iter().enumerate() {
            for parameter in signature.required() {
                let ways = &mut supply.ways[parameter.kind.0 as usize];
                ways.takers.push(Taker {
                    operation: OperationId(number as u32),
                    nullable: parameter.nullable,
                });
                let lacking = if parameter.nullable {
                    &mut supply.only_nothing
                } else {
                    &mut supply.waiting
                };
                lacking[number] += 1;
            }
        }
        let ready = |number: &usize| supply.waiting[*number] == 0;
        let ready: Vec<usize> = (0..model.signatures.len()).filter(ready).collect();
        for number in ready {
            supply.callable(model, OperationId(number as u32));
        }
        for (number, kind) in model.types.iter().enumerate() {
            if !kind.literals.is_empty() {
                supply.supplied(model, TypeId(number as u32));
            }
        }
        supply
    }

    /// Makes room for more types.
    pub(super) fn grow(&mut self, types: usize) {
        self.ways.resize(types, Ways::default());
    }

    /// The ways to supply a type.
    #[inline]
    pub(super) fn ways(&self, kind: TypeId) -> &Ways {
        &self.ways[kind.0 as usize]
    }

    /// Whether an operation can be called at all.
    pub(super) fn is_callable(&self, operation: OperationId) -> bool {
        self.waiting[operation.0 as usize] == 0
    }

    /// For how many parameters of an operation only nothing can be given.
    pub(super) fn only_nothing(&self, operation: OperationId) -> u32 {
        self.only_nothing[operation.0 as usize]
    }

    /// The first value of this very type is kept.
    pub(super) fn first_kept(&mut self, model: &CallModel, kind: TypeId) {
        for above in with_supertypes(model, kind) {
            self.ways[above.0 as usize].kept.push(kind);
            self.supplied(model, above);
        }
    }

    fn supplied(&mut self, model: &CallModel, kind: TypeId) {
        let ways = &mut self.ways[kind.0 as usize];
        if std::mem::replace(&mut ways.any, true) {
            return;
        }
        for taker in std::mem::take(&mut ways.takers) {
            let number = taker.operation.0 as usize;
            if taker.nullable {
                self.only_nothing[number] -= 1;
                continue;
            }
            self.waiting[number] -= 1;
            if self.waiting[number] == 0 {
                self.callable(model, taker.operation);
            }
        }
    }

    fn callable(&mut self, model: &CallModel, operation: OperationId) {
        let signature = &model.signatures[operation.0 as usize];
        let Some(result) = signature.result.filter(|_| signature.auxiliary) else {
            return;
        };
        for above in with_supertypes(model, result) {
            let ways = &mut self.ways[above.0 as usize];
            if signature.repeats {
                ways.arrays.push(operation);
            } else {
                ways.makers.push(operation);
            }
            self.supplied(model, above);
        }
    }
}

/// A type and all its supertypes.
fn with_supertypes(model: &CallModel, kind: TypeId) -> impl Iterator<Item = TypeId> {
    let above = model.types[kind.0 as usize].supertypes.iter().copied();
    above.chain([kind])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{CallType, Parameter, Signature};
    use crate::test::{Literal, Origin, Value};

    const INT: TypeId = TypeId(0);
    const ANIMAL: TypeId = TypeId(1);
    const DOG: TypeId = TypeId(2);
    const DOGS: TypeId = TypeId(3);

    fn signature(given: &[(TypeId, bool)], result: Option<TypeId>) -> Signature {
        let parameter = |&(kind, nullable): &(TypeId, bool)| Parameter { kind, nullable };
        Signature {
            parameters: given.iter().map(parameter).collect(),
            result,
            ..Signature::default()
        }
    }

    /// Types int, Animal, Dog and Dog[]; operations by number: 0 `Dog(int)`, 1 `feed(Animal)`, 2 `Dog[] {…}`, 3 `kennel(Dog[])`,
    /// 4 `pet(Animal or null)`, 5 `fight(Dog, Dog)`.
    fn model() -> CallModel {
        let zero = Literal {
            value: Value::Int(0),
            origin: Origin::Builtin,
        };
        let types = [
            ("int", vec![], vec![zero]),
            ("Animal", vec![], vec![]),
            ("Dog", vec![ANIMAL], vec![]),
            ("Dog[]", vec![], vec![]),
        ];
        let types = types.map(|(name, supertypes, literals)| CallType {
            name: name.to_owned(),
            supertypes,
            literals,
            closed: false,
        });
        let array = Signature {
            repeats: true,
            auxiliary: true,
            ..signature(&[(DOG, true)], Some(DOGS))
        };
        CallModel {
            types: types.to_vec(),
            signatures: vec![
                signature(&[(INT, false)], Some(DOG)),
                signature(&[(ANIMAL, false)], None),
                array,
                signature(&[(DOGS, false)], None),
                signature(&[(ANIMAL, true)], None),
                signature(&[(DOG, false), (DOG, false)], None),
            ],
        }
    }

    fn callable(supply: &Supply) -> Vec<u32> {
        let operations = (0..6).filter(|number| supply.is_callable(OperationId(*number)));
        operations.collect()
    }

    #[test]
    fn operations_become_callable_when_their_inputs_can_be_made() {
        let model = model();
        let mut supply = Supply::new(&model);
        assert_eq!(callable(&supply), [0, 2, 3, 4]);
        assert_eq!(supply.only_nothing(OperationId(4)), 1);
        supply.first_kept(&model, DOG);
        assert_eq!(callable(&supply), [0, 1, 2, 3, 4, 5]);
        assert_eq!(supply.only_nothing(OperationId(4)), 0);
        assert_eq!(supply.ways(ANIMAL).kept, [DOG]);
        assert_eq!(supply.ways(DOGS).arrays, [OperationId(2)]);
    }
}
