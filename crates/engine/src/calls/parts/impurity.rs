//! `impurity`: inputs are changed before they are used.
//!
//! ## What it does
//! A number is replaced by one drawn from a normal distribution around it, with a standard deviation of 30; in a text a character
//! is inserted, removed or replaced, or a part of it is taken. An object is given to an operation that may change it, by the
//! analysis of purity; what that operation needs besides is sought among the values of the object's own sequence first.
//! After a call only those of its arguments are kept that it may have changed, and what they were made from.
//!
//! ## Why
//! Values near those that the subject uses satisfy its branches, and objects in new states take new branches. Calls that change
//! nothing only make sequences longer.
//!
//! ## Example
//! `testhound generate app.jar --guide impurity`
//!
//! ## References
//! Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Section III-B.
//!
//! ## Differences
//! - The paper does not say how often inputs are changed: here every third literal and every fifth object.
//! - What a changed object was got from or made from is taken to be changed, too: a writer of methods changes the writer of classes that
//!   gave it.
//! - Only operations that may change the object are drawn to change it, each equally likely: the preference for impure ones is 1.
//! - Primitive numbers that calls gave are changed like written ones, except under a budget in executions: such a run must repeat exactly,
//!   and what calls give may depend on what the worker ran before. Texts and numbers in boxes that calls gave are passed on as they
//!   are, because workers tell only their marks.
//! - Operations that change static state alone change no object, and are not drawn for it.

use crate::calls::knowledge::{Domain, Knowledge, STATIC_PLACE};
use crate::calls::{CallModel, TypeId};
use crate::stream::Stream;
use crate::test::{OperationId, Value};

/// The part's name.
pub(in crate::calls) const NAME: &str = "impurity";

/// One line for people.
pub(in crate::calls) const SUMMARY: &str =
    "inputs are changed before use: numbers, texts, and objects by impure operations";

/// How often a literal is changed.
pub(in crate::calls) const LITERALS: f64 = 1.0 / 3.0;

/// How often an object is changed.
pub(in crate::calls) const OBJECTS: f64 = 0.2;

/// The standard deviation of changed numbers.
const SIGMA: f64 = 30.0;

/// An operation that may change what is given for one of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::calls) struct Changer {
    pub operation: OperationId,
    pub parameter: u32,
}

/// What can change values of each type.
#[derive(Clone, Debug)]
pub(in crate::calls) struct Impurity {
    changes: Vec<u64>,
    /// Changers by the type of their parameter.
    by_parameter: Vec<Vec<Changer>>,
    /// Changers of values of each type, by supertypes too.
    of_type: Vec<Vec<Changer>>,
    domains: Vec<Vec<Domain>>,
}

impl Impurity {
    pub(in crate::calls) fn new(knowledge: &Knowledge, model: &CallModel) -> Impurity {
        let mut by_parameter = vec![Vec::new(); model.types.len()];
        for (number, signature) in model.signatures.iter().enumerate() {
            let changes = knowledge.changes.get(number).copied().unwrap_or(0);
            for (index, parameter) in signature.required().iter().enumerate().take(STATIC_PLACE) {
                if changes >> index & 1 == 1 {
                    by_parameter[parameter.kind.0 as usize].push(Changer {
                        operation: OperationId(number as u32),
                        parameter: index as u32,
                    });
                }
            }
        }
        let mut impurity = Impurity {
            changes: knowledge.changes.clone(),
            by_parameter,
            of_type: Vec::new(),
            domains: knowledge.domains.clone(),
        };
        impurity.types_added(model);
        impurity
    }

    /// Notes that the model has more types than before.
    pub(in crate::calls) fn types_added(&mut self, model: &CallModel) {
        self.by_parameter.resize(model.types.len(), Vec::new());
        for number in self.of_type.len()..model.types.len() {
            let kind = TypeId(number as u32);
            let above = model.types[number].supertypes.iter().chain([&kind]);
            let changers = above.flat_map(|one| self.by_parameter[one.0 as usize].iter());
            self.of_type.push(changers.copied().collect());
        }
    }

    /// Whether calling an operation may change what is given for a parameter.
    pub(in crate::calls) fn changes(&self, operation: OperationId, parameter: usize) -> bool {
        let changes = self.changes.get(operation.0 as usize).copied();
        changes.is_none_or(|bits| parameter >= STATIC_PLACE || bits >> parameter & 1 == 1)
    }

    /// Whether calling an operation changes nothing: neither what it is given nor static state.
    pub(in crate::calls) fn only_looks(&self, operation: OperationId) -> bool {
        self.changes.get(operation.0 as usize) == Some(&0)
    }

    /// An operation that may change a value of this type.
    pub(in crate::calls) fn changer(&self, kind: TypeId, stream: &mut Stream) -> Option<Changer> {
        let changers = self.of_type.get(kind.0 as usize)?;
        if changers.is_empty() {
            return None;
        }
        Some(changers[stream.index(changers.len())])
    }

    /// Whether what can be written down for a type is a number before all.
    pub(in crate::calls) fn is_number(&self, kind: TypeId) -> bool {
        let domains = self.domains.get(kind.0 as usize);
        let first = domains.and_then(|domains| domains.first());
        matches!(first, Some(Domain::Whole(..) | Domain::Real))
    }

    /// The number of a type that has these bits; none if they are 0, or where there is nothing near it.
    pub(in crate::calls) fn number(&self, kind: TypeId, bits: u64) -> Option<Value> {
        match self.domains.get(kind.0 as usize)?.first()? {
            Domain::Whole(..) if bits != 0 => Some(Value::Int(bits as i64)),
            Domain::Real => {
                let number = f64::from_bits(bits);
                (number != 0.0 && number.is_finite()).then_some(Value::Float(number))
            }
            _ => None,
        }
    }

    /// A value near another one of this type; none where there is nothing like it.
    pub(in crate::calls) fn near(
        &self,
        kind: TypeId,
        value: &Value,
        stream: &mut Stream,
    ) -> Option<Value> {
        match value {
            Value::Int(number) => {
                let domains = self.domains.get(kind.0 as usize)?.iter();
                let mut ranges = domains.filter_map(|domain| match domain {
                    Domain::Whole(least, most) => Some((*least, *most)),
                    _ => None,
                });
                let (least, most) = ranges.next()?;
                let offset = (normal(stream) * SIGMA).round() as i64;
                Some(Value::Int(number.saturating_add(offset).clamp(least, most)))
            }
            Value::Float(number) => Some(Value::Float(number + normal(stream) * SIGMA)),
            Value::Text(text) => Some(Value::Text(edited(text, stream))),
            Value::Bool(_) | Value::Nothing => None,
        }
    }
}

/// A number of the standard normal distribution (Box and Muller, 1958).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - stream.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * stream.unit()).cos()
}

/// A text with one random change.
fn edited(text: &str, stream: &mut Stream) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let change = if letters.is_empty() {
        0
    } else {
        stream.below(4)
    };
    match change {
        0 => {
            let place = stream.index(letters.len() + 1);
            letters.insert(place, letter(stream));
        }
        1 => drop(letters.remove(stream.index(letters.len()))),
        2 => {
            let place = stream.index(letters.len());
            letters[place] = letter(stream);
        }
        _ => {
            let [one, other] = [0; 2].map(|_: usize| stream.index(letters.len() + 1));
            letters = letters[one.min(other)..one.max(other)].to_vec();
        }
    }
    letters.into_iter().collect()
}

/// A printable character, seldom one beyond ASCII.
fn letter(stream: &mut Stream) -> char {
    if stream.chance(0.02) {
        return ['\u{e9}', '\u{3b1}', '\u{4e2d}', '\n', '\t'][stream.index(5)];
    }
    char::from(b' ' + stream.below(95) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::knowledge::CHANGES_STATIC;
    use crate::calls::{CallType, Parameter, Signature};
    use crate::stream::Seed;

    const LIST: TypeId = TypeId(0);
    const ARRAY_LIST: TypeId = TypeId(1);
    const INT: TypeId = TypeId(2);

    /// Operations `get(List, int)`, `add(List, int)`, `trim(ArrayList)`, and `share(List)`. The second and third change their receivers,
    /// the last one static state.
    fn impurity() -> Impurity {
        let kind = |supertypes: &[TypeId]| CallType {
            supertypes: supertypes.to_vec(),
            ..CallType::default()
        };
        let signature = |kinds: &[TypeId]| Signature {
            parameters: kinds
                .iter()
                .map(|&kind| Parameter {
                    kind,
                    nullable: false,
                })
                .collect(),
            ..Signature::default()
        };
        let model = CallModel {
            types: vec![kind(&[]), kind(&[LIST]), kind(&[])],
            signatures: vec![
                signature(&[LIST, INT]),
                signature(&[LIST, INT]),
                signature(&[ARRAY_LIST]),
                signature(&[LIST]),
            ],
        };
        let knowledge = Knowledge {
            changes: vec![0, 1, 1, CHANGES_STATIC],
            domains: vec![vec![], vec![], vec![Domain::Whole(-128, 127)]],
            ..Knowledge::default()
        };
        Impurity::new(&knowledge, &model)
    }

    #[test]
    fn objects_are_changed_by_impure_operations_on_their_type_or_a_supertype() {
        let impurity = impurity();
        let drawn = |kind| {
            let mut stream = Seed(1).stream();
            let changers = (0..50).filter_map(|_| impurity.changer(kind, &mut stream));
            let mut numbers: Vec<u32> = changers.map(|one| one.operation.0).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        assert_eq!(drawn(LIST), [1]);
        assert_eq!(drawn(ARRAY_LIST), [1, 2]);
        assert!(drawn(INT).is_empty());
        assert!(impurity.changes(OperationId(1), 0) && !impurity.changes(OperationId(0), 0));
        let looking = [0, 1, 3].map(|number| impurity.only_looks(OperationId(number)));
        assert_eq!(
            looking,
            [true, false, false],
            "`share` changes static state"
        );
    }

    #[test]
    fn numbers_are_changed_by_a_normal_distribution_of_deviation_30_within_their_type() {
        let impurity = impurity();
        let mut stream = Seed(7).stream();
        let mut near = 0;
        let mut outside = 0;
        for _ in 0..10_000 {
            let Some(Value::Int(number)) = impurity.near(INT, &Value::Int(10), &mut stream) else {
                panic!("a number gives a number");
            };
            near += i32::from((-20..=40).contains(&number));
            outside += i32::from(!(-128..=127).contains(&number));
        }
        // 68.3 % lie within one deviation, a little more with the rounding.
        assert!((6_700..7_050).contains(&near), "{near}");
        assert_eq!(outside, 0);
    }

    #[test]
    fn texts_are_changed_by_one_edit() {
        let mut stream = Seed(3).stream();
        let texts: Vec<String> = (0..200).map(|_| edited("word", &mut stream)).collect();
        assert!(texts.iter().any(|text| text.chars().count() == 5));
        assert!(texts.contains(&"wrd".to_owned()));
        assert!(texts.contains(&"or".to_owned()));
        let replaced = |text: &String| text.chars().count() == 4 && text.ends_with("ord");
        assert!(texts.iter().any(|text| replaced(text) && text != "word"));
        assert_eq!(edited("", &mut stream).chars().count(), 1);
    }
}
