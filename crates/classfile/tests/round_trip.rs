//! Reading and writing real classes changes no byte, at any level: classes, code, frames.
#![allow(clippy::unwrap_used)]

mod subjects;

use classfile::frames::{FrameWriter, Frames};
use classfile::jar::Jar;
use classfile::{ClassFile, Code, Member};

/// Reads everything that has a reader and writes it again.
fn check(name: &str, bytes: &[u8]) {
    let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(class.write() == bytes, "{name} changed");
    for method in &class.methods {
        let what = || format!("{name}: method `{}`", method.name(&class.pool));
        let Some(attribute) = method.attribute(&class.pool, "Code") else {
            continue;
        };
        let code = Code::parse(attribute, &class.pool);
        let code = code.unwrap_or_else(|error| panic!("{}: {error}", what()));
        assert!(code.write() == *attribute.info, "{} changed", what());
        let last = code.instructions().last().expect("code is not empty");
        assert_eq!(last.next() as usize, code.bytes.len(), "{}", what());
        check_frames(&class, method, &code, &what);
    }
}

fn check_frames(class: &ClassFile, method: &Member, code: &Code, what: &dyn Fn() -> String) {
    let frames = Frames::parse(class, method, code);
    let frames = frames.unwrap_or_else(|error| panic!("{}: {error}", what()));
    let Some(attribute) = code.attribute(&class.pool, "StackMapTable") else {
        return assert!(frames.list.is_empty());
    };
    let mut pool = class.pool.clone();
    let mut writer = FrameWriter::new(&frames);
    for frame in &frames.list {
        let (locals, stack) = (frames.locals(frame), frames.stack(frame));
        let written = writer.push(&mut pool, frame.offset, frame.form, locals, stack);
        written.unwrap();
    }
    assert_eq!(pool.count(), class.pool.count(), "{}", what());
    assert!(
        writer.finish() == *attribute.info,
        "{}: frames changed",
        what()
    );
}

#[test]
fn classes_of_libraries_survive() {
    let mut count = 0;
    for library in subjects::LIBRARIES {
        let bytes = subjects::library(library);
        let jar = Jar::parse(&bytes).unwrap();
        for file in jar.classes(25).unwrap() {
            let bytes = jar.read(file.entry).unwrap();
            check(&format!("{library}: {}", file.name), &bytes);
            count += 1;
        }
    }
    assert!(count > 5_000, "{count} classes are too few to say much");
}

#[test]
fn classes_of_the_java_base_module_survive() {
    for jdk in subjects::jdks() {
        for (path, bytes) in subjects::module(&jdk, "java.base") {
            check(&path, &bytes);
        }
    }
}
