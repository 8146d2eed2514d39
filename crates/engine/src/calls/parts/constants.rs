//! `constants`: values that the code of the subject itself uses are given as inputs.
//!
//! ## What it does
//! Every constant found in the classes under test becomes a literal of the types that can take it. A literal is drawn from all
//! constants, by weight tf · ln((|D|+1) / (|D|+1−d)), where tf is how often the constant occurs, |D| the number of classes and d
//! the number of classes that have it; or, with probability 0.01, from those of the class of the operation under test.
//!
//! ## Why
//! Branches compare with constants that chance never finds.
//!
//! ## Example
//! `testhound generate app.jar --guide constants`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-A.
//!
//! ## Differences
//! - Constants that are among the fixed literals anyway are left out, because 0 and 1 would outweigh all others.
//! - Texts of more than 200 bytes are left out: they are data, not what branches compare with.
//! - Half of the literals are constants of the subject, half are the fixed ones.

use crate::calls::knowledge::Knowledge;
use crate::calls::{CallModel, TypeId};
use crate::stream::Stream;
use crate::test::{Literal, OperationId, Origin, Value};
use std::collections::BTreeMap;

/// The part's name.
pub(in crate::calls) const NAME: &str = "constants";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str = "inputs are constants found in the code of the subject";

/// How often a literal is a constant of the class of the operation under test.
const LOCAL: f64 = 0.01;

/// How often it is otherwise a constant of the subject.
const GLOBAL: f64 = 0.5;

/// The constants of one type, among the literals of the model.
#[derive(Clone, Debug, Default)]
struct OfType {
    /// The index of the first one among the type's literals.
    first: u32,
    /// The sums of the weights.
    sums: Vec<f64>,
    /// The indices of the constants of each class.
    local: BTreeMap<u32, Vec<u32>>,
}

/// Which literals of the model are constants of the subject.
#[derive(Clone, Debug)]
pub(in crate::calls) struct Constants {
    types: Vec<OfType>,
    document_of: Vec<Option<u32>>,
}

/// A constant over all classes.
struct Term<'k> {
    value: &'k Value,
    frequency: u64,
    documents: Vec<u32>,
}

impl Constants {
    /// Adds the constants to the literals of the model's types.
    pub(in crate::calls) fn new(knowledge: &Knowledge, model: &mut CallModel) -> Constants {
        let terms = terms(knowledge);
        let mut types = Vec::with_capacity(model.types.len());
        for (number, kind) in model.types.iter_mut().enumerate() {
            let mut of_type = OfType {
                first: kind.literals.len() as u32,
                ..OfType::default()
            };
            let domains = knowledge.domains.get(number).map_or(&[][..], Vec::as_slice);
            let mut sum = 0.0;
            for term in &terms {
                let Some(value) = domains.iter().find_map(|one| one.take(term.value)) else {
                    continue;
                };
                if kind.literals.iter().any(|one| one.value == value) {
                    continue;
                }
                sum += weight(
                    term.frequency,
                    knowledge.documents.len(),
                    term.documents.len(),
                );
                of_type.sums.push(sum);
                let index = kind.literals.len() as u32;
                for document in &term.documents {
                    of_type.local.entry(*document).or_default().push(index);
                }
                let place = knowledge.documents[term.documents[0] as usize].name.clone();
                kind.literals.push(Literal {
                    value,
                    origin: Origin::Mined(place),
                });
            }
            types.push(of_type);
        }
        Constants {
            types,
            document_of: knowledge.document_of.clone(),
        }
    }

    /// The index of a literal for a parameter of this type, and a test of this operation.
    pub(in crate::calls) fn draw(
        &self,
        operation: OperationId,
        kind: TypeId,
        stream: &mut Stream,
    ) -> Option<u32> {
        let of_type = self.types.get(kind.0 as usize)?;
        let total = *of_type.sums.last()?;
        let document = self.document_of.get(operation.0 as usize).copied();
        let local = document.flatten().and_then(|one| of_type.local.get(&one));
        if let Some(local) = local
            && stream.chance(LOCAL)
        {
            return Some(local[stream.index(local.len())]);
        }
        if of_type.first > 0 && !stream.chance(GLOBAL) {
            return Some(stream.index(of_type.first as usize) as u32);
        }
        let point = stream.unit() * total;
        let index = of_type.sums.partition_point(|sum| *sum <= point);
        Some(of_type.first + index.min(of_type.sums.len() - 1) as u32)
    }
}

/// All constants, each once, in the order of classes.
fn terms(knowledge: &Knowledge) -> Vec<Term<'_>> {
    let mut terms: Vec<Term> = Vec::new();
    let mut known: BTreeMap<(u8, u64, &str), usize> = BTreeMap::new();
    for (number, document) in knowledge.documents.iter().enumerate() {
        for (value, count) in &document.constants {
            let index = *known.entry(key(value)).or_insert_with(|| {
                terms.push(Term {
                    value,
                    frequency: 0,
                    documents: Vec::new(),
                });
                terms.len() - 1
            });
            terms[index].frequency += u64::from(*count);
            terms[index].documents.push(number as u32);
        }
    }
    terms
}

/// Values by kind and bits, to find them again.
fn key(value: &Value) -> (u8, u64, &str) {
    match value {
        Value::Nothing => (0, 0, ""),
        Value::Bool(value) => (1, u64::from(*value), ""),
        Value::Int(number) => (2, *number as u64, ""),
        Value::Float(number) => (3, number.to_bits(), ""),
        Value::Text(text) => (4, 0, text),
    }
}

/// The weight of a constant that occurs so often, in `containing` of all classes.
fn weight(frequency: u64, documents: usize, containing: usize) -> f64 {
    let all = documents as f64 + 1.0;
    frequency as f64 * (all / (all - containing as f64)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::CallType;
    use crate::calls::knowledge::{Document, Domain};
    use crate::stream::Seed;

    #[test]
    fn the_weight_is_that_of_the_paper() {
        // In 1 of 1 class: ln(2 / 1). In 2 of 9, three times: 3 ln(10 / 8). In all of 3: ln(4 / 1).
        assert!((weight(1, 1, 1) - std::f64::consts::LN_2).abs() < 1e-12);
        assert!((weight(3, 9, 2) - 3.0 * 1.25f64.ln()).abs() < 1e-12);
        assert!((weight(1, 3, 3) - 4f64.ln()).abs() < 1e-12);
        assert!(weight(5, 9, 1) > weight(4, 9, 1), "more frequent");
        assert!(weight(5, 9, 3) > weight(5, 9, 2), "in more classes");
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn constants() -> (Constants, CallModel) {
        with_frequency(1)
    }

    /// The constant `x` occurs so often in class `A`.
    fn with_frequency(frequency: u32) -> (Constants, CallModel) {
        let document = |name: &str, constants: &[(Value, u32)]| Document {
            name: name.to_owned(),
            constants: constants.to_vec(),
        };
        let knowledge = Knowledge {
            documents: vec![
                document(
                    "A",
                    &[(text("x"), frequency), (Value::Int(7), 1), (text("a"), 2)],
                ),
                document("B", &[(text("x"), 1), (text("y"), 1)]),
            ],
            document_of: vec![Some(1)],
            domains: vec![vec![Domain::Text], vec![Domain::Whole(0, 5)]],
            ..Knowledge::default()
        };
        let builtin = Literal {
            value: text("a"),
            origin: Origin::Builtin,
        };
        let mut model = CallModel {
            types: vec![
                CallType {
                    literals: vec![builtin],
                    ..CallType::default()
                },
                CallType::default(),
            ],
            signatures: vec![],
        };
        (Constants::new(&knowledge, &mut model), model)
    }

    #[test]
    fn constants_become_literals_of_the_types_that_can_take_them() {
        let (constants, model) = constants();
        let values: Vec<&Value> = model.types[0]
            .literals
            .iter()
            .map(|one| &one.value)
            .collect();
        assert_eq!(values, [&text("a"), &text("x"), &text("y")]);
        assert!(model.types[1].literals.is_empty(), "7 is out of range");
        let drawn = constants.draw(OperationId(0), TypeId(1), &mut Seed(1).stream());
        assert_eq!(drawn, None);
    }

    #[test]
    fn every_constant_is_drawn_and_the_heavier_more_often() {
        let (constants, _) = constants();
        let mut stream = Seed(1).stream();
        let mut counts = [0; 3];
        for _ in 0..40_000 {
            let drawn = constants.draw(OperationId(0), TypeId(0), &mut stream);
            counts[drawn.unwrap() as usize] += 1;
        }
        // `x` weighs 2 ln 3, `y` weighs ln 1.5.
        assert!((19_000..21_000).contains(&counts[0]), "{counts:?}");
        assert!(counts[1] > 4 * counts[2] && counts[2] > 500, "{counts:?}");
    }

    #[test]
    fn one_literal_in_a_hundred_is_of_the_class_of_the_operation() {
        // By weight, `y` is hardly ever drawn; it is one of two constants of the class.
        let (constants, _) = with_frequency(100_000_000);
        let mut stream = Seed(1).stream();
        let draws = 400_000;
        let drawn = (0..draws)
            .filter(|_| constants.draw(OperationId(0), TypeId(0), &mut stream) == Some(2));
        let expected = f64::from(draws) * 0.01 / 2.0;
        let share = drawn.count() as f64 / expected;
        assert!((0.9..1.1).contains(&share), "{share}");
    }
}
