//! The opcode table against what compilers and the JDK's own disassembler say. Needs a JDK.
#![allow(clippy::unwrap_used)]

mod subjects;

use std::collections::BTreeMap;
use std::process::Command;

use classfile::jar::Jar;
use classfile::{ClassFile, Code, ConstantPool, Flow, Opcode, Operand};

/// Calls the function with every code of a library's classes.
fn each_code(library: &str, mut work: impl FnMut(&str, &Code, &ConstantPool)) {
    let bytes = subjects::library(library);
    let jar = Jar::parse(&bytes).unwrap();
    for file in jar.classes(17).unwrap() {
        let bytes = jar.read(file.entry).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        for method in &class.methods {
            if let Some(code) = method.code(&class.pool).unwrap() {
                let name = format!("{}.{}", class.name(), method.name(&class.pool));
                work(&name, &code, &class.pool);
            }
        }
    }
}

/// The deepest stack on any path, by following all jumps once.
fn deepest(name: &str, code: &Code, pool: &ConstantPool) -> u16 {
    let mut known: BTreeMap<u32, u16> = BTreeMap::new();
    let mut work = vec![(0, 0)];
    work.extend(
        code.handlers
            .iter()
            .map(|handler| (u32::from(handler.target), 1)),
    );
    let mut most = u16::from(!code.handlers.is_empty());
    while let Some((pc, depth)) = work.pop() {
        if let Some(before) = known.insert(pc, depth) {
            assert_eq!(before, depth, "{name} at {pc}: two depths");
            continue;
        }
        let instruction = code.at(pc).unwrap();
        let effect = instruction.stack_effect(pool).unwrap();
        let rest = depth.checked_sub(effect.pops);
        let rest = rest.unwrap_or_else(|| panic!("{name} at {pc}: too few on the stack"));
        let after = rest + effect.pushes;
        most = most.max(after);
        match &instruction.operand {
            Operand::Branch(target) => work.push((*target, after)),
            Operand::Switch(switch) => work.extend(switch.targets().map(|target| (target, after))),
            _ => {}
        }
        if instruction.flow().falls_through() {
            work.push((instruction.next(), after));
        }
        if instruction.flow() == Flow::Return {
            let value = instruction.opcode != Opcode::RETURN;
            assert!(effect.pops > 0 || !value, "{name} at {pc}");
        }
    }
    most
}

#[test]
fn stack_effects_give_the_depths_that_compilers_computed() {
    let (mut all, mut exact) = (0, 0);
    for library in ["commons-lang3", "joda-time", "kotlin-stdlib"] {
        each_code(library, |name, code, pool| {
            let computed = deepest(name, code, pool);
            assert!(
                computed <= code.max_stack,
                "{name}: {computed} > {}",
                code.max_stack
            );
            all += 1;
            exact += u32::from(computed == code.max_stack);
        });
    }
    assert!(all > 10_000, "{all} methods are too few to say much");
    // Compilers may ask for more than they need, but mostly they do not.
    assert!(exact * 100 > all * 98, "{exact} of {all}");
}

/// Offset, name and target or number of every instruction, as the disassembler prints them.
fn disassembled(library: &str, classes: &[String]) -> Vec<String> {
    let jdk = subjects::jdks().swap_remove(0);
    let output = Command::new(jdk.join("bin/javap"))
        .args(["-c", "-p", "-cp"])
        .arg(format!("/usr/share/java/{library}.jar"))
        .args(classes)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter_map(|line| {
        let (pc, rest) = line.strip_prefix(' ')?.trim_start().split_once(": ")?;
        let rest = rest.split("//").next()?.trim();
        let mut words = rest.split_whitespace();
        let name = words.next()?;
        let first = words.next().unwrap_or_default().trim_end_matches(',');
        pc.parse::<u32>().ok()?;
        // Cases of a switch look like instructions without a name.
        name.starts_with(char::is_alphabetic)
            .then(|| format!("{pc} {name} {first}"))
    });
    lines.collect()
}

#[test]
fn instructions_are_those_of_the_jdk_disassembler() {
    let library = "commons-lang3";
    let bytes = subjects::library(library);
    let jar = Jar::parse(&bytes).unwrap();
    let mut names = Vec::new();
    let mut ours = Vec::new();
    for file in jar.classes(17).unwrap() {
        let bytes = jar.read(file.entry).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        names.push(class.name().replace('/', "."));
        for method in &class.methods {
            let Some(code) = method.code(&class.pool).unwrap() else {
                continue;
            };
            for one in code.instructions() {
                let short = one.length == 1;
                let first = match &one.operand {
                    Operand::Value(_) | Operand::Local(_) if short => String::new(),
                    Operand::Value(_) if one.opcode == Opcode::NEWARRAY => {
                        array_type(&code, one.pc)
                    }
                    Operand::Value(value) => value.to_string(),
                    Operand::Local(local) | Operand::Increment { local, .. } => local.to_string(),
                    Operand::Branch(target) => target.to_string(),
                    Operand::Switch(_) => "{".to_owned(),
                    _ => one
                        .constant()
                        .map(|index| format!("#{index}"))
                        .unwrap_or_default(),
                };
                let wide = if one.is_wide() { "_w" } else { "" };
                ours.push(format!("{} {}{wide} {first}", one.pc, one.opcode.name()));
            }
        }
    }
    let theirs = disassembled(library, &names);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
    assert!(
        ours.len() > 50_000,
        "{} instructions are too few to say much",
        ours.len()
    );
}

fn array_type(code: &Code, pc: u32) -> String {
    let names = [
        "boolean", "char", "float", "double", "byte", "short", "int", "long",
    ];
    names[usize::from(code.bytes[pc as usize + 1]) - 4].to_owned()
}
