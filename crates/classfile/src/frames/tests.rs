use super::*;
use crate::build::ClassBuilder;
use crate::class::ClassFile;
use crate::opcode::Opcode;

use VerificationType::{Integer, Long, Parameter, Top};

/// The kinds of frame written for one after another, as their first bytes.
fn kinds(
    class: &ClassFile,
    frames: &[(u32, Form, &[VerificationType], &[VerificationType])],
) -> Vec<u8> {
    let entry = Frames::entry(&class.pool, class.this_class, &class.methods[0]).unwrap();
    let mut pool = class.pool.clone();
    let mut kinds = Vec::new();
    let mut writer = FrameWriter::new(&entry);
    let mut before = 2;
    for (offset, form, locals, stack) in frames {
        writer
            .push(&mut pool, *offset, *form, locals, stack)
            .unwrap();
        let written = writer.clone().finish();
        kinds.push(written[before]);
        before = written.len();
    }
    kinds
}

/// A class with one static method `m(int, String)`.
fn class() -> ClassFile<'static> {
    let mut class = ClassBuilder::new(52, 1, "A", "java/lang/Object").unwrap();
    let mut code = class.method(8, "m", "(ILjava/lang/String;)V").unwrap();
    code.op(Opcode::RETURN).unwrap();
    class.finish_method(code).unwrap();
    class.class
}

#[test]
fn the_shortest_kind_is_taken() {
    let entry = [Integer, Parameter(1)];
    let longer = [Integer, Parameter(1), Long, Top];
    let other = [Top, Parameter(1)];
    let short = Form::Short;
    let frames: [(u32, Form, &[_], &[_]); 9] = [
        (0, short, &entry, &[]),
        (64, short, &entry, &[]),
        (200, short, &entry, &[]),
        (201, short, &entry, &[Integer]),
        (400, short, &entry, &[Long]),
        (401, short, &longer, &[]),
        (402, short, &entry, &[]),
        (403, short, &entry, &[Integer, Integer]),
        (404, short, &other, &[]),
    ];
    assert_eq!(
        kinds(&class(), &frames),
        [0, 63, 251, 64, 247, 253, 249, 255, 255]
    );
}

#[test]
fn a_wish_for_a_longer_kind_is_met() {
    let entry = [Integer, Parameter(1)];
    let frames: [(u32, Form, &[_], &[_]); 3] = [
        (3, Form::Extended, &entry, &[]),
        (4, Form::Extended, &entry, &[Integer]),
        (5, Form::Full, &entry, &[]),
    ];
    assert_eq!(kinds(&class(), &frames), [251, 247, 255]);
}

#[test]
fn a_parameter_that_is_spelled_out_gets_a_class_constant() {
    let class = class();
    let entry = Frames::entry(&class.pool, class.this_class, &class.methods[0]).unwrap();
    assert_eq!(entry.initial(), [Integer, Parameter(1)]);
    let mut pool = class.pool.clone();
    let mut writer = FrameWriter::new(&entry);
    writer
        .push(&mut pool, 0, Form::Short, entry.initial(), &[])
        .unwrap();
    assert_eq!(pool.count(), class.pool.count());
    writer
        .push(&mut pool, 1, Form::Full, entry.initial(), &[])
        .unwrap();
    let added = pool.count() - 1;
    assert_eq!(pool.class_name(added), Ok("java/lang/String"));
    assert_eq!(writer.count(), 2);
    let [high, low] = added.to_be_bytes();
    assert_eq!(
        writer.finish(),
        [0, 2, 0, 255, 0, 0, 0, 2, 1, 7, high, low, 0, 0]
    );
}

#[test]
fn the_entry_of_a_constructor_is_not_initialised() {
    let mut class = ClassBuilder::new(52, 1, "A", "java/lang/Object").unwrap();
    let code = class.method(1, "<init>", "(D)V").unwrap();
    let expected = [
        VerificationType::UninitializedThis,
        VerificationType::Double,
    ];
    assert_eq!(code.entry_locals(), expected);
    let code = class.method(1, "m", "()V").unwrap();
    assert_eq!(
        code.entry_locals(),
        [VerificationType::Object(class.class.this_class)]
    );
}
