//! The table of types of a module: one entry per type, and one of its own for every parameter that has literals of its own.

use std::collections::BTreeMap;

use engine::calls::{CallType, TypeId};
use engine::{Literal, Value};

use super::fits::Ancestors;
use super::kind::Kind;
use super::literals::Literals;

struct Entry {
    kind: Kind,
    name: String,
    literals: Vec<Literal>,
    /// Whether its texts mean bytes.
    bytes: bool,
    /// Whether some operation gives it, so that it can stand for others.
    given: bool,
}

/// Types under construction.
pub struct Types<'a> {
    literals: &'a Literals,
    entries: Vec<Entry>,
    index: BTreeMap<Kind, TypeId>,
}

impl<'a> Types<'a> {
    /// A table with `Any` as its first type.
    pub fn new(literals: &'a Literals) -> Types<'a> {
        let mut types = Types {
            literals,
            entries: Vec::new(),
            index: BTreeMap::new(),
        };
        types.plain(&Kind::Any);
        types
    }

    /// The type of a kind.
    pub fn plain(&mut self, kind: &Kind) -> TypeId {
        if let Some(&id) = self.index.get(kind) {
            return id;
        }
        let (literals, bytes) = self.literals.of_kind(kind);
        let id = self.push(Entry {
            kind: kind.clone(),
            name: kind.to_string(),
            literals,
            bytes,
            given: false,
        });
        self.index.insert(kind.clone(), id);
        id
    }

    /// The type of what an operation gives.
    pub fn given(&mut self, kind: &Kind) -> TypeId {
        let id = self.plain(kind);
        self.entries[id.0 as usize].given = true;
        id
    }

    /// The type of one parameter, with literals of its own as likely as all others together.
    pub fn own(&mut self, kind: &Kind, own: Vec<Literal>) -> TypeId {
        let (others, bytes) = self.literals.of_kind(kind);
        let own: Vec<Literal> = own
            .into_iter()
            .filter(|one| kind.accepts(&one.value))
            .collect();
        if own.is_empty() {
            return self.plain(kind);
        }
        let times = others.len().div_ceil(own.len()).clamp(1, 40);
        let mut literals = others;
        for _ in 0..times {
            literals.extend_from_slice(&own);
        }
        self.push(Entry {
            kind: kind.clone(),
            name: kind.to_string(),
            literals,
            bytes,
            given: false,
        })
    }

    /// A type of texts with exactly these literals.
    pub fn texts(&mut self, literals: Vec<Literal>) -> TypeId {
        self.push(Entry {
            kind: Kind::builtin("str"),
            name: "str".to_owned(),
            literals,
            bytes: false,
            given: false,
        })
    }

    fn push(&mut self, entry: Entry) -> TypeId {
        self.entries.push(entry);
        TypeId(self.entries.len() as u32 - 1)
    }

    /// Whether the texts of a type mean bytes.
    pub fn bytes(&self, id: TypeId) -> bool {
        self.entries[id.0 as usize].bytes
    }

    /// All kinds that are in the table, and those inside them.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut all = Vec::new();
        for entry in &self.entries {
            inside(&entry.kind, &mut all);
        }
        all.sort();
        all.dedup();
        all
    }

    /// The kind of every type.
    pub fn all(&self) -> Vec<Kind> {
        self.entries
            .iter()
            .map(|entry| entry.kind.clone())
            .collect()
    }

    /// The containers that run-time values are filed under by what is in them, by the names that workers have for them.
    pub fn run_time(&self) -> Vec<(String, u32)> {
        let entries = self.index.iter();
        let given = entries.filter(|(_, id)| self.entries[id.0 as usize].given);
        given
            .filter_map(|(kind, id)| Some((kind.run_time_container()?, id.0)))
            .collect()
    }

    /// The types for the engine.
    pub fn finish(self, ancestors: &Ancestors) -> Vec<CallType> {
        let entries = &self.entries;
        let above = |given: usize| {
            let fits = |(index, asked): (usize, &Entry)| {
                let fits = index != given && entries[given].kind.fits(&asked.kind, ancestors);
                fits.then_some(TypeId(index as u32))
            };
            entries.iter().enumerate().filter_map(fits).collect()
        };
        let supertypes: Vec<Vec<TypeId>> = (0..entries.len())
            .map(|index| {
                if entries[index].given {
                    above(index)
                } else {
                    Vec::new()
                }
            })
            .collect();
        let types = self.entries.into_iter().zip(supertypes);
        types
            .map(|(entry, supertypes)| CallType {
                name: entry.name,
                supertypes,
                literals: entry.literals,
                closed: entry.kind.is_closed(),
            })
            .collect()
    }
}

/// A kind and all that are inside it.
fn inside(kind: &Kind, all: &mut Vec<Kind>) {
    all.push(kind.clone());
    match kind {
        Kind::Union(kinds) | Kind::Tuple(kinds) => {
            kinds.iter().for_each(|one| inside(one, all));
        }
        Kind::List(inner)
        | Kind::Set(inner)
        | Kind::FrozenSet(inner)
        | Kind::TupleOf(inner)
        | Kind::Iterator(inner) => inside(inner, all),
        Kind::Dict(key, value) => {
            inside(key, all);
            inside(value, all);
        }
        Kind::Record(keys) => keys.iter().for_each(|key| inside(&key.kind, all)),
        Kind::Made(made) => inside(&made.inner, all),
        _ => {}
    }
}

/// A literal that was found with a parameter.
pub fn found(value: Value, place: &str) -> Literal {
    let origin = engine::Origin::Mined(place.to_owned());
    Literal { value, origin }
}
