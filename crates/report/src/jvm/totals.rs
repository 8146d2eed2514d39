//! Counting what the records hold, the way JaCoCo counts.
//!
//! A line that two methods of a class share (a lambda and its method) counts once per class. Sums over classes add the
//! classes; only the JaCoCo document also merges the lines that two classes of one source file share.

use super::{
    BranchRecord, ClassRecord, Counter, FrameRecord, JvmTotals, LineRecord, MethodRecord,
    MutationTotals,
};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

impl Counter {
    /// One thing, covered or not.
    #[must_use]
    pub fn one(covered: bool) -> Self {
        Self {
            covered: u64::from(covered),
            total: 1,
        }
    }

    /// What is not covered.
    #[must_use]
    pub fn missed(self) -> u64 {
        self.total.saturating_sub(self.covered)
    }

    /// The covered share; `None` of nothing.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.covered as f64 / self.total as f64)
    }
}

impl AddAssign for Counter {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl AddAssign for JvmTotals {
    fn add_assign(&mut self, other: Self) {
        self.branch += other.branch;
        self.line += other.line;
        self.method += other.method;
    }
}

impl BranchRecord {
    /// Its sides.
    #[must_use]
    pub fn counter(&self) -> Counter {
        Counter {
            covered: self.sides.iter().filter(|tests| **tests > 0).count() as u64,
            total: self.sides.len() as u64,
        }
    }
}

impl LineRecord {
    /// Its instructions; a line whose instructions are not counted is one.
    #[must_use]
    pub fn counter(&self) -> Counter {
        self.instructions
            .unwrap_or_else(|| Counter::one(self.tests > 0))
    }
}

impl MethodRecord {
    /// The criteria over this method.
    #[must_use]
    pub fn totals(&self) -> JvmTotals {
        let mut totals = JvmTotals {
            method: Counter::one(self.tests > 0),
            ..JvmTotals::default()
        };
        for line in &self.lines {
            totals.line += Counter::one(line.tests > 0);
        }
        for branch in &self.branches {
            totals.branch += branch.counter();
        }
        totals
    }
}

impl ClassRecord {
    /// The criteria over this class.
    #[must_use]
    pub fn totals(&self) -> JvmTotals {
        let mut totals = JvmTotals::default();
        for method in &self.methods {
            totals += JvmTotals {
                line: Counter::default(),
                ..method.totals()
            };
        }
        let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
        for line in self.methods.iter().flat_map(|method| &method.lines) {
            *lines.entry(line.line).or_default() |= line.tests > 0;
        }
        for covered in lines.into_values() {
            totals.line += Counter::one(covered);
        }
        totals
    }

    /// Internal name of its package; empty for the unnamed one.
    #[must_use]
    pub fn package(&self) -> &str {
        self.name
            .rsplit_once('/')
            .map_or("", |(package, _)| package)
    }

    /// The class with dots, for example `org.example.Outer$Inner`.
    #[must_use]
    pub fn dotted_name(&self) -> String {
        self.name.replace('/', ".")
    }

    /// Package folder and name of its source file.
    #[must_use]
    pub fn source_path(&self) -> Option<String> {
        let file = self.source_file.as_ref()?;
        Some(match self.package() {
            "" => file.clone(),
            package => format!("{package}/{file}"),
        })
    }
}

impl MutationTotals {
    /// The share of mutants that are killed; `None` of nothing.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.mutants > 0).then(|| self.killed as f64 / self.mutants as f64)
    }
}

impl fmt::Display for FrameRecord {
    /// As in a Java stack trace: `org.example.Outer.parse(Outer.java:12)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}(", self.class, self.method)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(formatter, "{file}:{line})"),
            (Some(file), None) => write!(formatter, "{file})"),
            (None, _) => write!(formatter, "unknown source)"),
        }
    }
}

/// The criteria over all classes.
#[must_use]
pub fn totals(classes: &[ClassRecord]) -> JvmTotals {
    let mut totals = JvmTotals::default();
    for class in classes {
        totals += class.totals();
    }
    totals
}
