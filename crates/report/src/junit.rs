//! JUnit XML, the format that build servers read test results from.
//!
//! There is no official schema; this follows what Jenkins, GitLab and Maven Surefire share: `testsuites`, `testsuite`,
//! `testcase`, `failure`, `error`, `skipped`, `system-out`. Characters that XML forbids are replaced, never dropped.
//! No time stamps are written, so equal results give equal bytes.

use crate::escape::{xml, xml_attribute};

/// Results that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct TestSuite {
    /// Its name, usually the subject.
    pub name: String,
    /// The results.
    pub cases: Vec<TestCase>,
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestCase {
    /// Its name, unique within its class.
    pub name: String,
    /// What it is filed under, for example `cal.cases`.
    pub class_name: String,
    /// How long it took.
    pub seconds: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// What it printed; may be empty.
    pub system_out: String,
}

/// How a test ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// An oracle saw a failure.
    Failed(Reason),
    /// The test could not be run.
    Error(Reason),
    /// It was not run, for this reason.
    Skipped(String),
}

/// Why a test failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The kind of failure, for example `signal`.
    pub kind: String,
    /// One line.
    pub message: String,
    /// Everything else.
    pub text: String,
}

/// Counts over cases, as attributes want them.
#[derive(Debug, Default)]
struct Totals {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl Totals {
    fn of<'a>(cases: impl Iterator<Item = &'a TestCase>) -> Self {
        let mut totals = Self::default();
        for case in cases {
            totals.tests += 1;
            totals.seconds += if case.seconds.is_finite() {
                case.seconds
            } else {
                0.0
            };
            match case.outcome {
                Outcome::Passed => {}
                Outcome::Failed(_) => totals.failures += 1,
                Outcome::Error(_) => totals.errors += 1,
                Outcome::Skipped(_) => totals.skipped += 1,
            }
        }
        totals
    }

    fn attributes(&self) -> String {
        let Self {
            tests,
            failures,
            errors,
            skipped,
            seconds,
        } = self;
        format!(
            "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{}\"",
            time(*seconds)
        )
    }
}

/// Writes the suites as one XML document.
#[must_use]
pub fn document(suites: &[TestSuite]) -> String {
    let totals = Totals::of(suites.iter().flat_map(|suite| &suite.cases));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text += &format!("<testsuites {}>\n", totals.attributes());
    for suite in suites {
        let totals = Totals::of(suite.cases.iter());
        text += &format!(
            "  <testsuite name=\"{}\" {}>\n",
            xml_attribute(&suite.name),
            totals.attributes()
        );
        for case in &suite.cases {
            push_case(&mut text, case);
        }
        text += "  </testsuite>\n";
    }
    text += "</testsuites>\n";
    text
}

fn push_case(text: &mut String, case: &TestCase) {
    *text += &format!(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{}\"",
        xml_attribute(&case.name),
        xml_attribute(&case.class_name),
        time(case.seconds)
    );
    let mut inner = match &case.outcome {
        Outcome::Passed => String::new(),
        Outcome::Failed(reason) => reason_element("failure", reason),
        Outcome::Error(reason) => reason_element("error", reason),
        Outcome::Skipped(message) => {
            format!("      <skipped message=\"{}\"/>\n", xml_attribute(message))
        }
    };
    if !case.system_out.is_empty() {
        inner += &format!("      <system-out>{}</system-out>\n", xml(&case.system_out));
    }
    *text += &if inner.is_empty() {
        "/>\n".to_owned()
    } else {
        format!(">\n{inner}    </testcase>\n")
    };
}

fn reason_element(name: &str, reason: &Reason) -> String {
    let (kind, message) = (xml_attribute(&reason.kind), xml_attribute(&reason.message));
    format!(
        "      <{name} type=\"{kind}\" message=\"{message}\">{}</{name}>\n",
        xml(&reason.text)
    )
}

fn time(seconds: f64) -> String {
    if seconds.is_finite() {
        crate::number::fixed(seconds, 3)
    } else {
        "0.000".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    fn case(name: &str, outcome: Outcome) -> TestCase {
        let (class_name, system_out) = ("cal.cases".to_owned(), String::new());
        TestCase {
            name: name.to_owned(),
            class_name,
            seconds: 0.0125,
            outcome,
            system_out,
        }
    }

    fn reason(text: &str) -> Reason {
        Reason {
            kind: "signal".into(),
            message: text.into(),
            text: text.into(),
        }
    }

    fn sample() -> Vec<TestSuite> {
        let mut failed = case(
            "case-1",
            Outcome::Failed(reason("SIGSEGV in parse\nat line 3")),
        );
        failed.system_out = "a <b> & \"c\"\n".into();
        let error = case("case-2", Outcome::Error(reason("no such file")));
        let skipped = case("case-3", Outcome::Skipped("needs a network".into()));
        vec![TestSuite {
            name: "cal".into(),
            cases: vec![failed, error, skipped, case("case-4", Outcome::Passed)],
        }]
    }

    /// Reads a document to its end and gives all its text and attribute values.
    fn read(document: &str) -> Vec<String> {
        let mut reader = Reader::from_str(document);
        reader.config_mut().check_end_names = true;
        let (mut values, mut depth) = (Vec::new(), 0);
        loop {
            match reader.read_event().unwrap() {
                Event::Eof => break,
                Event::Start(element) => {
                    depth += 1;
                    values.extend(attributes(&element));
                }
                Event::Empty(element) => values.extend(attributes(&element)),
                Event::End(_) => depth -= 1,
                Event::Text(text) => values.push(text.to_string()),
                Event::GeneralRef(entity) => values.push(format!("&{};", &*entity)),
                _ => {}
            }
        }
        assert_eq!(depth, 0, "every element is closed");
        values
    }

    fn attributes(element: &quick_xml::events::BytesStart<'_>) -> Vec<String> {
        let value = |attribute: quick_xml::events::attributes::Attribute<'_>| {
            attribute
                .normalized_value(quick_xml::XmlVersion::Explicit1_0)
                .unwrap()
                .into_owned()
        };
        element
            .attributes()
            .map(|attribute| value(attribute.unwrap()))
            .collect()
    }

    #[test]
    fn all_outcomes_are_written() {
        insta::assert_snapshot!(document(&sample()));
    }

    #[test]
    fn the_document_is_well_formed_and_keeps_line_feeds_of_attributes() {
        assert!(read(&document(&sample())).contains(&"SIGSEGV in parse\nat line 3".to_owned()));
    }

    #[test]
    fn every_kind_of_character_gives_a_well_formed_document() {
        // Above the basic plane XML allows everything, so its ends stand for it.
        let numbers = (0..0x1_0100).chain(0x10_ff00..=0x10_ffff);
        let every: String = numbers.filter_map(char::from_u32).collect();
        let mut case = case(&every, Outcome::Failed(reason(&every)));
        case.system_out = every.clone();
        let document = document(&[TestSuite {
            name: every,
            cases: vec![case],
        }]);
        let allowed =
            |c: char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
        assert!(
            document.chars().all(allowed),
            "only characters that XML 1.0 allows"
        );
        assert!(read(&document).iter().any(|value| value.contains("␛")));
    }

    #[test]
    fn nothing_to_report_is_still_a_document() {
        assert_eq!(
            read(&document(&[])),
            ["\n", "0", "0", "0", "0", "0.000", "\n", "\n"].map(str::to_owned)
        );
    }

    #[test]
    fn undefined_times_are_written_as_zero() {
        let mut odd = case("a", Outcome::Passed);
        odd.seconds = f64::NAN;
        let document = document(&[TestSuite {
            name: "s".into(),
            cases: vec![odd],
        }]);
        assert!(!document.contains("NaN") && document.contains("time=\"0.000\""));
    }
}
