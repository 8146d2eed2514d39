//! SARIF 2.1.0: failures as code-hosting services and editors show them beside the code.
//!
//! One run with one rule per contract and one result per distinct failure: message, place of the topmost frame of the
//! subject, stack, and a fingerprint that stays the same between runs. Only properties of the OASIS standard are used;
//! the reduced test goes into the result's property bag.

use crate::jvm::{FrameRecord, JvmFailureRecord};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Failure<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'a str,
    version: &'a str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    short_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failure<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stacks: Vec<Stack>,
    partial_fingerprints: Fingerprints<'a>,
    occurrence_count: u64,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "failureSignature/v1")]
    signature: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    operation: &'a str,
    test_source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_name: Option<&'a str>,
}

#[derive(Serialize)]
struct Stack {
    message: Message,
    frames: Vec<StackFrame>,
}

#[derive(Serialize)]
struct StackFrame {
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    logical_locations: [LogicalLocation; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

/// The log of some failures. `program` is name and version, for example `testhound 0.1.0`; `place` gives the path to
/// write for a source file such as `org/example/Outer.java`, relative to the folder the reader looks from.
#[must_use]
pub fn document(
    program: &str,
    failures: &[JvmFailureRecord],
    place: &dyn Fn(&str) -> String,
) -> String {
    let contracts: BTreeSet<&str> = failures
        .iter()
        .map(|failure| failure.contract.as_str())
        .collect();
    let contracts: Vec<&str> = contracts.into_iter().collect();
    let rule = |id: &&'_ str| Rule {
        id: contracts[contracts.partition_point(|other| other < id)],
        short_description: message(&id.replace('-', " ")),
    };
    let (name, version) = program.split_once(' ').unwrap_or((program, ""));
    let results = failures
        .iter()
        .map(|failure| result(failure, &contracts, place));
    let run = Run {
        tool: Tool {
            driver: Driver {
                name,
                version,
                rules: contracts.iter().map(rule).collect(),
            },
        },
        column_kind: "utf16CodeUnits",
        results: results.collect(),
    };
    crate::json::pretty(&Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    })
}

fn result<'a>(
    failure: &'a JvmFailureRecord,
    contracts: &[&str],
    place: &dyn Fn(&str) -> String,
) -> Failure<'a> {
    let own = failure.stack.iter().find(|frame| frame.own);
    let frames: Vec<StackFrame> = failure
        .stack
        .iter()
        .map(|frame| StackFrame {
            location: location(frame, place),
        })
        .collect();
    let stack = Stack {
        message: message(failure.exception.as_deref().unwrap_or(&failure.contract)),
        frames,
    };
    Failure {
        rule_id: &failure.contract,
        rule_index: contracts.partition_point(|other| *other < failure.contract.as_str()),
        level: "error",
        message: message(&failure.message),
        locations: own
            .map(|frame| location(frame, place))
            .into_iter()
            .collect(),
        stacks: if failure.stack.is_empty() {
            Vec::new()
        } else {
            vec![stack]
        },
        partial_fingerprints: Fingerprints {
            signature: &failure.signature,
        },
        occurrence_count: failure.count.max(1),
        properties: Properties {
            operation: &failure.operation,
            test_source: &failure.test_source,
            test_file: failure.test_file.as_deref(),
            test_name: failure.test_name.as_deref(),
        },
    }
}

/// The standard wants a text that is not empty.
fn message(text: &str) -> Message {
    let text = crate::escape::visible(text);
    Message {
        text: if text.is_empty() {
            "-".to_owned()
        } else {
            text
        },
    }
}

/// Only frames of the subject have a file that a reader can open.
fn location(frame: &FrameRecord, place: &dyn Fn(&str) -> String) -> Location {
    let file = frame.file.as_ref().filter(|_| frame.own);
    let physical_location = file.map(|file| {
        let path = match frame.class.rsplit_once('.') {
            Some((package, _)) => format!("{}/{file}", package.replace('.', "/")),
            None => file.clone(),
        };
        PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: uri(&place(&path)),
            },
            region: frame
                .line
                .filter(|line| *line > 0)
                .map(|start_line| Region { start_line }),
        }
    });
    Location {
        physical_location,
        logical_locations: [LogicalLocation {
            fully_qualified_name: format!("{}.{}", frame.class, frame.method),
            kind: "function",
        }],
    }
}

/// A path as a relative URI reference (RFC 3986): bytes that are not unreserved or a slash are percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}
