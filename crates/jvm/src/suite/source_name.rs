//! How source code of a package names classes, members and types, and what it cannot name.
//!
//! Rendered code holds class names as marks; `imports` turns them into simple or qualified names when a whole file is
//! known. So dropping a test from a file never leaves an import behind.

use super::reason::Reason;
use crate::model::{JvmModel, JvmOperation, OperationKind};
use classfile::descriptor::{Kind, Type};

/// Begins the mark of a class: its internal name follows, then [`END`].
pub const CLASS: char = '\u{1}';
/// Begins the mark of a static method of the assertion class.
pub const ASSERTION: char = '\u{3}';
/// Ends a mark.
pub const END: char = '\u{2}';

const PUBLIC: u16 = 0x1;
const PRIVATE: u16 = 0x2;

/// What Java source reserves, literals and contextual keywords that cannot name types or variables included.
const RESERVED: &str = " abstract assert boolean break byte case catch char class const continue default do double else enum \
extends false final finally float for goto if implements import instanceof int interface long native new null package private \
protected public return short static strictfp super switch synchronized this throw throws transient true try void volatile while _ ";

/// Whether Java source can write this name.
pub fn is_identifier(name: &str) -> bool {
    let start = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    let mut chars = name.chars();
    chars.next().is_some_and(start)
        && chars.all(|c| start(c) || c.is_ascii_digit() || (!c.is_ascii() && c.is_alphanumeric()))
        && !is_reserved(name)
}

/// Whether a word is one of the language's own.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&format!(" {word} "))
}

/// A name in ASCII: everything else as Unicode escapes, which mean the same anywhere in Java source.
pub fn ascii(name: &str) -> String {
    let mut text = String::new();
    for unit in name.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}

/// The package of a class, in internal form; empty for the unnamed one.
pub fn package_of(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// The simple names of a class from its outermost class inwards, as far as the model or its name tell.
pub fn path_of(model: &JvmModel, class: &str) -> Result<Vec<String>, Reason> {
    let unnamed = || Reason::NoJavaName(class.replace('/', "."));
    let path = match model.classes.get(class) {
        Some(facts) => {
            let simple = facts.simple.clone().ok_or_else(unnamed)?;
            let mut path = match &facts.outer {
                // A malformed class file may name itself as its outer class.
                Some(outer) if outer.len() < class.len() => path_of(model, outer)?,
                Some(_) => return Err(unnamed()),
                None => Vec::new(),
            };
            path.push(simple);
            path
        }
        None => {
            let name = class.rsplit('/').next().unwrap_or(class);
            name.split('$').map(str::to_owned).collect()
        }
    };
    let writable = path.iter().all(|name| is_identifier(name))
        && package_of(class)
            .split('/')
            .all(|part| part.is_empty() || is_identifier(part));
    if writable { Ok(path) } else { Err(unnamed()) }
}

/// The package that code must be in to use a member, where not any will do.
pub fn required_package<'a>(model: &JvmModel, operation: &'a JvmOperation) -> Option<&'a str> {
    if operation.kind == OperationKind::Array {
        return None;
    }
    let mut open = operation.access & PUBLIC != 0;
    let mut class = Some(operation.owner.as_str());
    while let Some(facts) = class.and_then(|class| model.classes.get(class)) {
        open &= facts.access & PUBLIC != 0;
        class = facts.outer.as_deref();
    }
    (!open).then(|| package_of(&operation.owner))
}

/// Whether a class is an inner one, whose constructors take an instance of the outer class.
pub fn is_inner(model: &JvmModel, class: &str) -> bool {
    const STATIC: u16 = 0x8;
    const INTERFACE: u16 = 0x200;
    const ENUM: u16 = 0x4000;
    model.classes.get(class).is_some_and(|facts| {
        facts.outer.is_some() && facts.access & (STATIC | INTERFACE | ENUM) == 0
    })
}

/// A package whose code names things.
#[derive(Clone, Copy, Debug)]
pub struct Viewpoint<'a> {
    /// The model of the subject.
    pub model: &'a JvmModel,
    /// The package, in internal form.
    pub package: &'a str,
}

impl Viewpoint<'_> {
    /// The mark of a class that the package can see and name.
    pub fn class(&self, class: &str) -> Result<String, Reason> {
        path_of(self.model, class)?;
        if self.sees(class) {
            Ok(format!("{CLASS}{class}{END}"))
        } else {
            Err(Reason::NotAccessible(class.replace('/', ".")))
        }
    }

    /// A type, from its descriptor.
    pub fn kind(&self, descriptor: &str) -> Result<String, Reason> {
        let malformed = |_| Reason::NoJavaName(descriptor.to_owned());
        let kind = Type::parse(descriptor).map_err(malformed)?;
        let innermost = kind.innermost();
        let name = match innermost.kind().keyword() {
            Some(keyword) => keyword.to_owned(),
            None => self.class(innermost.class_name().unwrap_or_default())?,
        };
        Ok(name + &"[]".repeat(usize::from(kind.dimensions())))
    }

    /// The mark of a class that was seen at run time only: what is not known of it is not assumed.
    pub fn seen_class(&self, class: &str) -> Result<String, Reason> {
        let known = self.model.classes.contains_key(class) || class.starts_with("java/");
        match known {
            true => self.class(class),
            false => Err(Reason::NotAccessible(class.replace('/', "."))),
        }
    }

    /// A type, from its descriptor, that was seen at run time only.
    pub fn seen_kind(&self, descriptor: &str) -> Result<String, Reason> {
        let innermost = descriptor.trim_start_matches('[');
        if let Some(class) = innermost.strip_prefix('L') {
            self.seen_class(class.trim_end_matches(';'))?;
        }
        self.kind(descriptor)
    }

    /// The type to declare a variable with: the described one, or `Object` where that cannot be named.
    pub fn declarable<'t>(&self, descriptor: &'t str) -> &'t str {
        match self.kind(descriptor) {
            Ok(_) => descriptor,
            Err(_) => "Ljava/lang/Object;",
        }
    }

    /// A member's name.
    pub fn member(&self, name: &str) -> Result<String, Reason> {
        if is_identifier(name) {
            Ok(ascii(name))
        } else {
            Err(Reason::NoJavaName(name.to_owned()))
        }
    }

    fn sees(&self, class: &str) -> bool {
        let here = package_of(class) == self.package;
        if !here && package_of(class).is_empty() {
            return false;
        }
        let Some(facts) = self.model.classes.get(class) else {
            // The JDK's own inner parts are public in the class file and closed by its modules.
            let closed = ["sun/", "jdk/internal/", "com/sun/"];
            return !closed.iter().any(|prefix| class.starts_with(prefix));
        };
        let seen = match facts.access {
            access if access & PRIVATE != 0 => false,
            access => here || access & PUBLIC != 0,
        };
        seen && facts.outer.as_ref().is_none_or(|outer| self.sees(outer))
    }
}

/// Whether a type is a reference type.
pub fn is_reference(descriptor: &str) -> bool {
    Type::parse(descriptor).is_ok_and(|kind| matches!(kind.kind(), Kind::Object | Kind::Array))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::JvmClass;

    #[test]
    fn names_of_other_languages_are_told_from_those_of_java() {
        for good in [
            "a",
            "$plus",
            "größe",
            "_x",
            "x1",
            "записать",
            "record",
            "var",
        ] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in [
            "",
            "1a",
            "a-b",
            "with space",
            "class",
            "null",
            "_",
            "a.b",
            "goto",
        ] {
            assert!(!is_identifier(bad), "{bad}");
        }
        assert_eq!(ascii("größe"), "gr\\u00f6\\u00dfe");
    }

    fn model() -> JvmModel {
        let class = |access, outer: Option<&str>, simple: Option<&str>| JvmClass {
            access,
            outer: outer.map(str::to_owned),
            simple: simple.map(str::to_owned),
            signature: None,
        };
        let mut model = JvmModel::default();
        for (name, facts) in [
            ("a/Hidden", class(0, None, Some("Hidden"))),
            ("a/Hidden$In", class(PUBLIC, Some("a/Hidden"), Some("In"))),
            ("a/Open", class(PUBLIC, None, Some("Open"))),
            (
                "a/Open$Secret",
                class(PRIVATE, Some("a/Open"), Some("Secret")),
            ),
            ("a/Open$1", class(0, None, None)),
            ("a/With$Dollar", class(PUBLIC, None, Some("With$Dollar"))),
        ] {
            model.classes.insert(name.to_owned(), facts);
        }
        model
    }

    #[test]
    fn only_what_the_package_sees_is_named() {
        let model = model();
        let at = |package| Viewpoint {
            model: &model,
            package,
        };
        for (package, class, seen) in [
            ("a", "a/Hidden$In", true),
            ("b", "a/Hidden$In", false),
            ("b", "a/Open", true),
            ("a", "a/Open$Secret", false),
            ("a", "a/Open$1", false),
            ("b", "java/util/Map$Entry", true),
            ("b", "jdk/internal/misc/Unsafe", false),
            ("b", "InNoPackage", false),
            ("", "InNoPackage", true),
        ] {
            assert_eq!(at(package).class(class).is_ok(), seen, "{class}");
        }
        assert_eq!(path_of(&model, "a/With$Dollar").unwrap(), ["With$Dollar"]);
        assert_eq!(
            path_of(&model, "java/util/Map$Entry").unwrap(),
            ["Map", "Entry"]
        );
    }
}
