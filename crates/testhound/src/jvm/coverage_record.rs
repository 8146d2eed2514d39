//! What was covered, class by class, for reports.

use super::open::Opened;
use classfile::ClassFile;
use classfile::analysis::coverage::{Criterion, GoalId, LineCounters, ProbeId};
use engine::Goal;
use jvm::coverage::Coverage;
use jvm::discovery::Untested;
use report::jvm::{BranchRecord, ClassRecord, Counter, LineRecord, MethodRecord, Reason};
use std::collections::BTreeMap;

/// How many tests covered each goal; goals that none did are not in it.
pub type Counts = BTreeMap<Goal, u64>;

/// What reports on coverage are made from.
pub struct Covered<'a> {
    /// The goals and where they are.
    pub goals: &'a Coverage,
    /// Which probes were hit, in the same numbers.
    pub hit: &'a [&'a Coverage],
    /// How many tests covered each goal.
    pub counts: &'a Counts,
    /// Reasons that a run found; those of discovery come before them.
    pub troubles: &'a [Untested],
    /// Classes that could not be read, with the reason.
    pub unreadable: &'a [(String, String)],
}

/// The classes under test with what was covered of them.
pub fn classes(opened: &Opened, covered: &Covered<'_>) -> Vec<ClassRecord> {
    let mut reasons: BTreeMap<&str, Vec<&Untested>> = BTreeMap::new();
    for untested in opened.discovered.reasons.iter().chain(covered.troubles) {
        reasons.entry(&untested.class).or_default().push(untested);
    }
    let with_goals = (0..).zip(covered.goals.classes());
    let with_goals: BTreeMap<&str, usize> = with_goals
        .map(|(index, class)| (class.name.as_str(), index))
        .collect();
    let record = |class: &jvm::discovery::ClassUnderTest| {
        let reasons = reasons.get(class.name.as_str()).map_or(&[][..], |all| all);
        let whole = reasons.iter().find(|one| one.name.is_none());
        let mut unreadable = covered.unreadable.iter();
        let unreadable = unreadable.find(|(name, _)| *name == class.name);
        let methods = with_goals.get(class.name.as_str()).and_then(|index| {
            let bytes = opened.subject.classes.get(&class.name)?;
            let parsed = ClassFile::parse(&bytes.bytes).ok()?;
            Some(methods(&parsed, *index, covered, reasons))
        });
        ClassRecord {
            name: class.name.clone(),
            source_file: class.source_file.clone(),
            methods: methods.unwrap_or_default(),
            suite: None,
            reason: whole.map(|one| reason(one)).or_else(|| {
                unreadable.map(|(_, cause)| Reason {
                    code: jvm::discovery::Reason::UnreadableClass.code().to_owned(),
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
    class: usize,
    covered: &Covered<'_>,
    reasons: &[&Untested],
) -> Vec<MethodRecord> {
    let probes = covered.hit.iter().filter_map(|coverage| {
        let class = coverage.classes().get(class)?;
        Some(coverage.hit_probes(class))
    });
    let probes: Vec<ProbeId> = probes.flatten().collect();
    let class = &covered.goals.classes()[class];
    let hit = class.goals.covered(&probes);
    let count = |id: GoalId| covered.counts.get(&class.goal(id)).copied().unwrap_or(0);
    let mut line_tests: BTreeMap<u32, u64> = BTreeMap::new();
    for (id, goal) in class.goals.of_criterion(Criterion::Line) {
        line_tests.extend(goal.line.map(|line| (line, count(id))));
    }
    let mut methods: BTreeMap<usize, MethodRecord> = BTreeMap::new();
    for (id, goal) in class.goals.of_criterion(Criterion::Method) {
        let Some(member) = parsed.methods.get(goal.method) else {
            continue;
        };
        let (name, descriptor) = (member.name(&parsed.pool), member.descriptor(&parsed.pool));
        let tests = count(id);
        let untested = reasons.iter().find(|one| {
            let own = one.name.as_deref() == Some(name) && one.descriptor == descriptor;
            // Others may have called it, or an earlier sitting did.
            own && (one.reason != jvm::discovery::Reason::NeverCalled || tests == 0)
        });
        let counters = class.goals.method_counters(goal.method, &hit);
        methods.insert(
            goal.method,
            MethodRecord {
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                tests,
                lines: lines(&class.goals.lines(goal.method, &hit), &line_tests),
                instructions: Some(counter(counters.instruction)),
                branches: Vec::new(),
                reason: untested.map(|one| reason(one)),
            },
        );
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

/// The lines of a method. One that methods share is covered in those whose instructions on it were.
fn lines(counters: &BTreeMap<u32, LineCounters>, tests: &BTreeMap<u32, u64>) -> Vec<LineRecord> {
    let counted = counters
        .iter()
        .filter(|(_, line)| line.instruction.total > 0);
    counted
        .map(|(line, counters)| LineRecord {
            line: *line,
            tests: match counters.instruction.covered {
                0 => 0,
                _ => tests.get(line).copied().unwrap_or(0),
            },
            instructions: Some(counter(counters.instruction)),
        })
        .collect()
}

fn counter(counter: classfile::analysis::coverage::Counter) -> Counter {
    Counter {
        covered: u64::from(counter.covered),
        total: u64::from(counter.total),
    }
}
