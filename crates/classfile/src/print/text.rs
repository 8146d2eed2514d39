//! Names, strings and constants as text of bounded length.

use crate::error::Error;
use crate::pool::{Constant, ConstantPool};

/// Longer texts are cut, so that the printed class stays in proportion to its bytes.
const LONGEST: usize = 400;

/// A name without control characters, cut when it is long.
pub(super) fn short(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for (number, character) in text.chars().enumerate() {
        if number == LONGEST {
            out.push('…');
            break;
        }
        match character.is_control() {
            true => out.extend(character.escape_default()),
            false => out.push(character),
        }
    }
    out
}

/// A string in quotes.
pub(super) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    match text.len() > LONGEST * 4 {
        // Escaping a long text only to cut it would be slow.
        true => format!("\"{}\"", short(text)),
        false => format!("\"{}\"", short(&escaped)),
    }
}

/// A constant as an operand.
pub(super) fn constant(pool: &ConstantPool, index: u16) -> Result<String, Error> {
    let text = match pool.get(index)? {
        Constant::Utf8(_) => quoted(pool.utf8(index)?),
        Constant::Integer(value) => format!("int {value}"),
        Constant::Float(bits) => format!("float {}", float(f32::from_bits(*bits), *bits)),
        Constant::Long(value) => format!("long {value}"),
        Constant::Double(bits) => format!("double {}", double(f64::from_bits(*bits), *bits)),
        Constant::Class(_) => format!("class {}", short(pool.class_name(index)?)),
        Constant::String(_) => quoted(pool.string(index)?),
        Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
            member(pool, index)?
        }
        Constant::NameAndType(..) => {
            let (name, descriptor) = pool.name_and_type(index)?;
            format!("{} {}", short(name), short(descriptor))
        }
        Constant::MethodHandle(kind, target) => {
            format!("handle {} {}", handle_kind(*kind), member(pool, *target)?)
        }
        Constant::MethodType(descriptor) => format!("type {}", short(pool.utf8(*descriptor)?)),
        Constant::Dynamic(..) | Constant::InvokeDynamic(..) => {
            let (bootstrap, name, descriptor) = pool.dynamic(index)?;
            format!(
                "{} {} by bootstrap {bootstrap}",
                short(name),
                short(descriptor)
            )
        }
        Constant::Module(_) | Constant::Package(_) => short(pool.module_or_package_name(index)?),
        Constant::Gap => String::new(),
    };
    Ok(text)
}

/// A field or method.
pub(super) fn member(pool: &ConstantPool, index: u16) -> Result<String, Error> {
    let member = pool.member(index)?;
    let (owner, name) = (short(member.owner), short(member.name));
    let interface = if member.interface {
        " of interface"
    } else {
        ""
    };
    Ok(format!(
        "{owner}.{name} {}{interface}",
        short(member.descriptor)
    ))
}

fn handle_kind(kind: u8) -> String {
    let name = match kind {
        1 => "getfield",
        2 => "getstatic",
        3 => "putfield",
        4 => "putstatic",
        5 => "invokevirtual",
        6 => "invokestatic",
        7 => "invokespecial",
        8 => "newinvokespecial",
        9 => "invokeinterface",
        _ => return format!("kind {kind}"),
    };
    name.to_owned()
}

/// A float; its bits where the number alone does not tell them.
pub(super) fn float(value: f32, bits: u32) -> String {
    match value.is_nan() {
        true => format!("NaN {bits:#010x}"),
        false => format!("{value:?}"),
    }
}

/// A double; its bits where the number alone does not tell them.
pub(super) fn double(value: f64, bits: u64) -> String {
    match value.is_nan() {
        true => format!("NaN {bits:#018x}"),
        false => format!("{value:?}"),
    }
}
