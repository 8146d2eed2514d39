//! Prints signatures: `signature()` as the class file spells them, `Display` as Java does.

use std::fmt;

use super::{ClassSignature, ClassType, GenericType, MethodSignature, TypeArgument, TypeParameter};
use crate::descriptor::Kind;

impl ClassSignature<'_> {
    /// The text of the signature.
    pub fn signature(&self) -> String {
        let mut out = String::new();
        write_parameters(&self.parameters, &mut out);
        self.superclass.write(&mut out);
        for interface in &self.interfaces {
            interface.write(&mut out);
        }
        out
    }
}

impl MethodSignature<'_> {
    /// The text of the signature.
    pub fn signature(&self) -> String {
        let mut out = String::new();
        write_parameters(&self.type_parameters, &mut out);
        out.push('(');
        for parameter in &self.parameters {
            parameter.write(&mut out);
        }
        out.push(')');
        match &self.result {
            Some(result) => result.write(&mut out),
            None => out.push('V'),
        }
        for thrown in &self.throws {
            out.push('^');
            thrown.write(&mut out);
        }
        out
    }
}

impl GenericType<'_> {
    /// The text of the signature.
    pub fn signature(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            GenericType::Primitive(kind) => out.push(primitive_letter(*kind)),
            GenericType::Class(class) => class.write(out),
            GenericType::Variable(name) => {
                out.push('T');
                out.push_str(name);
                out.push(';');
            }
            GenericType::Array(element) => {
                out.push('[');
                element.write(out);
            }
        }
    }
}

impl ClassType<'_> {
    fn write(&self, out: &mut String) {
        for (number, part) in self.parts.iter().enumerate() {
            out.push(if number == 0 { 'L' } else { '.' });
            out.push_str(part.name);
            if !part.arguments.is_empty() {
                out.push('<');
                part.arguments
                    .iter()
                    .for_each(|argument| argument.write(out));
                out.push('>');
            }
        }
        out.push(';');
    }
}

impl TypeArgument<'_> {
    fn write(&self, out: &mut String) {
        match self {
            TypeArgument::Any => out.push('*'),
            TypeArgument::Exactly(bound) => bound.write(out),
            TypeArgument::Extends(bound) => {
                out.push('+');
                bound.write(out);
            }
            TypeArgument::Super(bound) => {
                out.push('-');
                bound.write(out);
            }
        }
    }
}

fn write_parameters(parameters: &[TypeParameter], out: &mut String) {
    if parameters.is_empty() {
        return;
    }
    out.push('<');
    for parameter in parameters {
        out.push_str(parameter.name);
        out.push(':');
        if let Some(bound) = &parameter.class_bound {
            bound.write(out);
        }
        for bound in &parameter.interface_bounds {
            out.push(':');
            bound.write(out);
        }
    }
    out.push('>');
}

fn primitive_letter(kind: Kind) -> char {
    match kind {
        Kind::Boolean => 'Z',
        Kind::Byte => 'B',
        Kind::Char => 'C',
        Kind::Short => 'S',
        other => other.letter(),
    }
}

impl fmt::Display for GenericType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GenericType::Primitive(kind) => f.write_str(kind.keyword().unwrap_or_default()),
            GenericType::Class(class) => class.fmt(f),
            GenericType::Variable(name) => f.write_str(name),
            GenericType::Array(element) => write!(f, "{element}[]"),
        }
    }
}

impl fmt::Display for ClassType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (number, part) in self.parts.iter().enumerate() {
            let dot = if number == 0 { "" } else { "." };
            write!(f, "{dot}{}", part.name.replace('/', "."))?;
            list(f, "<", &part.arguments, ", ", ">")?;
        }
        Ok(())
    }
}

impl fmt::Display for TypeArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TypeArgument::Any => f.write_str("?"),
            TypeArgument::Exactly(bound) => bound.fmt(f),
            TypeArgument::Extends(bound) => write!(f, "? extends {bound}"),
            TypeArgument::Super(bound) => write!(f, "? super {bound}"),
        }
    }
}

impl fmt::Display for TypeParameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)?;
        let bounds: Vec<&GenericType> = self
            .class_bound
            .iter()
            .chain(&self.interface_bounds)
            .collect();
        list(f, " extends ", &bounds, " & ", "")
    }
}

/// Prints `<T extends A> extends B<T> implements C, D`: what follows a class's name.
impl fmt::Display for ClassSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        list(f, "<", &self.parameters, ", ", ">")?;
        write!(f, " extends {}", self.superclass)?;
        list(f, " implements ", &self.interfaces, ", ", "")
    }
}

/// Prints `<T> R (A, B) throws E`.
impl fmt::Display for MethodSignature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        list(f, "<", &self.type_parameters, ", ", "> ")?;
        match &self.result {
            Some(result) => write!(f, "{result} (")?,
            None => f.write_str("void (")?,
        }
        list(f, "", &self.parameters, ", ", "")?;
        f.write_str(")")?;
        list(f, " throws ", &self.throws, ", ", "")
    }
}

/// Prints a list between two texts, and nothing when it is empty.
fn list(
    f: &mut fmt::Formatter,
    before: &str,
    items: &[impl fmt::Display],
    between: &str,
    after: &str,
) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if number == 0 { before } else { between })?;
    }
    if !items.is_empty() {
        f.write_str(after)?;
    }
    Ok(())
}
