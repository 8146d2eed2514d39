//! Run-time classes as types of the model. Types are added in the order of proposal, so that their numbers do not depend on
//! which worker met a class first.

use std::collections::HashMap;

use engine::calls::{CallType, TypeId};

use crate::model::JvmModel;
use crate::protocol::{ClassNumber, Classes};

/// A type that was not in the model when the run began.
#[derive(Debug, Clone, PartialEq)]
pub struct NewType {
    /// Its number: one more than that of the last type.
    pub id: TypeId,
    /// Its descriptor.
    pub descriptor: String,
    /// What it is.
    pub kind: CallType,
}

/// All types, those of the model first.
#[derive(Debug)]
pub struct Types {
    ids: HashMap<String, TypeId>,
    /// The types of run-time classes by their number in the pool.
    known: Vec<Option<TypeId>>,
}

impl Types {
    /// The types of a model.
    pub fn of(model: &JvmModel) -> Types {
        let ids = model.descriptors.iter().zip(0..);
        Types {
            ids: ids
                .map(|(descriptor, id)| (descriptor.clone(), TypeId(id)))
                .collect(),
            known: Vec::new(),
        }
    }

    /// The type of a run-time class; one that is new is added to `added`.
    pub fn of_class(
        &mut self,
        number: ClassNumber,
        classes: &Classes,
        added: &mut Vec<NewType>,
    ) -> TypeId {
        let index = number.0 as usize;
        if let Some(Some(id)) = self.known.get(index) {
            return *id;
        }
        let info = classes.info(number);
        let id = match self.ids.get(&info.descriptor) {
            Some(&id) => id,
            None => {
                let id = TypeId(self.ids.len() as u32);
                self.ids.insert(info.descriptor.clone(), id);
                let mut supertypes: Vec<TypeId> = info
                    .supertypes
                    .iter()
                    .filter_map(|name| self.ids.get(name).copied())
                    .collect();
                supertypes.sort();
                added.push(NewType {
                    id,
                    descriptor: info.descriptor.clone(),
                    kind: CallType {
                        name: source_name(&info.descriptor),
                        supertypes,
                        literals: Vec::new(),
                        closed: false,
                    },
                });
                id
            }
        };
        self.known.resize(self.known.len().max(index + 1), None);
        self.known[index] = Some(id);
        id
    }
}

/// A descriptor as a person would write it; nested classes keep their `$`.
pub fn source_name(descriptor: &str) -> String {
    classfile::descriptor::Type::parse(descriptor)
        .map_or_else(|_| descriptor.to_owned(), |kind| kind.to_string())
}
