//! What is covered of a Python source file, as exporters and reports take it: a class, with one method per function and one for the rest;
//! and which modules could not be measured.

use python::protocol::ProbeKind;
use python::runtime::Runtime;
use report::LeftOut;
use report::jvm::{BranchRecord, ClassRecord, LineRecord, MethodRecord};
use std::collections::BTreeMap;
use std::path::Path;

/// The record of a file with this text, from its probes and how many tests hit each.
pub fn source_record(
    name: String,
    file: &str,
    text: &str,
    probes: &[(ProbeKind, u64)],
) -> ClassRecord {
    let mut module = method("module", Vec::new());
    let mut branches: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut methods = Vec::new();
    let text: Vec<&str> = text.lines().collect();
    for &(kind, tests) in probes {
        match kind {
            ProbeKind::Line(line) => module.lines.push(covered(line, tests)),
            ProbeKind::Branch(line, side) => {
                branches.entry(line).or_default().insert(side, tests);
            }
            ProbeKind::Enter(line) => {
                let name = function_name(&text, line);
                let mut function = method(&name, vec![covered(line, tests)]);
                function.tests = tests;
                methods.push(function);
            }
        }
    }
    module.lines.sort_by_key(|line| line.line);
    module.tests = module
        .lines
        .iter()
        .map(|line| line.tests)
        .max()
        .unwrap_or(0);
    let branch = |(line, sides): (u32, BTreeMap<u32, u64>)| BranchRecord {
        offset: line,
        line: Some(line),
        sides: sides.into_values().collect(),
    };
    module.branches = branches.into_iter().map(branch).collect();
    methods.push(module);
    let source = Path::new(file).file_name().unwrap_or_default();
    ClassRecord {
        name,
        source_file: Some(source.to_string_lossy().into_owned()),
        methods,
        suite: None,
        reason: None,
    }
}

/// The modules that workers could not measure.
pub fn unmeasured(runtime: &Runtime) -> Vec<LeftOut> {
    let unmeasured = runtime.unmeasured().into_iter();
    unmeasured
        .map(|(name, reason)| LeftOut { name, reason })
        .collect()
}

/// The name of the function that begins in a line, with the line, because several may have it.
fn function_name(text: &[&str], line: u32) -> String {
    let lines = text.iter().skip(line.saturating_sub(1) as usize);
    // Decorators stand before it.
    let mut defined = lines.filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.trim_start().strip_prefix("def ")
    });
    let name = defined.next().and_then(|rest| rest.split('(').next());
    match name.map(str::trim) {
        Some(name) if !name.is_empty() => format!("{name}:{line}"),
        _ => format!("line{line}"),
    }
}

fn covered(line: u32, tests: u64) -> LineRecord {
    LineRecord {
        line,
        tests,
        instructions: None,
    }
}

fn method(name: &str, lines: Vec<LineRecord>) -> MethodRecord {
    MethodRecord {
        name: name.to_owned(),
        descriptor: String::new(),
        tests: 0,
        lines,
        instructions: None,
        branches: Vec::new(),
        reason: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_after_their_definitions() {
        let text = ["@cached", "async def f(x):", "    return lambda: x"];
        assert_eq!(function_name(&text, 1), "f:1");
        assert_eq!(function_name(&text, 2), "f:2");
        assert_eq!(function_name(&text, 3), "line3");
    }
}
