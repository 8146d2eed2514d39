//! Finds the calls of a class that are redirected, and what takes their place.
//!
//! The pool is searched once per class: only its method constants whose class is in the table matter.

use std::collections::BTreeMap;

use super::Refused;
use super::references::invoke_static;
use super::replacement::{Action, Replacement};
use crate::error::PoolFull;
use crate::opcode::Opcode;
use crate::pool::{Constant, ConstantPool};

/// The table, by class.
#[derive(Debug, Default)]
pub(super) struct CallTable {
    owners: BTreeMap<&'static [u8], Vec<Replacement>>,
}

/// A method constant of a class that is redirected.
#[derive(Clone, Debug)]
pub(super) struct Redirected {
    /// The constant that call sites name.
    pub index: u16,
    pub replacement: Replacement,
}

impl CallTable {
    pub(super) fn new(replacements: &[Replacement]) -> CallTable {
        let mut table = CallTable::default();
        for replacement in replacements {
            let list = table
                .owners
                .entry(replacement.owner.as_bytes())
                .or_default();
            list.push(replacement.clone());
        }
        table
    }

    /// The constants of a pool that are redirected, in order.
    pub(super) fn find(&self, pool: &ConstantPool, found: &mut Vec<Redirected>) {
        found.clear();
        if self.owners.is_empty() {
            return;
        }
        let owner = |(index, constant): (u16, &Constant)| match constant {
            Constant::Class(name) => {
                let list = self.owners.get(pool.utf8_bytes(*name).ok()?)?;
                Some((index, list))
            }
            _ => None,
        };
        let owners: Vec<(u16, &Vec<Replacement>)> = pool.iter().filter_map(owner).collect();
        if owners.is_empty() {
            return;
        }
        for (index, constant) in pool.iter() {
            let (Constant::Method(class, pair) | Constant::InterfaceMethod(class, pair)) = constant
            else {
                continue;
            };
            let Some((_, list)) = owners.iter().find(|(owner, _)| owner == class) else {
                continue;
            };
            let Ok((name, descriptor)) = pool.name_and_type(*pair) else {
                continue;
            };
            let same = |replacement: &&Replacement| {
                replacement.name == name && replacement.descriptor == descriptor
            };
            if let Some(replacement) = list.iter().find(same) {
                let replacement = replacement.clone();
                found.push(Redirected { index, replacement });
            }
        }
    }
}

impl Redirected {
    /// Appends what takes the place of a call by `opcode` and says how much stack it needs; `None` if it stays.
    pub(super) fn write(
        &self,
        opcode: Opcode,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<Option<u16>, Refused> {
        let Replacement {
            owner, descriptor, ..
        } = &self.replacement;
        match (&self.replacement.action, opcode) {
            (Action::Static { class }, Opcode::INVOKESTATIC) => {
                let method = pool.add_method_ref(class, self.replacement.name, descriptor)?;
                invoke_static(method, code);
                Ok(Some(0))
            }
            (Action::Static { .. }, Opcode::INVOKEVIRTUAL | Opcode::INVOKEINTERFACE) => {
                invoke_static(self.with_receiver(pool)?, code);
                Ok(Some(0))
            }
            (
                Action::Argument {
                    class,
                    supplier,
                    argument,
                },
                Opcode::INVOKESPECIAL,
            ) => {
                let supplied = pool.add_method_ref(class, supplier, &format!("(){argument}"))?;
                invoke_static(supplied, code);
                let descriptor = descriptor.replace(')', &format!("{argument})"));
                let method = pool.add_method_ref(owner, self.replacement.name, &descriptor)?;
                let [high, low] = method.to_be_bytes();
                code.extend([Opcode::INVOKESPECIAL.0, high, low]);
                Ok(Some(2))
            }
            _ => Ok(None),
        }
    }

    /// The static method with the receiver as first argument.
    pub(super) fn with_receiver(&self, pool: &mut ConstantPool) -> Result<u16, PoolFull> {
        let Replacement {
            owner,
            name,
            descriptor,
            action,
        } = &self.replacement;
        let (Action::Static { class } | Action::Argument { class, .. }) = action;
        let descriptor = descriptor.replacen('(', &format!("(L{owner};"), 1);
        pool.add_method_ref(class, name, &descriptor)
    }
}
