//! Changes of control flow: `statement-deletion`, `break-continue`, `goto-label`, `condition-negation` and
//! `return-value`.

use std::ops::Range;

use super::lex::TokenKind;
use super::outline::{FunctionOutline, Touch};
use super::site::Sites;
use super::types::Base;
use crate::Operator;

pub(super) fn visit(sites: &mut Sites<'_, '_>) {
    delete_statements(sites);
    exchange_loop_jumps(sites);
    redirect_gotos(sites);
    negate_conditions(sites);
    replace_returned_values(sites);
}

fn delete_statements(sites: &mut Sites<'_, '_>) {
    let outline = sites.outline;
    for statement in &outline.statements {
        let function = outline
            .function_at(statement.start)
            .map(|function| &outline.functions[function]);
        // A label may be the target of a goto elsewhere.
        if function.is_some_and(|function| holds_any(&function.labels, statement)) {
            continue;
        }
        sites.replace(Operator::StatementDeletion, statement.clone(), ";");
    }
}

/// Whether one of the sorted numbers lies in a range.
fn holds_any(sorted: &[usize], range: &Range<usize>) -> bool {
    let next = sorted.partition_point(|number| *number < range.start);
    sorted.get(next).is_some_and(|number| *number < range.end)
}

fn exchange_loop_jumps(sites: &mut Sites<'_, '_>) {
    for jump in &sites.outline.loop_jumps {
        let range = jump.token..jump.token + 1;
        if sites.code.is(jump.token, "continue") {
            sites.replace(Operator::BreakContinue, range, "break");
        } else if jump.in_loop {
            sites.replace(Operator::BreakContinue, range, "continue");
        }
    }
}

fn redirect_gotos(sites: &mut Sites<'_, '_>) {
    let code = sites.code;
    for FunctionOutline { labels, gotos, .. } in &sites.outline.functions {
        for goto in gotos {
            for label in labels
                .iter()
                .filter(|label| code.text(**label) != code.text(*goto))
            {
                sites.replace(Operator::GotoLabel, *goto..goto + 1, code.text(*label));
            }
        }
    }
}

fn negate_conditions(sites: &mut Sites<'_, '_>) {
    let outline = sites.outline;
    let questions = sites
        .tokens(Touch::Everything)
        .filter(|index| sites.code.is(*index, "?"));
    let chosen: Vec<Range<usize>> = questions
        .map(|question| condition_start(sites, question)..question)
        .collect();
    for condition in outline.conditions.iter().chain(&chosen) {
        let negated = format!("!({})", sites.source(condition));
        sites.replace(Operator::ConditionNegation, condition.clone(), &negated);
    }
}

/// The first token of the condition that ends before a `?`: back to what binds more weakly than `?:`.
fn condition_start(sites: &Sites<'_, '_>, question: usize) -> usize {
    const WEAKER: &[&str] = &[
        "(", "[", "{", "}", ";", ",", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=", "<<=", ">>=", "return", "case",
    ];
    let code = sites.code;
    let mut start = question;
    while start > 0
        && !sites.outline.expression_starts.contains(&start)
        && !code.is_any(start - 1, WEAKER)
    {
        start = code
            .partner(start - 1)
            .map_or(start - 1, |open| open.min(start - 1));
    }
    start
}

fn replace_returned_values(sites: &mut Sites<'_, '_>) {
    let outline = sites.outline;
    for returned in &outline.returned {
        let Some(function) = outline.function_at(returned.start) else {
            continue;
        };
        let class = outline.functions[function].returns;
        let values: &[&str] = match class.base {
            _ if class.is_pointer() => &["0"],
            Base::Integer | Base::Float | Base::Unknown => &["0", "1", "-1"],
            Base::Aggregate | Base::Function | Base::Void => &[],
        };
        // The operator `constant` has these already.
        let last = returned.end - 1;
        let signed = returned.len() == 2 && sites.code.is(returned.start, "-");
        let number = matches!(sites.code.kind(last), TokenKind::Number | TokenKind::Char);
        let constant = number && (returned.len() == 1 || signed);
        if constant || sites.source(returned) == "NULL" {
            continue;
        }
        for value in values {
            sites.replace(Operator::ReturnValue, returned.clone(), value);
        }
    }
}
