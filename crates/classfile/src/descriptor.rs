//! Descriptors: the types of fields and methods as class files spell them.
//!
//! Parsing checks the text and borrows it; nothing is allocated. Generic types are in `signature`.

use std::fmt;

/// A descriptor is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed descriptor `{text}` at character {at}")]
pub struct DescriptorError {
    /// The whole descriptor.
    pub text: String,
    /// The byte of the text where it fails.
    pub at: usize,
}

/// The kinds of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// A class or interface.
    Object,
    /// An array.
    Array,
}

impl Kind {
    /// How many slots of the stack or the local variables a value takes.
    pub fn slots(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            _ => 1,
        }
    }

    /// The letter of the opcode table for a value of this kind: `I`, `J`, `F`, `D` or `A`.
    pub fn letter(self) -> char {
        match self {
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => 'I',
            Kind::Long => 'J',
            Kind::Float => 'F',
            Kind::Double => 'D',
            Kind::Object | Kind::Array => 'A',
        }
    }

    /// The Java keyword of a primitive type.
    pub fn keyword(self) -> Option<&'static str> {
        let keyword = match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Object | Kind::Array => return None,
        };
        Some(keyword)
    }

    pub(crate) fn of(letter: u8) -> Option<Kind> {
        let kind = match letter {
            b'Z' => Kind::Boolean,
            b'B' => Kind::Byte,
            b'C' => Kind::Char,
            b'S' => Kind::Short,
            b'I' => Kind::Int,
            b'J' => Kind::Long,
            b'F' => Kind::Float,
            b'D' => Kind::Double,
            b'L' => Kind::Object,
            b'[' => Kind::Array,
            _ => return None,
        };
        Some(kind)
    }
}

/// A checked type descriptor, such as `I`, `Ljava/lang/String;` or `[[J`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type<'a>(&'a str);

impl<'a> Type<'a> {
    /// Checks a field's descriptor.
    pub fn parse(text: &'a str) -> Result<Type<'a>, DescriptorError> {
        match scan(text.as_bytes(), 0) {
            Ok(end) if end == text.len() => Ok(Type(text)),
            Ok(at) | Err(at) => Err(error(text, at)),
        }
    }

    /// The descriptor itself.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// What kind of type it is.
    pub fn kind(self) -> Kind {
        Kind::of(self.0.as_bytes()[0]).expect("the descriptor was checked")
    }

    /// How many slots a value takes.
    pub fn slots(self) -> u16 {
        self.kind().slots()
    }

    /// The name of a class or interface, such as `java/lang/String`.
    pub fn class_name(self) -> Option<&'a str> {
        self.0.strip_prefix('L')?.strip_suffix(';')
    }

    /// The type of an array's elements.
    pub fn element(self) -> Option<Type<'a>> {
        self.0.strip_prefix('[').map(Type)
    }

    /// How many dimensions an array has; 0 for other types.
    pub fn dimensions(self) -> u8 {
        // Checked to be at most 255.
        self.0.bytes().take_while(|byte| *byte == b'[').count() as u8
    }

    /// The type without its dimensions.
    pub fn innermost(self) -> Type<'a> {
        Type(self.0.trim_start_matches('['))
    }

    /// How a class constant names the type: a class by its name, an array by its descriptor.
    pub fn constant_name(self) -> Option<&'a str> {
        match self.kind() {
            Kind::Object => self.class_name(),
            Kind::Array => Some(self.0),
            _ => None,
        }
    }
}

/// Prints the type as Java names it, such as `java.lang.String[]`. Nested classes keep their `$`.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let inner = self.innermost();
        match (inner.kind().keyword(), inner.class_name()) {
            (Some(keyword), _) => f.write_str(keyword)?,
            (None, name) => f.write_str(&name.unwrap_or_default().replace('/', "."))?,
        }
        (0..self.dimensions()).try_for_each(|_| f.write_str("[]"))
    }
}

/// A checked method descriptor, such as `(ILjava/lang/String;)V`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodType<'a> {
    text: &'a str,
    /// Where the closing parenthesis is.
    close: usize,
}

impl<'a> MethodType<'a> {
    /// Checks a method's descriptor. At most 255 slots of parameters are allowed.
    pub fn parse(text: &'a str) -> Result<MethodType<'a>, DescriptorError> {
        let bytes = text.as_bytes();
        if bytes.first() != Some(&b'(') {
            return Err(error(text, 0));
        }
        let (mut at, mut slots) = (1, 0);
        while bytes.get(at) != Some(&b')') {
            slots += match bytes.get(at) {
                Some(b'J' | b'D') => 2,
                _ => 1,
            };
            let next = scan(bytes, at).map_err(|at| error(text, at))?;
            if slots > 255 {
                return Err(error(text, at));
            }
            at = next;
        }
        let end = match bytes.get(at + 1) {
            Some(b'V') => at + 2,
            _ => scan(bytes, at + 1).map_err(|at| error(text, at))?,
        };
        match end == bytes.len() {
            true => Ok(MethodType { text, close: at }),
            false => Err(error(text, end)),
        }
    }

    /// The descriptor itself.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The types of the parameters, in order, without the receiver.
    pub fn parameters(self) -> Parameters<'a> {
        Parameters(&self.text[1..self.close])
    }

    /// The type of the result; `None` for `void`.
    pub fn result(self) -> Option<Type<'a>> {
        match &self.text[self.close + 1..] {
            "V" => None,
            text => Some(Type(text)),
        }
    }

    /// How many slots the parameters take, without the receiver.
    pub fn parameter_slots(self) -> u16 {
        self.parameters().map(Type::slots).sum()
    }

    /// How many slots the result takes.
    pub fn result_slots(self) -> u16 {
        self.result().map_or(0, Type::slots)
    }
}

/// Iterates over the parameters of a method descriptor.
#[derive(Clone, Debug)]
pub struct Parameters<'a>(&'a str);

impl<'a> Iterator for Parameters<'a> {
    type Item = Type<'a>;

    fn next(&mut self) -> Option<Type<'a>> {
        let end = scan(self.0.as_bytes(), 0).ok()?;
        let (first, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(Type(first))
    }
}

/// Where the type that starts at `at` ends, or where it fails.
fn scan(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let start = at;
    let rest = bytes.get(at..).unwrap_or_default();
    let dimensions = rest.iter().take_while(|byte| **byte == b'[').count();
    let at = at + dimensions;
    if dimensions > 255 {
        return Err(start + 255);
    }
    match bytes.get(at) {
        Some(b'L') => {
            let name = &bytes[at + 1..];
            let stop = |byte: &u8| matches!(byte, b';' | b'[' | b'.' | b'(' | b')');
            match name.iter().position(stop) {
                Some(length) if length > 0 && name[length] == b';' => Ok(at + length + 2),
                Some(length) => Err(at + 1 + length),
                None => Err(bytes.len()),
            }
        }
        Some(letter) if Kind::of(*letter).is_some() => Ok(at + 1),
        _ => Err(at),
    }
}

fn error(text: &str, at: usize) -> DescriptorError {
    DescriptorError {
        text: text.to_owned(),
        at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_result_of_a_method_are_split() {
        let method = MethodType::parse("(I[[JLjava/lang/String;D)[Z").unwrap();
        let parameters: Vec<String> = method.parameters().map(|ty| ty.to_string()).collect();
        assert_eq!(
            parameters,
            ["int", "long[][]", "java.lang.String", "double"]
        );
        assert_eq!(method.result().unwrap().to_string(), "boolean[]");
        assert_eq!(method.parameter_slots(), 5);
        let nothing = MethodType::parse("()V").unwrap();
        assert_eq!((nothing.parameters().count(), nothing.result()), (0, None));
    }

    #[test]
    fn a_type_knows_its_parts() {
        let ty = Type::parse("[[Ljava/util/Map$Entry;").unwrap();
        assert_eq!((ty.kind(), ty.dimensions()), (Kind::Array, 2));
        assert_eq!(ty.innermost().class_name(), Some("java/util/Map$Entry"));
        assert_eq!(ty.constant_name(), Some("[[Ljava/util/Map$Entry;"));
        assert_eq!(ty.element().map(Type::text), Some("[Ljava/util/Map$Entry;"));
        assert_eq!(Type::parse("J").unwrap().slots(), 2);
    }

    #[test]
    fn malformed_descriptors_are_refused_with_a_place() {
        for (text, at) in [
            ("", 0),
            ("V", 0),
            ("L;", 1),
            ("La.b;", 2),
            ("[", 1),
            ("II", 1),
            ("Lab", 3),
        ] {
            assert_eq!(Type::parse(text).unwrap_err().at, at, "{text}");
        }
        for (text, at) in [
            ("", 0),
            ("I", 0),
            ("(", 1),
            ("(I", 2),
            ("()", 2),
            ("(V)V", 1),
            ("()VV", 3),
        ] {
            assert_eq!(MethodType::parse(text).unwrap_err().at, at, "{text}");
        }
        let many = format!("({})V", "J".repeat(128));
        assert_eq!(MethodType::parse(&many).unwrap_err().at, 128);
        assert!(MethodType::parse(&format!("({}I)V", "J".repeat(127))).is_ok());
        assert!(Type::parse(&format!("{}I", "[".repeat(256))).is_err());
    }
}
