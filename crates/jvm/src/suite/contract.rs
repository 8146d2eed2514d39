//! Contracts that a failing test shows to be violated, as statements that fail.

use super::assertion_code::{Variable, call};
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{CLASS, END, Viewpoint};
use crate::protocol::Violation;
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

/// The contracts, in the order of their numbers in the workers' protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContractKind {
    /// `a.equals(a)`.
    EqualsReflexive,
    /// `a.equals(b)` and `b.equals(a)` say the same.
    EqualsSymmetric,
    /// `a.equals(b)` and `b.equals(c)` imply `a.equals(c)`.
    EqualsTransitive,
    /// Not `a.equals(null)`.
    EqualsNull,
    /// Equal `a` and `b` have the same hash code.
    HashCodeConsistent,
    /// `a.hashCode()` does not throw.
    HashCodeReturns,
    /// `a.toString()` does not throw.
    ToStringReturns,
    /// `a.compareTo(a)` is 0.
    CompareToReflexive,
    /// `a.compareTo(b)` and `b.compareTo(a)` have opposite signs.
    CompareToAntisymmetric,
    /// `a` not after `b` and `b` not after `c` imply `a` not after `c`.
    CompareToTransitive,
    /// `a.compareTo(b)` is 0 exactly where `a.equals(b)`.
    CompareToConsistent,
    /// `a.clone()` gives another object.
    CloneDiffers,
    /// A method without parameters that checks the object returns true, or nothing, and does not throw.
    CheckRep,
}

/// All kinds, by their numbers in the protocol, with their words in the names of test methods.
const KINDS: [(ContractKind, &str); 13] = [
    (ContractKind::EqualsReflexive, "violatesEqualsReflexive"),
    (ContractKind::EqualsSymmetric, "violatesEqualsSymmetric"),
    (ContractKind::EqualsTransitive, "violatesEqualsTransitive"),
    (ContractKind::EqualsNull, "equalsNull"),
    (
        ContractKind::HashCodeConsistent,
        "violatesHashCodeConsistent",
    ),
    (ContractKind::HashCodeReturns, "hashCodeThrows"),
    (ContractKind::ToStringReturns, "toStringThrows"),
    (
        ContractKind::CompareToReflexive,
        "violatesCompareToReflexive",
    ),
    (
        ContractKind::CompareToAntisymmetric,
        "violatesCompareToAntisymmetric",
    ),
    (
        ContractKind::CompareToTransitive,
        "violatesCompareToTransitive",
    ),
    (
        ContractKind::CompareToConsistent,
        "violatesCompareToConsistent",
    ),
    (ContractKind::CloneDiffers, "violatesClone"),
    (ContractKind::CheckRep, "violatesCheckRep"),
];

impl Contract {
    /// What a worker found to be violated.
    pub fn of(violation: &Violation) -> Option<Contract> {
        let (kind, _) = KINDS.get(usize::from(violation.contract))?;
        Some(Contract {
            kind: *kind,
            steps: violation.steps.clone(),
            check: violation.operation.map(OperationId),
        })
    }
}

impl ContractKind {
    /// Its violation as the outcome in the names of test methods.
    pub fn outcome(self) -> &'static str {
        KINDS[self as usize].1
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
                let (b, c) = (&self.variable(1)?.name, &self.variable(2)?.name);
                for (one, two) in [(a, b.as_str()), (b, c), (a, c)] {
                    statements.push(call("assertTrue", &[&equal(one, two)]));
                }
            }
            ContractKind::HashCodeConsistent => {
                let b = self.variable(1)?.name.as_str();
                statements.push(call("assertTrue", &[&equal(a, b)]));
                statements.push(call("assertEquals", &[&hash(a), &hash(b)]));
            }
            ContractKind::HashCodeReturns => statements.push(format!("{};", hash(a))),
            ContractKind::ToStringReturns => statements.push(format!("{a}.toString();")),
            ContractKind::CloneDiffers => {
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
            ContractKind::CompareToAntisymmetric => {
                let b = self.variable(1)?;
                let sign = |one, two| {
                    let compared = self.compare(one, two);
                    format!("{CLASS}java/lang/Integer{END}.signum({compared})")
                };
                let opposite = format!("-{}", sign(b, a));
                statements.push(call("assertEquals", &[&sign(a, b), &opposite]));
            }
            ContractKind::CompareToConsistent => {
                let b = self.variable(1)?;
                let zero = format!("{} == 0", self.compare(a, b));
                let equal = format!("{}.equals({})", a.name, b.name);
                statements.push(call("assertEquals", &[&equal, &zero]));
            }
            _ => {
                let (b, c) = (self.variable(1)?, self.variable(2)?);
                for (one, two) in [(a, b), (b, c), (a, c)] {
                    let ordered = format!("{} <= 0", self.compare(one, two));
                    statements.push(call("assertTrue", &[&ordered]));
                }
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
