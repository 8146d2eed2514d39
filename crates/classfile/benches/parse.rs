//! How fast classes are read and written: `cargo bench -p classfile --bench parse -- [JAR…]`
//!
//! Prints megabytes of class files per second for copying the bytes (the baseline), reading, reading and writing, and reading
//! with all code, frames and instructions. Times are processor times, best of several repetitions. Without arguments the
//! jars are Debian's guava, commons-lang3 and joda-time.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use classfile::ClassFile;
use classfile::frames::Frames;
use classfile::jar::Jar;

const REPETITIONS: u32 = 10;

/// What is measured on the bytes of a class.
type Work = fn(&[u8]);

/// The processor time of this thread so far, in seconds: other work on the machine disturbs it less than a clock.
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn classes(path: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let jar = Jar::parse(&bytes).expect("the jar is whole");
    let files = jar.classes(17).expect("the manifest is whole");
    let read = |entry| jar.read(entry).expect("the entry is whole").into_owned();
    files.iter().map(|file| read(file.entry)).collect()
}

/// The best time in seconds of working on all classes.
fn best(classes: &[Vec<u8>], work: impl Fn(&[u8])) -> f64 {
    let time = |_| {
        let start = now();
        classes.iter().for_each(|bytes| work(bytes));
        now() - start
    };
    (0..REPETITIONS).map(time).fold(f64::INFINITY, f64::min)
}

fn read_all(bytes: &[u8]) {
    let class = ClassFile::parse(bytes).expect("real classes are whole");
    for method in &class.methods {
        let code = method.code(&class.pool).expect("real classes are whole");
        if let Some(code) = code {
            black_box(Frames::parse(&class, method, &code).expect("real classes are whole"));
            code.instructions().for_each(|one| drop(black_box(one)));
        }
    }
}

fn main() {
    let given = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let mut jars: Vec<PathBuf> = given.map(PathBuf::from).collect();
    if jars.is_empty() {
        let names = ["guava", "commons-lang3", "joda-time"];
        jars.extend(names.map(|name| PathBuf::from(format!("/usr/share/java/{name}.jar"))));
    }
    let classes: Vec<Vec<u8>> = jars.iter().flat_map(|path| classes(path)).collect();
    let size: usize = classes.iter().map(Vec::len).sum();
    println!("{} classes, {:.1} MB", classes.len(), size as f64 * 1e-6);
    let copy = best(&classes, |bytes| drop(black_box(bytes.to_vec())));
    let works: [(&str, Work); 3] = [
        ("read", |bytes| drop(black_box(ClassFile::parse(bytes)))),
        ("read and write", |bytes| {
            let class = ClassFile::parse(bytes).expect("real classes are whole");
            black_box(class.write());
        }),
        ("read with code and frames", read_all),
    ];
    println!("{:<26} {:>8} {:>8}", "", "MB/s", "to copy");
    println!(
        "{:<26} {:>8.0} {:>8.1}",
        "copy",
        size as f64 * 1e-6 / copy,
        1.0
    );
    for (name, work) in works {
        let time = best(&classes, work);
        println!(
            "{name:<26} {:>8.0} {:>8.1}",
            size as f64 * 1e-6 / time,
            time / copy
        );
    }
}
