//! The tables of rewritten code name the instructions that they named before.
#![allow(clippy::unwrap_used)]

mod subjects;
mod verifier;

use std::path::Path;

use classfile::{ClassFile, Code, Opcode, attributes};
use verifier::{Verifier, all_probes, rewrite};

/// The opcodes at the offsets that type annotations name, and the handlers they name.
fn annotated(code: &Code, class: &ClassFile) -> Vec<String> {
    let name = "RuntimeVisibleTypeAnnotations";
    let info = &code.attribute(&class.pool, name).unwrap().info;
    let number = |at: usize| u16::from_be_bytes([info[at], info[at + 1]]);
    let mut at = 2;
    let mut found = Vec::new();
    for _ in 0..number(0) {
        let target = info[at];
        // Every annotation of the sample has no path and no elements: one byte and four.
        at += 1 + match target {
            0x40 => {
                assert_eq!(number(at + 1), 1);
                let (start, length) = (number(at + 3), number(at + 5));
                let opcode = code
                    .at(u32::from(start) + u32::from(length))
                    .unwrap()
                    .opcode;
                found.push(format!("local to {}", opcode.name()));
                8
            }
            0x42 => {
                let handler = &code.handlers[usize::from(number(at + 1))];
                found.push(class.pool.class_name(handler.class).unwrap().to_owned());
                2
            }
            _ => {
                let opcode = code.at(number(at + 1).into()).unwrap().opcode;
                found.push(format!("{target:#x} {}", opcode.name()));
                if target == 0x47 { 3 } else { 2 }
            }
        };
        at += 5;
    }
    assert_eq!(at, info.len());
    found
}

#[test]
fn tables_move_with_the_instructions() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rewrite/Tables.java");
    let mut classes = verifier.compile(&jdks[0], &source, 8);
    classes.retain(|(name, _)| name == "Tables");
    let (rewritten, _) = rewrite(all_probes(&classes), &classes);
    let before = ClassFile::parse(&classes[0].1).unwrap();
    let after = ClassFile::parse(&rewritten[0].1).unwrap();
    let method = before
        .methods
        .iter()
        .position(|method| method.name(&before.pool) == "all");
    let method = method.unwrap();
    let old = before.methods[method].code(&before.pool).unwrap().unwrap();
    let new = after.methods[method].code(&after.pool).unwrap().unwrap();
    let annotations = annotated(&new, &after);
    assert!(
        annotations.contains(&"0x44 new".to_owned()),
        "{annotations:?}"
    );
    assert!(annotations.contains(&"0x43 instanceof".to_owned()));
    assert!(annotations.contains(&"0x47 checkcast".to_owned()));
    assert!(annotations.contains(&"java/lang/ArithmeticException".to_owned()));
    assert_eq!(annotations.len(), annotated(&old, &before).len());
    let lines = |code: &Code, class: &ClassFile| {
        let table = code.attribute(&class.pool, "LineNumberTable").unwrap();
        attributes::line_numbers(table).unwrap()
    };
    let (old_lines, new_lines) = (lines(&old, &before), lines(&new, &after));
    assert_eq!(old_lines.len(), new_lines.len());
    for (one, other) in old_lines.iter().zip(&new_lines) {
        assert_eq!(one.line, other.line);
        // Every line starts with the hit that was put there.
        let first = new.at(u32::from(other.pc)).unwrap().opcode;
        let pushes = Opcode::ICONST_0..=Opcode::LDC_W;
        assert!(pushes.contains(&first), "{}", first.name());
    }
    let variables = |code: &Code, class: &ClassFile| {
        let table = code.attribute(&class.pool, "LocalVariableTable").unwrap();
        let table = attributes::local_variables(table, &class.pool).unwrap();
        table
            .iter()
            .map(|entry| (entry.name.to_owned(), entry.local))
            .collect::<Vec<_>>()
    };
    assert_eq!(variables(&old, &before), variables(&new, &after));
}
