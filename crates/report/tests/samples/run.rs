//! A run record that looks like a real one, made by formulas: no measurement stands behind these numbers.

use report::LeftOut;
use report::run::{
    CriterionRecord, CurvePoint, EndCount, FailureRecord, FrameChoice, RunRecord, SandboxRecord,
};

/// A run with some failures.
pub fn run(failures: usize) -> RunRecord {
    let left_out = |name: &str, reason: &str| LeftOut {
        name: name.into(),
        reason: reason.into(),
    };
    let end = |end: &str, count: u64| EndCount {
        end: end.into(),
        count,
    };
    let point = |index: u64| CurvePoint {
        executions: index * index,
        seconds: index as f64 * 0.1,
        goals: vec![(index * 2).min(44), (index * 9).min(700)],
        failures: index / 20,
    };
    RunRecord {
        subject: "cal".into(),
        target: "command".into(),
        guide: "art-sum".into(),
        seed: 7,
        command: "testhound generate specs/cal.toml --guide art-sum --time 60s --seed 7".into(),
        program: "testhound 0.1.0".into(),
        executions: 12_345,
        actions: None,
        elapsed_seconds: 60.02,
        stopped_by: "the time budget of 60s".into(),
        ends: vec![
            end("exit 0", 11_900),
            end("exit 1", 430),
            end("signal SIGSEGV", 15),
        ],
        failures: (0..failures).map(failure).collect(),
        criteria: vec![
            CriterionRecord {
                criterion: "choices".into(),
                covered: 44,
                total: Some(47),
                uncovered: ["month=negative", "year=9999", "week=absent"]
                    .map(str::to_owned)
                    .to_vec(),
            },
            CriterionRecord {
                criterion: "pairs".into(),
                covered: 700,
                total: Some(912),
                uncovered: (0..60)
                    .map(|index| format!("month={index}, year={index}"))
                    .collect(),
            },
        ],
        curve: (0..80).map(point).collect(),
        leak: None,
        coverage_cost: Some(1.08),
        replayed: None,
        suite_tests: 52,
        suite_path: Some("out/suite".into()),
        dropped: vec![
            left_out("t17", "output differed when run again"),
            left_out("t90", "output differed when run again"),
        ],
        mutation: None,
        untested: vec![left_out("month=negative", "contradicts `year=absent`")],
        unmeasured: vec![left_out(
            "calendar.zipped",
            "it is imported from an archive",
        )],
        sandbox: SandboxRecord {
            state: "best-effort".into(),
            missing: vec!["landlock".into()],
            allowed: vec!["write:/tmp/x".into()],
        },
    }
}

fn failure(index: usize) -> FailureRecord {
    let choice = |category: &str, choice: Option<&str>| FrameChoice {
        category: category.into(),
        choice: choice.map(str::to_owned),
    };
    FailureRecord {
        signature: format!("SIGSEGV parse_month.c:{}", 40 + index),
        kind: "signal".into(),
        message: format!("SIGSEGV in parse_month at line {}", 40 + index),
        frame: vec![choice("month", Some("too-large")), choice("year", Some("four-digits")), choice("week", None)],
        count: 14 + index as u64,
        first_execution: 120 * (index as u64 + 1),
        case: Some(format!("out/cases/{:03}", index + 1)),
        input: format!("cal {} 2024", 13 + index),
        reduced: true,
        output: "==1==ERROR: AddressSanitizer: SEGV\n    #0 parse_month\n    #1 main\n\nSUMMARY\nregisters\nstack\nend\n".into(),
    }
}
