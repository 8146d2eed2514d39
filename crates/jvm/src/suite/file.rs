//! Files of a suite: test methods put into classes, with package, imports and the lines on which each method stands.

use super::body::{Body, BodyInput, write_body};
use super::imports::{Imports, marks};
use super::junit::Junit;
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{CLASS, END, Viewpoint, ascii};
use super::{Method, SuiteInput};
use crate::model::JvmModel;
use std::collections::{BTreeMap, BTreeSet};

/// A class of tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestClass {
    /// Its package, in internal form.
    pub package: String,
    /// Its simple name.
    pub simple: String,
}

/// A file of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    /// Where it belongs below the root of test sources.
    pub path: String,
    /// The class in it, as `Class.forName` takes it.
    pub class: String,
    /// Its text.
    pub text: String,
    /// The methods in it, in their order.
    pub methods: Vec<Place>,
}

/// Where a method stands in its file. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of the method in the suite.
    pub method: usize,
    /// The first and last line.
    pub lines: (u32, u32),
    /// The lines of assertions, with their indices among the method's.
    pub assertions: Vec<(u32, usize)>,
    /// The classes that it names, in internal form.
    pub classes: BTreeSet<String>,
}

impl TestClass {
    /// Its name in internal form.
    pub fn internal(&self) -> String {
        match self.package.as_str() {
            "" => self.simple.clone(),
            package => format!("{package}/{}", self.simple),
        }
    }
}

/// The code of a method of the suite.
pub fn body_of(input: &SuiteInput, types: &Types, method: &Method) -> Result<Body, Reason> {
    let kept = &input.tests[method.test];
    let viewpoint = Viewpoint {
        model: input.model,
        package: &method.class.package,
    };
    let failure = kept.failure.as_ref();
    let body = BodyInput {
        test: &kept.test,
        observed: &kept.observed,
        assertions: &method.assertions,
        contract: failure.and_then(|failure| failure.contract.as_ref()),
        expects_exception: failure.is_none(),
        style: method.style,
    };
    write_body(viewpoint, types, &body)
}

/// Writes all methods into files, both sorted by name. A method that cannot be written is left out.
pub fn write_files(input: &SuiteInput, types: &Types, methods: &[Method]) -> Vec<SuiteFile> {
    let mut classes: BTreeMap<&TestClass, Vec<usize>> = BTreeMap::new();
    for (index, method) in methods.iter().enumerate() {
        classes.entry(&method.class).or_default().push(index);
    }
    let mut files = Vec::new();
    for (class, mut members) in classes {
        members.sort_by(|one, two| methods[*one].name.cmp(&methods[*two].name));
        files.push(write_file(input, types, methods, class, &members));
    }
    files
}

fn write_file(
    input: &SuiteInput,
    types: &Types,
    methods: &[Method],
    class: &TestClass,
    members: &[usize],
) -> SuiteFile {
    let junit = input.options.junit;
    let mut draft = Draft::default();
    for &member in members {
        let method = &methods[member];
        let Ok(body) = body_of(input, types, method) else {
            continue;
        };
        let failure = input.tests[method.test].failure.as_ref();
        let note = failure.map(|failure| failure.failure.message.as_str());
        let viewpoint = Viewpoint {
            model: input.model,
            package: &class.package,
        };
        draft.method(member, &method.name, &body, note, junit, (viewpoint, types));
    }
    let texts = draft.lines.iter().map(String::as_str);
    let imports = Imports::of(input.model, &class.package, &class.simple, junit, texts);
    let head = head(input.model, class, junit, &imports, &draft);
    let offset = head.len() as u32;
    let lines = draft.lines.iter().map(|line| imports.resolve(line));
    let mut text: String = head
        .into_iter()
        .chain(lines)
        .map(|line| line + "\n")
        .collect();
    text.push_str("}\n");
    for place in &mut draft.places {
        place.lines.0 += offset;
        place.lines.1 += offset;
        for assertion in &mut place.assertions {
            assertion.0 += offset;
        }
    }
    SuiteFile {
        path: format!("{}.java", class.internal()),
        class: class.internal().replace('/', "."),
        text,
        methods: draft.places,
    }
}

/// A file without its head.
#[derive(Default)]
struct Draft {
    lines: Vec<String>,
    places: Vec<Place>,
}

impl Draft {
    fn method(
        &mut self,
        index: usize,
        name: &str,
        body: &Body,
        note: Option<&str>,
        junit: Junit,
        (viewpoint, types): (Viewpoint, &Types),
    ) {
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        let first = self.lines.len();
        if let Some(note) = note {
            self.lines.push(format!("    // fails: {}", comment(note)));
        }
        self.lines
            .push(format!("    @{CLASS}{}{END}", junit.test_annotation()));
        let public = match junit {
            Junit::Five => "",
            Junit::Four => "public ",
        };
        let throws = throws_clause(viewpoint, types, &body.throws);
        self.lines
            .push(format!("    {public}void {name}(){throws} {{"));
        let mut assertions = Vec::new();
        for line in &body.lines {
            self.lines.push(format!("        {}", line.text));
            if let Some(assertion) = line.assertion {
                assertions.push((self.lines.len() as u32, assertion));
            }
        }
        self.lines.push("    }".to_owned());
        let own = &self.lines[first..];
        let classes = own.iter().flat_map(|line| marks(line));
        let classes = classes
            .filter(|(kind, _)| *kind == CLASS)
            .map(|(_, class)| class.to_owned())
            .collect();
        self.places.push(Place {
            method: index,
            lines: (first as u32 + 1, self.lines.len() as u32),
            assertions,
            classes,
        });
    }
}

fn head(
    model: &JvmModel,
    class: &TestClass,
    junit: Junit,
    imports: &Imports,
    draft: &Draft,
) -> Vec<String> {
    let mut head = Vec::new();
    if !class.package.is_empty() {
        head.push(format!(
            "package {};",
            ascii(&class.package.replace('/', "."))
        ));
        head.push(String::new());
    }
    for (names, word) in [
        (&imports.statics, "import static"),
        (&imports.classes, "import"),
    ] {
        if !names.is_empty() {
            head.extend(names.iter().map(|name| format!("{word} {name};")));
            head.push(String::new());
        }
    }
    let generic = |class: &String| {
        let facts = model.classes.get(class);
        facts.is_some_and(|facts| {
            facts
                .signature
                .as_deref()
                .is_some_and(|text| text.starts_with('<'))
        })
    };
    if draft
        .places
        .iter()
        .any(|place| place.classes.iter().any(generic))
    {
        head.push("@SuppressWarnings({\"rawtypes\", \"unchecked\"})".to_owned());
    }
    let public = match junit {
        Junit::Five => "",
        Junit::Four => "public ",
    };
    head.push(format!("{public}class {} {{", ascii(&class.simple)));
    head
}

/// What a person wrote or a program said, as the text of a comment on one line.
fn comment(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let plain = |c: char| match c {
        // A backslash with a `u` behind it would be an escape even in a comment.
        '\\' => '/',
        c if c.is_ascii() && !c.is_control() => c,
        _ => '?',
    };
    first.chars().take(150).map(plain).collect()
}

/// ` throws A, B` for the checked ones, or nothing.
fn throws_clause(viewpoint: Viewpoint, types: &Types, throws: &BTreeSet<String>) -> String {
    let checked: Vec<&String> = throws
        .iter()
        .filter(|class| !is_unchecked(types, class))
        .collect();
    if checked.is_empty() {
        return String::new();
    }
    // Who declares an exception need not declare the special cases of it.
    let described = |class: &str| format!("L{class};");
    let general: Vec<&String> = checked
        .iter()
        .filter(|one| {
            let covered =
                |other: &&String| **one != *other && types.fits(&described(one), &described(other));
            !checked.iter().any(covered)
        })
        .copied()
        .collect();
    let checked = general;
    let mark = |class: &str| format!("{CLASS}{class}{END}");
    let names: Option<Vec<String>> = checked
        .iter()
        .map(|class| viewpoint.class(class).ok())
        .collect();
    let widest = |class: &str| checked.iter().any(|one| *one == class);
    let text = match names {
        _ if widest("java/lang/Throwable") => mark("java/lang/Throwable"),
        Some(names) if names.len() <= 2 && !widest("java/lang/Exception") => names.join(", "),
        _ => mark("java/lang/Exception"),
    };
    format!(" throws {text}")
}

fn is_unchecked(types: &Types, class: &str) -> bool {
    const CHECKED: [&str; 9] = [
        "Exception",
        "ClassNotFoundException",
        "CloneNotSupportedException",
        "IllegalAccessException",
        "InstantiationException",
        "InterruptedException",
        "NoSuchFieldException",
        "NoSuchMethodException",
        "ReflectiveOperationException",
    ];
    let descriptor = format!("L{class};");
    let below = |parent: &str| types.fits(&descriptor, parent);
    let lang = class
        .strip_prefix("java/lang/")
        .is_some_and(|name| !name.contains('/') && name != "Throwable" && !CHECKED.contains(&name));
    lang || below("Ljava/lang/RuntimeException;") || below("Ljava/lang/Error;")
}
