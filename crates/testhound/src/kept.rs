//! The journal of a run on a called subject: only the tests worth keeping, as lines of JSON, written as they are found.
//!
//! Tests are far too many to write all of them down. A run that was stopped, even by SIGKILL, is brought back by executing the
//! kept tests again; what comes after is new. A torn last line is ignored.

use crate::exit::Failed;
use engine::kept::KeptTest;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time between two marks of how far the run is.
const MARK_EVERY: Duration = Duration::from_secs(1);

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A test worth keeping.
    Kept(Box<KeptTest>),
    /// How far the run was.
    Mark { executions: u64, elapsed_ms: u64 },
}

/// A journal that is open for appending.
#[derive(Debug)]
pub struct KeptJournal {
    path: PathBuf,
    file: File,
    marked: Duration,
}

/// What a journal of an earlier sitting holds.
#[derive(Debug, Default, PartialEq)]
pub struct Earlier {
    /// The kept tests, in the order in which they were found.
    pub tests: Vec<KeptTest>,
    /// How many tests had been executed at least.
    pub executions: u64,
    /// How long the run had taken at least.
    pub elapsed: Duration,
}

impl KeptJournal {
    /// An empty journal.
    pub fn create(path: &Path) -> Result<KeptJournal, Failed> {
        let file = File::create(path).map_err(|error| cannot(path, "write", &error))?;
        Ok(KeptJournal {
            path: path.to_owned(),
            file,
            marked: Duration::ZERO,
        })
    }

    /// Opens an earlier journal for appending and gives what it holds.
    pub fn open(path: &Path) -> Result<(KeptJournal, Earlier), Failed> {
        let text = match std::fs::read(path) {
            // The run ended before it began to write.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((KeptJournal::create(path)?, Earlier::default()));
            }
            read => read.map_err(|error| cannot(path, "read", &error))?,
        };
        let mut earlier = Earlier::default();
        let mut good = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match serde_json::from_slice::<Line>(line) {
                Ok(read) if line.ends_with(b"\n") => earlier.take(read),
                _ => break,
            }
            good += line.len() as u64;
        }
        let open = || -> std::io::Result<File> {
            let file = File::options().append(true).open(path)?;
            file.set_len(good)?;
            Ok(file)
        };
        let journal = KeptJournal {
            path: path.to_owned(),
            file: open().map_err(|error| cannot(path, "open", &error))?,
            marked: earlier.elapsed,
        };
        Ok((journal, earlier))
    }

    /// Appends the tests of a round that are worth keeping, and now and then how far the run is.
    pub fn round(
        &mut self,
        kept: Vec<KeptTest>,
        executions: u64,
        elapsed: Duration,
    ) -> Result<(), Failed> {
        let due = elapsed >= self.marked + MARK_EVERY;
        if kept.is_empty() && !due {
            return Ok(());
        }
        self.marked = elapsed;
        let mark = Line::Mark {
            executions,
            elapsed_ms: elapsed.as_millis() as u64,
        };
        let lines = kept.into_iter().map(|test| Line::Kept(Box::new(test)));
        let mut bytes = Vec::new();
        for line in lines.chain([mark]) {
            serde_json::to_writer(&mut bytes, &line).expect("journal lines have string keys only");
            bytes.push(b'\n');
        }
        self.file
            .write_all(&bytes)
            .map_err(|error| cannot(&self.path, "write", &error))
    }
}

impl Earlier {
    fn take(&mut self, line: Line) {
        match line {
            Line::Kept(test) => self.tests.push(*test),
            Line::Mark {
                executions,
                elapsed_ms,
            } => {
                self.executions = executions;
                self.elapsed = Duration::from_millis(elapsed_ms);
            }
        }
    }
}

fn cannot(path: &Path, what: &str, error: &std::io::Error) -> Failed {
    Failed::input(format!("cannot {what} `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::kept::Reason;
    use engine::{Test, TestId};

    fn kept(number: u64) -> KeptTest {
        KeptTest {
            id: TestId(number),
            test: Test::default(),
            reason: Reason::default(),
        }
    }

    #[test]
    fn a_journal_brings_back_what_was_kept_up_to_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = KeptJournal::create(&path).unwrap();
        journal
            .round(vec![kept(3), kept(7)], 64, Duration::from_millis(20))
            .unwrap();
        journal
            .round(Vec::new(), 128, Duration::from_millis(30))
            .unwrap();
        journal.file.write_all(b"{\"kept\":{\"id\":9,\"te").unwrap();
        let (mut journal, earlier) = KeptJournal::open(&path).unwrap();
        let expected = Earlier {
            tests: vec![kept(3), kept(7)],
            executions: 64,
            elapsed: Duration::from_millis(20),
        };
        assert_eq!(earlier, expected);
        journal
            .round(vec![kept(200)], 256, Duration::from_millis(90))
            .unwrap();
        let (_, earlier) = KeptJournal::open(&path).unwrap();
        assert_eq!(earlier.tests.len(), 3);
        assert_eq!(earlier.executions, 256);
    }

    #[test]
    fn a_run_that_was_killed_before_its_journal_was_made_has_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let (_, earlier) = KeptJournal::open(&folder.path().join("journal.jsonl")).unwrap();
        assert_eq!(earlier, Earlier::default());
    }
}
