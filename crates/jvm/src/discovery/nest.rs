//! What `InnerClasses` says of a class and the classes around it: names, access, who can name it.

use super::summary::{access, package_of};
use classfile::ClassFile;
use classfile::attributes::{InnerClass, inner_classes};

/// How a class lies in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// In a package, or a static member of a class.
    Static,
    /// A member of a class whose instances have an outer instance.
    Inner,
    /// In a method, or without a name.
    Local,
}

/// Who can name a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Its package.
    Package,
    /// Nobody outside its nest.
    Hidden,
}

/// How a class lies in others, and what source calls it.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The name as Java source writes it, in full.
    pub source_name: String,
    /// The simple name; none for local and anonymous classes.
    pub simple_name: Option<String>,
    /// Access flags as declared.
    pub access: u16,
    /// Who can name it; the access of the outermost class is not known here.
    pub visibility: Visibility,
    /// How it lies in others.
    pub nesting: Nesting,
    /// The class whose member it is.
    pub outer: Option<String>,
    /// The outermost class around it, else itself.
    pub outermost: String,
}

impl Nest {
    /// Reads it off a class. A broken attribute counts as none.
    pub fn of(class: &ClassFile) -> Nest {
        let attribute = class.attribute("InnerClasses");
        let rows = attribute.and_then(|attribute| inner_classes(attribute, &class.pool).ok());
        let rows = rows.unwrap_or_default();
        let chain = Chain::of(class.name(), &rows);
        let own = chain.members.first();
        let nesting = match own {
            _ if chain.is_local => Nesting::Local,
            Some(row) if row.access & (access::STATIC | access::INTERFACE) == 0 => Nesting::Inner,
            _ => Nesting::Static,
        };
        let mut source_name = chain.outermost.replace('/', ".");
        for row in chain.members.iter().rev() {
            source_name.push('.');
            source_name.push_str(row.name.unwrap_or_default());
        }
        let simple_name = match own {
            Some(row) => row.name,
            None if chain.is_local => None,
            None => class.name().rsplit('/').next(),
        };
        Nest {
            source_name,
            simple_name: simple_name.map(str::to_owned),
            access: own.map_or(class.access, |row| row.access),
            visibility: chain.visibility(class),
            nesting,
            outer: own.and_then(|row| row.outer).map(str::to_owned),
            outermost: chain.outermost.to_owned(),
        }
    }
}

/// The rows from a class outwards, as far as they are members of classes.
struct Chain<'p> {
    members: Vec<InnerClass<'p>>,
    outermost: &'p str,
    is_local: bool,
}

impl<'p> Chain<'p> {
    fn of(name: &'p str, rows: &[InnerClass<'p>]) -> Chain<'p> {
        let mut chain = Chain {
            members: Vec::new(),
            outermost: name,
            is_local: false,
        };
        // Never longer than the table, so that a class around itself ends too.
        while chain.members.len() <= rows.len() {
            let Some(row) = rows.iter().find(|row| row.class == chain.outermost) else {
                break;
            };
            let (Some(outer), Some(_)) = (row.outer, row.name) else {
                chain.is_local = true;
                break;
            };
            chain.members.push(*row);
            chain.outermost = outer;
        }
        chain
    }

    fn visibility(&self, class: &ClassFile) -> Visibility {
        let mut all = self
            .members
            .iter()
            .map(|row| row.access)
            .collect::<Vec<_>>();
        if all.is_empty() {
            all.push(class.access);
        }
        // Classes of the unnamed package cannot be imported.
        let unnamed = package_of(class.name()).is_empty();
        if all.iter().any(|one| one & access::PRIVATE != 0) {
            Visibility::Hidden
        } else if unnamed || all.iter().any(|one| one & access::PUBLIC == 0) {
            Visibility::Package
        } else {
            Visibility::Public
        }
    }
}
