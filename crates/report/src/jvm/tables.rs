//! The tables of a JVM report: criteria, classes, methods, reasons.

use super::{ClassRecord, Counter, DegradedRecord, JvmTotals, MethodRecord, Reason, RetiredRecord};
use crate::run::CriterionRecord;
use crate::table::{Cell, Format, Table};
use std::collections::BTreeMap;

/// The criteria in the order in which reports name them.
pub(super) fn criteria(totals: &JvmTotals) -> Vec<CriterionRecord> {
    let all = [
        ("branch", totals.branch),
        ("line", totals.line),
        ("method", totals.method),
    ];
    all.map(|(name, counter)| CriterionRecord {
        criterion: name.to_owned(),
        covered: counter.covered,
        total: Some(counter.total),
        uncovered: Vec::new(),
    })
    .into()
}

/// Covered of total with the share, as one cell.
fn cell(counter: Counter) -> Cell {
    match counter.share() {
        Some(share) => format!(
            "{} of {} ({})",
            counter.covered,
            counter.total,
            crate::number::percent(share, 0)
        )
        .into(),
        None => Cell::absent(),
    }
}

fn counted(heading: &str) -> Table {
    Table::new(&[
        (heading, Format::Clipped(80)),
        ("branch", Format::Text),
        ("line", Format::Text),
        ("method", Format::Text),
        ("reason", Format::Text),
    ])
}

/// One row per class.
pub(super) fn classes(classes: &[ClassRecord]) -> Table {
    let mut table = counted("class");
    for class in classes {
        let totals = class.totals();
        table.row(vec![
            class.dotted_name().into(),
            cell(totals.branch),
            cell(totals.line),
            cell(totals.method),
            reason(class.reason.as_ref()),
        ]);
    }
    table
}

/// One row per method of a class.
pub(super) fn methods(class: &ClassRecord) -> Table {
    let mut table = counted("method");
    for method in &class.methods {
        let totals = method.totals();
        table.row(vec![
            method_name(class, method).into(),
            cell(totals.branch),
            cell(totals.line),
            if method.tests > 0 {
                "covered"
            } else {
                "missed"
            }
            .into(),
            reason(method.reason.as_ref()),
        ]);
    }
    table
}

fn reason(reason: Option<&Reason>) -> Cell {
    match reason {
        Some(Reason { code, detail }) if detail.is_empty() => format!("`{code}`").into(),
        Some(Reason { code, detail }) => format!("`{code}`: {detail}").into(),
        None => Cell::absent(),
    }
}

/// A method as Java would show it, for example `indexOf(char[], int)`.
pub(super) fn method_name(class: &ClassRecord, method: &MethodRecord) -> String {
    let simple = class.name.rsplit(['/', '$']).next().unwrap_or_default();
    let name = match method.name.as_str() {
        "<init>" => simple,
        "<clinit>" => return "static initialiser".to_owned(),
        name => name,
    };
    match parameters(&method.descriptor) {
        Some(parameters) => format!("{name}({})", parameters.join(", ")),
        None => format!("{name}{}", method.descriptor),
    }
}

/// The parameter types of a descriptor by their simple names; `None` for what is no descriptor.
fn parameters(descriptor: &str) -> Option<Vec<String>> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let (name, after) = match element.strip_prefix('L') {
            Some(class) => {
                let (class, after) = class.split_once(';')?;
                (class.rsplit(['/', '$']).next()?, after)
            }
            None => (primitive(element.chars().next()?)?, &element[1..]),
        };
        parameters.push(format!("{name}{}", "[]".repeat(dimensions)));
        rest = after;
    }
    Some(parameters)
}

fn primitive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'B' => "byte",
        'C' => "char",
        'D' => "double",
        'F' => "float",
        'I' => "int",
        'J' => "long",
        'S' => "short",
        'Z' => "boolean",
        _ => return None,
    })
}

/// How many classes and methods could not be called, per reason code, most frequent first.
pub(super) fn reasons(classes: &[ClassRecord]) -> Table {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for class in classes {
        if let Some(reason) = &class.reason {
            counts.entry(&reason.code).or_default().0 += 1;
        }
        for reason in class
            .methods
            .iter()
            .filter_map(|method| method.reason.as_ref())
        {
            counts.entry(&reason.code).or_default().1 += 1;
        }
    }
    let mut counts: Vec<(&str, (u64, u64))> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (classes, methods))| std::cmp::Reverse(classes + methods));
    let mut table = Table::new(&[
        ("reason", Format::Text),
        ("classes", Format::Count),
        ("methods", Format::Count),
    ]);
    for (code, (classes, methods)) in counts {
        table.row(vec![code.into(), classes.into(), methods.into()]);
    }
    table
}

/// Workers given up, per reason.
pub(super) fn retired(retired: &[RetiredRecord]) -> Table {
    let mut table = Table::new(&[("reason", Format::Clipped(80)), ("workers", Format::Count)]);
    for record in retired {
        table.row(vec![record.reason.as_str().into(), record.count.into()]);
    }
    table
}

/// Methods with fewer probes.
pub(super) fn degraded(degraded: &[DegradedRecord]) -> Table {
    let mut table = Table::new(&[("method", Format::Clipped(100)), ("probes", Format::Text)]);
    for record in degraded {
        let name = format!(
            "{}.{}{}",
            record.class.replace('/', "."),
            record.method,
            record.descriptor
        );
        table.row(vec![name.into(), record.level.as_str().into()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named_simply_and_nonsense_is_no_descriptor() {
        let names = |descriptor| parameters(descriptor).map(|names| names.join(", "));
        assert_eq!(
            names("([[ILjava/util/Map$Entry;Z)V").as_deref(),
            Some("int[][], Entry, boolean")
        );
        assert_eq!(names("()V").as_deref(), Some(""));
        for wrong in ["", "(", "(I", "(Lx)V", "(Q)V", "(é)V"] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
    }
}
