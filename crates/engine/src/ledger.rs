//! The ledger of failures: one entry per signature, with the shortest test that shows it. Bounded in entries.

use crate::frames::Frame;
use crate::observation::Failure;
use crate::test::{Test, TestId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// More different failures than this are counted, but not kept.
pub const LIMIT: usize = 1000;

/// A failure with the tests that showed it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The failure as first seen.
    pub failure: Failure,
    /// How many tests showed it.
    pub count: u64,
    /// The first test that showed it.
    pub first: TestId,
    /// The shortest test that showed it.
    pub shortest: TestId,
    /// That test.
    pub test: Rc<Test>,
    /// Its frame.
    pub frame: Frame,
}

/// All failures of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: BTreeMap<(String, String), Entry>,
    /// Failures that were seen after the ledger was full.
    pub overflow: u64,
}

impl Ledger {
    /// Records a failure; true if its signature is new.
    pub fn record(
        &mut self,
        failure: &Failure,
        id: TestId,
        test: &Rc<Test>,
        frame: &Frame,
    ) -> bool {
        let key = (failure.oracle.clone(), failure.signature.clone());
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.count += 1;
            if test.size() < entry.test.size() {
                entry.shortest = id;
                entry.test = Rc::clone(test);
                entry.frame = frame.clone();
            }
            return false;
        }
        if self.entries.len() >= LIMIT {
            self.overflow += 1;
            return false;
        }
        let entry = Entry {
            failure: failure.clone(),
            count: 1,
            first: id,
            shortest: id,
            test: Rc::clone(test),
            frame: frame.clone(),
        };
        self.entries.insert(key, entry);
        true
    }

    /// The entries, earliest first.
    pub fn entries(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.values().collect();
        entries.sort_by_key(|entry| entry.first);
        entries
    }

    /// How many different failures are kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing has failed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(signature: &str) -> Failure {
        let text = signature.to_owned();
        Failure {
            oracle: "signal".to_owned(),
            signature: text.clone(),
            message: text,
        }
    }

    #[test]
    fn equal_signatures_are_one_failure() {
        let mut ledger = Ledger::default();
        let test = Rc::new(Test::default());
        assert!(ledger.record(&failure("a"), TestId(4), &test, &Frame::default()));
        assert!(!ledger.record(&failure("a"), TestId(5), &test, &Frame::default()));
        assert!(ledger.record(&failure("b"), TestId(2), &test, &Frame::default()));
        let firsts: Vec<u64> = ledger.entries().iter().map(|entry| entry.first.0).collect();
        assert_eq!(firsts, [2, 4]);
        assert_eq!(ledger.entries()[1].count, 2);
    }

    #[test]
    fn a_full_ledger_counts_what_it_cannot_keep() {
        let mut ledger = Ledger::default();
        let test = Rc::new(Test::default());
        for number in 0..LIMIT as u64 + 5 {
            let failure = failure(&number.to_string());
            ledger.record(&failure, TestId(number), &test, &Frame::default());
        }
        assert_eq!((ledger.len(), ledger.overflow), (LIMIT, 5));
    }
}
