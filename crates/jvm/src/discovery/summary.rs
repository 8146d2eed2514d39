//! What discovery needs to know of one class: names, nesting, access, members with their lines. Bytes in, data out.

use super::nest::{Nest, Nesting, Visibility};
use classfile::analysis::lines::Lines;
use classfile::attributes;
use classfile::{Attribute, ClassFile, ConstantPool, Member};
use std::collections::BTreeSet;

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
    /// Whether only the subtypes that it names may extend it.
    pub sealed: bool,
    /// The classes of what public methods and static fields give, in internal form.
    pub gives: BTreeSet<String>,
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
    /// The classes of its annotations, in internal form.
    pub annotations: Vec<String>,
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
            sealed: class.attribute("PermittedSubclasses").is_some(),
            gives: gives(class),
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
        throws: throws(member, pool),
        deprecated: member.attribute(pool, "Deprecated").is_some(),
        annotations: annotations(member, pool),
        constant: member.attribute(pool, "ConstantValue").is_some(),
        lines: match member.code(pool)? {
            Some(code) => Lines::of(&code, pool)?.distinct(),
            None => Vec::new(),
        },
    })
}

/// The classes of what public methods and static fields of a class give.
fn gives(class: &ClassFile) -> BTreeSet<String> {
    let public = |member: &&Member| {
        member.access & access::PUBLIC != 0 && member.access & access::SYNTHETIC == 0
    };
    let fields = class.fields.iter().filter(public);
    let fields = fields.filter(|field| field.access & access::STATIC != 0);
    let members = fields.chain(class.methods.iter().filter(public));
    let results = members.filter_map(|member| {
        let descriptor = member.descriptor(&class.pool);
        let result = descriptor
            .rsplit_once(')')
            .map_or(descriptor, |(_, one)| one);
        result.strip_prefix('L')?.strip_suffix(';')
    });
    results.map(str::to_owned).collect()
}

/// The text of an attribute; a broken one has none, because no JVM minds.
fn text(attribute: Option<&Attribute>, pool: &ConstantPool) -> Option<String> {
    let text = attributes::text(attribute?, pool).ok()?;
    Some(text.to_owned())
}

fn throws(member: &Member, pool: &ConstantPool) -> Vec<String> {
    let attribute = member.attribute(pool, "Exceptions");
    let classes = attribute.and_then(|attribute| attributes::class_list(attribute, pool).ok());
    classes
        .unwrap_or_default()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// The classes of the annotations that the class file has, whether or not they are there at run time.
fn annotations(member: &Member, pool: &ConstantPool) -> Vec<String> {
    let kinds = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
    let found = kinds.iter().filter_map(|kind| {
        let attribute = member.attribute(pool, kind)?;
        attributes::annotations(attribute, pool).ok()
    });
    found
        .flatten()
        .map(|annotation| annotation.class_name().to_owned())
        .collect()
}
