//! What was covered, class by class, for reports.

use super::open::Opened;
use classfile::ClassFile;
use classfile::analysis::coverage::{Criterion, GoalId};
use engine::Goal;
use jvm::coverage::{Coverage, CoveredClass};
use jvm::discovery::Untested;
use report::jvm::{BranchRecord, ClassRecord, LineRecord, MethodRecord, Reason};
use std::collections::BTreeMap;

/// How many tests covered each goal; goals that none did are not in it.
pub type Counts = BTreeMap<Goal, u64>;

/// The classes under test with what was covered of them.
pub fn classes(
    opened: &Opened,
    coverage: &Coverage,
    unreadable: &[(String, String)],
    counts: &Counts,
) -> Vec<ClassRecord> {
    let mut reasons: BTreeMap<&str, Vec<&Untested>> = BTreeMap::new();
    for untested in &opened.discovered.reasons {
        reasons.entry(&untested.class).or_default().push(untested);
    }
    let covered = coverage.classes().iter();
    let covered: BTreeMap<&str, &CoveredClass> =
        covered.map(|class| (class.name.as_str(), class)).collect();
    let record = |class: &jvm::discovery::ClassUnderTest| {
        let reasons = reasons.get(class.name.as_str()).map_or(&[][..], |all| all);
        let whole = reasons.iter().find(|one| one.name.is_none());
        let unreadable = unreadable.iter().find(|(name, _)| *name == class.name);
        let methods = covered
            .get(class.name.as_str())
            .map_or_else(Vec::new, |goals| {
                let bytes = opened.subject.classes.get(&class.name);
                let parsed = bytes.and_then(|class| ClassFile::parse(&class.bytes).ok());
                parsed.map_or_else(Vec::new, |parsed| methods(&parsed, goals, counts, reasons))
            });
        ClassRecord {
            name: class.name.clone(),
            source_file: class.source_file.clone(),
            methods,
            reason: whole.map(|one| reason(one)).or_else(|| {
                unreadable.map(|(_, cause)| Reason {
                    code: "broken-class".to_owned(),
                    detail: cause.clone(),
                })
            }),
        }
    };
    opened.discovered.classes.iter().map(record).collect()
}

fn reason(untested: &Untested) -> Reason {
    Reason {
        code: untested.reason.code().to_owned(),
        detail: untested.detail.clone(),
    }
}

fn methods(
    parsed: &ClassFile<'_>,
    class: &CoveredClass,
    counts: &Counts,
    reasons: &[&Untested],
) -> Vec<MethodRecord> {
    let count = |id: GoalId| counts.get(&class.goal(id)).copied().unwrap_or(0);
    let mut methods: BTreeMap<usize, MethodRecord> = BTreeMap::new();
    for (id, goal) in class.goals.of_criterion(Criterion::Method) {
        let Some(member) = parsed.methods.get(goal.method) else {
            continue;
        };
        let (name, descriptor) = (member.name(&parsed.pool), member.descriptor(&parsed.pool));
        let untested = reasons
            .iter()
            .find(|one| one.name.as_deref() == Some(name) && one.descriptor == descriptor);
        methods.insert(
            goal.method,
            MethodRecord {
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                tests: count(id),
                lines: Vec::new(),
                branches: Vec::new(),
                reason: untested.map(|one| reason(one)),
            },
        );
    }
    for (id, goal) in class.goals.of_criterion(Criterion::Line) {
        if let (Some(method), Some(line)) = (methods.get_mut(&goal.method), goal.line) {
            method.lines.push(LineRecord {
                line,
                tests: count(id),
                instructions: None,
            });
        }
    }
    for (id, goal) in class.goals.of_criterion(Criterion::Branch) {
        let Some(method) = methods.get_mut(&goal.method) else {
            continue;
        };
        match method.branches.last_mut() {
            Some(last) if last.offset == goal.pc => last.sides.push(count(id)),
            _ => method.branches.push(BranchRecord {
                offset: goal.pc,
                line: goal.line,
                sides: vec![count(id)],
            }),
        }
    }
    methods.into_values().collect()
}
