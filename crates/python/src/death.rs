//! How a worker was lost: the signal or exit code, what its runner had marked as its doing, and the function that ran, as far as Python's
//! own handler of fatal signals could tell.

use std::collections::BTreeMap;

use nix::sys::signal::Signal;
use sandbox::{End, Finished};

/// How a worker was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    /// What the runner marked last; nothing if it had not begun.
    pub doing: Option<u32>,
    /// The signal or exit code; nothing if it had to be killed.
    pub end: Option<String>,
    /// The file and function that ran.
    pub within: Option<(String, String)>,
}

/// Deaths by the test that caused each, as it was sent.
pub type Deaths = BTreeMap<String, Death>;

impl Death {
    /// Of a worker that ended by itself.
    pub fn of(doing: Option<u32>, finished: &Finished) -> Death {
        let end = match finished.end {
            End::Signalled(_) if finished.memory_exceeded => "out of memory".to_owned(),
            End::Signalled(number) => match Signal::try_from(number) {
                Ok(signal) => signal.as_str().to_owned(),
                Err(_) => format!("signal {number}"),
            },
            End::Exited(code) => format!("exit {code}"),
            End::TimedOut | End::Lost => "lost".to_owned(),
        };
        Death {
            doing,
            end: Some(end),
            within: innermost(&String::from_utf8_lossy(&finished.stderr)),
        }
    }
}

/// The innermost function of the thread that caught a fatal signal, as `faulthandler` writes it. Of a stack that is cut off, where it
/// ended is chance.
fn innermost(said: &str) -> Option<(String, String)> {
    let (_, stack) = said.split_once("Current thread ")?;
    let stack = stack.lines().skip(1);
    let stack: Vec<&str> = stack.take_while(|line| line.starts_with("  ")).collect();
    if stack.iter().any(|line| line.trim() == "...") {
        return None;
    }
    let (file, rest) = stack
        .first()?
        .trim()
        .strip_prefix("File \"")?
        .split_once('"')?;
    let (_, function) = rest.split_once(" in ")?;
    Some((file.to_owned(), function.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "Fatal Python error: Segmentation fault

Thread 0x01 (most recent call first):
  File \"/lib/other.py\", line 2 in wait

Current thread 0x02 (most recent call first):
  File \"/lib/ctypes/__init__.py\", line 519 in string_at
  File \"/x/own.tstl\", line 3 in made

Extension modules: a (total: 1)
";

    #[test]
    fn the_function_that_caught_the_signal_is_told_unless_the_stack_is_cut_off() {
        let found = innermost(SAID).unwrap();
        assert_eq!(found.1, "string_at");
        assert!(found.0.ends_with("/ctypes/__init__.py"));
        assert_eq!(innermost(&SAID.replace(" line 3 in made", "\n  ...")), None);
        assert_eq!(innermost("Segmentation fault"), None);
    }
}
