//! What a call of each operation may change: which of its parameters, and static state.

use crate::discovery::{Jdk, Subject};
use crate::model::{JvmModel, OperationKind};
use classfile::ClassFile;
use classfile::analysis::purity::{MethodCall, effects};
use engine::calls::{CHANGES_STATIC, changes_parameters};

/// Bit `i` of an operation is set if what is given for its parameter `i` may change, [`CHANGES_STATIC`] if static state may.
pub fn changes(model: &JvmModel, classes: &[&ClassFile], subject: &Subject, jdk: &Jdk) -> Vec<u64> {
    let called: Vec<(usize, MethodCall)> = model
        .operations
        .iter()
        .enumerate()
        .filter(|(_, operation)| {
            use OperationKind::{Constructor, Method, StaticMethod};
            matches!(operation.kind, Constructor | Method | StaticMethod)
        })
        .map(|(index, operation)| {
            let call = MethodCall {
                owner: &operation.owner,
                name: &operation.name,
                descriptor: &operation.descriptor,
                is_static: operation.kind == OperationKind::StaticMethod,
            };
            (index, call)
        })
        .collect();
    let calls: Vec<MethodCall> = called.iter().map(|(_, call)| *call).collect();
    let lookups = subject.lookups();
    let mut library = |name: &str| {
        let of_jdk = jdk.class(name).ok().flatten();
        of_jdk.or_else(|| lookups.iter().find_map(|entry| entry.class(name)))
    };
    let mut changes = vec![0; model.operations.len()];
    for ((index, call), effects) in called.iter().zip(effects(classes, &mut library, &calls)) {
        let count = model.calls.signatures[*index].parameters.len();
        // A constructor's first parameter is the new object, which is no input.
        let shift = usize::from(call.name == "<init>");
        let parameters = (0..count).filter(|one| effects.mutates_parameter(one + shift));
        let changed = changes_parameters(parameters);
        let shared = u64::from(effects.mutates_static()) * CHANGES_STATIC;
        changes[*index] = changed | shared;
    }
    changes
}
