//! The journal of a run: every observation, appended as it comes, one JSON line each. A run that was stopped, even by SIGKILL,
//! is brought back by feeding its journal to a new run of the same settings.
//!
//! Lines are written without buffering across rounds, so that what a killed process had observed is in the file. A torn last
//! line is cut off when the journal is opened again.

use crate::exit::Failed;
use engine::frames::Frame;
use engine::{Observation, Proposal, TestId};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A test and what it showed.
    Test {
        id: TestId,
        frame: Frame,
        observation: Box<Observation>,
    },
    /// The end of a round, at this time since the start.
    Round { elapsed_ms: u64 },
}

/// A journal that is open for appending.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// What a journal of an earlier sitting holds.
#[derive(Debug, Default)]
pub struct Recorded {
    /// Observations by test number, without gaps from 0 in complete rounds.
    observations: std::collections::BTreeMap<TestId, (Frame, Observation)>,
    /// How long the run had taken.
    pub elapsed: Duration,
}

impl Journal {
    /// An empty journal.
    pub fn create(path: &Path) -> Result<Journal, Failed> {
        let file = File::create(path).map_err(|error| cannot(path, "write", &error))?;
        Ok(Journal {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens an earlier journal for appending and gives what it holds.
    pub fn open(path: &Path) -> Result<(Journal, Recorded), Failed> {
        let mut file = File::options().read(true).write(true).open(path);
        let file = file.as_mut().map_err(|error| cannot(path, "open", error))?;
        let mut recorded = Recorded::default();
        let mut good = 0u64;
        let mut reader = BufReader::new(&mut *file);
        let mut text = Vec::new();
        loop {
            text.clear();
            let length = reader
                .read_until(b'\n', &mut text)
                .map_err(|error| cannot(path, "read", &error))?;
            let complete = text.ends_with(b"\n");
            match serde_json::from_slice::<Line>(&text) {
                Ok(line) if complete => recorded.take(line),
                _ => break,
            }
            good += length as u64;
        }
        let file = File::options()
            .write(true)
            .open(path)
            .map_err(|error| cannot(path, "open", &error))?;
        file.set_len(good)
            .map_err(|error| cannot(path, "shorten", &error))?;
        let mut journal = Journal {
            path: path.to_owned(),
            file,
        };
        journal
            .file
            .seek(std::io::SeekFrom::End(0))
            .map_err(|error| cannot(path, "seek in", &error))?;
        Ok((journal, recorded))
    }

    /// Appends executed tests.
    pub fn tests<'a>(
        &mut self,
        tests: impl Iterator<Item = (&'a Proposal, &'a Observation)>,
    ) -> Result<(), Failed> {
        let mut bytes = Vec::new();
        for (proposal, observation) in tests {
            let line = Line::Test {
                id: proposal.id,
                frame: proposal.frame.clone(),
                observation: Box::new(observation.clone()),
            };
            serde_json::to_writer(&mut bytes, &line).expect("journal lines have string keys only");
            bytes.push(b'\n');
        }
        self.append(&bytes)
    }

    /// Marks the end of a round.
    pub fn round(&mut self, elapsed: Duration) -> Result<(), Failed> {
        let line = Line::Round {
            elapsed_ms: elapsed.as_millis() as u64,
        };
        let mut bytes = serde_json::to_vec(&line).expect("journal lines have string keys only");
        bytes.push(b'\n');
        self.append(&bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        self.file
            .write_all(bytes)
            .map_err(|error| cannot(&self.path, "write", &error))
    }
}

impl Recorded {
    fn take(&mut self, line: Line) {
        match line {
            Line::Test {
                id,
                frame,
                observation,
            } => {
                self.observations.insert(id, (frame, *observation));
            }
            Line::Round { elapsed_ms } => self.elapsed = Duration::from_millis(elapsed_ms),
        }
    }

    /// The observation of a proposal, if it was recorded. The frame must be the same; if it is not, the specification or
    /// the program has changed since.
    pub fn observation(&mut self, proposal: &Proposal) -> Result<Option<Observation>, Failed> {
        match self.observations.remove(&proposal.id) {
            None => Ok(None),
            Some((frame, observation)) if frame == proposal.frame => Ok(Some(observation)),
            Some(_) => Err(Failed::input(format!(
                "test {} of the journal is not the test that this specification and seed give",
                proposal.id.0
            ))
            .hint("the specification changed since the run began; start a new run with `--force` or another `--out`")),
        }
    }

    /// Whether all recorded observations were taken.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }
}

fn cannot(path: &Path, what: &str, error: &std::io::Error) -> Failed {
    Failed::input(format!("cannot {what} `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{End, Test};

    fn proposal(number: u64) -> Proposal {
        Proposal {
            id: TestId(number),
            frame: Frame(vec![1, 0]),
            test: Test::default().into(),
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_rest_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        let observation = Observation::plain(End::Exited(3));
        let proposals = [proposal(0), proposal(1)];
        journal
            .tests(proposals.iter().map(|p| (p, &observation)))
            .unwrap();
        journal.round(Duration::from_millis(70)).unwrap();
        journal.append(b"{\"test\":{\"id\":2,\"fra").unwrap();
        let (mut journal, mut recorded) = Journal::open(&path).unwrap();
        assert_eq!(recorded.elapsed, Duration::from_millis(70));
        assert_eq!(
            recorded.observation(&proposals[1]).unwrap(),
            Some(observation.clone())
        );
        journal
            .tests([(&proposal(2), &observation)].into_iter())
            .unwrap();
        let (_, recorded) = Journal::open(&path).unwrap();
        assert_eq!(recorded.observations.len(), 3);
    }

    #[test]
    fn a_different_frame_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let observation = Observation::plain(End::TimedOut);
        Journal::create(&path)
            .unwrap()
            .tests([(&proposal(0), &observation)].into_iter())
            .unwrap();
        let (_, mut recorded) = Journal::open(&path).unwrap();
        let other = Proposal {
            frame: Frame(vec![2, 0]),
            ..proposal(0)
        };
        assert!(recorded.observation(&other).is_err());
    }
}
