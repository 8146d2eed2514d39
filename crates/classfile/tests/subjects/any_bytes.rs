//! Any bytes are a class file that is written back the same, at every level, and prints; or have an error with a place.
//!
//! The fuzz target and the test of mutated classes both check this.

use classfile::frames::{FrameWriter, Frames};
use classfile::signature::{ClassSignature, GenericType, MethodSignature};
use classfile::{ClassFile, Code, Constant, Error, Member, print};

/// Checks any bytes.
pub fn check(bytes: &[u8]) {
    let class = match ClassFile::parse(bytes) {
        Ok(class) => class,
        Err(error) => return placed(&error, bytes),
    };
    assert!(class.write() == bytes);
    for method in &class.methods {
        check_method(&class, method, bytes);
    }
    for (index, constant) in class.pool.iter() {
        if let Constant::Utf8(_) = constant {
            check_text(class.pool.utf8(index).expect("a text"));
        }
    }
    let mut grown = class.clone();
    if grown.pool.add_method_ref("a/B", "c", "()V").is_ok() {
        assert!(ClassFile::parse(&grown.write()).is_ok());
    }
    assert!(!print(&class).is_empty());
}

fn placed(error: &Error, bytes: &[u8]) {
    assert!(error.offset as usize <= bytes.len(), "{error}");
    assert!(!error.to_string().is_empty());
}

fn check_method(class: &ClassFile, method: &Member, bytes: &[u8]) {
    let Some(attribute) = method.attribute(&class.pool, "Code") else {
        return;
    };
    let code = match Code::parse(attribute, &class.pool) {
        Ok(code) => code,
        Err(error) => return placed(&error, bytes),
    };
    assert!(code.write() == *attribute.info);
    let mut next = 0;
    for instruction in code.instructions() {
        assert_eq!(instruction.pc, next);
        next = instruction.next();
        if let Err(error) = instruction.stack_effect(&class.pool) {
            placed(&error, bytes);
        }
    }
    assert_eq!(next as usize, code.bytes.len());
    match Frames::parse(class, method, &code) {
        Ok(frames) => check_frames(class, &frames, &code),
        Err(error) => placed(&error, bytes),
    }
}

fn check_frames(class: &ClassFile, frames: &Frames, code: &Code) {
    let Some(attribute) = code.attribute(&class.pool, "StackMapTable") else {
        return;
    };
    let mut pool = class.pool.clone();
    let mut writer = FrameWriter::new(frames);
    for frame in &frames.list {
        let (locals, stack) = (frames.locals(frame), frames.stack(frame));
        let written = writer.push(&mut pool, frame.offset, frame.form, locals, stack);
        written.expect("types that were read need no new constant");
    }
    assert!(writer.finish() == *attribute.info);
}

fn check_text(text: &str) {
    if let Ok(found) = ClassSignature::parse(text) {
        assert_eq!(found.signature(), text);
    }
    if let Ok(found) = MethodSignature::parse(text) {
        assert_eq!(found.signature(), text);
    }
    if let Ok(found) = GenericType::parse(text) {
        assert_eq!(found.signature(), text);
    }
}
