//! Which values can stand where another type is asked for.

use std::collections::BTreeMap;

use super::kind::Kind;

/// Dictionaries under other names.
const MAPPINGS: [&str; 3] = [
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.Counter",
];

/// The classes above each class.
pub type Ancestors = BTreeMap<String, Vec<String>>;

impl Kind {
    /// Whether a value of this type can be given where `asked` is asked for.
    pub fn fits(&self, asked: &Kind, ancestors: &Ancestors) -> bool {
        match (self, asked) {
            (_, Kind::Any) => true,
            (Kind::Any, _) => false,
            (Kind::Union(members), _) => {
                let mut real = members.iter().filter(|one| **one != Kind::Nothing);
                real.all(|one| one.fits(asked, ancestors))
            }
            (_, Kind::Union(members)) => members.iter().any(|one| self.fits(one, ancestors)),
            (Kind::Class(given), Kind::Class(asked)) => {
                given == asked
                    || (given == "builtins.int" && asked == "builtins.float")
                    || ancestors.get(given).is_some_and(|all| all.contains(asked))
            }
            (Kind::List(a), Kind::List(b))
            | (Kind::Set(a), Kind::Set(b))
            | (Kind::FrozenSet(a), Kind::FrozenSet(b))
            | (Kind::FrozenSet(a), Kind::Set(b))
            | (Kind::TupleOf(a), Kind::TupleOf(b))
            | (Kind::Iterator(a), Kind::Iterator(b)) => a.fits(b, ancestors),
            (Kind::Tuple(members), Kind::TupleOf(b)) => {
                members.iter().all(|one| one.fits(b, ancestors))
            }
            (Kind::Tuple(a), Kind::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(b, ancestors))
            }
            (Kind::Dict(k, v), Kind::Dict(a, b)) => k.fits(a, ancestors) && v.fits(b, ancestors),
            (Kind::Callable(given, a), Kind::Callable(asked, b)) => {
                (*given == -1 || *asked == -1 || given == asked) && a.fits(b, ancestors)
            }
            (Kind::Type(a), Kind::Type(b)) => a.fits(b, ancestors),
            (Kind::Made(a), Kind::Made(b)) => {
                a.class == b.class && a.inner.fits(&b.inner, ancestors)
            }
            (Kind::Made(made), Kind::Class(_)) => {
                Kind::Class(made.class.clone()).fits(asked, ancestors)
            }
            (Kind::Class(name), Kind::Made(made)) => *name == made.class && made.inner.is_vague(),
            (Kind::Made(made), Kind::Dict(..)) => {
                MAPPINGS.contains(&made.class.as_str()) && made.inner.fits(asked, ancestors)
            }
            (Kind::Record(keys), Kind::Dict(key, value)) => {
                Kind::builtin("str").fits(key, ancestors)
                    && keys.iter().all(|one| one.kind.fits(value, ancestors))
            }
            (given, asked) => given == asked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_supertypes_unions_and_containers_of_supertypes() {
        let ancestors = Ancestors::from([("m.Dog".to_owned(), vec!["m.Animal".to_owned()])]);
        let [dog, animal] = ["m.Dog", "m.Animal"].map(|name| Kind::Class(name.to_owned()));
        assert!(dog.fits(&animal, &ancestors) && !animal.fits(&dog, &ancestors));
        let dogs = Kind::List(Box::new(dog.clone()));
        assert!(dogs.fits(&Kind::List(Box::new(animal.clone())), &ancestors));
        assert!(dogs.fits(&Kind::List(Box::new(Kind::Any)), &ancestors));
        assert!(!Kind::List(Box::new(Kind::Any)).fits(&dogs, &ancestors));
        let either = Kind::Union(vec![Kind::builtin("str"), animal]);
        assert!(dog.fits(&either, &ancestors));
        assert!(Kind::builtin("int").fits(&Kind::builtin("float"), &ancestors));
        assert!(!Kind::builtin("float").fits(&Kind::builtin("int"), &ancestors));
    }
}
