//! Parses signatures by recursive descent, one function per rule of the grammar.

use super::{
    ClassPart, ClassSignature, ClassType, DEEPEST, GenericType, MethodSignature, SignatureError,
    TypeArgument, TypeParameter,
};
use crate::descriptor::Kind;

impl<'a> ClassSignature<'a> {
    /// Parses the signature of a class.
    pub fn parse(text: &'a str) -> Result<ClassSignature<'a>, SignatureError> {
        Parser::all(text, |parser| {
            let parameters = parser.type_parameters()?;
            let superclass = parser.class_type(0)?;
            let mut interfaces = Vec::new();
            while parser.at < text.len() {
                interfaces.push(parser.class_type(0)?);
            }
            Some(ClassSignature {
                parameters,
                superclass,
                interfaces,
            })
        })
    }
}

impl<'a> MethodSignature<'a> {
    /// Parses the signature of a method.
    pub fn parse(text: &'a str) -> Result<MethodSignature<'a>, SignatureError> {
        Parser::all(text, |parser| {
            let type_parameters = parser.type_parameters()?;
            parser.expect(b'(')?;
            let mut parameters = Vec::new();
            while !parser.skip(b')') {
                parameters.push(parser.any_type(0)?);
            }
            let result = match parser.skip(b'V') {
                true => None,
                false => Some(parser.any_type(0)?),
            };
            let mut throws = Vec::new();
            while parser.skip(b'^') {
                throws.push(match parser.peek()? {
                    b'T' => parser.variable()?,
                    _ => GenericType::Class(parser.class_type(0)?),
                });
            }
            Some(MethodSignature {
                type_parameters,
                parameters,
                result,
                throws,
            })
        })
    }
}

impl<'a> GenericType<'a> {
    /// Parses the signature of a field, a local variable or a record component.
    pub fn parse(text: &'a str) -> Result<GenericType<'a>, SignatureError> {
        Parser::all(text, |parser| parser.any_type(0))
    }
}

/// Reads a text from the front; a rule that fails gives `None` and leaves `at` where it failed.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    /// Parses the whole text by a rule.
    fn all<T>(
        text: &'a str,
        rule: impl FnOnce(&mut Parser<'a>) -> Option<T>,
    ) -> Result<T, SignatureError> {
        let mut parser = Parser { text, at: 0 };
        match rule(&mut parser) {
            Some(found) if parser.at == text.len() => Ok(found),
            _ => Err(SignatureError {
                text: text.to_owned(),
                at: parser.at,
            }),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip(byte).then_some(())
    }

    /// A name up to one of these bytes, which are all ASCII.
    fn name(&mut self, stops: &[u8]) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| stops.contains(&byte));
        let length = length.unwrap_or(rest.len());
        if length == 0 {
            return None;
        }
        self.at += length;
        Some(&rest[..length])
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter<'a>>> {
        let mut parameters = Vec::new();
        if !self.skip(b'<') {
            return Some(parameters);
        }
        while parameters.is_empty() || !self.skip(b'>') {
            parameters.push(self.type_parameter()?);
        }
        Some(parameters)
    }

    fn type_parameter(&mut self) -> Option<TypeParameter<'a>> {
        let name = self.name(b".;[/<>:")?;
        self.expect(b':')?;
        let class_bound = match self.peek()? {
            b'L' | b'T' | b'[' => Some(self.any_type(0)?),
            _ => None,
        };
        let mut interface_bounds = Vec::new();
        while self.skip(b':') {
            interface_bounds.push(self.any_type(0)?);
        }
        // Without any bound, a next name with `L` or `T` in front would be taken for one; compilers always give a bound.
        Some(TypeParameter {
            name,
            class_bound,
            interface_bounds,
        })
    }

    fn any_type(&mut self, depth: u8) -> Option<GenericType<'a>> {
        if depth == DEEPEST {
            return None;
        }
        match self.peek()? {
            b'L' => Some(GenericType::Class(self.class_type(depth)?)),
            b'T' => self.variable(),
            b'[' => {
                self.at += 1;
                let element = self.any_type(depth + 1)?;
                Some(GenericType::Array(Box::new(element)))
            }
            letter => {
                let kind = primitive(letter)?;
                self.at += 1;
                Some(GenericType::Primitive(kind))
            }
        }
    }

    fn variable(&mut self) -> Option<GenericType<'a>> {
        self.expect(b'T')?;
        let name = self.name(b".;[/<>:")?;
        self.expect(b';')?;
        Some(GenericType::Variable(name))
    }

    fn class_type(&mut self, depth: u8) -> Option<ClassType<'a>> {
        self.expect(b'L')?;
        let mut parts = Vec::new();
        // Only the first name has a package.
        let mut stops: &[u8] = b".;[<>:";
        loop {
            let name = self.name(stops)?;
            let arguments = self.type_arguments(depth)?;
            parts.push(ClassPart { name, arguments });
            if self.skip(b';') {
                return Some(ClassType { parts });
            }
            self.expect(b'.')?;
            stops = b".;[/<>:";
        }
    }

    fn type_arguments(&mut self, depth: u8) -> Option<Vec<TypeArgument<'a>>> {
        let mut arguments = Vec::new();
        if !self.skip(b'<') {
            return Some(arguments);
        }
        while arguments.is_empty() || !self.skip(b'>') {
            arguments.push(match self.peek()? {
                b'*' => {
                    self.at += 1;
                    TypeArgument::Any
                }
                b'+' => {
                    self.at += 1;
                    TypeArgument::Extends(self.reference(depth + 1)?)
                }
                b'-' => {
                    self.at += 1;
                    TypeArgument::Super(self.reference(depth + 1)?)
                }
                _ => TypeArgument::Exactly(self.reference(depth + 1)?),
            });
        }
        Some(arguments)
    }

    fn reference(&mut self, depth: u8) -> Option<GenericType<'a>> {
        match self.peek()? {
            b'L' | b'T' | b'[' => self.any_type(depth),
            _ => None,
        }
    }
}

fn primitive(letter: u8) -> Option<Kind> {
    match Kind::of(letter)? {
        Kind::Object | Kind::Array => None,
        kind => Some(kind),
    }
}
