//! Strings that the code puts together.

use std::sync::Arc;

use super::Known;
use super::state::{State, Value};
use crate::attributes::BootstrapMethod;
use crate::descriptor::{Kind, MethodType, Type};
use crate::pool::{Constant, ConstantPool, MemberRef};

/// Longer texts are given up.
const LONGEST: usize = 4096;

pub(super) fn is_builder(class: &str) -> bool {
    class == "java/lang/StringBuilder" || class == "java/lang/StringBuffer"
}

/// A call on a builder; gives its result where that is known.
pub(super) fn call_builder(
    state: &mut State,
    member: &MemberRef,
    builder: u32,
    arguments: &[(Type, Value)],
) -> Value {
    let held = state.builders.remove(&builder);
    match (member.name, arguments) {
        ("<init>", []) => {
            state.builders.insert(builder, "".into());
            Value::Unknown
        }
        // A capacity is no text.
        ("<init>", [(kind, _)]) if kind.kind() == Kind::Int => {
            state.builders.insert(builder, "".into());
            Value::Unknown
        }
        ("<init>", [(kind, value)]) => {
            if let Some(text) = text(*kind, value) {
                state.builders.insert(builder, text);
            }
            Value::Unknown
        }
        ("append", [(kind, value)]) => {
            if let (Some(held), Some(text)) = (held, text(*kind, value))
                && held.len() + text.len() <= LONGEST
            {
                let both = format!("{held}{text}");
                state.builders.insert(builder, both.into());
            }
            Value::Builder(builder)
        }
        ("toString", []) => match held {
            Some(held) => {
                state.builders.insert(builder, held.clone());
                Value::Known(Known::Text(held), None)
            }
            None => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// The string that a call site of `StringConcatFactory` makes.
pub(super) fn concatenate(
    pool: &ConstantPool,
    bootstraps: &[BootstrapMethod],
    call_site: u16,
    arguments: &[(Type, Value)],
) -> Option<Known> {
    let (number, name, _) = pool.dynamic(call_site).ok()?;
    let bootstrap = bootstraps.get(usize::from(number))?;
    let Constant::MethodHandle(_, factory) = pool.get(bootstrap.handle).ok()? else {
        return None;
    };
    if pool.member(*factory).ok()?.owner != "java/lang/invoke/StringConcatFactory" {
        return None;
    }
    let mut arguments = arguments.iter().map(|(kind, value)| text(*kind, value));
    let mut result = String::new();
    if name == "makeConcat" {
        for text in arguments {
            result.push_str(&text?);
        }
        return (result.len() <= LONGEST).then(|| Known::Text(result.into()));
    }
    let mut constants = bootstrap.arguments.iter();
    let recipe = pool.string(*constants.next()?).ok()?;
    for letter in recipe.chars() {
        match letter {
            '\u{1}' => result.push_str(&arguments.next()??),
            '\u{2}' => result.push_str(pool.string(*constants.next()?).ok()?),
            _ => result.push(letter),
        }
    }
    (result.len() <= LONGEST).then(|| Known::Text(result.into()))
}

/// A value as Java turns it into text, for a parameter of this type.
fn text(kind: Type, value: &Value) -> Option<Arc<str>> {
    let Value::Known(known, _) = value else {
        return None;
    };
    Some(match (known, kind.kind()) {
        (Known::Text(text), _) => text.clone(),
        (Known::Null, Kind::Object) => "null".into(),
        (Known::Int(value), Kind::Boolean) => (*value != 0).to_string().into(),
        (Known::Int(value), Kind::Char) => {
            let letter = char::from_u32(*value as u32)?;
            letter.to_string().into()
        }
        (Known::Int(value), Kind::Int | Kind::Short | Kind::Byte) => value.to_string().into(),
        (Known::Long(value), Kind::Long) => value.to_string().into(),
        _ => return None,
    })
}

/// The parameter types of a call; `None` for a descriptor that is none.
pub(super) fn parameters(descriptor: &str) -> Option<(Vec<Type<'_>>, Option<Type<'_>>)> {
    let parsed = MethodType::parse(descriptor).ok()?;
    Some((parsed.parameters().collect(), parsed.result()))
}
