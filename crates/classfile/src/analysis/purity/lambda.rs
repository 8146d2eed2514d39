//! The body of a lambda expression or method reference, as a call that is made where the lambda is: nobody knows when it runs, and
//! what it changes of what it captured is changed by whoever let it loose.

use super::sketch::{Dispatch, SketchedCall, Sources};
use crate::attributes::bootstrap_methods;
use crate::class::ClassFile;
use crate::descriptor::MethodType;
use crate::pool::Constant;

/// The call of the body that an `invokedynamic` names, if it names one. `captured` are the sources of what it takes along.
pub(super) fn body(class: &ClassFile, index: u16, captured: &[Sources]) -> Option<SketchedCall> {
    let pool = &class.pool;
    let (number, _, _) = pool.dynamic(index).ok()?;
    let attribute = class.attribute("BootstrapMethods")?;
    let bootstraps = bootstrap_methods(attribute, pool).ok()?;
    let arguments = &bootstraps.get(usize::from(number))?.arguments;
    let (kind, member) = arguments.iter().find_map(|argument| {
        let Ok(Constant::MethodHandle(kind @ 5..=9, index)) = pool.get(*argument) else {
            return None;
        };
        Some((*kind, pool.member(*index).ok()?))
    })?;
    // The new object of a constructor is nobody's, and captured things follow.
    let made = usize::from(kind == 8);
    let receiver = kind != 6;
    let parameters = MethodType::parse(member.descriptor).ok()?.parameters();
    let mut arguments = vec![0; parameters.count() + usize::from(receiver)];
    for (argument, sources) in arguments.iter_mut().skip(made).zip(captured) {
        *argument = *sources;
    }
    Some(SketchedCall {
        owner: member.owner.to_owned(),
        name: member.name.to_owned(),
        descriptor: member.descriptor.to_owned(),
        dispatch: match kind {
            5 | 9 => Dispatch::Virtual,
            _ => Dispatch::Exact,
        },
        receiver,
        arguments,
    })
}
