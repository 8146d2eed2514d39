//! A pytest file from kept tests, with the lines of every assertion, so that single ones can be dropped.

use std::collections::BTreeSet;

use engine::{Failure, Goal, Test};

use super::assertion::{assertions, contract, exception};
use super::body::{Body, body};
use super::imports::Imports;
use super::name::{Outcome, name};
use crate::module::ModuleModel;
use crate::module::oracle::CRASH;
use crate::module::reply::{Seen, Thrown, Violation};

/// A test that is to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptCall {
    /// The test.
    pub test: Test,
    /// The goals it covers.
    pub goals: Vec<Goal>,
    /// What the values are in the end.
    pub values: Vec<Seen>,
    /// What the last step raises.
    pub thrown: Option<Thrown>,
    /// The failure that it shows; a test without one passes.
    pub failure: Option<Failure>,
    /// The contract that it breaks.
    pub violation: Option<Violation>,
}

/// A test as it is written, without its place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTest {
    /// Which of the kept tests it is.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its name where nothing is said about what its last step gives.
    silent: String,
    /// The lines above its assertions, indented.
    pub lines: Vec<String>,
    /// Its assertions, one line each, indented.
    pub assertions: Vec<String>,
}

/// A file of tests.
#[derive(Debug, Clone)]
pub struct TestFile {
    /// The line that says what the file is.
    pub title: String,
    imports: Imports,
    /// The tests.
    pub tests: Vec<WrittenTest>,
}

/// What stands in a line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An assertion: the test and the number of the assertion.
    Assertion(usize, usize),
    /// Another line of a test.
    Test(usize),
}

/// Writes tests of a module.
pub fn write(model: &ModuleModel, title: &str, kept: &[KeptCall]) -> TestFile {
    let mut imports = Imports::of(&model.module).shadowed(model.shadowed);
    // Twice: the first pass finds the imports, whose names variables must not have.
    for one in kept {
        written(model, one, &mut imports);
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut tests = Vec::new();
    // What runs out of memory does so within the bounds of a sandbox.
    let holds = |one: &KeptCall| {
        let thrown = one.thrown.as_ref().filter(|_| one.failure.is_none());
        thrown.is_none_or(|thrown| thrown.class != "builtins.MemoryError")
    };
    for (number, one) in kept.iter().enumerate().filter(|(_, one)| holds(one)) {
        let mut test = written(model, one, &mut imports);
        test.number = number;
        test.name = apart(&test.name, &names);
        names.insert(test.name.clone());
        tests.push(test);
    }
    tests.sort_by(|one, other| one.name.cmp(&other.name));
    TestFile {
        title: title.to_owned(),
        imports,
        tests,
    }
}

/// A name, with a number behind it if it is taken.
fn apart(name: &str, taken: &BTreeSet<String>) -> String {
    let (mut apart, mut times) = (name.to_owned(), 1);
    while taken.contains(&apart) {
        times += 1;
        apart = format!("{name}_{times}");
    }
    apart
}

fn written(model: &ModuleModel, kept: &KeptCall, imports: &mut Imports) -> WrittenTest {
    let steps = kept
        .violation
        .as_ref()
        .map_or(&[][..], |violation| &violation.3[..]);
    let last = kept.test.steps.len().saturating_sub(1) as u32;
    let named: Vec<u32> = steps.iter().copied().filter(|step| *step < last).collect();
    let body = body(model, &kept.test, &named, imports);
    let dies = kept.failure.as_ref().is_some_and(|one| one.oracle == CRASH);
    let outcome = match (&kept.violation, &kept.thrown) {
        _ if dies => Outcome::Dies,
        (Some(violation), _) => Outcome::Breaks(&violation.0),
        (None, Some(thrown)) => Outcome::Raises(thrown),
        (None, None) => Outcome::Gives(kept.values.get(last as usize)),
    };
    let named = |outcome: &Outcome<'_>| name(model, &kept.test, outcome);
    let silent = match &outcome {
        Outcome::Gives(_) => named(&Outcome::Gives(None)),
        outcome => named(outcome),
    };
    let (mut lines, claims) = match (&kept.failure, &kept.thrown) {
        (Some(failure), _) => failing(model, kept, failure, &body, imports),
        (None, Some(thrown)) => raising(thrown, &body, imports),
        (None, None) => {
            let claims = assertions(model, &kept.test, &body, &kept.values, imports);
            (ending(&body, &claims), claims)
        }
    };
    let written = lines.iter_mut().filter(|line| !line.is_empty());
    written.for_each(|line| line.insert_str(0, "    "));
    let assertions = claims
        .into_iter()
        .map(|line| format!("    {line}"))
        .collect();
    WrittenTest {
        number: 0,
        name: named(&outcome),
        silent,
        lines,
        assertions,
    }
}

/// The last step as a statement, with `result` where something is said of it.
fn ending(body: &Body, claims: &[String]) -> Vec<String> {
    let mut lines = body.statements.clone();
    let mentions = |line: &String| line.contains("result");
    if !body.statement && claims.iter().any(mentions) {
        lines.push(format!("result = {}", body.last));
    } else {
        lines.push(body.last.clone());
    }
    lines
}

fn raising(thrown: &Thrown, body: &Body, imports: &mut Imports) -> (Vec<String>, Vec<String>) {
    let class = exception(thrown, imports);
    let pytest = imports.pytest();
    let mut lines = body.statements.clone();
    let message = &thrown.message;
    let plain = message.len() <= 100 && !message.contains("0x") && !message.contains('\n');
    if thrown.explicit && plain && !message.is_empty() {
        lines.push(format!("with {pytest}.raises({class}) as error:"));
        lines.push(format!("    {}", body.last));
        let text = super::literal::quoted(message, false);
        return (lines, vec![format!("assert str(error.value) == {text}")]);
    }
    lines.push(format!("with {pytest}.raises({class}):"));
    lines.push(format!("    {}", body.last));
    (lines, Vec::new())
}

/// A test that fails: what is wrong stands above the last step.
fn failing(
    model: &ModuleModel,
    kept: &KeptCall,
    failure: &Failure,
    body: &Body,
    imports: &mut Imports,
) -> (Vec<String>, Vec<String>) {
    let mut lines = body.statements.clone();
    let message = failure.message.replace('\n', " ");
    let comment = format!("# {}: {message}", failure.oracle);
    if failure.oracle == CRASH {
        return (dying(body, comment, imports), Vec::new());
    }
    let Some(violation) = &kept.violation else {
        lines.push(comment);
        lines.push(body.last.clone());
        return (lines, Vec::new());
    };
    let last = kept.test.steps.len().saturating_sub(1) as u32;
    let names: Vec<String> = violation
        .3
        .iter()
        .map(|step| match body.variables.get(*step as usize) {
            Some(Some(name)) if *step != last => name.clone(),
            _ => "result".to_owned(),
        })
        .collect();
    let claims = contract(model, &kept.test, violation, &names, imports);
    let mut lines = ending(body, &claims);
    lines.push(comment);
    (lines, claims)
}

/// A test that its process does not survive, in a process of its own: others in the file should run.
fn dying(body: &Body, comment: String, imports: &mut Imports) -> Vec<String> {
    let multiprocessing = imports.module("multiprocessing");
    let steps = body.statements.iter().cloned();
    let steps = steps.chain([comment, body.last.clone()]);
    let mut lines = vec!["def steps():".to_owned()];
    lines.extend(steps.map(|line| format!("    {line}")));
    lines.extend([
        String::new(),
        format!("process = {multiprocessing}.get_context(\"fork\").Process(target=steps)"),
        "process.start()".to_owned(),
        "process.join()".to_owned(),
        "assert process.exitcode == 0".to_owned(),
    ]);
    lines
}

impl TestFile {
    /// The text, and what stands in each line, counted from 1.
    pub fn text(&self) -> (String, Vec<Option<Place>>) {
        let mut lines: Vec<String> = vec![format!("\"\"\"{}\"\"\"", self.title), String::new()];
        let body = self.tests.iter();
        let body = body.flat_map(|test| test.lines.iter().chain(&test.assertions));
        let body: Vec<&str> = body.map(String::as_str).collect();
        lines.extend(self.imports.lines(&body));
        let mut places: Vec<Option<Place>> = vec![None; lines.len() + 1];
        for (number, test) in self.tests.iter().enumerate() {
            lines.extend([
                String::new(),
                String::new(),
                format!("def {}():", test.name),
            ]);
            places.extend([None, None, Some(Place::Test(number))]);
            lines.extend(test.lines.iter().cloned());
            places.extend(test.lines.iter().map(|_| Some(Place::Test(number))));
            lines.extend(test.assertions.iter().cloned());
            let claims = 0..test.assertions.len();
            places.extend(claims.map(|claim| Some(Place::Assertion(number, claim))));
        }
        (lines.join("\n") + "\n", places)
    }

    /// Has a test whose assertions all went say nothing about a value, in its name and in its last step.
    pub fn silence(&mut self, number: usize) {
        let others = self.tests.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let taken: BTreeSet<String> = others.map(|(_, test)| test.name.clone()).collect();
        let test = &mut self.tests[number];
        if let Some(last) = test.lines.last_mut()
            && let Some(step) = last.strip_prefix("    result = ")
        {
            *last = format!("    {step}");
        }
        test.name = apart(&test.silent, &taken);
    }

    /// How many assertions its tests have.
    pub fn assertions(&self) -> usize {
        self.tests.iter().map(|test| test.assertions.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str, silent: &str, last: &str) -> WrittenTest {
        WrittenTest {
            number: 0,
            name: name.to_owned(),
            silent: silent.to_owned(),
            lines: vec![format!("    {last}")],
            assertions: Vec::new(),
        }
    }

    #[test]
    fn a_test_without_assertions_says_nothing_about_a_value() {
        let mut file = TestFile {
            title: "A suite.".to_owned(),
            imports: Imports::of("clock"),
            tests: vec![
                test(
                    "test_what_gives_now_gives_5",
                    "test_what_gives_now_ends",
                    "result = clock.what_gives_now()",
                ),
                test(
                    "test_what_gives_now_gives_6",
                    "test_what_gives_now_ends",
                    "result = clock.what_gives_now()",
                ),
                test(
                    "test_what_gives_now_raises_key_error",
                    "test_what_gives_now_raises_key_error",
                    "    clock.what_gives_now()",
                ),
            ],
        };
        (0..3).for_each(|number| file.silence(number));
        let names = file.tests.iter().map(|test| test.name.as_str());
        let expected = [
            "test_what_gives_now_ends",
            "test_what_gives_now_ends_2",
            "test_what_gives_now_raises_key_error",
        ];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        let lines: Vec<&str> = file
            .tests
            .iter()
            .flat_map(|test| &test.lines)
            .map(|line| line.trim())
            .collect();
        assert_eq!(lines, ["clock.what_gives_now()"; 3]);
    }
}
