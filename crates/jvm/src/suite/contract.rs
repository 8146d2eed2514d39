//! Contracts that a failing test shows to be violated, as statements that fail.

use super::assertion_code::{Variable, call};
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{CLASS, END, Viewpoint};
use engine::OperationId;
use serde::{Deserialize, Serialize};

/// A contract that did not hold at the end of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// Which one.
    pub kind: ContractKind,
    /// The steps whose results it is about, in the order that the kind's description gives them.
    pub steps: Vec<u32>,
    /// The operation that checks the object, for `check-rep`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<OperationId>,
}

/// The contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContractKind {
    /// Not `a.equals(null)`.
    EqualsNull,
    /// `a.equals(a)`.
    EqualsReflexive,
    /// `a.equals(b)` and `b.equals(a)` say the same.
    EqualsSymmetric,
    /// `a.equals(b)` and `b.equals(c)` imply `a.equals(c)`; the steps of `a`, `c` and, where known, `b`.
    EqualsTransitive,
    /// `a.equals(b)` does not throw.
    EqualsThrows,
    /// Equal `a` and `b` have the same hash code; that of one object stays the same.
    HashCodeConsistent,
    /// `a.hashCode()` does not throw.
    HashCodeThrows,
    /// `a.toString()` does not throw.
    ToStringThrows,
    /// `a.compareTo(a)` is 0.
    CompareToReflexive,
    /// `a.compareTo(b)` and `b.compareTo(a)` have opposite signs.
    CompareToSymmetric,
    /// `a` after `b` and `b` after `c` imply `a` after `c`; the steps of `a`, `c` and, where known, `b`.
    CompareToTransitive,
    /// `a.clone()` gives another object.
    Clone,
    /// A method without parameters that checks the object returns true, or nothing, and does not throw.
    CheckRep,
}

impl ContractKind {
    /// Its name in the names of test methods.
    pub fn word(self) -> &'static str {
        match self {
            ContractKind::EqualsNull => "equalsNull",
            ContractKind::EqualsReflexive => "equalsReflexive",
            ContractKind::EqualsSymmetric => "equalsSymmetric",
            ContractKind::EqualsTransitive => "equalsTransitive",
            ContractKind::EqualsThrows => "equalsThrows",
            ContractKind::HashCodeConsistent => "hashCodeConsistent",
            ContractKind::HashCodeThrows => "hashCodeThrows",
            ContractKind::ToStringThrows => "toStringThrows",
            ContractKind::CompareToReflexive => "compareToReflexive",
            ContractKind::CompareToSymmetric => "compareToSymmetric",
            ContractKind::CompareToTransitive => "compareToTransitive",
            ContractKind::Clone => "clone",
            ContractKind::CheckRep => "checkRep",
        }
    }
}

/// What writing a contract needs to know.
pub struct ContractContext<'a> {
    /// Who names things.
    pub viewpoint: Viewpoint<'a>,
    /// Which types fit which.
    pub types: &'a Types<'a>,
    /// The variables of the contract's steps, in their order.
    pub variables: Vec<Variable>,
}

impl ContractContext<'_> {
    /// The statements that fail because of the violation.
    pub fn statements(&self, contract: &Contract) -> Result<Vec<String>, Reason> {
        let a = self.variable(0)?;
        let a = a.name.as_str();
        let equal = |one: &str, two: &str| format!("{one}.equals({two})");
        let hash = |one: &str| format!("{one}.hashCode()");
        let mut statements = Vec::new();
        match contract.kind {
            ContractKind::EqualsNull => {
                statements.push(call("assertFalse", &[&equal(a, "null")]));
            }
            ContractKind::EqualsReflexive => {
                statements.push(call("assertTrue", &[&equal(a, a)]));
            }
            ContractKind::EqualsSymmetric => {
                let b = self.variable(1)?.name.as_str();
                statements.push(call("assertEquals", &[&equal(a, b), &equal(b, a)]));
            }
            ContractKind::EqualsTransitive => {
                let c = self.variable(1)?.name.as_str();
                if let Ok(b) = self.variable(2) {
                    statements.push(call("assertTrue", &[&equal(a, &b.name)]));
                    statements.push(call("assertTrue", &[&equal(&b.name, c)]));
                }
                statements.push(call("assertTrue", &[&equal(a, c)]));
            }
            ContractKind::EqualsThrows => {
                let b = self.variable(1)?.name.as_str();
                statements.push(format!("{};", equal(a, b)));
                statements.push(format!("{};", equal(b, a)));
            }
            ContractKind::HashCodeConsistent => {
                let b = self.variable(1)?.name.as_str();
                if a != b {
                    statements.push(call("assertTrue", &[&equal(a, b)]));
                }
                statements.push(call("assertEquals", &[&hash(a), &hash(b)]));
            }
            ContractKind::HashCodeThrows => statements.push(format!("{};", hash(a))),
            ContractKind::ToStringThrows => statements.push(format!("{a}.toString();")),
            ContractKind::Clone => {
                let copy = format!("{a}.clone()");
                statements.push(call("assertNotSame", &[a, &copy]));
            }
            ContractKind::CheckRep => statements.push(self.check(contract)?),
            _ => self.comparison(contract.kind, &mut statements)?,
        }
        Ok(statements)
    }

    fn variable(&self, index: usize) -> Result<&Variable, Reason> {
        self.variables.get(index).ok_or(Reason::Malformed(index))
    }

    fn comparison(&self, kind: ContractKind, statements: &mut Vec<String>) -> Result<(), Reason> {
        let a = self.variable(0)?;
        match kind {
            ContractKind::CompareToReflexive => {
                statements.push(call("assertEquals", &["0", &self.compare(a, a)]));
            }
            ContractKind::CompareToSymmetric => {
                let b = self.variable(1)?;
                let sign = |one, two| {
                    let compared = self.compare(one, two);
                    format!("{CLASS}java/lang/Integer{END}.signum({compared})")
                };
                let opposite = format!("-{}", sign(b, a));
                statements.push(call("assertEquals", &[&sign(a, b), &opposite]));
            }
            _ => {
                let c = self.variable(1)?;
                let after = |one, two| format!("{} > 0", self.compare(one, two));
                if let Ok(b) = self.variable(2) {
                    statements.push(call("assertTrue", &[&after(a, b)]));
                    statements.push(call("assertTrue", &[&after(b, c)]));
                }
                statements.push(call("assertTrue", &[&after(a, c)]));
            }
        }
        Ok(())
    }

    fn compare(&self, one: &Variable, two: &Variable) -> String {
        let comparable = "Ljava/lang/Comparable;";
        let typed =
            one.descriptor == two.descriptor && self.types.fits(&one.descriptor, comparable);
        match typed {
            true => format!("{}.compareTo({})", one.name, two.name),
            false => format!(
                "(({CLASS}java/lang/Comparable{END}) {}).compareTo({})",
                one.name, two.name
            ),
        }
    }

    fn check(&self, contract: &Contract) -> Result<String, Reason> {
        let operations = &self.viewpoint.model.operations;
        let operation = contract
            .check
            .and_then(|check| operations.get(check.0 as usize))
            .ok_or(Reason::Malformed(0))?;
        let variable = self.variable(0)?;
        let owner = format!("L{};", operation.owner);
        let receiver = match self.types.fits(&variable.descriptor, &owner) {
            true => variable.name.clone(),
            false => format!("(({}) {})", self.viewpoint.kind(&owner)?, variable.name),
        };
        let checked = format!("{receiver}.{}()", self.viewpoint.member(&operation.name)?);
        Ok(match operation.descriptor.ends_with(")Z") {
            true => call("assertTrue", &[&checked]),
            false => format!("{checked};"),
        })
    }
}
