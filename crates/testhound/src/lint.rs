//! `testhound lint`: specifications checked by sampling every generator.

use crate::cli::Lint;
use crate::exit::Exit;
use crate::generate::folder::pretty;
use crate::setup::load_spec;
use command::lint::{Finding, Severity, lint as findings_of};
use command::source::run_helper;
use engine::Seed;

/// Runs the subcommand; errors are "failures found", warnings are not.
pub fn lint(flags: &Lint) -> anyhow::Result<Exit> {
    let mut all: Vec<Finding> = Vec::new();
    let mut text = String::new();
    for path in &flags.specs {
        let spec = load_spec(path)?;
        let folder = spec.folder().to_owned();
        let findings = findings_of(
            &spec,
            flags.samples,
            Seed(flags.seed),
            &mut |command, seed| run_helper(&folder, command, seed),
        );
        for finding in &findings {
            text.push_str(&format!("{finding}\n"));
        }
        let errors = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .count();
        let count = spec.space.count(crate::inspect::COUNT_LIMIT);
        text.push_str(&format!(
            "{}: {} categories, {} choices, {}{} frames; {errors} errors, {} warnings\n",
            path.display(),
            spec.space.categories.len(),
            spec.space.sizes().iter().sum::<usize>(),
            if count.more { "more than " } else { "" },
            count.total(),
            findings.len() - errors
        ));
        all.extend(findings);
    }
    let failed = all
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    crate::print_bytes(if flags.json { pretty(&all) } else { text }.as_bytes())?;
    Ok(if failed { Exit::Failures } else { Exit::Clean })
}
