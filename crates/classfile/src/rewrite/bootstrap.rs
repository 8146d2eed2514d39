//! Redirects method references such as `System::exit`, which are method handles among the arguments of bootstrap methods.
//!
//! References to constructors stay as they are: a handle cannot be given one more argument.

use std::borrow::Cow;

use super::calls::Redirected;
use super::replacement::Action;
use super::tables::{number, put};
use crate::attribute::Attribute;
use crate::error::PoolFull;
use crate::pool::{Constant, ConstantPool};

const INVOKE_VIRTUAL: u8 = 5;
const INVOKE_STATIC: u8 = 6;
const INVOKE_INTERFACE: u8 = 9;

/// Changes the arguments in the class's table of bootstrap methods.
pub(super) fn redirect(
    attributes: &mut [Attribute],
    redirected: &[Redirected],
    pool: &mut ConstantPool,
) -> Result<(), PoolFull> {
    let handles = handles(redirected, pool)?;
    if handles.is_empty() {
        return Ok(());
    }
    for attribute in attributes {
        if attribute.name(pool) == "BootstrapMethods" {
            let mut info = attribute.info.to_vec();
            replace(&mut info, &handles);
            attribute.info = Cow::Owned(info);
        }
    }
    Ok(())
}

/// Pairs of a handle of the pool and the handle that takes its place.
fn handles(
    redirected: &[Redirected],
    pool: &mut ConstantPool,
) -> Result<Vec<(u16, u16)>, PoolFull> {
    if redirected.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (index, constant) in pool.iter() {
        if let Constant::MethodHandle(kind, member) = constant
            && let Some(call) = redirected.iter().find(|call| call.index == *member)
            && matches!(call.replacement.action, Action::Static { .. })
        {
            found.push((index, *kind, call));
        }
    }
    let mut pairs = Vec::new();
    for (index, kind, call) in found {
        let (Action::Static { class } | Action::Argument { class, .. }) = call.replacement.action;
        let method = match kind {
            INVOKE_STATIC => {
                let (name, descriptor) = (call.replacement.name, call.replacement.descriptor);
                pool.add_method_ref(class, name, descriptor)?
            }
            INVOKE_VIRTUAL | INVOKE_INTERFACE => call.with_receiver(pool)?,
            _ => continue,
        };
        let handle = pool.add(Constant::MethodHandle(INVOKE_STATIC, method))?;
        pairs.push((index, handle));
    }
    Ok(pairs)
}

/// Replaces handles among the arguments; stops where the table is malformed.
fn replace(info: &mut [u8], handles: &[(u16, u16)]) {
    let mut at = 2;
    while at + 4 <= info.len() {
        let arguments = number(info, at + 2) as usize;
        at += 4;
        for _ in 0..arguments {
            if at + 2 > info.len() {
                return;
            }
            let argument = number(info, at);
            if let Some((_, new)) = handles.iter().find(|(old, _)| u32::from(*old) == argument) {
                put(info, at, (*new).into());
            }
            at += 2;
        }
    }
}
