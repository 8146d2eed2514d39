//! The `testhound` program: arguments, settings, subcommands, progress, files, exit codes. What tests are and how they are
//! chosen, run and reported lives in the other crates.

mod child;
mod cli;
mod compare;
mod doctor;
mod exit;
mod generate;
mod inspect;
mod jobs;
mod journal;
mod jvm;
mod kept;
mod lint;
mod progress;
mod python;
mod replay;
mod rounds;
mod settings;
mod setup;
mod study;
mod subject;
mod written;

use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use exit::{Exit, Failed};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The same binary is the launcher of its sandbox.
    sandbox::launcher_main();
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => report(&error).into(),
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Generate(flags) => generate::generate(&flags),
        Command::Replay(flags) => replay::replay(&flags),
        Command::Reduce(flags) => replay::reduce(&flags),
        Command::Inspect(flags) => inspect::inspect(&flags),
        Command::Compare(flags) => compare::compare(&flags),
        Command::Study(flags) => study::study(&flags),
        Command::Measure(flags) => match python::suites::module(&flags.suite.subject) {
            Some(word) => python::suites::measure(&word, &flags),
            None => jvm::measure(&flags),
        },
        Command::Mutate(flags) => match python::suites::module(&flags.suite.subject) {
            Some(word) => python::suites::mutate(&word, &flags),
            None => jvm::mutate(&flags),
        },
        Command::Lint(flags) => lint::lint(&flags),
        Command::Import(flags) => inspect::import(&flags),
        Command::Doctor(flags) => doctor::doctor(&flags),
        Command::Completions { shell } => {
            let mut bytes = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "testhound", &mut bytes);
            print_bytes(&bytes)
        }
        Command::Man => {
            let mut bytes = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut bytes)?;
            print_bytes(&bytes)
        }
    }
}

/// Prints data on standard output; a reader that went away is not an error of ours.
pub fn print_bytes(bytes: &[u8]) -> anyhow::Result<Exit> {
    match std::io::stdout().write_all(bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Clean),
    }
}

/// Prints an error with its causes and hint; gives the exit code that goes with it.
fn report(error: &anyhow::Error) -> Exit {
    let text = error.to_string();
    // Errors of specifications bring their own `error:` lines with places.
    let prefix = if text.starts_with("error: ") {
        ""
    } else {
        "error: "
    };
    eprintln!("{prefix}{text}");
    for cause in error.chain().skip(1) {
        eprintln!("  caused by: {cause}");
    }
    let Some(failed) = error.downcast_ref::<Failed>() else {
        eprintln!(
            "hint: this looks like a bug of testhound; please report it with the command line"
        );
        return Exit::Bug;
    };
    if let Some(hint) = &failed.hint {
        eprintln!("hint: {hint}");
    }
    failed.exit
}
