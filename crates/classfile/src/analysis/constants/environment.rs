//! What other classes tell about constants: values of static final fields, and which classes are enums.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Known, propagate};
use crate::attributes;
use crate::class::ClassFile;
use crate::error::Error;
use crate::member::Member;
use crate::pool::{Constant, ConstantPool};

const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const ENUM: u16 = 0x4000;

/// The static final fields and enum constants of some classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    fields: BTreeMap<String, BTreeMap<String, Known>>,
}

impl Environment {
    /// Adds what a class tells: constant values, enum constants, and final fields that the initialiser sets once to a known
    /// value. Fields of classes added before are known to that initialiser.
    pub fn add(&mut self, class: &ClassFile) -> Result<(), Error> {
        let pool = &class.pool;
        let fields = self.fields.entry(class.name().to_owned()).or_default();
        let mut open = BTreeSet::new();
        for field in &class.fields {
            let name = field.name(pool);
            if field.access & ENUM != 0 {
                let value = Known::Enum {
                    class: class.name().into(),
                    name: name.into(),
                };
                fields.insert(name.to_owned(), value);
            } else if field.access & (STATIC | FINAL) == STATIC | FINAL {
                match constant_value(field, pool)? {
                    Some(value) => drop(fields.insert(name.to_owned(), value)),
                    None => drop(open.insert(name)),
                }
            }
        }
        if let Some(initialiser) = class.method("<clinit>", "()V")
            && let Some(code) = initialiser.code(pool)?
        {
            let stored = propagate::stored(class, initialiser, &code, self, &open);
            let fields = self.fields.entry(class.name().to_owned()).or_default();
            fields.extend(stored);
        }
        Ok(())
    }

    /// The value of a static field, if it is known.
    pub fn field(&self, class: &str, name: &str) -> Option<&Known> {
        self.fields.get(class)?.get(name)
    }

    /// The names of the constants of an enum, sorted; none for other classes.
    pub fn enum_constants(&self, class: &str) -> Vec<Arc<str>> {
        let fields = self
            .fields
            .get(class)
            .into_iter()
            .flat_map(BTreeMap::values);
        let names = fields.filter_map(|value| match value {
            Known::Enum { class: of, name } if **of == *class => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }
}

fn constant_value(field: &Member, pool: &ConstantPool) -> Result<Option<Known>, Error> {
    let Some(attribute) = field.attribute(pool, "ConstantValue") else {
        return Ok(None);
    };
    let constant = attributes::constant_value(attribute, pool)?;
    Ok(known(constant, pool))
}

/// The value of a constant that can be loaded.
pub(super) fn known(constant: &Constant, pool: &ConstantPool) -> Option<Known> {
    Some(match constant {
        Constant::Integer(value) => Known::Int(*value),
        Constant::Float(bits) => Known::Float(*bits),
        Constant::Long(value) => Known::Long(*value),
        Constant::Double(bits) => Known::Double(*bits),
        Constant::String(text) => Known::Text(pool.utf8(*text).ok()?.into()),
        Constant::Class(name) => Known::Class(pool.utf8(*name).ok()?.into()),
        _ => return None,
    })
}
