//! JaCoCo's XML report, which build servers and code-quality services read for JVM coverage.
//!
//! Follows the published document type `-//JACOCO//DTD Report 1.1//EN`: packages with classes, methods and source files,
//! lines, and the counters INSTRUCTION, BRANCH, LINE, COMPLEXITY, METHOD and CLASS, of which those over nothing are left
//! out. Source: the JaCoCo documentation, "Coverage Counters", and its report document type.
//!
//! Differences:
//! - There is no `sessioninfo`, so that equal records give equal bytes.
//! - A line whose instructions were not counted is written as one instruction.

use crate::escape::xml_attribute;
use crate::jvm::{ClassRecord, Counter, MethodRecord};
use std::collections::BTreeMap;

/// JaCoCo's six counters.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    instruction: Counter,
    branch: Counter,
    line: Counter,
    complexity: Counter,
    method: Counter,
    class: Counter,
}

/// A line merged over the methods that have code on it.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    instruction: Counter,
    branch: Counter,
}

type Lines = BTreeMap<u32, Line>;

/// The document over some classes; `name` is the report's name.
#[must_use]
pub fn document(name: &str, classes: &[ClassRecord]) -> String {
    let mut packages: BTreeMap<&str, Vec<&ClassRecord>> = BTreeMap::new();
    for class in classes.iter().filter(|class| !class.methods.is_empty()) {
        packages.entry(class.package()).or_default().push(class);
    }
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n",
    );
    text += &format!("<report name=\"{}\">\n", xml_attribute(name));
    let mut counters = Counters::default();
    for (package, classes) in packages {
        counters.add(push_package(&mut text, package, &classes));
    }
    counters.push(&mut text, 1);
    text += "</report>\n";
    text
}

fn push_package(text: &mut String, package: &str, classes: &[&ClassRecord]) -> Counters {
    *text += &format!("  <package name=\"{}\">\n", xml_attribute(package));
    let mut files: BTreeMap<&str, Vec<&ClassRecord>> = BTreeMap::new();
    let mut counters = Counters::default();
    for class in classes {
        let of_class = push_class(text, class);
        match &class.source_file {
            Some(file) => files.entry(file).or_default().push(class),
            None => counters.add(of_class),
        }
    }
    for (file, classes) in files {
        counters.add(push_source_file(text, file, &classes));
    }
    counters.push(text, 2);
    *text += "  </package>\n";
    counters
}

fn push_class(text: &mut String, class: &ClassRecord) -> Counters {
    *text += &format!("    <class name=\"{}\"", xml_attribute(&class.name));
    if let Some(file) = &class.source_file {
        *text += &format!(" sourcefilename=\"{}\"", xml_attribute(file));
    }
    *text += ">\n";
    for method in &class.methods {
        push_method(text, method);
    }
    let counters = Counters::of_class(class);
    counters.push(text, 3);
    *text += "    </class>\n";
    counters
}

fn push_method(text: &mut String, method: &MethodRecord) {
    *text += &format!(
        "      <method name=\"{}\" desc=\"{}\"",
        xml_attribute(&method.name),
        xml_attribute(&method.descriptor)
    );
    if let Some(line) = method.lines.iter().map(|line| line.line).min() {
        *text += &format!(" line=\"{line}\"");
    }
    *text += ">\n";
    let mut counters = Counters::of_method(method);
    counters.count_lines(&lines([method].into_iter()));
    counters.push(text, 4);
    *text += "      </method>\n";
}

fn push_source_file(text: &mut String, file: &str, classes: &[&ClassRecord]) -> Counters {
    *text += &format!("    <sourcefile name=\"{}\">\n", xml_attribute(file));
    let lines = lines(classes.iter().flat_map(|class| &class.methods));
    for (number, line) in &lines {
        *text += &format!(
            "      <line nr=\"{number}\" mi=\"{}\" ci=\"{}\" mb=\"{}\" cb=\"{}\"/>\n",
            line.instruction.missed(),
            line.instruction.covered,
            line.branch.missed(),
            line.branch.covered
        );
    }
    let mut counters = Counters::default();
    for class in classes {
        counters.add(Counters::of_class(class));
    }
    counters.count_lines(&lines);
    counters.push(text, 3);
    *text += "    </sourcefile>\n";
    counters
}

/// The lines of some methods. A branch on a line without instructions of its own still counts there.
fn lines<'a>(methods: impl Iterator<Item = &'a MethodRecord>) -> Lines {
    let mut lines = Lines::new();
    for method in methods {
        for line in &method.lines {
            lines.entry(line.line).or_default().instruction += line.counter();
        }
        for branch in &method.branches {
            if let Some(line) = branch.line {
                lines.entry(line).or_default().branch += branch.counter();
            }
        }
    }
    lines
}

impl Counters {
    /// The counters of a method, without lines.
    fn of_method(method: &MethodRecord) -> Self {
        let entered = Counter::one(method.tests > 0);
        let mut counters = Self {
            method: entered,
            complexity: entered,
            ..Self::default()
        };
        match method.instructions {
            Some(instructions) => counters.instruction = instructions,
            None => {
                for line in &method.lines {
                    counters.instruction += line.counter();
                }
            }
        }
        for branch in &method.branches {
            let sides = branch.counter();
            counters.branch += sides;
            // The first side is the path that every method has; each further one adds a path.
            counters.complexity += Counter {
                covered: sides.covered.saturating_sub(1),
                total: sides.total.saturating_sub(1),
            };
        }
        counters
    }

    fn of_class(class: &ClassRecord) -> Self {
        let mut counters = Self::default();
        for method in &class.methods {
            counters.add(Self::of_method(method));
        }
        counters.class = Counter::one(counters.method.covered > 0);
        counters.count_lines(&lines(class.methods.iter()));
        counters
    }

    fn count_lines(&mut self, lines: &Lines) {
        self.line = Counter::default();
        for line in lines.values().filter(|line| line.instruction.total > 0) {
            self.line += Counter::one(line.instruction.covered > 0);
        }
    }

    fn add(&mut self, other: Self) {
        self.instruction += other.instruction;
        self.branch += other.branch;
        self.line += other.line;
        self.complexity += other.complexity;
        self.method += other.method;
        self.class += other.class;
    }

    fn push(&self, text: &mut String, depth: usize) {
        let all = [
            ("INSTRUCTION", self.instruction),
            ("BRANCH", self.branch),
            ("LINE", self.line),
            ("COMPLEXITY", self.complexity),
            ("METHOD", self.method),
            ("CLASS", self.class),
        ];
        for (name, counter) in all.into_iter().filter(|(_, counter)| counter.total > 0) {
            *text += &format!(
                "{}<counter type=\"{name}\" missed=\"{}\" covered=\"{}\"/>\n",
                "  ".repeat(depth),
                counter.missed(),
                counter.covered
            );
        }
    }
}
