//! The constants of classes as the engine's documents: each class is one, and every use of a constant in its code counts.

use crate::model::JvmModel;
use classfile::ClassFile;
use classfile::analysis::constants::{Environment, Known, constants};
use classfile::descriptor::Kind;
use engine::Value;
use engine::calls::Document;
use std::collections::BTreeMap;

/// Longer texts are data, not what branches compare with.
const LONGEST: usize = 200;

/// Static finals are looked for in so many passes over all classes.
const PASSES: usize = 4;

/// The constants of each class. Code that cannot be read has none.
pub fn documents(classes: &[&ClassFile]) -> Vec<Document> {
    let environment = environment(classes);
    let mut documents: Vec<Document> = classes
        .iter()
        .map(|class| document(class, &environment))
        .collect();
    documents.sort_by(|one, other| one.name.cmp(&other.name));
    documents
}

/// The static finals of all classes. One that is made from that of a later class is known after another pass.
fn environment(classes: &[&ClassFile]) -> Environment {
    let mut environment = Environment::default();
    for _ in 0..PASSES {
        let before = environment.clone();
        for class in classes {
            // What a broken initialiser would tell is not known.
            let _ = environment.add(class);
        }
        if environment == before {
            break;
        }
    }
    environment
}

fn document(class: &ClassFile, environment: &Environment) -> Document {
    let mut counts: BTreeMap<Known, u32> = BTreeMap::new();
    for method in 0..class.methods.len() {
        for one in constants(class, method, environment).unwrap_or_default() {
            if one.kind != Kind::Boolean {
                *counts.entry(one.value).or_default() += 1;
            }
        }
    }
    // Constants of the class that no code of it uses are meant for its users.
    for field in &class.fields {
        if let Some(value) = environment.field(class.name(), field.name(&class.pool)) {
            counts.entry(value.clone()).or_insert(1);
        }
    }
    let values = counts.into_iter();
    Document {
        name: class.name().to_owned(),
        constants: values
            .filter_map(|(known, count)| Some((value(&known)?, count)))
            .collect(),
    }
}

/// A constant as the engine writes it; class constants and `null` are none.
fn value(known: &Known) -> Option<Value> {
    Some(match known {
        Known::Int(number) => Value::Int((*number).into()),
        Known::Long(number) => Value::Int(*number),
        Known::Float(bits) => Value::Float(f32::from_bits(*bits).into()),
        Known::Double(bits) => Value::Float(f64::from_bits(*bits)),
        Known::Text(text) if text.len() <= LONGEST => Value::Text(text.to_string()),
        Known::Enum { name, .. } => Value::Text(name.to_string()),
        Known::Text(_) | Known::Class(_) | Known::Null => return None,
    })
}

/// The document of each operation's class.
pub fn document_of(model: &JvmModel, documents: &[Document]) -> Vec<Option<u32>> {
    let find = |owner: &str| {
        let found = documents.binary_search_by(|one| one.name.as_str().cmp(owner));
        found.ok().map(|index| index as u32)
    };
    let operations = model.operations.iter();
    operations.map(|operation| find(&operation.owner)).collect()
}
