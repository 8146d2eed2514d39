//! One entry of a constant pool, and how it is written.

use std::borrow::Cow;

/// One entry of a constant pool. The numbers are indices of other entries unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    /// A text in modified UTF-8.
    Utf8(Cow<'a, [u8]>),
    /// An int.
    Integer(i32),
    /// The bits of a float.
    Float(u32),
    /// A long.
    Long(i64),
    /// The bits of a double.
    Double(u64),
    /// A class, interface or array type, by its name.
    Class(u16),
    /// A string, by its text.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class: class, name and type.
    Method(u16, u16),
    /// A method of an interface: class, name and type.
    InterfaceMethod(u16, u16),
    /// A name and a descriptor.
    NameAndType(u16, u16),
    /// A method handle: its kind (1 to 9, no index) and the member.
    MethodHandle(u8, u16),
    /// A method type, by its descriptor.
    MethodType(u16),
    /// A constant computed at run time: number of the bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A call site: number of the bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A module, by its name.
    Module(u16),
    /// A package, by its name.
    Package(u16),
    /// No entry: index 0, and the index after a long or double.
    Gap,
}

impl Constant<'_> {
    /// The kind, in words that fit after "is".
    pub fn kind(&self) -> &'static str {
        match self {
            Constant::Utf8(_) => "a text",
            Constant::Integer(_) => "an int",
            Constant::Float(_) => "a float",
            Constant::Long(_) => "a long",
            Constant::Double(_) => "a double",
            Constant::Class(_) => "a class",
            Constant::String(_) => "a string",
            Constant::Field(..) => "a field",
            Constant::Method(..) => "a method",
            Constant::InterfaceMethod(..) => "an interface method",
            Constant::NameAndType(..) => "a name and type",
            Constant::MethodHandle(..) => "a method handle",
            Constant::MethodType(_) => "a method type",
            Constant::Dynamic(..) => "a dynamic constant",
            Constant::InvokeDynamic(..) => "a dynamic call site",
            Constant::Module(_) => "a module",
            Constant::Package(_) => "a package",
            Constant::Gap => "no entry",
        }
    }

    /// How many indices the constant takes.
    pub(crate) fn width(&self) -> usize {
        match self {
            Constant::Long(_) | Constant::Double(_) => 2,
            _ => 1,
        }
    }

    /// How many bytes the constant takes in the file.
    pub(crate) fn size(&self) -> usize {
        match self {
            Constant::Utf8(bytes) => 3 + bytes.len(),
            Constant::Long(_) | Constant::Double(_) => 9,
            Constant::MethodHandle(..) => 4,
            Constant::Class(_)
            | Constant::String(_)
            | Constant::MethodType(_)
            | Constant::Module(_)
            | Constant::Package(_) => 3,
            Constant::Gap => 0,
            _ => 5,
        }
    }

    /// Appends the bytes of the constant.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Constant::Utf8(bytes) => {
                out.push(1);
                // Reading and adding both refuse longer texts.
                out.extend((bytes.len() as u16).to_be_bytes());
                out.extend_from_slice(bytes);
            }
            Constant::Integer(value) => tagged(out, 3, &value.to_be_bytes()),
            Constant::Float(bits) => tagged(out, 4, &bits.to_be_bytes()),
            Constant::Long(value) => tagged(out, 5, &value.to_be_bytes()),
            Constant::Double(bits) => tagged(out, 6, &bits.to_be_bytes()),
            Constant::Class(name) => tagged(out, 7, &name.to_be_bytes()),
            Constant::String(text) => tagged(out, 8, &text.to_be_bytes()),
            Constant::Field(class, pair) => two(out, 9, *class, *pair),
            Constant::Method(class, pair) => two(out, 10, *class, *pair),
            Constant::InterfaceMethod(class, pair) => two(out, 11, *class, *pair),
            Constant::NameAndType(name, descriptor) => two(out, 12, *name, *descriptor),
            Constant::MethodHandle(kind, member) => {
                out.extend([15, *kind]);
                out.extend(member.to_be_bytes());
            }
            Constant::MethodType(descriptor) => tagged(out, 16, &descriptor.to_be_bytes()),
            Constant::Dynamic(method, pair) => two(out, 17, *method, *pair),
            Constant::InvokeDynamic(method, pair) => two(out, 18, *method, *pair),
            Constant::Module(name) => tagged(out, 19, &name.to_be_bytes()),
            Constant::Package(name) => tagged(out, 20, &name.to_be_bytes()),
            Constant::Gap => {}
        }
    }
}

fn tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend_from_slice(bytes);
}

fn two(out: &mut Vec<u8>, tag: u8, first: u16, second: u16) {
    out.push(tag);
    out.extend(first.to_be_bytes());
    out.extend(second.to_be_bytes());
}
