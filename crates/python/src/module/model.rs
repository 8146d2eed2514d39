//! A module as the engine's model of types and signatures, and its operations as workers and test files call them.
//!
//! What nobody annotated gives values that are filed under their run-time type.

use std::collections::BTreeMap;

use engine::calls::{CallModel, Parameter, Signature, TypeId};
use engine::{Literal, Operation};
use serde_json::Value as Json;

use super::discovered::{Discovered, DiscoveredClass, DiscoveredOperation, DiscoveredParameter};
use super::fits::Ancestors;
use super::kind::Kind;
use super::literals::{self, Literals};
use super::makers;
use super::operation::{ModuleOperation, OperationKind};
use super::types::{Types, found};
use super::variants::{Variant, variants};

/// A module, ready for the engine and for workers.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleModel {
    /// The module's dotted name.
    pub module: String,
    /// Its source file.
    pub file: String,
    /// Types and signatures.
    pub calls: CallModel,
    /// What the types are, by their numbers.
    pub kinds: Vec<Kind>,
    /// The operations, by their numbers.
    pub operations: Vec<ModuleOperation>,
    /// The types of run-time classes, by their names; `any` is the rest.
    pub run_time: BTreeMap<String, u32>,
    /// What cannot be called, with reasons.
    pub left_out: Vec<(String, String)>,
    /// Whether its package has something else under its name.
    pub shadowed: bool,
}

impl ModuleModel {
    /// The operations as reports and guides see them.
    pub fn listed(&self) -> Vec<Operation> {
        let operation = |one: &ModuleOperation| Operation {
            name: one.path.clone(),
            lines: one.lines,
        };
        self.operations.iter().map(operation).collect()
    }

    /// The factor of every operation.
    pub fn weights(&self) -> Vec<f64> {
        self.operations.iter().map(|one| one.weight).collect()
    }

    /// The model of a module.
    pub fn of(module: &Discovered) -> ModuleModel {
        let literals = Literals::of(module);
        let mut building = Building {
            types: Types::new(&literals),
            operations: Vec::new(),
            signatures: Vec::new(),
        };
        for operation in &module.operations {
            building.add(operation);
        }
        let mut run_time = building.run_time(module);
        building.make(&module.classes);
        let drain = makers::drain(&mut building.types);
        building.push(drain);
        let concatenation = makers::concatenation(&mut building.types, literals.pieces.clone());
        building.push(concatenation);
        run_time.extend(building.types.run_time());
        let kinds = building.types.all();
        let mut ancestors: Ancestors =
            Ancestors::from([("builtins.bool".to_owned(), vec!["builtins.int".to_owned()])]);
        let classes = module.classes.iter();
        ancestors.extend(classes.map(|(name, class)| (name.clone(), class.mro.clone())));
        ModuleModel {
            module: module.module.clone(),
            file: module.file.clone(),
            calls: CallModel {
                types: building.types.finish(&ancestors),
                signatures: building.signatures,
            },
            kinds,
            operations: building.operations,
            run_time,
            left_out: module.left_out.clone(),
            shadowed: module.shadowed,
        }
    }
}

struct Building<'a> {
    types: Types<'a>,
    operations: Vec<ModuleOperation>,
    signatures: Vec<Signature>,
}

impl Building<'_> {
    fn push(&mut self, (operation, signature): (ModuleOperation, Signature)) {
        self.operations.push(operation);
        self.signatures.push(signature);
    }

    fn add(&mut self, operation: &DiscoveredOperation) {
        for variant in variants(operation) {
            let made = self.variant(operation, &variant);
            self.push(made);
        }
    }

    fn variant(
        &mut self,
        operation: &DiscoveredOperation,
        variant: &Variant<'_>,
    ) -> (ModuleOperation, Signature) {
        let mut made =
            ModuleOperation::auxiliary(kind_of(&operation.kind), &operation.name, Vec::new());
        made.module.clone_from(&operation.module);
        made.path.clone_from(&operation.path);
        made.tested = operation.tested;
        (made.awaits, made.yields) = (operation.awaits, operation.yields);
        made.enters = operation.enters;
        made.lines = operation.lines;
        made.weight = variant.weight;
        made.typed = true;
        let mut signature = Signature {
            repeats: variant.repeats,
            auxiliary: !operation.tested,
            ..Signature::default()
        };
        for parameter in &variant.given {
            let kind = Kind::read(&parameter.kind);
            made.typed &= parameter.annotated && !kind.is_vague();
            let omitted = variant.omits && !parameter.required && parameter.way != "positional";
            let id = self.parameter(operation, parameter, &kind);
            let nullable = omitted || parameter.nullable || kind.takes_nothing();
            signature.parameters.push(Parameter { kind: id, nullable });
            made.bytes.push(self.types.bytes(id));
            made.parameters.push(parameter.name.clone());
            made.optional.push(omitted);
            if parameter.way != "variadic" {
                let named = match parameter.way.as_str() {
                    "keyword" => true,
                    "either" => !parameter.required && !variant.repeats,
                    _ => false,
                };
                made.names.push(named.then(|| parameter.name.clone()));
            }
        }
        let declared = operation.result.as_ref().map(Kind::read);
        (signature.result, signature.observed) = match declared {
            Some(Kind::Nothing) => (None, false),
            Some(kind @ (Kind::Class(_) | Kind::Any)) => {
                (Some(self.types.given(&kind)), kind == Kind::Any)
            }
            Some(kind @ Kind::Union(_)) => (Some(self.types.given(&kind)), true),
            Some(kind) => (Some(self.types.given(&kind)), kind.is_vague()),
            None => (Some(self.types.given(&Kind::Any)), true),
        };
        (made, signature)
    }

    fn parameter(
        &mut self,
        operation: &DiscoveredOperation,
        parameter: &DiscoveredParameter,
        kind: &Kind,
    ) -> TypeId {
        let members = kind.members().iter();
        let mut real: Vec<Kind> = members
            .filter(|one| **one != Kind::Nothing)
            .cloned()
            .collect();
        let place = format!("{} of {}", parameter.name, operation.path);
        let read = parameter.literals.iter().filter_map(literals::read);
        let texts = read.filter(|(_, bytes)| !bytes);
        let own: Vec<Literal> = texts.map(|(value, _)| found(value, &place)).collect();
        real.extend(inside(&real, &parameter.literals));
        let kind = match real.as_slice() {
            [one] => one.clone(),
            [] => Kind::Any,
            _ => Kind::Union(real),
        };
        self.types.own(&kind, own)
    }

    /// Adds operations that make what is asked for, until there is nothing more to make.
    fn make(&mut self, classes: &BTreeMap<String, DiscoveredClass>) {
        let mut done: Vec<Kind> = Vec::new();
        loop {
            let open: Vec<Kind> = self
                .types
                .kinds()
                .into_iter()
                .filter(|kind| !done.contains(kind))
                .collect();
            if open.is_empty() {
                return;
            }
            for kind in open {
                for usual in makers::usual(&kind) {
                    self.types.plain(&usual);
                }
                for made in makers::makers(&kind, classes, &mut self.types) {
                    self.push(made);
                }
                done.push(kind);
            }
        }
    }

    /// The types under which run-time values are filed.
    fn run_time(&mut self, module: &Discovered) -> BTreeMap<String, u32> {
        let any = || Box::new(Kind::Any);
        let built_in =
            ["int", "float", "str", "bytes", "bool"].map(|name| (name, Kind::builtin(name)));
        let containers = [
            ("list", Kind::List(any())),
            ("set", Kind::Set(any())),
            ("frozenset", Kind::FrozenSet(any())),
            ("dict", Kind::Dict(any(), any())),
            ("tuple", Kind::TupleOf(any())),
            ("generator", Kind::Iterator(any())),
            ("function", Kind::Callable(-1, any())),
            ("type", Kind::Type(any())),
        ];
        let mut names: BTreeMap<String, u32> = BTreeMap::new();
        for (name, kind) in built_in.into_iter().chain(containers) {
            names.insert(format!("builtins.{name}"), self.types.given(&kind).0);
        }
        for name in module.classes.keys() {
            let kind = Kind::Class(name.clone());
            names
                .entry(name.clone())
                .or_insert(self.types.given(&kind).0);
        }
        names.insert("any".to_owned(), self.types.given(&Kind::Any).0);
        names
    }
}

/// Containers of the very constants that the code looks for in them.
fn inside(kinds: &[Kind], literals: &[Json]) -> Vec<Kind> {
    let texts = literals
        .iter()
        .filter(|one| one[0].is_string() && one[1].is_null());
    let texts: Vec<String> = texts.map(Json::to_string).collect();
    if texts.is_empty() {
        return Vec::new();
    }
    let any = |kind: &Kind| *kind == Kind::Any || *kind == Kind::builtin("str");
    let literal = Box::new(Kind::Literal(texts));
    let containers = kinds.iter().filter_map(|kind| match kind {
        Kind::Dict(key, value) if any(key) => Some(Kind::Dict(literal.clone(), value.clone())),
        Kind::List(inner) if any(inner) => Some(Kind::List(literal.clone())),
        _ => None,
    });
    containers.collect()
}

fn kind_of(word: &str) -> OperationKind {
    match word {
        "constructor" => OperationKind::Constructor,
        "method" => OperationKind::Method,
        "getter" => OperationKind::Getter,
        "setter" => OperationKind::Setter,
        "constant" => OperationKind::Constant,
        "expression" => OperationKind::Expression,
        _ => OperationKind::Function,
    }
}
