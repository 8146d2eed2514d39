//! The bars of guidance, measured on the subjects of Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), Table II:
//! `cargo bench -p testhound --bench guidance -- STEP… [OPTIONS]`; `bench/grt` does it.
//!
//! One result file per step, subject, sample, guide, seconds and seed; what has one is not measured again. A benchmark without
//! harness cannot run tests: those of its files are run by `tests/guidance.rs`, which also notices what is not used.

#[allow(
    dead_code,
    unused_imports,
    reason = "Cargo compiles modules of tests here, too, but not the tests in them"
)]
#[path = "command.rs"]
mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
