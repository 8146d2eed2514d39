//! What analyses of a module's source tell the engine before a run: constants, what calls change, lines, branches. The Python side
//! reads the source (`runtime/analysis.py`); nothing of the module runs for it.
//!
//! A document is a function or a class at the top of the module. The branches of an operation are those of its own function and of
//! functions that only other functions can call: nobody else can cover these.

use std::collections::{BTreeMap, BTreeSet};

use engine::calls::{Document, Domain, Knowledge, changes_parameters};

use super::coverage::Coverage;
use super::discovered::{Discovered, DiscoveredFunction};
use super::kind::Kind;
use super::literals;
use super::model::ModuleModel;
use super::operation::{ModuleOperation, OperationKind};

/// The largest whole number that every reader of JSON takes as it is.
const MOST: i64 = (1 << 53) - 1;

type Functions = BTreeMap<String, DiscoveredFunction>;

/// What the parts of a guide are told about a module.
pub fn knowledge(module: &Discovered, model: &ModuleModel, coverage: &Coverage) -> Knowledge {
    let (documents, document_of) = documents(module, model);
    let functions = &module.functions;
    let operations = || model.operations.iter();
    let tested: BTreeSet<&str> = operations()
        .filter(|one| one.tested)
        .filter_map(|one| code(one, functions))
        .map(|(path, _)| path)
        .collect();
    let branches = coverage.branches();
    let of = |operation: &ModuleOperation| match code(operation, functions) {
        Some((path, _)) if operation.tested => {
            let hidden = |path: &str| !tested.contains(path);
            let reached = reached(path, functions, &hidden);
            let inside = reached.iter().flat_map(|one| {
                let (first, last) = (functions[*one].first, functions[*one].last);
                branches.range(first..=last).flat_map(|(_, sides)| sides)
            });
            let inside: BTreeSet<u32> = inside.map(|goal| goal.number).collect();
            inside.into_iter().collect()
        }
        _ => Vec::new(),
    };
    Knowledge {
        documents,
        document_of,
        domains: model.kinds.iter().map(domains).collect(),
        changes: operations().map(|one| changes(one, functions)).collect(),
        lines: operations()
            .map(|one| one.lines.unwrap_or(0).into())
            .collect(),
        reachable_lines: operations().map(|one| lines(one, functions)).collect(),
        branches: operations().map(of).collect(),
    }
}

/// The function that an operation runs, with its path.
fn code<'f>(
    operation: &ModuleOperation,
    functions: &'f Functions,
) -> Option<(&'f str, &'f DiscoveredFunction)> {
    let path = match operation.kind {
        OperationKind::Constructor => format!("{}.__init__", operation.path),
        _ => operation.path.clone(),
    };
    let (path, function) = functions.get_key_value(&path)?;
    Some((path.as_str(), function))
}

/// The constants of every document, and the document of every operation.
fn documents(module: &Discovered, model: &ModuleModel) -> (Vec<Document>, Vec<Option<u32>>) {
    let document = |(name, constants): &(String, Vec<(serde_json::Value, u32)>)| Document {
        name: match name.as_str() {
            "" => module.module.clone(),
            name => name.to_owned(),
        },
        constants: constants
            .iter()
            .filter_map(|(json, count)| Some((literals::read(json)?.0, *count)))
            .collect(),
    };
    let of = |operation: &ModuleOperation| {
        let top = operation.path.split('.').next().unwrap_or_default();
        let mut names = module.documents.iter().map(|(name, _)| name);
        let found = names.position(|name| operation.tested && name == top)?;
        u32::try_from(found).ok()
    };
    (
        module.documents.iter().map(document).collect(),
        model.operations.iter().map(of).collect(),
    )
}

/// Which values can be written down for a kind.
fn domains(kind: &Kind) -> Vec<Domain> {
    let whole = Domain::Whole(-MOST, MOST);
    let mut all = Vec::new();
    for member in kind.members() {
        match member {
            Kind::Any => all.extend([Domain::Text, whole, Domain::Real]),
            Kind::Class(name) => match name.as_str() {
                "builtins.int" => all.push(whole),
                "builtins.float" => all.extend([Domain::Real, whole]),
                "builtins.str" | "builtins.bytes" => all.push(Domain::Text),
                _ => {}
            },
            _ => {}
        }
    }
    all
}

/// The parameters of an operation that it may change, as bits.
fn changes(operation: &ModuleOperation, functions: &Functions) -> u64 {
    if matches!(operation.kind, OperationKind::Setter | OperationKind::Drain) {
        return 1;
    }
    let Some((_, function)) = code(operation, functions) else {
        return 0;
    };
    let places = operation.parameters.iter().enumerate();
    let changed = places.filter(|(_, name)| function.changes.contains(name));
    changes_parameters(changed.map(|(place, _)| place))
}

/// The functions that can be reached from one by calls of functions that `through` takes, itself included.
pub(super) fn reached<'f>(
    path: &str,
    functions: &'f Functions,
    through: &dyn Fn(&str) -> bool,
) -> BTreeSet<&'f str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![path];
    while let Some(path) = open.pop() {
        let Some((path, function)) = functions.get_key_value(path) else {
            continue;
        };
        if found.insert(path.as_str()) {
            let calls = function.calls.iter().map(String::as_str);
            open.extend(calls.filter(|one| through(one)));
        }
    }
    found
}

/// The lines of everything that an operation can reach by calls.
fn lines(operation: &ModuleOperation, functions: &Functions) -> u64 {
    let Some((path, _)) = code(operation, functions) else {
        return operation.lines.unwrap_or(0).into();
    };
    let lines = |path: &&str| u64::from(functions[*path].last - functions[*path].first + 1);
    reached(path, functions, &|_| true).iter().map(lines).sum()
}
