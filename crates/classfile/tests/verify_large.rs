//! Methods near the limits of the format: long jumps, islands amid the code, and fewer probes where all do not fit.
#![allow(clippy::unwrap_used)]

mod subjects;
mod verifier;

use std::collections::BTreeSet;
use std::fmt::Write;

use classfile::ClassFile;
use classfile::rewrite::{Level, Probes, Rewritten};
use verifier::{Classes, Verifier, all_probes, rewrite};

/// A program with one method per size, whose loops, conditionals and handlers span the whole method.
fn program(sizes: &[usize]) -> String {
    let mut text = String::from("public class Large {\n");
    for (number, size) in sizes.iter().enumerate() {
        let body: String = (0..*size).map(statement).collect();
        writeln!(
            text,
            "static int m{number}(int a) {{ int s = a; if (a > 100) return -1;\n\
             for (int i = 0; i < 3; i++) {{ try {{ if (s < -5000) break;\n{body}\
             }} catch (ArithmeticException e) {{ s = 1; }} }} return s; }}"
        )
        .unwrap();
    }
    // No room for anything: 65,531 bytes.
    let full = "a++;".repeat(21_843);
    writeln!(
        text,
        "static int m{}(int a) {{ {full} return a; }}",
        sizes.len()
    )
    .unwrap();
    text.push_str("public static void main(String[] words) {\n");
    for number in 0..=sizes.len() {
        writeln!(
            text,
            "for (int a = -3; a < 120; a += 30) System.out.println(m{number}(a));"
        )
        .unwrap();
    }
    text.push_str("} }\n");
    text
}

fn statement(number: usize) -> String {
    match number % 4 {
        0 => format!(
            "if (s % 7 > {}) s += {number}; else s ^= {number};\n",
            number % 5
        ),
        1 => "switch (s & 3) { case 0: s++; break; case 1: s += 2; break; default: }\n".into(),
        2 => format!("s = 900 / (s % {} - 1);\n", number + 3),
        _ => "if (s > 5000L) s /= 3;\n".into(),
    }
}

/// The level of each method `m0`, `m1`… and the length of its code.
fn levels(classes: &Classes, done: &Rewritten) -> Vec<(Level, usize)> {
    let class = ClassFile::parse(&classes[0].1).unwrap();
    let methods = class.methods.iter().zip(0..);
    let mut levels: Vec<(String, Level, usize)> = methods
        .filter(|(method, _)| method.name(&class.pool).starts_with('m'))
        .map(|(method, number)| {
            let reduced = done.reduced.iter().find(|reduced| reduced.method == number);
            let level = reduced.map_or(Level::All, |reduced| reduced.level);
            let code = method.code(&class.pool).unwrap().unwrap();
            (method.name(&class.pool).to_owned(), level, code.bytes.len())
        })
        .collect();
    levels.retain(|(name, _, _)| name != "main");
    levels
        .into_iter()
        .map(|(_, level, length)| (level, length))
        .collect()
}

#[test]
fn methods_near_the_limits_run_as_before_with_what_fits() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let sizes = [
        20, 120, 360, 460, 520, 600, 700, 800, 1000, 1300, 1470, 1600, 2200,
    ];
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Large.java");
    std::fs::write(&source, program(&sizes)).unwrap();
    let classes = verifier.compile(&jdks[0], &source, 8);
    let (expected, _) = verifier.run(&jdks[0], &classes, &["Large"]);
    let mut seen = BTreeSet::new();
    let edges = Probes {
        edges: true,
        budgets: true,
        ..Probes::default()
    };
    let budgets = Probes {
        budgets: true,
        ..Probes::default()
    };
    for probes in [all_probes(&classes), edges, budgets] {
        let (rewritten, done) = rewrite(probes, &classes);
        let levels = levels(&rewritten, &done[0]);
        for (level, length) in levels {
            seen.insert((level, length > 32_768));
        }
        for jdk in &jdks {
            let (output, _) = verifier.run(jdk, &rewritten, &["Large"]);
            assert_eq!(output, expected, "{}", jdk.display());
        }
    }
    for level in [
        Level::All,
        Level::NoEdges,
        Level::NoDistances,
        Level::EntryOnly,
        Level::Untouched,
    ] {
        assert!(seen.contains(&(level, true)), "{level:?}: {seen:?}");
    }
}
