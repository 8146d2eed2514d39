//! Rewritten classes are accepted by real verifiers wherever the classes as they were are.
#![allow(clippy::unwrap_used)]

mod subjects;
mod verifier;

use std::path::{Path, PathBuf};

use classfile::jar::Jar;
use classfile::rewrite::{Place, Plan, Probes, Rewriter, Side};
use classfile::{ClassFile, Code, ConstantPool, Flow, Opcode};
use verifier::{Classes, Verifier, all_probes, rewrite};

fn library(name: &str) -> Classes {
    let bytes = subjects::library(name);
    let jar = Jar::parse(&bytes).unwrap();
    let files = jar.classes(17).unwrap();
    let classes = files.iter().map(|file| {
        let bytes = jar.read(file.entry).unwrap().into_owned();
        let name = ClassFile::parse(&bytes).unwrap().name().to_owned();
        (name, bytes)
    });
    classes.filter(|(name, _)| name != "module-info").collect()
}

fn jars() -> Vec<PathBuf> {
    let jars = subjects::LIBRARIES.iter();
    jars.map(|name| Path::new("/usr/share/java").join(format!("{name}.jar")))
        .collect()
}

/// Links rewritten classes and gives those that are refused although they were not before. No class may need the old verifier
/// after the new one refused it.
fn refused_by_loaders(verifier: &Verifier, jdk: &Path, libraries: &[Library]) -> Vec<String> {
    let rewritten = libraries.iter().map(|library| {
        let name = format!("{}.rewritten", library.name);
        verifier.bundle(&name, &library.rewritten)
    });
    let rewritten: Vec<PathBuf> = rewritten.collect();
    let answer = verifier.link(jdk, &rewritten, &jars());
    assert_eq!(answer.checked, libraries.iter().map(Library::count).sum());
    assert_eq!(verifier.fallbacks(), 0, "{}", jdk.display());
    // What is refused as it was, for a class that is missing or for its own errors, proves nothing.
    let again = libraries.iter().map(|library| {
        let name = format!("{}.rewritten", library.name);
        let refused = library.classes.iter().filter(|(class, _)| {
            let class = class.replace('/', ".");
            answer.failures.contains_key(&(name.clone(), class))
        });
        verifier.bundle(&name, &refused.cloned().collect())
    });
    let again: Vec<PathBuf> = again.collect();
    let known = verifier.link(jdk, &again, &jars()).failures;
    let new = answer.failures.into_iter();
    new.filter(|(class, _)| !known.contains_key(class))
        .map(|((bundle, class), error)| format!("{bundle} {class}: {error}"))
        .collect()
}

fn first(failures: &[String]) -> String {
    failures[..failures.len().min(20)].join("\n")
}

/// A library as it was and rewritten.
struct Library {
    name: &'static str,
    classes: Classes,
    rewritten: Classes,
}

impl Library {
    fn count(&self) -> usize {
        self.classes.len()
    }
}

#[test]
fn rewritten_libraries_are_accepted() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let libraries = subjects::LIBRARIES.map(|name| {
        let classes = library(name);
        let rewritten = rewrite(all_probes(&classes), &classes).0;
        Library {
            name,
            classes,
            rewritten,
        }
    });
    for jdk in &jdks {
        let failures = refused_by_loaders(&verifier, jdk, &libraries);
        let count = failures.len();
        assert_eq!(count, 0, "{}:\n{}", jdk.display(), first(&failures));
    }
}

#[test]
fn deliberate_errors_in_libraries_are_refused() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let classes = library("bcel");
    for damage in [Damage::Frame, Damage::Jump, Damage::Handler] {
        let mut rewritten = rewrite(all_probes(&classes), &classes).0;
        let damaged = hurt(&mut rewritten, damage);
        assert!(damaged > 20, "{damage:?} hurts only {damaged} classes");
        let libraries = [Library {
            name: "bcel",
            classes: classes.clone(),
            rewritten,
        }];
        for jdk in &jdks {
            let failures = refused_by_loaders(&verifier, jdk, &libraries).len();
            // Subclasses of what is refused are refused as well.
            assert!(failures >= damaged, "{damage:?}: {}", jdk.display());
        }
    }
}

#[test]
fn classes_of_version_50_do_not_fall_back_to_the_old_verifier_unless_they_are_damaged() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let mut classes = library("kotlin-stdlib");
    classes.retain(|(_, bytes)| ClassFile::parse(bytes).unwrap().major == 50);
    assert!(classes.len() > 700, "{}", classes.len());
    let rewritten = rewrite(all_probes(&classes), &classes).0;
    let mut hurt = rewritten.clone();
    hurt.retain_mut(|(_, bytes)| {
        let mut class = ClassFile::parse(bytes).unwrap();
        let done = hurt_class(&mut class, Damage::Frame);
        let written = class.write();
        drop(class);
        *bytes = written;
        done
    });
    assert!(hurt.len() > 100, "{}", hurt.len());
    for jdk in &jdks {
        verifier.link(jdk, &[verifier.bundle("rewritten", &rewritten)], &jars());
        assert_eq!(verifier.fallbacks(), 0, "{}", jdk.display());
        // The old verifier looks at no frames and accepts them: without the log nobody would know.
        verifier.link(jdk, &[verifier.bundle("hurt", &hurt)], &jars());
        assert!(verifier.fallbacks() > 100, "{}", jdk.display());
    }
}

/// Gives every method of a class a local that counts jumps and is told at the end.
fn count_jumps(class: &mut ClassFile) {
    let told = class
        .pool
        .add_method_ref("testhound/rt/Probes", "hit", "(I)V")
        .unwrap();
    let mut rewriter = Rewriter::new(Probes::default());
    for method in 0..class.methods.len() {
        let Some(code) = class.methods[method].code(&class.pool).unwrap() else {
            continue;
        };
        let mut plan = Plan::new();
        let [high, low] = plan.add_local(code.max_locals).to_be_bytes();
        let count = [Opcode::WIDE.0, Opcode::IINC.0, high, low, 0, 1];
        let mut tell = vec![Opcode::WIDE.0, Opcode::ILOAD.0, high, low];
        tell.push(Opcode::INVOKESTATIC.0);
        tell.extend(told.to_be_bytes());
        for instruction in code.instructions() {
            let place = Place::Before(instruction.pc);
            match instruction.flow() {
                Flow::Branch => {
                    plan.insert(Place::Edge(instruction.pc, Side::Taken), &count, 0);
                    plan.insert(Place::Edge(instruction.pc, Side::Fall), &count, 0);
                }
                Flow::Goto | Flow::Switch => plan.insert(place, &count, 0),
                Flow::Return | Flow::Throw => plan.insert(place, &tell, 1),
                _ => {}
            }
        }
        drop(code);
        rewriter.apply(class, method as u16, &mut plan).unwrap();
    }
}

#[test]
fn methods_with_an_added_local_are_accepted() {
    let jdks = subjects::jdks();
    let verifier = Verifier::new(&jdks[0]);
    let libraries = ["commons-lang3", "itext1"].map(|name| {
        let classes = library(name);
        let rewritten = classes.iter().map(|(name, bytes)| {
            let mut class = ClassFile::parse(bytes).unwrap();
            count_jumps(&mut class);
            (name.clone(), class.write())
        });
        Library {
            name,
            rewritten: rewritten.collect(),
            classes,
        }
    });
    for jdk in &jdks {
        let failures = refused_by_loaders(&verifier, jdk, &libraries);
        let count = failures.len();
        assert_eq!(count, 0, "{}:\n{}", jdk.display(), first(&failures));
    }
}

fn base(jdk: &Path) -> Classes {
    let classes = subjects::module(jdk, "java.base").into_iter();
    let named = classes.map(|(_, bytes)| {
        let name = ClassFile::parse(&bytes).unwrap().name().to_owned();
        (name, bytes)
    });
    named.filter(|(name, _)| name != "module-info").collect()
}

#[test]
fn rewritten_classes_of_the_java_base_module_are_accepted() {
    for jdk in subjects::jdks() {
        let verifier = Verifier::new(&jdk);
        let classes = base(&jdk);
        let mut probes = all_probes(&classes);
        // Redefinitions may not change the members of a class.
        probes.reset = false;
        let mut rewritten = rewrite(probes, &classes).0;
        let answer = verifier.redefine(&jdk, &verifier.bundle("base", &rewritten));
        assert!(answer.checked > 6_000, "{}", answer.checked);
        assert_eq!(answer.failures.len(), 0, "{:?}", answer.failures);
        // The same check refuses deliberate errors. Classes that the verifier trusts are not checked.
        rewritten.retain(|(name, _)| name.starts_with("java/util/concurrent/"));
        let damaged = hurt(&mut rewritten, Damage::Frame);
        let answer = verifier.redefine(&jdk, &verifier.bundle("damaged", &rewritten));
        assert!(damaged > 20, "{damaged}");
        assert_eq!(answer.failures.len(), damaged);
    }
}

/// A mistake that rewriting could make.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// A frame stands one byte late.
    Frame,
    /// A conditional jumps one byte too far.
    Jump,
    /// An exception handler starts one byte late.
    Handler,
}

/// Makes the mistake in every class that has room for it, and gives their number.
fn hurt(classes: &mut Classes, damage: Damage) -> usize {
    let mut count = 0;
    for (_, bytes) in classes {
        let mut class = ClassFile::parse(bytes).unwrap();
        // Older versions have no frames, and the next falls back silently.
        if class.major <= 50 {
            continue;
        }
        if hurt_class(&mut class, damage) {
            count += 1;
            let hurt = class.write();
            drop(class);
            *bytes = hurt;
        }
    }
    count
}

fn hurt_class(class: &mut ClassFile, damage: Damage) -> bool {
    let pool = &class.pool;
    for method in &mut class.methods {
        for attribute in &mut method.attributes {
            if attribute.name(pool) != "Code" {
                continue;
            }
            let mut code = Code::parse(attribute, pool).unwrap();
            if hurt_code(&mut code, pool, damage) {
                let info = code.write();
                attribute.info = info.into();
                return true;
            }
        }
    }
    false
}

fn hurt_code(code: &mut Code, pool: &ConstantPool, damage: Damage) -> bool {
    match damage {
        Damage::Frame => {
            let mut frames = code.attributes.iter_mut();
            let Some(frames) = frames.find(|found| found.name(pool) == "StackMapTable") else {
                return false;
            };
            let info = frames.info.to_mut();
            match info[2] {
                0..63 | 64..127 => info[2] += 1,
                63 | 127 => return false,
                _ => info[4] = info[4].wrapping_add(1),
            }
            true
        }
        Damage::Jump => {
            let jump = code
                .instructions()
                .find(|found| found.opcode.info().flow == Flow::Branch);
            let Some(jump) = jump else {
                return false;
            };
            code.bytes.to_mut()[jump.pc as usize + 2] ^= 1;
            true
        }
        Damage::Handler => {
            let Some(handler) = code.handlers.first_mut() else {
                return false;
            };
            handler.target += 1;
            true
        }
    }
}
