//! Compiles the fork-server library that is embedded in the launcher. Elsewhere than on x86-64 Linux there is none, and
//! the embedded file is empty.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=preload/forkserver.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    let library = PathBuf::from(variable("OUT_DIR")).join("forkserver.so");
    let target = variable("TARGET");
    if target != "x86_64-unknown-linux-gnu" {
        std::fs::write(&library, []).expect("cargo makes the output folder");
        return;
    }
    // Linked against nothing: what it needs of the C library is resolved in the program that loads it.
    let status = Command::new(variable("RUSTC"))
        .args([
            "--edition=2024",
            "--crate-name=forkserver",
            "--crate-type=cdylib",
            "--target",
            &target,
        ])
        .args([
            "-Cpanic=abort",
            "-Copt-level=3",
            "-Clto=fat",
            "-Cstrip=symbols",
        ])
        .args([
            "-Clink-arg=-nostdlib",
            "-Clink-arg=-Wl,-z,now,-z,norelro,-z,noseparate-code,--hash-style=gnu",
        ])
        .arg("-o")
        .arg(&library)
        .arg("preload/forkserver.rs")
        .status()
        .expect("cargo names a compiler that runs");
    assert!(status.success(), "the fork-server library does not compile");
}
