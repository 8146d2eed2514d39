//! Operations that make values of built-in types: containers of what can be had, functions, classes, longer texts.

use std::collections::BTreeMap;

use engine::calls::{Parameter, Signature};

use super::discovered::DiscoveredClass;
use super::kind::{Key, Kind};
use super::operation::{ModuleOperation, OperationKind};
use super::types::Types;

/// Lists that are longer than what is put together element by element.
const LONG_LISTS: [&str; 3] = [
    "list(range(20))",
    "list(range(300, 0, -1))",
    "list(range(2500))",
];

/// The most pairs of a new dictionary.
const MOST_PAIRS: usize = 3;

/// Kinds that stand for containers of anything: mixed ones are seldom what is wanted.
pub fn usual(kind: &Kind) -> Vec<Kind> {
    let [int, text] = ["int", "str"].map(Kind::builtin);
    let boxed = |kind: &Kind| Box::new(kind.clone());
    match kind {
        Kind::List(inner) if **inner == Kind::Any => {
            let pair = Kind::Tuple(vec![text.clone(), int.clone()]);
            vec![
                Kind::List(boxed(&int)),
                Kind::List(boxed(&text)),
                Kind::List(boxed(&pair)),
                Kind::List(Box::new(Kind::List(boxed(&int)))),
                Kind::List(boxed(&Kind::builtin("float"))),
            ]
        }
        Kind::Dict(_, value) if **value == Kind::Any => vec![
            Kind::Dict(boxed(&text), boxed(&int)),
            Kind::Dict(boxed(&text), boxed(&text)),
            Kind::Dict(boxed(&text), Box::new(Kind::List(boxed(&int)))),
        ],
        Kind::TupleOf(inner) if **inner == Kind::Any => {
            vec![Kind::TupleOf(boxed(&int)), Kind::TupleOf(boxed(&text))]
        }
        Kind::Set(inner) if **inner == Kind::Any => {
            vec![Kind::Set(boxed(&int)), Kind::Set(boxed(&text))]
        }
        Kind::Any => [Kind::List, Kind::TupleOf]
            .map(|of| of(Box::new(Kind::Any)))
            .into_iter()
            .chain([Kind::Dict(Box::new(Kind::Any), Box::new(Kind::Any))])
            .collect(),
        _ => Vec::new(),
    }
}

/// What can be an element of a set or a key.
fn hashable(kind: &Kind) -> Kind {
    match kind {
        Kind::Any => Kind::Union(vec![Kind::builtin("str"), Kind::builtin("int")]),
        other => other.clone(),
    }
}

/// The operations that make a kind by itself.
pub fn makers(
    kind: &Kind,
    classes: &BTreeMap<String, DiscoveredClass>,
    types: &mut Types<'_>,
) -> Vec<(ModuleOperation, Signature)> {
    match kind {
        Kind::List(inner) => {
            let mut made = vec![repeated(OperationKind::List, inner, kind, types)];
            if **inner == Kind::builtin("int") {
                made.extend(expressions(kind, &LONG_LISTS.map(str::to_owned), types));
            }
            made
        }
        Kind::Set(inner) => vec![repeated(OperationKind::Set, &hashable(inner), kind, types)],
        Kind::FrozenSet(inner) => {
            vec![repeated(
                OperationKind::FrozenSet,
                &hashable(inner),
                kind,
                types,
            )]
        }
        Kind::TupleOf(inner) => vec![repeated(OperationKind::Tuple, inner, kind, types)],
        Kind::Iterator(inner) => vec![repeated(OperationKind::Iterator, inner, kind, types)],
        Kind::Tuple(members) => vec![fixed(OperationKind::Tuple, members, kind, types)],
        Kind::Dict(key, value) => {
            let pair = [hashable(key), (**value).clone()];
            let made = (0..=MOST_PAIRS).map(|count| {
                let parts: Vec<Kind> = pair.iter().cycle().take(2 * count).cloned().collect();
                fixed(OperationKind::Dict, &parts, kind, types)
            });
            made.collect()
        }
        Kind::Record(keys) => records(kind, keys, types),
        Kind::Made(made) => {
            let inner = std::slice::from_ref(&made.inner);
            let mut wrap = fixed(OperationKind::Wrap, inner, kind, types);
            wrap.0.module.clone_from(&made.module);
            wrap.0.path.clone_from(&made.source);
            vec![wrap]
        }
        Kind::Callable(arity, result) => expressions(kind, &functions(*arity, result), types),
        Kind::Type(inner) => match &**inner {
            Kind::Class(name) if !name.starts_with("builtins.") => classes
                .get(name)
                .map(|one| class(kind, one, types))
                .unwrap_or_default(),
            Kind::Class(name) => expressions(kind, &[name.replace("builtins.", "")], types),
            _ => expressions(kind, &["int", "str"].map(str::to_owned), types),
        },
        Kind::Any => expressions(&Kind::Nothing, &["None".to_owned()], types),
        Kind::Class(name) if name == "builtins.bytes" => {
            vec![fixed(
                OperationKind::Value,
                std::slice::from_ref(kind),
                kind,
                types,
            )]
        }
        _ => Vec::new(),
    }
}

/// Dictionaries with all keys, and with those only that must be there.
fn records(kind: &Kind, keys: &[Key], types: &mut Types<'_>) -> Vec<(ModuleOperation, Signature)> {
    let parts = |wanted: &dyn Fn(&Key) -> bool| -> Vec<Kind> {
        let keys = keys.iter().filter(|key| wanted(key));
        let pair = |key: &Key| {
            let name = serde_json::json!([key.name]).to_string();
            [Kind::Literal(vec![name]), key.kind.clone()]
        };
        keys.flat_map(pair).collect()
    };
    let mut all = vec![parts(&|_| true)];
    if keys.iter().any(|key| !key.required) {
        all.push(parts(&|key| key.required));
    }
    all.iter()
        .map(|parts| fixed(OperationKind::Dict, parts, kind, types))
        .collect()
}

/// Takes from an iterator all that it gives: that is when its code runs.
pub fn drain(types: &mut Types<'_>) -> (ModuleOperation, Signature) {
    let iterator = Kind::Iterator(Box::new(Kind::Any));
    let (mut operation, mut signature) =
        fixed(OperationKind::Drain, &[iterator], &Kind::Any, types);
    (operation.name, operation.path) = ("list".to_owned(), "list".to_owned());
    operation.tested = true;
    (signature.auxiliary, signature.observed) = (false, true);
    (operation, signature)
}

/// Texts put together from short pieces.
pub fn concatenation(
    types: &mut Types<'_>,
    pieces: Vec<engine::Literal>,
) -> (ModuleOperation, Signature) {
    let part = types.texts(pieces);
    let operation = ModuleOperation::auxiliary(OperationKind::Concatenation, "text", vec![false]);
    let signature = Signature {
        parameters: vec![parameter(part)],
        repeats: true,
        result: Some(types.given(&Kind::builtin("str"))),
        auxiliary: true,
        ..Signature::default()
    };
    (operation, signature)
}

fn parameter(kind: engine::calls::TypeId) -> Parameter {
    let nullable = false;
    Parameter { kind, nullable }
}

fn repeated(
    operation: OperationKind,
    inner: &Kind,
    kind: &Kind,
    types: &mut Types<'_>,
) -> (ModuleOperation, Signature) {
    let (operation, signature) = fixed(operation, std::slice::from_ref(inner), kind, types);
    let repeats = true;
    (
        operation,
        Signature {
            repeats,
            ..signature
        },
    )
}

fn fixed(
    operation: OperationKind,
    parts: &[Kind],
    kind: &Kind,
    types: &mut Types<'_>,
) -> (ModuleOperation, Signature) {
    let ids: Vec<_> = parts.iter().map(|part| types.plain(part)).collect();
    let bytes = ids.iter().map(|id| types.bytes(*id)).collect();
    let name = operation.word();
    let signature = Signature {
        parameters: ids.into_iter().map(parameter).collect(),
        result: Some(types.given(kind)),
        auxiliary: true,
        ..Signature::default()
    };
    (
        ModuleOperation::auxiliary(operation, name, bytes),
        signature,
    )
}

fn expressions(
    kind: &Kind,
    sources: &[String],
    types: &mut Types<'_>,
) -> Vec<(ModuleOperation, Signature)> {
    let make = |source: &String| {
        let mut made = fixed(OperationKind::Expression, &[], kind, types);
        made.0.path = source.clone();
        made
    };
    sources.iter().map(make).collect()
}

/// The class itself as a value.
fn class(
    kind: &Kind,
    class: &DiscoveredClass,
    types: &mut Types<'_>,
) -> Vec<(ModuleOperation, Signature)> {
    let Some((module, path)) = &class.place else {
        return Vec::new();
    };
    let mut made = fixed(OperationKind::Constant, &[], kind, types);
    made.0.module.clone_from(module);
    made.0.path.clone_from(path);
    vec![made]
}

/// Functions of so many arguments.
fn functions(arity: i64, result: &Kind) -> Vec<String> {
    let names: Vec<String> = ('a'..='z')
        .take(arity.max(0) as usize)
        .map(String::from)
        .collect();
    let head = match arity {
        -1 => "lambda *args".to_owned(),
        0 => "lambda".to_owned(),
        _ => format!("lambda {}", names.join(", ")),
    };
    let first = match arity {
        -1 => "args[0] if args else None",
        0 => "0",
        _ => names[0].as_str(),
    };
    let constants: &[&str] = match result {
        Kind::Class(name) if name == "builtins.bool" => &["True", "False"],
        Kind::Class(name) if name == "builtins.int" || name == "builtins.float" => &["1", "-1"],
        Kind::Class(name) if name == "builtins.str" => &["'a'", "''"],
        Kind::List(_) => &["[]"],
        _ => &[first, "None", "True"],
    };
    let mut all: Vec<String> = constants
        .iter()
        .map(|body| format!("{head}: {body}"))
        .collect();
    if arity == 1 && constants.len() == 3 {
        all.push("str".to_owned());
    }
    all
}
