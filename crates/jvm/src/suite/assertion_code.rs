//! Assertions as Java statements, for JUnit 5 and 4 alike: both have the same method names with the same meaning, and only
//! forms that both take are used.

use super::assertion::{Assertion, Expected, Look};
use super::literal::{of_observed, unboxed};
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{ASSERTION, CLASS, END, Viewpoint};
use crate::observed::{ObservedGetter, ObservedValue};
use classfile::descriptor::{Kind, MethodType, Type};

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The descriptor of its declared type.
    pub descriptor: String,
}

/// What writing an assertion needs to know.
#[derive(Clone, Copy, Debug)]
pub struct AssertionContext<'a> {
    /// Who names things.
    pub viewpoint: Viewpoint<'a>,
    /// Which types fit which.
    pub types: &'a Types<'a>,
}

/// An expression with its static type.
struct Expression {
    text: String,
    descriptor: String,
}

/// A call of a static method of JUnit's assertion class.
pub fn call(name: &str, arguments: &[&str]) -> String {
    format!("{ASSERTION}{name}{END}({});", arguments.join(", "))
}

impl AssertionContext<'_> {
    /// The statement, given the variable that is looked at and, for sameness, the other one.
    pub fn statement(
        &self,
        assertion: &Assertion,
        variable: &Variable,
        other: Option<&Variable>,
    ) -> Result<String, Reason> {
        let itself = Expression {
            text: variable.name.clone(),
            descriptor: variable.descriptor.clone(),
        };
        let looked = match &assertion.look {
            Look::Getter(getter) => self.getter(&itself, getter)?,
            _ => itself,
        };
        match &assertion.expected {
            Expected::NotNull => Ok(call("assertNotNull", &[&looked.text])),
            Expected::Same(step) => {
                let other = other.ok_or(Reason::Malformed(*step as usize))?;
                Ok(call("assertSame", &[&other.name, &looked.text]))
            }
            Expected::Length(class, length) => {
                let array = self.cast_to_array(&looked, class)?;
                Ok(call(
                    "assertEquals",
                    &[&length.to_string(), &format!("{array}.length")],
                ))
            }
            Expected::Elements(class, elements) => self.elements(&looked, class, elements),
            Expected::Value(value) => self.value(&looked, value),
        }
    }

    fn getter(&self, receiver: &Expression, getter: &ObservedGetter) -> Result<Expression, Reason> {
        let owner = format!("L{};", getter.owner);
        let receiver = self.cast_unless_fits(receiver, &owner)?;
        let name = self.viewpoint.member(&getter.name)?;
        let method = MethodType::parse(&getter.descriptor).ok();
        let result = method.and_then(MethodType::result).map(Type::text);
        Ok(Expression {
            text: format!("{receiver}.{name}()"),
            descriptor: result.unwrap_or("Ljava/lang/Object;").to_owned(),
        })
    }

    fn cast_unless_fits(&self, given: &Expression, asked: &str) -> Result<String, Reason> {
        if self.types.fits(&given.descriptor, asked) {
            return Ok(given.text.clone());
        }
        Ok(format!(
            "(({}) {})",
            self.viewpoint.kind(asked)?,
            given.text
        ))
    }

    fn cast_to_array(&self, given: &Expression, asked: &str) -> Result<String, Reason> {
        if given.descriptor.starts_with('[') {
            return Ok(given.text.clone());
        }
        let kind = self.viewpoint.seen_kind(asked)?;
        Ok(format!("(({kind}) {})", given.text))
    }

    fn value(&self, looked: &Expression, value: &ObservedValue) -> Result<String, Reason> {
        let seen = looked.text.as_str();
        let primitive = Type::parse(&looked.descriptor)
            .is_ok_and(|kind| !matches!(kind.kind(), Kind::Object | Kind::Array));
        let expected = match value {
            ObservedValue::Null => return Ok(call("assertNull", &[seen])),
            ObservedValue::Boolean(true) if primitive => return Ok(call("assertTrue", &[seen])),
            ObservedValue::Boolean(false) if primitive => return Ok(call("assertFalse", &[seen])),
            ObservedValue::Float(bits) => {
                let number = f64::from(f32::from_bits(*bits));
                return self.floating(looked, value, number, "Float");
            }
            ObservedValue::Double(bits) => {
                return self.floating(looked, value, f64::from_bits(*bits), "Double");
            }
            _ => self.written(value)?,
        };
        match boxing_class(value) {
            Some(class) if !primitive => {
                let boxed = format!("{CLASS}java/lang/{class}{END}.valueOf({expected})");
                Ok(call("assertEquals", &[&boxed, seen]))
            }
            _ => Ok(call("assertEquals", &[&expected, seen])),
        }
    }

    /// Floating-point numbers are compared with a tolerance of some last digits.
    fn floating(
        &self,
        looked: &Expression,
        value: &ObservedValue,
        number: f64,
        class: &str,
    ) -> Result<String, Reason> {
        let single = class == "Float";
        let boxed = format!("Ljava/lang/{class};");
        let seen = match unboxed(&looked.descriptor) {
            Some(_) => looked.text.clone(),
            None => self.cast_unless_fits(looked, &boxed)?,
        };
        let mark = format!("{CLASS}java/lang/{class}{END}");
        if number.is_nan() {
            return Ok(call("assertTrue", &[&format!("{mark}.isNaN({seen})")]));
        }
        let seen = match looked.descriptor.as_str() {
            "F" | "D" => seen,
            _ if single => format!("{seen}.floatValue()"),
            _ => format!("{seen}.doubleValue()"),
        };
        let expected = self.written(value)?;
        Ok(call(
            "assertEquals",
            &[&expected, &seen, &tolerance(number, single)],
        ))
    }

    /// An observed value as an expression.
    fn written(&self, value: &ObservedValue) -> Result<String, Reason> {
        match value {
            ObservedValue::Enum { class, constant } => {
                let class = self.viewpoint.seen_class(class)?;
                Ok(format!("{class}.{}", self.viewpoint.member(constant)?))
            }
            ObservedValue::Class(descriptor) => {
                Ok(format!("{}.class", self.viewpoint.seen_kind(descriptor)?))
            }
            _ => of_observed(value).ok_or_else(|| Reason::Literal(format!("{value:?}"))),
        }
    }

    fn elements(
        &self,
        looked: &Expression,
        class: &str,
        elements: &[ObservedValue],
    ) -> Result<String, Reason> {
        let written: Result<Vec<String>, Reason> =
            elements.iter().map(|one| self.written(one)).collect();
        let list = written?.join(", ");
        if !class.starts_with('[') {
            let seen = match self
                .types
                .fits(&looked.descriptor, "Ljava/util/Collection;")
            {
                true => looked.text.clone(),
                false => format!("(({CLASS}java/util/Collection{END}<?>) {})", looked.text),
            };
            let object = self.viewpoint.class("java/lang/Object")?;
            return Ok(call(
                "assertArrayEquals",
                &[
                    &format!("new {object}[] {{{list}}}"),
                    &format!("{seen}.toArray()"),
                ],
            ));
        }
        let seen = self.cast_to_array(looked, class)?;
        // An array whose class cannot be named is compared as one of objects.
        let kind = self.viewpoint.seen_kind(class);
        let kind = kind.or_else(|_| self.viewpoint.kind("[Ljava/lang/Object;"))?;
        let expected = format!("new {kind} {{{list}}}");
        let numbers = elements.iter().filter_map(|one| match one {
            ObservedValue::Float(bits) => Some(f64::from(f32::from_bits(*bits))),
            ObservedValue::Double(bits) => Some(f64::from_bits(*bits)),
            _ => None,
        });
        let largest = numbers
            .filter(|number| number.is_finite())
            .fold(0.0, |a: f64, b| a.max(b.abs()));
        let tolerance = match class {
            "[F" => tolerance(largest, true),
            "[D" => tolerance(largest, false),
            _ => return Ok(call("assertArrayEquals", &[&expected, &seen])),
        };
        Ok(call("assertArrayEquals", &[&expected, &seen, &tolerance]))
    }
}

fn boxing_class(value: &ObservedValue) -> Option<&'static str> {
    let class = match value {
        ObservedValue::Boolean(_) => "Boolean",
        ObservedValue::Byte(_) => "Byte",
        ObservedValue::Short(_) => "Short",
        ObservedValue::Char(_) => "Character",
        ObservedValue::Int(_) => "Integer",
        ObservedValue::Long(_) => "Long",
        _ => return None,
    };
    Some(class)
}

/// A power of ten that leaves out the last digits of a number: nine digits of a `double`, five of a `float` count.
fn tolerance(number: f64, single: bool) -> String {
    let digits = if single { 5 } else { 9 };
    let magnitude = match number.abs() {
        size if size > 0.0 && size.is_finite() => size.log10().floor() as i32,
        _ => 0,
    };
    let smallest = if single { -37 } else { -300 };
    let exponent = (magnitude - digits).max(smallest);
    let suffix = if single { "f" } else { "" };
    format!("1e{exponent}{suffix}")
}
