//! Mutants of Java class files.
//!
//! [`mutants`] lists the changes that make sense in a class; [`ClassMutant::apply`] makes the mutated class. A mutated
//! class has the same members, the same shapes of stack and locals and the same jumps, so that it verifies wherever the
//! original does and can replace it in a running JVM. Code that a compiler made is left alone ([`filters`]).
//!
//! The operators do what the default group of PIT does (H. Coles, T. Laurent, C. Henard, M. Papadakis, A. Ventresque, "PIT:
//! a practical mutation testing tool for Java", ISSTA 2016, and the tool's documentation of its mutators): conditionals
//! boundary, increments, invert negatives, math, negate conditionals, void method calls, and empty, false, true, null and
//! primitive returns. [`Operator::Constant`] and [`Operator::CallRemoval`] go further; [`Options::comparable`] is without
//! them.
//!
//! Differences:
//! - A mutant of code in a `finally` block is made once per copy that the compiler made of it.
//! - Static initialisers have no mutants; methods that only they call have.
//! - Annotations that forbid null do not stop a null return.

mod apply;
mod arithmetic;
mod calls;
mod conditions;
mod constants;
pub mod filters;
mod method;
mod mutant;
mod returns;

use std::collections::BTreeSet;

use classfile::{ClassFile, Error};

pub use apply::ApplyError;
pub use mutant::ClassMutant;

use crate::Operator;
use filters::Class;
use method::Method;
use mutant::Sites;

/// Which mutants to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The operators to use.
    pub operators: BTreeSet<Operator>,
}

impl Default for Options {
    /// All operators.
    fn default() -> Options {
        Options {
            operators: Operator::ALL.into_iter().collect(),
        }
    }
}

impl Options {
    /// The operators whose score can be compared with that of PIT's default group.
    pub fn comparable() -> Options {
        let further = [Operator::Constant, Operator::CallRemoval];
        let operators = Operator::ALL.into_iter();
        Options {
            operators: operators.filter(|one| !further.contains(one)).collect(),
        }
    }
}

/// All mutants of a class that the options allow, in the order of methods and instructions.
pub fn mutants(bytes: &[u8], options: &Options) -> Result<Vec<ClassMutant>, Error> {
    let class = ClassFile::parse(bytes)?;
    let facts = Class::new(&class);
    let mut mutants = Vec::new();
    for member in &class.methods {
        if facts.is_compiler_made(member) {
            continue;
        }
        let Some(code) = member.code(&class.pool)? else {
            continue;
        };
        let method = Method::new(&class, member, &code)?;
        let mut sites = Sites::new(&method, options);
        for (index, is_made) in filters::compiler_made(&method).into_iter().enumerate() {
            if !is_made {
                visit(&mut sites, index);
            }
        }
        mutants.append(&mut sites.mutants);
    }
    Ok(mutants)
}

/// The mutants of one instruction.
fn visit(sites: &mut Sites, index: usize) {
    conditions::visit(sites, index);
    arithmetic::visit(sites, index);
    calls::visit(sites, index);
    constants::visit(sites, index);
    returns::visit(sites, index);
}
