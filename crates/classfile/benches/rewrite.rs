//! How fast classes are rewritten: `cargo bench -p classfile --bench rewrite -- [JAR…]`
//!
//! Prints megabytes of class files per second for reading, rewriting and writing with nothing asked for (the baseline), with
//! block probes, with what a search needs (blocks, edges, distances, budgets, exits), and with every probe, and how much larger the classes become. Times are processor times of one thread, best
//! of several repetitions. Without arguments the jars are Debian's guava, commons-lang3, commons-math3 and joda-time.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use classfile::ClassFile;
use classfile::jar::Jar;
use classfile::rewrite::replacement::{EXITS, UNSTABLE};
use classfile::rewrite::{Chosen, Numbers, Probes, Rewriter, Statics};

const REPETITIONS: u32 = 10;

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

fn all(classes: &[Vec<u8>]) -> Probes {
    let names = classes.iter().map(|bytes| {
        let class = ClassFile::parse(bytes).expect("real classes are whole");
        class.name().to_owned()
    });
    Probes {
        methods: true,
        lines: true,
        blocks: true,
        edges: true,
        distances: true,
        sides: true,
        trace: true,
        budgets: true,
        arrays: true,
        calls: [EXITS, UNSTABLE].concat(),
        statics: Statics {
            classes: names.zip(0..).collect(),
            reads: true,
        },
        reset: true,
    }
}

/// Rewrites all classes and gives the size of the result.
fn rewrite(rewriter: &mut Rewriter, classes: &[Vec<u8>]) -> usize {
    let mut next = Numbers::default();
    let mut size = 0;
    for bytes in classes {
        let mut class = ClassFile::parse(bytes).expect("real classes are whole");
        let done = rewriter.rewrite(&mut class, &Chosen::default(), next);
        next = done.next;
        size += black_box(class.write()).len();
    }
    size
}

fn main() {
    let given = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let mut jars: Vec<PathBuf> = given.map(PathBuf::from).collect();
    if jars.is_empty() {
        let names = ["guava", "commons-lang3", "commons-math3", "joda-time"];
        jars.extend(names.map(|name| PathBuf::from(format!("/usr/share/java/{name}.jar"))));
    }
    let classes: Vec<Vec<u8>> = jars.iter().flat_map(|path| classes(path)).collect();
    let size: usize = classes.iter().map(Vec::len).sum();
    println!("{} classes, {:.1} MB", classes.len(), size as f64 * 1e-6);
    println!("{:<10} {:>8} {:>8} {:>8}", "", "MB/s", "to none", "growth");
    let blocks = Probes {
        blocks: true,
        ..Probes::default()
    };
    let search = Probes {
        edges: true,
        distances: true,
        budgets: true,
        calls: EXITS.to_vec(),
        ..blocks.clone()
    };
    let tables = [
        ("none", Probes::default()),
        ("blocks", blocks),
        ("search", search),
        ("all", all(&classes)),
    ];
    let mut none = None;
    for (name, probes) in tables {
        let mut rewriter = Rewriter::new(probes);
        let mut grown = 0;
        let mut best = f64::INFINITY;
        for _ in 0..REPETITIONS {
            let start = now();
            grown = rewrite(&mut rewriter, &classes);
            best = best.min(now() - start);
        }
        let base = *none.get_or_insert(best);
        println!(
            "{name:<10} {:>8.0} {:>8.2} {:>8.2}",
            size as f64 * 1e-6 / best,
            best / base,
            grown as f64 / size as f64
        );
    }
}
