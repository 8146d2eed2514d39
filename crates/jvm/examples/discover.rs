//! Discovers jars or class folders and prints what was found, how long it took and how much memory it used.
//!
//! `cargo run --release -p jvm --example discover -- JAVA_HOME app.jar …`; with `EVERYWHERE=1` inputs come from everywhere, and what
//! makes them is listed.

use jvm::discovery::{Filters, Inputs, Jdk, Subject, discover};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let home = arguments.next().ok_or("name a JDK and a jar")?;
    let paths: Vec<PathBuf> = arguments.collect();
    let before = peak_memory();
    let start = Instant::now();
    let jdk = Jdk::open(&home)?;
    let opened = start.elapsed();
    let subject = Subject::open(&paths, &[], jdk.release())?;
    let read = start.elapsed();
    let everywhere = std::env::var_os("EVERYWHERE").is_some();
    let filters = Filters {
        inputs: match everywhere {
            true => Inputs::Everywhere,
            false => Inputs::UnderTest,
        },
        ..Filters::default()
    };
    let discovered = discover(&subject, &jdk, &filters)?;
    let done = start.elapsed();
    println!("JDK {} opened in {opened:?}", jdk.release());
    println!(
        "{} classes read in {:?}",
        subject.classes.len(),
        read - opened
    );
    println!(
        "{} operations over {} types discovered in {:?}",
        discovered.operations.len(),
        discovered.model.descriptors.len(),
        done - read
    );
    println!(
        "memory: {} KiB before, {} KiB at most",
        before,
        peak_memory()
    );
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for untested in &discovered.reasons {
        *reasons.entry(untested.reason.code()).or_default() += 1;
    }
    for (code, count) in reasons {
        println!("{count:7} {code}");
    }
    let signatures = discovered.model.calls.signatures.iter();
    for (operation, signature) in discovered.operations.iter().zip(signatures) {
        if everywhere && signature.auxiliary {
            println!("  {}", operation.name);
        }
    }
    for note in &subject.notes {
        println!("note: {note}");
    }
    Ok(())
}

/// The most memory that was resident so far, in KiB, as Linux tells it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
