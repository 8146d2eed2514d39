//! The mutation operators, by the one name they have in flags, listings, reports and documentation.
//!
//! An operator says what kind of mistake a mutant imitates. How the mistake looks in a language is decided by that
//! language's module, not here; an operator that makes no sense in a language (`goto-label` in Python) has no mutants.

use std::fmt;
use std::str::FromStr;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `+ - * / %` for one another; a sign dropped.
    Arithmetic,
    /// `< <= > >= == !=` for one another.
    Relational,
    /// `&&` for `||` and back; a `!` dropped.
    Logical,
    /// `& | ^` for one another, `<<` for `>>` and back; a `~` dropped.
    Bitwise,
    /// `+=` and its kin for one another and for `=`; `=` for `+=` and `-=`.
    Assignment,
    /// `++` for `--` and back; the prefix form for the postfix form and back.
    Increment,
    /// A number or character for 0, 1, -1 and its two neighbours.
    Constant,
    /// A statement left out.
    StatementDeletion,
    /// `break` for `continue` and back.
    BreakContinue,
    /// A `goto` to another label of the function.
    GotoLabel,
    /// The condition of `if`, `while`, `for`, `do` or `?:` turned round.
    ConditionNegation,
    /// The returned expression for 0, 1 or -1, or for the null, false, true or empty value of its type.
    ReturnValue,
    /// A call inside an expression left out, its result for the default of its type.
    CallRemoval,
}

impl Operator {
    /// All operators, in the order in which listings and help texts show them.
    pub const ALL: [Operator; 13] = [
        Operator::Arithmetic,
        Operator::Relational,
        Operator::Logical,
        Operator::Bitwise,
        Operator::Assignment,
        Operator::Increment,
        Operator::Constant,
        Operator::StatementDeletion,
        Operator::BreakContinue,
        Operator::GotoLabel,
        Operator::ConditionNegation,
        Operator::ReturnValue,
        Operator::CallRemoval,
    ];

    /// The kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Arithmetic => "arithmetic",
            Operator::Relational => "relational",
            Operator::Logical => "logical",
            Operator::Bitwise => "bitwise",
            Operator::Assignment => "assignment",
            Operator::Increment => "increment",
            Operator::Constant => "constant",
            Operator::StatementDeletion => "statement-deletion",
            Operator::BreakContinue => "break-continue",
            Operator::GotoLabel => "goto-label",
            Operator::ConditionNegation => "condition-negation",
            Operator::ReturnValue => "return-value",
            Operator::CallRemoval => "call-removal",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that no operator has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown mutation operator `{name}`\nhint: the operators are {}",
    names()
)]
pub struct UnknownOperator {
    /// The name as it was given.
    pub name: String,
}

fn names() -> String {
    Operator::ALL
        .map(|operator| format!("`{operator}`"))
        .join(", ")
}

impl FromStr for Operator {
    type Err = UnknownOperator;

    fn from_str(name: &str) -> Result<Operator, UnknownOperator> {
        let found = Operator::ALL
            .into_iter()
            .find(|operator| operator.name() == name);
        found.ok_or_else(|| UnknownOperator {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back_to_its_operator() {
        for operator in Operator::ALL {
            assert_eq!(operator.to_string().parse(), Ok(operator));
        }
    }

    #[test]
    fn the_listed_order_is_the_sorted_order() {
        assert!(Operator::ALL.is_sorted());
    }

    #[test]
    fn an_unknown_name_is_quoted_with_the_known_ones_as_a_hint() {
        let message = "negation".parse::<Operator>().unwrap_err().to_string();
        assert!(message.starts_with(
            "unknown mutation operator `negation`\nhint: the operators are `arithmetic`, "
        ));
    }
}
