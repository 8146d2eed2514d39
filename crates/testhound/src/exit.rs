//! The exit codes of the program, in one list; `--help` shows the same.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, and no failure was found.
    Clean = 0,
    /// Done, and failures were found.
    Failures = 1,
    /// A wrong command line. Most of these are clap's.
    CommandLine = 2,
    /// Bad input: specification, case, run folder, settings.
    BadInput = 3,
    /// Something is missing on this machine.
    Missing = 4,
    /// The subject could not be started at all.
    Subject = 5,
    /// A bug of ours.
    Bug = 70,
    /// Interrupted by the user; what was found is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// An expected error: its text, a hint, and the exit code that goes with it. Everything else is a bug.
#[derive(Debug)]
pub struct Failed {
    /// How the program should end.
    pub exit: Exit,
    /// What went wrong, one or more lines.
    pub message: String,
    /// What the user can do.
    pub hint: Option<String>,
}

impl Failed {
    /// Words of the command line that do not go together.
    pub fn command_line(message: impl Into<String>) -> Failed {
        Failed {
            exit: Exit::CommandLine,
            message: message.into(),
            hint: None,
        }
    }

    /// Bad input of the user.
    pub fn input(message: impl Into<String>) -> Failed {
        Failed {
            exit: Exit::BadInput,
            message: message.into(),
            hint: None,
        }
    }

    /// Something the machine lacks.
    pub fn missing(message: impl Into<String>) -> Failed {
        Failed {
            exit: Exit::Missing,
            message: message.into(),
            hint: None,
        }
    }

    /// A subject that cannot be started.
    pub fn subject(message: impl Into<String>) -> Failed {
        Failed {
            exit: Exit::Subject,
            message: message.into(),
            hint: None,
        }
    }

    /// The user stopped resumable work.
    pub fn interrupted() -> Failed {
        let message = "interrupted; the same command goes on where this one stopped".to_owned();
        Failed {
            exit: Exit::Interrupted,
            message,
            hint: None,
        }
    }

    /// With a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Failed {
        self.hint = Some(hint.into());
        self
    }
}

/// The error that a message of ours tells, which ends in a line `hint: …` where there is one.
pub fn told(text: &str, failed: fn(String) -> Failed) -> Failed {
    match text.split_once("\nhint: ") {
        Some((message, hint)) => failed(message.to_owned()).hint(hint),
        None => failed(text.to_owned()),
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failed {}
