//! `generate` in a process of its own, for commands that run it many times: no run warms anything up for the next, and what one
//! run leaves behind ends with it.

use crate::exit::{Exit, Failed};
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::time::Duration;

/// How long writing and checking a suite may take, besides the budget.
const HARVEST: Duration = Duration::from_secs(3600);

/// What a run printed, and how long everything took.
pub struct Generated {
    /// The record as JSON.
    pub record: Vec<u8>,
    /// Wall time from start to end.
    pub wall: Duration,
}

/// Runs `generate --json --force` with these words. `budget` is the time that the words ask for; `what` names the run in errors.
pub fn generate(words: Vec<OsString>, budget: Duration, what: &str) -> Result<Generated, Failed> {
    let program = std::env::current_exe()
        .map_err(|error| Failed::missing(format!("cannot find this program itself: {error}")))?;
    let mut args: Vec<OsString> = vec!["generate".into()];
    args.extend(words);
    args.extend(["--json", "--force"].map(OsString::from));
    let tool = Tool {
        timeout: budget + HARVEST,
        ..Tool::new(program, args)
    };
    let finished = tool
        .run()
        .map_err(|error| Failed::missing(format!("cannot run `generate`: {error}")))?;
    let fine = [Exit::Clean, Exit::Failures].map(|exit| End::Exited(exit as i32));
    if !fine.contains(&finished.end) {
        return Err(unfinished(what, &finished.stderr));
    }
    Ok(Generated {
        record: finished.stdout,
        wall: finished.wall,
    })
}

/// The error that a run told, with its hint.
fn unfinished(what: &str, stderr: &[u8]) -> Failed {
    let errors = String::from_utf8_lossy(stderr);
    let told = |word: &str| errors.lines().find_map(|line| line.strip_prefix(word));
    let cause = told("error: ").unwrap_or("it ended without saying why");
    let failed = Failed::input(format!("{what} failed: {cause}"));
    match told("hint: ") {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_run_is_told_with_its_hint() {
        let failed = unfinished("the run", b"note: x\nerror: no\nhint: yes\n");
        assert_eq!(failed.message, "the run failed: no");
        assert_eq!(failed.hint.as_deref(), Some("yes"));
        assert_eq!(
            unfinished("it", b"").message,
            "it failed: it ended without saying why"
        );
    }
}
