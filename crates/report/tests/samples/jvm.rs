//! A JVM run record that looks like a real one: no measurement stands behind these numbers.

use report::LeftOut;
use report::jvm::{
    BranchRecord, ClassRecord, Counter, DegradedRecord, FrameRecord, JvmFailureRecord,
    JvmRunRecord, JvmTotals, LineRecord, MethodRecord, MutationTotals, Reason, RetiredRecord,
    SourceText,
};
use report::run::{CurvePoint, EndCount, SandboxRecord};

fn left_out(name: &str, reason: &str) -> LeftOut {
    LeftOut {
        name: name.into(),
        reason: reason.into(),
    }
}

fn line(line: u32, tests: u64, covered: u64, total: u64) -> LineRecord {
    LineRecord {
        line,
        tests,
        instructions: Some(Counter { covered, total }),
    }
}

fn branch(offset: u32, line: u32, sides: &[u64]) -> BranchRecord {
    BranchRecord {
        offset,
        line: Some(line),
        sides: sides.into(),
    }
}

fn method(name: &str, descriptor: &str, tests: u64) -> MethodRecord {
    MethodRecord {
        name: name.into(),
        descriptor: descriptor.into(),
        tests,
        lines: vec![],
        instructions: None,
        branches: vec![],
        reason: None,
    }
}

fn reason(code: &str, detail: &str) -> Option<Reason> {
    Some(Reason {
        code: code.into(),
        detail: detail.into(),
    })
}

/// The text that the lines of [`classes`] belong to.
pub fn sources() -> Vec<SourceText> {
    let text = "package org.example;\n\npublic class Words {\n    int count(String text) {\n        \
                if (text == null || text.isEmpty()) {\n            return 0;\n        }\n        \
                return text.split(\"<\").length;\n    }\n}\n";
    vec![SourceText {
        path: "org/example/Words.java".into(),
        text: text.into(),
    }]
}

/// Two classes of one file, one without source file, one that could not be used.
pub fn classes() -> Vec<ClassRecord> {
    let constructor = MethodRecord {
        lines: vec![line(3, 9, 3, 3)],
        ..method("<init>", "()V", 9)
    };
    let count = MethodRecord {
        lines: vec![line(5, 4, 5, 5), line(6, 0, 0, 2), line(8, 4, 5, 5)],
        branches: vec![branch(1, 5, &[4, 0]), branch(8, 5, &[4, 0])],
        ..method("count", "(Ljava/lang/String;)I", 4)
    };
    let hidden = MethodRecord {
        lines: vec![line(12, 0, 0, 4)],
        branches: vec![branch(3, 12, &[0, 0, 0])],
        reason: reason("no-instance", "no value of type `java.sql.Connection`"),
        ..method("store", "(Ljava/sql/Connection;[J)V", 0)
    };
    let lambda = MethodRecord {
        lines: vec![line(8, 2, 2, 2)],
        ..method("lambda$count$0", "(I)I", 2)
    };
    let class = |name: &str, file: Option<&str>, methods: Vec<MethodRecord>| ClassRecord {
        name: name.into(),
        source_file: file.map(str::to_owned),
        methods,
        suite: None,
        reason: None,
    };
    let unnamed = MethodRecord {
        branches: vec![BranchRecord {
            offset: 4,
            line: None,
            sides: vec![1, 2],
        }],
        ..method("a", "(II)Z", 3)
    };
    let broken = ClassRecord {
        reason: reason("does-not-link", ""),
        ..class("org/example/Broken", Some("Broken.java"), vec![])
    };
    vec![
        class("Bare", None, vec![unnamed]),
        broken,
        class(
            "org/example/Words",
            Some("Words.java"),
            vec![constructor, count, lambda],
        ),
        class("org/example/Words$Store", Some("Words.java"), vec![hidden]),
    ]
}

/// A failure; every second one is of a contract on values.
pub fn failure(index: u32) -> JvmFailureRecord {
    let frame = |class: &str, method: &str, file: &str, line: u32, own: bool| FrameRecord {
        class: class.into(),
        method: method.into(),
        file: Some(file.into()),
        line: Some(line),
        own,
    };
    let of_values = index % 2 == 1;
    JvmFailureRecord {
        signature: format!("NullPointerException org.example.Words.count:{index}"),
        contract: if of_values {
            "equals-reflexive"
        } else {
            "no-null-pointer-exception"
        }
        .into(),
        message: "Cannot invoke \"String.trim()\" because \"<local1>\" is null".into(),
        exception: (!of_values).then(|| "java.lang.NullPointerException".into()),
        stack: if of_values {
            vec![]
        } else {
            vec![
                frame(
                    "java.util.Objects",
                    "requireNonNull",
                    "Objects.java",
                    233,
                    false,
                ),
                frame(
                    "org.example.Words$Store",
                    "put",
                    "Words.java",
                    20 + index,
                    true,
                ),
                frame("org.example.Words", "count", "Words.java", 8, true),
            ]
        },
        operation: "org.example.Words.count(String)".into(),
        count: 12,
        first_execution: 340,
        test_source: "Words words = new Words();\nwords.count(\"<a>\");".into(),
        reduced: true,
        test_file: Some("org/example/WordsErrorTest.java".into()),
        test_name: Some("count_text_throwsNullPointerException".into()),
    }
}

/// A run with some failures.
pub fn run(failures: u32) -> JvmRunRecord {
    let end = |end: &str, count: u64| EndCount {
        end: end.into(),
        count,
    };
    let point = |index: u64| CurvePoint {
        executions: index * 100,
        seconds: index as f64 * 0.5,
        goals: vec![index.min(4), index.min(5), index.min(4)],
        failures: 0,
    };
    JvmRunRecord {
        subject: "words.jar".into(),
        guide: "random".into(),
        seed: 7,
        command: "testhound generate words.jar --time 10s --seed 7".into(),
        program: "testhound 0.1.0".into(),
        java: "17.0.2".into(),
        executions: 20_000,
        calls: 131_072,
        elapsed_seconds: 10.0,
        first_test_seconds: Some(0.4),
        stopped_by: "the time budget of 10s".into(),
        ends: vec![end("normal", 18_000), end("exception", 2_000)],
        failures: (0..failures).map(failure).collect(),
        classes: classes(),
        suite_coverage: Some(JvmTotals {
            branch: Counter {
                covered: 4,
                total: 9,
            },
            line: Counter {
                covered: 3,
                total: 5,
            },
            method: Counter {
                covered: 4,
                total: 5,
            },
        }),
        curve: (0..8).map(point).collect(),
        suite_tests: 3,
        suite_assertions: 5,
        suite_files: vec!["org/example/WordsTest.java".into()],
        dropped_tests: vec![left_out("count_1", "failed when run again")],
        dropped_assertions: vec![
            left_out("assertEquals(7, x.hashCode())", "differs between two runs"),
            left_out("assertEquals(9, y.hashCode())", "differs between two runs"),
        ],
        workers_started: 4,
        workers_retired: vec![RetiredRecord {
            reason: "out of memory".into(),
            count: 2,
            example: "new Words().repeat(Integer.MAX_VALUE);".into(),
        }],
        degraded: vec![DegradedRecord {
            class: "org/example/Words".into(),
            method: "<clinit>".into(),
            descriptor: "()V".into(),
            level: "no edges".into(),
        }],
        mutation: Some(MutationTotals {
            mutants: 40,
            killed: 30,
            killed_without_assertions: 20,
            not_covered: 6,
        }),
        sandbox: SandboxRecord {
            state: "full".into(),
            missing: vec![],
            allowed: vec![],
        },
    }
}
