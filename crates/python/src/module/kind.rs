//! Types as annotations and guesses give them.
//!
//! The shape is that of the Python side's `annotations`: lists whose first element says what follows.

use engine::Value;
use serde_json::Value as Json;
use std::fmt;

/// A type of Python values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Anything.
    Any,
    /// `None`.
    Nothing,
    /// A class by module and qualified name.
    Class(String),
    /// One of several.
    Union(Vec<Kind>),
    /// One of these values, as JSON texts of the protocol.
    Literal(Vec<String>),
    /// A list.
    List(Box<Kind>),
    /// A set.
    Set(Box<Kind>),
    /// A frozen set.
    FrozenSet(Box<Kind>),
    /// A dictionary.
    Dict(Box<Kind>, Box<Kind>),
    /// A tuple of exactly these.
    Tuple(Vec<Kind>),
    /// A tuple of any length.
    TupleOf(Box<Kind>),
    /// An iterator.
    Iterator(Box<Kind>),
    /// Something that can be called with so many arguments, -1 for any, and what it gives.
    Callable(i64, Box<Kind>),
    /// A class as a value.
    Type(Box<Kind>),
    /// A dictionary with exactly these keys.
    Record(Vec<Key>),
    /// What an expression makes of a value of another type.
    Made(Box<Made>),
}

/// A key of a dictionary that has certain ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The key.
    pub name: String,
    /// What stands there.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
}

/// How values of a class are made of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Made {
    /// The class.
    pub class: String,
    /// The module that the source needs; may be empty.
    pub module: String,
    /// An expression with the hole `{}`.
    pub source: String,
    /// What goes into the hole.
    pub inner: Kind,
}

/// Classes that functions can return constants of.
const CONSTANTS: [&str; 4] = [
    "builtins.bool",
    "builtins.int",
    "builtins.float",
    "builtins.str",
];

impl Kind {
    /// A built-in class.
    pub fn builtin(name: &str) -> Kind {
        Kind::Class(format!("builtins.{name}"))
    }

    /// Reads what the Python side wrote; what cannot be read is anything.
    pub fn read(json: &Json) -> Kind {
        let Some([Json::String(word), rest @ ..]) = json.as_array().map(Vec::as_slice) else {
            return Kind::Any;
        };
        let at = |index: usize| Box::new(rest.get(index).map_or(Kind::Any, Kind::read));
        let all = || rest.iter().map(Kind::read).collect();
        match word.as_str() {
            "none" => Kind::Nothing,
            "class" => match rest.first().and_then(Json::as_str) {
                Some("builtins.object") | None => Kind::Any,
                Some(name) => Kind::Class(name.to_owned()),
            },
            "union" => Kind::Union(all()),
            "literal" => Kind::Literal(rest.iter().map(Json::to_string).collect()),
            "list" => Kind::List(at(0)),
            "set" => Kind::Set(at(0)),
            "frozenset" => Kind::FrozenSet(at(0)),
            "dict" => Kind::Dict(at(0), at(1)),
            "tuple" => Kind::Tuple(all()),
            "tuple-of" => Kind::TupleOf(at(0)),
            "iterator" => Kind::Iterator(at(0)),
            "callable" => {
                let arity = rest.first().and_then(Json::as_i64).unwrap_or(-1);
                Kind::Callable(arity.min(6), at(1))
            }
            "type" => Kind::Type(at(0)),
            "record" => Kind::Record(rest.iter().filter_map(Key::read).collect()),
            "made" => Made::read(rest).map_or(Kind::Any, |made| Kind::Made(Box::new(made))),
            _ => Kind::Any,
        }
    }

    /// Its members, or itself where it is no union.
    pub fn members(&self) -> &[Kind] {
        match self {
            Kind::Union(members) => members,
            other => std::slice::from_ref(other),
        }
    }

    /// Whether `None` is one of its values by name.
    pub fn takes_nothing(&self) -> bool {
        self.members().contains(&Kind::Nothing)
    }

    /// Whether only certain values can be written down for it.
    pub fn is_closed(&self) -> bool {
        let literal = |member: &Kind| matches!(member, Kind::Literal(_));
        self.members().iter().any(literal)
    }

    /// Whether it says nothing somewhere inside.
    pub fn is_vague(&self) -> bool {
        match self {
            Kind::Any => true,
            Kind::Union(kinds) | Kind::Tuple(kinds) => kinds.iter().any(Kind::is_vague),
            Kind::List(inner)
            | Kind::Set(inner)
            | Kind::FrozenSet(inner)
            | Kind::TupleOf(inner)
            | Kind::Iterator(inner) => inner.is_vague(),
            Kind::Dict(key, value) => key.is_vague() || value.is_vague(),
            Kind::Record(keys) => keys.iter().any(|key| key.kind.is_vague()),
            Kind::Made(made) => made.inner.is_vague(),
            // Functions that are given return constants: of other types there are none.
            Kind::Callable(_, result) => match &**result {
                Kind::Class(name) => !CONSTANTS.contains(&name.as_str()),
                result => !matches!(result, Kind::List(_) | Kind::Nothing),
            },
            Kind::Type(inner) => !matches!(**inner, Kind::Class(_)),
            _ => false,
        }
    }

    /// The name that workers give to a container of such elements; none for what is no such container.
    pub fn run_time_container(&self) -> Option<String> {
        let of = |word: &str, parts: &[&Kind]| {
            let inner = |kind: &&Kind| match kind {
                Kind::Class(name) => Some(name.clone()),
                other => other.run_time_container(),
            };
            let inner: Option<Vec<String>> = parts.iter().map(inner).collect();
            inner.map(|inner| format!("{word}[{}]", inner.join(", ")))
        };
        match self {
            Kind::List(inner) => of("list", &[inner]),
            Kind::Set(inner) => of("set", &[inner]),
            Kind::FrozenSet(inner) => of("frozenset", &[inner]),
            Kind::TupleOf(inner) => of("tuple", &[inner]),
            Kind::Dict(key, value) => of("dict", &[key, value]),
            _ => None,
        }
    }

    /// Whether a value that is written down is of this very type.
    pub fn accepts(&self, value: &Value) -> bool {
        let class = |name: &str| match value {
            Value::Bool(_) => name == "bool",
            Value::Int(_) => name == "int" || name == "float",
            Value::Float(_) => name == "float",
            Value::Text(_) => name == "str",
            Value::Nothing => false,
        };
        self.members().iter().any(|member| match member {
            Kind::Any => true,
            Kind::Nothing => *value == Value::Nothing,
            Kind::Class(name) => name.strip_prefix("builtins.").is_some_and(class),
            _ => false,
        })
    }
}

impl Key {
    fn read(json: &Json) -> Option<Key> {
        Some(Key {
            name: json[0].as_str()?.to_owned(),
            kind: Kind::read(&json[1]),
            required: json[2].as_bool()?,
        })
    }
}

impl Made {
    fn read(rest: &[Json]) -> Option<Made> {
        let text = |index: usize| Some(rest.get(index)?.as_str()?.to_owned());
        Some(Made {
            class: text(0)?,
            module: text(1)?,
            source: text(2)?,
            inner: Kind::read(rest.get(3)?),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |kinds: &[Kind], mark: &str| {
            let texts: Vec<String> = kinds.iter().map(Kind::to_string).collect();
            texts.join(mark)
        };
        match self {
            Kind::Any => f.write_str("Any"),
            Kind::Nothing => f.write_str("None"),
            Kind::Class(name) => f.write_str(name.strip_prefix("builtins.").unwrap_or(name)),
            Kind::Union(members) => f.write_str(&joined(members, " | ")),
            Kind::Literal(values) => write!(f, "Literal[{}]", values.join(", ")),
            Kind::List(inner) => write!(f, "list[{inner}]"),
            Kind::Set(inner) => write!(f, "set[{inner}]"),
            Kind::FrozenSet(inner) => write!(f, "frozenset[{inner}]"),
            Kind::Dict(key, value) => write!(f, "dict[{key}, {value}]"),
            Kind::Tuple(members) => write!(f, "tuple[{}]", joined(members, ", ")),
            Kind::TupleOf(inner) => write!(f, "tuple[{inner}, ...]"),
            Kind::Iterator(inner) => write!(f, "Iterator[{inner}]"),
            Kind::Callable(-1, result) => write!(f, "Callable[..., {result}]"),
            Kind::Callable(arity, result) => write!(f, "Callable[{arity}, {result}]"),
            Kind::Type(inner) => write!(f, "type[{inner}]"),
            Kind::Record(keys) => {
                let key = |key: &Key| {
                    let mark = if key.required { "" } else { "?" };
                    format!("{}{mark}: {}", key.name, key.kind)
                };
                let keys: Vec<String> = keys.iter().map(key).collect();
                write!(f, "{{{}}}", keys.join(", "))
            }
            Kind::Made(made) => f.write_str(&made.source.replace("{}", &made.inner.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(json: Json) -> Kind {
        Kind::read(&json)
    }

    #[test]
    fn types_print_as_annotations_write_them() {
        let int = json!(["class", "builtins.int"]);
        let read = kind(json!(["dict", int, ["union", ["list", ["any"]], ["none"]]]));
        assert_eq!(read.to_string(), "dict[int, list[Any] | None]");
        let callable = kind(json!(["callable", -1, int]));
        assert_eq!(callable.to_string(), "Callable[..., int]");
        assert_eq!(kind(json!("nonsense")), Kind::Any);
    }

    #[test]
    fn a_type_is_closed_where_annotations_name_its_values() {
        let literal = || kind(json!(["literal", ["r"], ["w"]]));
        let either = |kind: Kind| Kind::Union(vec![literal(), kind]);
        assert!(literal().is_closed() && either(Kind::Nothing).is_closed());
        let text = Kind::builtin("str");
        assert!(!text.is_closed() && !Kind::Union(vec![text, Kind::Nothing]).is_closed());
        let list = Kind::List(Box::new(literal()));
        assert!(!list.is_closed(), "a list of them is made, not written");
    }
}
