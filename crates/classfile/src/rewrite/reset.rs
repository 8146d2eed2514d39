//! Makes static state resettable: the body of the static initialiser moves to a method that can be run again.
//!
//! The moved method first gives every static field its default value, so that fields without an initialiser are reset as
//! well. Static fields that are not compile-time constants lose `final`, since only the initialiser itself may write final
//! ones. Interfaces and enums stay as they are: fields of interfaces must be final, and enum constants must stay the same
//! objects.

use std::borrow::Cow;

use super::runtime::RESET;
use crate::attribute::Attribute;
use crate::class::ClassFile;
use crate::error::PoolFull;
use crate::member::Member;
use crate::opcode::Opcode;
use crate::pool::Constant;

const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const INTERFACE: u16 = 0x0200;
const STRICT: u16 = 0x0800;
const SYNTHETIC: u16 = 0x1000;
const ENUM: u16 = 0x4000;

/// Moves the static initialiser of a class that has static state. Gives the number of the method that resets it and the code
/// that must be put at that method's entry; `None` if the class stays as it is.
pub(super) fn prepare(class: &mut ClassFile) -> Result<Option<(u16, Vec<u8>)>, PoolFull> {
    let resettable = class.access & (INTERFACE | ENUM) == 0
        && class.super_name() != Some("java/lang/Enum")
        && class.fields.iter().any(|field| is_state(class, field));
    let initialiser = class.methods.iter().position(is_initialiser(class));
    let moves = initialiser.is_none_or(|at| class.methods[at].access & STATIC != 0);
    if !resettable || !moves || class.pool.short_code() || class.methods.len() >= 0xffff {
        return Ok(None);
    }
    let defaults = defaults(class)?;
    let name = class.pool.append(text(RESET))?;
    let descriptor = class.pool.append(text("()V"))?;
    let code = class.pool.append(text("Code"))?;
    let pair = class.pool.append(Constant::NameAndType(name, descriptor))?;
    let call = class
        .pool
        .append(Constant::Method(class.this_class, pair))?;
    for at in 0..class.fields.len() {
        if is_state(class, &class.fields[at]) {
            class.fields[at].access &= !FINAL;
        }
    }
    let [high, low] = call.to_be_bytes();
    let calls = [Opcode::INVOKESTATIC.0, high, low, Opcode::RETURN.0];
    let at = match initialiser {
        Some(at) => {
            let old = class.methods[at].name;
            class.methods[at].name = name;
            // The JVM ignores most flags of an initialiser, and some compilers make it public; only `strictfp` means something.
            let strict = class.methods[at].access & STRICT;
            class.methods[at].access = PRIVATE | STATIC | SYNTHETIC | strict;
            class
                .methods
                .push(method(old, descriptor, STATIC, code, &calls));
            at
        }
        None => {
            let access = PRIVATE | STATIC | SYNTHETIC;
            let returns = [Opcode::RETURN.0];
            class
                .methods
                .push(method(name, descriptor, access, code, &returns));
            class.methods.len() - 1
        }
    };
    Ok(Some((at as u16, defaults)))
}

fn is_initialiser(class: &ClassFile) -> impl Fn(&Member) -> bool {
    |method| method.name(&class.pool) == "<clinit>" && method.descriptor(&class.pool) == "()V"
}

/// Whether a field is static and not a compile-time constant.
fn is_state(class: &ClassFile, field: &Member) -> bool {
    field.access & STATIC != 0 && field.attribute(&class.pool, "ConstantValue").is_none()
}

/// Code that gives every static field its default value.
fn defaults(class: &mut ClassFile) -> Result<Vec<u8>, PoolFull> {
    let mut code = Vec::new();
    for at in 0..class.fields.len() {
        let field = &class.fields[at];
        if !is_state(class, field) {
            continue;
        }
        let default = match field.descriptor(&class.pool).as_bytes().first() {
            Some(b'L' | b'[') => Opcode::ACONST_NULL,
            Some(b'J') => Opcode::LCONST_0,
            Some(b'F') => Opcode::FCONST_0,
            Some(b'D') => Opcode::DCONST_0,
            _ => Opcode::ICONST_0,
        };
        let pair = Constant::NameAndType(field.name, field.descriptor);
        let pair = class.pool.append(pair)?;
        let field = class.pool.append(Constant::Field(class.this_class, pair))?;
        let [high, low] = field.to_be_bytes();
        code.extend([default.0, Opcode::PUTSTATIC.0, high, low]);
    }
    Ok(code)
}

fn text(text: &'static str) -> Constant<'static> {
    Constant::Utf8(Cow::Borrowed(text.as_bytes()))
}

/// A method of straight code that needs neither stack nor locals.
fn method<'a>(name: u16, descriptor: u16, access: u16, attribute: u16, code: &[u8]) -> Member<'a> {
    let mut info = vec![0, 0, 0, 0];
    info.extend((code.len() as u32).to_be_bytes());
    info.extend_from_slice(code);
    info.extend([0, 0, 0, 0]);
    Member {
        access,
        name,
        descriptor,
        attributes: vec![Attribute {
            name: attribute,
            info: Cow::Owned(info),
            offset: 0,
        }],
    }
}
