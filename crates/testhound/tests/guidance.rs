//! The tests of the benchmark `guidance`, whose own target has no harness: samples, reading of other people's reports, the arithmetic of the
//! bars and their tables. They measure nothing.

#[path = "../benches/guidance/command.rs"]
mod command;

/// What the benchmark does not reach from here, it does not use.
const _: fn() -> std::process::ExitCode = command::main;
