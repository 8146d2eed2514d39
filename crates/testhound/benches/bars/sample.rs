//! The classes of a subject that are tested: all, or a fixed sample of 20.
//!
//! Drawn are the classes that have branches and that a test can name: not private, synthetic, local, anonymous or deprecated
//! ones.
//! The sample holds those whose names, with dots, have the smallest hashes (64-bit FNV-1a).

use super::Options;
use super::subjects::Subject;
use classfile::ClassFile;
use classfile::analysis::coverage::{ClassGoals, Criterion};
use jvm::discovery::{self, Filters, Jdk, discover};

/// Classes per subject at most.
const MOST: usize = 20;

/// The sampled classes in the order of their names, as the JVM writes them with dots.
pub fn sample(subject: &Subject, options: &Options) -> Vec<String> {
    let jdk = Jdk::open(&options.jdks[0]).unwrap();
    let opened =
        discovery::Subject::open(&[subject.path()], &subject.classpath(), jdk.release()).unwrap();
    let discovered = discover(&opened, &jdk, &Filters::default()).unwrap();
    let untestable = |name: &str| {
        let mut reasons = discovered.reasons.iter();
        reasons.any(|one| one.class == name && one.name.is_none())
    };
    let branches = |name: &str| {
        let class = ClassFile::parse(&opened.classes[name].bytes).unwrap();
        let goals = ClassGoals::of(&class);
        goals.is_ok_and(|goals| goals.of_criterion(Criterion::Branch).count() > 0)
    };
    let mut names: Vec<String> = discovered
        .classes
        .iter()
        .map(|class| class.name.as_str())
        .filter(|name| !untestable(name) && branches(name))
        .map(|name| name.replace('/', "."))
        .collect();
    names.sort_by_key(|name| (hash(name), name.clone()));
    names.truncate(MOST);
    names.sort();
    names
}

fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
