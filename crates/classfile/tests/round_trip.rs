//! Reading and writing real classes changes no byte, at any level: classes, code, frames; and all their
//! attributes can be read.
#![allow(clippy::unwrap_used)]

mod subjects;

use classfile::frames::{FrameWriter, Frames};
use classfile::jar::Jar;
use classfile::signature::{ClassSignature, GenericType, MethodSignature};
use classfile::{Attribute, ClassFile, Code, ConstantPool, Error, Member, attributes};

/// Reads everything that has a reader and writes it again.
fn check(name: &str, bytes: &[u8]) {
    let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(class.write() == bytes, "{name} changed");
    let members = class.fields.iter().chain(&class.methods);
    let inner = members.flat_map(|member| &member.attributes);
    for attribute in class.attributes.iter().chain(inner) {
        let read = check_attribute(attribute, &class.pool);
        read.unwrap_or_else(|error| panic!("{name}: {}: {error}", attribute.name(&class.pool)));
    }
    check_signatures(name, &class);
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
        for attribute in &code.attributes {
            let read = check_attribute(attribute, &class.pool);
            read.unwrap_or_else(|error| panic!("{}: {error}", what()));
        }
    }
}

/// Signatures print back as they were.
fn check_signatures(name: &str, class: &ClassFile) {
    let text = |attribute: Option<&Attribute>| {
        let found = attribute.map(|attribute| attributes::text(attribute, &class.pool));
        found.transpose().unwrap()
    };
    if let Some(text) = text(class.attribute("Signature")) {
        let parsed = ClassSignature::parse(text).map(|found| found.signature());
        assert_eq!(parsed.as_deref(), Ok(text), "{name}");
    }
    for method in &class.methods {
        if let Some(text) = text(method.attribute(&class.pool, "Signature")) {
            let parsed = MethodSignature::parse(text).map(|found| found.signature());
            assert_eq!(parsed.as_deref(), Ok(text), "{name}");
        }
    }
    for field in &class.fields {
        if let Some(text) = text(field.attribute(&class.pool, "Signature")) {
            let parsed = GenericType::parse(text).map(|found| found.signature());
            assert_eq!(parsed.as_deref(), Ok(text), "{name}");
        }
    }
}

/// Reads the content of an attribute, if it is one that has a reader.
fn check_attribute(attribute: &Attribute, pool: &ConstantPool) -> Result<(), Error> {
    match attribute.name(pool) {
        "AnnotationDefault" => drop(attributes::annotation_default(attribute, pool)?),
        "BootstrapMethods" => drop(attributes::bootstrap_methods(attribute, pool)?),
        "ConstantValue" => drop(attributes::constant_value(attribute, pool)?.clone()),
        "EnclosingMethod" => assert!(
            !attributes::enclosing_method(attribute, pool)?
                .class
                .is_empty()
        ),
        "Exceptions" | "NestMembers" | "PermittedSubclasses" => {
            drop(attributes::class_list(attribute, pool)?)
        }
        "InnerClasses" => drop(attributes::inner_classes(attribute, pool)?),
        "LineNumberTable" => drop(attributes::line_numbers(attribute)?),
        "LocalVariableTable" | "LocalVariableTypeTable" => {
            drop(attributes::local_variables(attribute, pool)?)
        }
        "MethodParameters" => drop(attributes::method_parameters(attribute, pool)?),
        "Module" => drop(attributes::module(attribute, pool)?),
        "NestHost" | "ModuleMainClass" => assert!(!attributes::class(attribute, pool)?.is_empty()),
        "Record" => drop(attributes::record_components(attribute, pool)?),
        "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations" => {
            drop(attributes::annotations(attribute, pool)?)
        }
        "RuntimeVisibleParameterAnnotations" | "RuntimeInvisibleParameterAnnotations" => {
            drop(attributes::parameter_annotations(attribute, pool)?)
        }
        "RuntimeVisibleTypeAnnotations" | "RuntimeInvisibleTypeAnnotations" => {
            drop(attributes::type_annotations(attribute, pool)?)
        }
        "Signature" | "SourceFile" => assert!(!attributes::text(attribute, pool)?.is_empty()),
        _ => {}
    }
    Ok(())
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
