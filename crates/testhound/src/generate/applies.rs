//! Refuses options of `generate` that do not apply to the kind of subject at hand, because an option that is ignored misleads.

use crate::cli::Generate;
use crate::exit::Failed;
use crate::subject::Subject;
use engine::TestKind;

/// Fails on the first option that is for other kinds of subjects.
pub fn check(flags: &Generate, subject: &Subject) -> Result<(), Failed> {
    let harness = &flags.harness;
    let of_harnesses = [
        (harness.steps.is_some(), "--steps"),
        (harness.step_time.is_some(), "--step-time"),
        (harness.sizes.is_some(), "--sizes"),
        (harness.sampling.is_some(), "--sampling"),
        (!harness.arms.is_empty(), "--arms"),
        (harness.size.is_some(), "--size"),
        (harness.coverage, "--coverage"),
        (harness.no_coverage, "--no-coverage"),
        (harness.reload.is_some(), "--reload"),
    ];
    let given = |options: &[(bool, &'static str)]| {
        let mut options = options.iter();
        options.find(|(given, _)| *given).map(|(_, name)| *name)
    };
    if subject.kind() != TestKind::Actions
        && let Some(option) = given(&of_harnesses)
    {
        return Err(refused(flags, option, "harnesses (`.tstl`)"));
    }
    let since = [(flags.jvm.since.is_some(), "--since")];
    if let (Subject::Specification(_), Some(option)) = (subject, given(&since)) {
        return Err(refused(flags, option, "Java classes and Python subjects"));
    }
    Ok(())
}

fn refused(flags: &Generate, option: &str, kinds: &str) -> Failed {
    let message = format!(
        "`{option}` is for {kinds}, and `{}` is something else",
        flags.subject
    );
    Failed::command_line(message)
        .hint("leave it out: `testhound generate --help` says which options are for which subjects")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use std::path::PathBuf;

    fn checked(words: &[&str], subject: &Subject) -> bool {
        let command = Cli::parse_from([&["testhound", "generate", "x"], words].concat()).command;
        let Command::Generate(generate) = command else {
            panic!("not generate")
        };
        check(&generate, subject).is_ok()
    }

    #[test]
    fn options_of_harnesses_are_for_harnesses() {
        let python = |word: &str| Subject::Python(word.to_owned());
        for option in [
            &["--size", "lines"][..],
            &["--sizes", "a.json"],
            &["--sampling", "5%"],
            &["--arms", "loc;swarm"],
            &["--steps", "5"],
            &["--step-time", "5s"],
            &["--coverage"],
            &["--no-coverage"],
            &["--reload"],
        ] {
            assert!(checked(option, &python("avl.tstl")), "{option:?}");
            assert!(!checked(option, &python("shop")), "{option:?}");
            assert!(!checked(option, &Subject::Jvm(PathBuf::from("a.jar"))));
        }
    }

    #[test]
    fn changes_are_for_subjects_with_sources() {
        let since = ["--since", "HEAD"];
        let program = Subject::Specification(PathBuf::from("a.toml"));
        assert!(!checked(&since, &program));
        assert!(checked(&since, &Subject::Python("shop".to_owned())));
        assert!(checked(&[], &program));
    }
}
