//! What discovery needs to know of one class: names, nesting, access, members with their lines. Bytes in, data out.

use classfile::{Attribute, ClassFile, ConstantPool, Member};

/// Access flags of the class-file format that discovery looks at.
pub mod access {
    /// Visible everywhere.
    pub const PUBLIC: u16 = 0x0001;
    /// Visible in its own nest only.
    pub const PRIVATE: u16 = 0x0002;
    /// Belongs to the class, or a nested class without outer instance.
    pub const STATIC: u16 = 0x0008;
    /// Made by the compiler to call an override with other types.
    pub const BRIDGE: u16 = 0x0040;
    /// An interface.
    pub const INTERFACE: u16 = 0x0200;
    /// Without instances, or without code.
    pub const ABSTRACT: u16 = 0x0400;
    /// Not in the source.
    pub const SYNTHETIC: u16 = 0x1000;
    /// An enum, or one of its constants.
    pub const ENUM: u16 = 0x4000;
}

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

/// One class.
#[derive(Clone, Debug)]
pub struct Summary {
    /// In internal form.
    pub name: String,
    /// As Java source writes it, in full.
    pub source_name: String,
    /// The version of the class file.
    pub major: u16,
    /// Access flags, as declared for nested classes.
    pub access: u16,
    /// Who can name it; of the classes around it, the outermost is not yet taken into account.
    pub visibility: Visibility,
    /// The outermost class around it, else itself.
    pub outermost: String,
    /// How it lies in others.
    pub nesting: Nesting,
    /// The class whose member it is.
    pub outer: Option<String>,
    /// Its simple name in source; none for local and anonymous classes.
    pub simple_name: Option<String>,
    /// The generic signature, where it has one.
    pub signature: Option<String>,
    /// The superclass; none for `java/lang/Object`.
    pub super_name: Option<String>,
    /// The direct interfaces.
    pub interfaces: Vec<String>,
    /// The source file without folder.
    pub source_file: Option<String>,
    /// Whether it is marked as deprecated.
    pub deprecated: bool,
    /// Fields in file order.
    pub fields: Vec<MemberSummary>,
    /// Methods in file order.
    pub methods: Vec<MemberSummary>,
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct MemberSummary {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Access flags.
    pub access: u16,
    /// The generic signature, where it has one.
    pub signature: Option<String>,
    /// Declared exceptions, in internal form.
    pub throws: Vec<String>,
    /// Whether it is marked as deprecated.
    pub deprecated: bool,
    /// Whether it is a field with a compile-time constant.
    pub constant: bool,
    /// The distinct source lines of its code, in ascending order.
    pub lines: Vec<u32>,
}

impl Summary {
    /// Summarises a class. The code of every method is checked.
    pub fn parse(bytes: &[u8]) -> Result<Summary, classfile::Error> {
        let class = ClassFile::parse(bytes)?;
        let mut summary = Summary::head(&class);
        let pool = &class.pool;
        let fields = class.fields.iter().map(|field| member(field, pool));
        summary.fields = fields.collect::<Result<_, _>>()?;
        let methods = class.methods.iter().map(|method| member(method, pool));
        summary.methods = methods.collect::<Result<_, _>>()?;
        Ok(summary)
    }

    /// Summarises a class without its members, for its place among types.
    pub fn parse_head(bytes: &[u8]) -> Result<Summary, classfile::Error> {
        Ok(Summary::head(&ClassFile::parse(bytes)?))
    }

    fn head(class: &ClassFile) -> Summary {
        let nest = Nest::of(class);
        Summary {
            name: class.name().to_owned(),
            source_name: nest.source_name,
            major: class.major,
            access: nest.access,
            visibility: nest.visibility,
            outermost: nest.outermost,
            nesting: nest.nesting,
            outer: nest.outer,
            simple_name: nest.simple_name,
            signature: text(class.attribute("Signature"), &class.pool),
            super_name: class.super_name().map(str::to_owned),
            interfaces: class.interface_names().map(str::to_owned).collect(),
            source_file: text(class.attribute("SourceFile"), &class.pool),
            deprecated: class.attribute("Deprecated").is_some(),
            fields: Vec::new(),
            methods: Vec::new(),
        }
    }

    /// The package in internal form; empty for the unnamed one.
    pub fn package(&self) -> &str {
        package_of(&self.name)
    }

    /// Whether a flag is set.
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }
}

impl MemberSummary {
    /// Whether a flag is set.
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }

    /// The descriptor without the result, which is what Java source can tell apart.
    pub fn parameters(&self) -> &str {
        let end = self.descriptor.find(')').unwrap_or(0);
        &self.descriptor[..end]
    }
}

/// The package of a class in internal form; empty for the unnamed one.
pub fn package_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}

fn member(member: &Member, pool: &ConstantPool) -> Result<MemberSummary, classfile::Error> {
    Ok(MemberSummary {
        name: member.name(pool).to_owned(),
        descriptor: member.descriptor(pool).to_owned(),
        access: member.access,
        signature: text(member.attribute(pool, "Signature"), pool),
        throws: throws(member.attribute(pool, "Exceptions"), pool),
        deprecated: member.attribute(pool, "Deprecated").is_some(),
        constant: member.attribute(pool, "ConstantValue").is_some(),
        lines: lines(member, pool)?,
    })
}

/// The text that an attribute of one index names; an attribute of another shape has none.
fn text(attribute: Option<&Attribute>, pool: &ConstantPool) -> Option<String> {
    let index = attribute?.info.first_chunk()?;
    let text = pool.utf8(u16::from_be_bytes(*index)).ok()?;
    Some(text.to_owned())
}

fn numbers(bytes: &[u8]) -> Vec<u16> {
    let pairs = bytes.chunks_exact(2);
    pairs
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
        .collect()
}

fn throws(attribute: Option<&Attribute>, pool: &ConstantPool) -> Vec<String> {
    let numbers = attribute.map_or(Vec::new(), |attribute| numbers(&attribute.info));
    let names = numbers
        .iter()
        .skip(1)
        .filter_map(|&index| pool.class_name(index).ok());
    names.map(str::to_owned).collect()
}

fn lines(member: &Member, pool: &ConstantPool) -> Result<Vec<u32>, classfile::Error> {
    let Some(code) = member.code(pool)? else {
        return Ok(Vec::new());
    };
    let mut lines = Vec::new();
    // A method may have several tables.
    for table in code
        .attributes
        .iter()
        .filter(|one| one.name(pool) == "LineNumberTable")
    {
        let rows = numbers(&table.info);
        lines.extend(rows.iter().skip(2).step_by(2).map(|&line| u32::from(line)));
    }
    lines.sort_unstable();
    lines.dedup();
    Ok(lines)
}

/// What `InnerClasses` says of the class itself and the classes around it.
struct Nest {
    source_name: String,
    access: u16,
    visibility: Visibility,
    outermost: String,
    nesting: Nesting,
    outer: Option<String>,
    simple_name: Option<String>,
}

impl Nest {
    fn of(class: &ClassFile) -> Nest {
        let rows = class
            .attribute("InnerClasses")
            .map_or(Vec::new(), |a| numbers(&a.info));
        let rows: Vec<&[u16]> = rows.get(1..).unwrap_or_default().chunks_exact(4).collect();
        let row_of = |name: &str| {
            let mut rows = rows.iter();
            rows.find(|row| class.pool.class_name(row[0]).is_ok_and(|one| one == name))
        };
        let mut nest = Nest {
            source_name: String::new(),
            access: class.access,
            visibility: Visibility::Public,
            outermost: String::new(),
            nesting: Nesting::Static,
            outer: None,
            simple_name: None,
        };
        let mut here = class.name().to_owned();
        let mut simple_names = Vec::new();
        // A chain is never longer than the table, so that a class around itself ends too.
        for depth in 0..=rows.len() {
            let Some(row) = row_of(&here) else { break };
            let name = class.pool.utf8(row[2]).ok();
            let (Some(name), Ok(outer)) = (name, class.pool.class_name(row[1])) else {
                nest.nesting = Nesting::Local;
                break;
            };
            nest.narrow(row[3]);
            if depth == 0 {
                nest.access = row[3];
                nest.outer = Some(outer.to_owned());
                let is_static = row[3] & (access::STATIC | access::INTERFACE) != 0;
                nest.nesting = if is_static {
                    Nesting::Static
                } else {
                    Nesting::Inner
                };
            }
            simple_names.push(name.to_owned());
            here = outer.to_owned();
        }
        if simple_names.is_empty() {
            nest.narrow(class.access);
        }
        nest.simple_name = match (simple_names.first(), nest.nesting) {
            (Some(name), _) => Some(name.clone()),
            (None, Nesting::Local) => None,
            (None, _) => here.rsplit('/').next().map(str::to_owned),
        };
        nest.source_name = here.replace('/', ".");
        nest.outermost = here;
        for name in simple_names.iter().rev() {
            nest.source_name.push('.');
            nest.source_name.push_str(name);
        }
        if package_of(class.name()).is_empty() && nest.visibility == Visibility::Public {
            // Classes of the unnamed package cannot be imported.
            nest.visibility = Visibility::Package;
        }
        nest
    }

    fn narrow(&mut self, access: u16) {
        if access & access::PRIVATE != 0 {
            self.visibility = Visibility::Hidden;
        } else if access & access::PUBLIC == 0 && self.visibility == Visibility::Public {
            self.visibility = Visibility::Package;
        }
    }
}
