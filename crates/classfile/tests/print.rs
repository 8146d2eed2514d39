//! Classes and how they print, as data: each class file of `testdata/print` gives the text beside it. `UPDATE_EXPECT=1`
//! rewrites the expectations.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use classfile::build::ClassBuilder;
use classfile::{ClassFile, Opcode, print};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/print")
}

/// Compares a class's text with the expectation of this name, or rewrites that.
fn expect(name: &str, class: &ClassFile) {
    let path = folder().join(format!("{name}.expected"));
    let actual = print(class);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} expects something else:\n{actual}",
        path.display()
    );
}

#[test]
fn compiled_classes_print_as_expected() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "class") {
            let bytes = fs::read(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy();
            expect(&name, &ClassFile::parse(&bytes).unwrap());
            count += 1;
        }
    }
    assert_eq!(count, 3);
}

/// A class with what compilers of today do not write: subroutines, wide instructions, far jumps.
fn odd() -> Vec<u8> {
    let mut class = ClassBuilder::new(45, 0x0021, "Odd", "java/lang/Object").unwrap();
    class.class.minor = 3;
    class.interface("java/lang/Cloneable").unwrap();
    class.field(0x0489, "flags", "Ljava/lang/Object;").unwrap();
    let mut code = class.method(0x0008, "m", "(IJ)V").unwrap();
    let pool = &mut class.class.pool;
    let (subroutine, end, start) = (code.label(), code.label(), code.label());
    code.place(start);
    code.branch(Opcode::JSR, subroutine).unwrap();
    code.op(Opcode::POP).unwrap();
    code.branch(Opcode::GOTO_W, end).unwrap();
    code.place(subroutine);
    code.op(Opcode::NOP).unwrap();
    code.place(end);
    for value in [1.5f32, f32::NAN, -0.0] {
        let index = pool.add_float(value).unwrap();
        code.load(pool, index).unwrap();
        code.op(Opcode::POP).unwrap();
    }
    let text = pool
        .add_string(&"long \"text\"\n\u{1f600}".repeat(30))
        .unwrap();
    code.load(pool, text).unwrap();
    code.local(Opcode::ASTORE, 999).unwrap();
    code.local(Opcode::RET, 1000).unwrap();
    code.handler(pool, (start, end), subroutine, Some("java/lang/Error"))
        .unwrap();
    code.handler(pool, (start, end), subroutine, None).unwrap();
    class.finish_method(code).unwrap();
    class.finish()
}

#[test]
fn old_and_rare_instructions_print_as_expected() {
    expect("odd", &ClassFile::parse(&odd()).unwrap());
}

#[test]
fn malformed_parts_print_as_errors_in_their_place() {
    let mut bytes = fs::read(folder().join("Account.class")).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let code = class.methods[1].attribute(&class.pool, "Code").unwrap();
    let inner = class.attribute("InnerClasses").unwrap();
    let (code, inner) = (code.offset as usize + 8, inner.offset as usize);
    bytes[code] = 0xff;
    bytes[inner + 1] = 9;
    expect("broken", &ClassFile::parse(&bytes).unwrap());
}
