//! The analyses on small programs that the JDK compiles, and on everything in real jars.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use classfile::analysis::calls::{CallGraph, CallKind};
use classfile::analysis::constants::{Environment, Known, Origin, Use, constants};
use classfile::analysis::coverage::{ClassGoals, ProbeId};
use classfile::analysis::flow::{EdgeKind, FlowGraph};
use classfile::analysis::hierarchy::{Hierarchy, MethodId};
use classfile::analysis::lines::Lines;
use classfile::descriptor::Kind;
use classfile::jar::Jar;
use classfile::rewrite::Side;
use classfile::{ClassFile, Error};

fn testdata(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/analysis");
    folder.join(file)
}

/// The classes of a compiled file, by name.
type Classes = BTreeMap<String, Vec<u8>>;

/// Compiles a file once, whichever tests ask for it.
fn compile(file: &str, options: &[&str]) -> Classes {
    static DONE: Mutex<BTreeMap<String, Classes>> = Mutex::new(BTreeMap::new());
    let mut done = DONE.lock().unwrap();
    let classes = done.entry(format!("{file} {options:?}"));
    classes
        .or_insert_with(|| run_compiler(file, options))
        .clone()
}

fn run_compiler(file: &str, options: &[&str]) -> Classes {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let compiler = home.map(|home| home.join("bin/javac"));
    let compiler = compiler.filter(|path| path.exists());
    let compiler = compiler.unwrap_or_else(|| "javac".into());
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(compiler);
    command.args(options).arg("-d").arg(folder.path());
    let output = command.arg(testdata(file)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let entries = std::fs::read_dir(folder.path().join("subject")).unwrap();
    let files = entries.map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files
        .map(|bytes| (ClassFile::parse(&bytes).unwrap().name().to_owned(), bytes))
        .collect()
}

/// A method's flow graph, with lines named by the comments at their end.
struct Shown {
    flow: FlowGraph,
    lines: Lines,
    names: BTreeMap<u32, String>,
}

impl Shown {
    fn of(class: &ClassFile, method: &str) -> Shown {
        let source = std::fs::read_to_string(testdata("Flows.java")).unwrap();
        let names = source.lines().zip(1..).filter_map(|(line, number)| {
            let (_, comment) = line.split_once("// ")?;
            Some((number, comment.to_owned()))
        });
        let mut members = class.methods.iter();
        let member = members.find(|member| member.name(&class.pool) == method);
        let code = member.unwrap().code(&class.pool).unwrap().unwrap();
        Shown {
            flow: FlowGraph::of(&code),
            lines: Lines::of(&code, &class.pool).unwrap(),
            names: names.collect(),
        }
    }

    fn name(&self, pc: u32) -> Option<&str> {
        let line = self.lines.at(pc)?;
        self.names.get(&line).map(String::as_str)
    }

    /// The named lines whose blocks depend on a side of the named line.
    fn depends(&self, on: &str, side: Side) -> BTreeSet<&str> {
        let dependences = self.flow.control_dependence();
        let wanted = dependences.iter().filter(|dependence| {
            let edge = self.flow.edges[dependence.edge];
            let last = self.flow.blocks[edge.from.0].last;
            edge.kind == EdgeKind::Side(side) && self.name(last) == Some(on)
        });
        let starts = wanted.map(|dependence| self.flow.blocks[dependence.node].start);
        starts.filter_map(|start| self.name(start)).collect()
    }
}

fn flows() -> Vec<u8> {
    compile("Flows.java", &[]).remove("subject/Flows").unwrap()
}

#[test]
fn arms_depend_on_their_side_and_the_join_on_none() {
    let bytes = flows();
    let class = ClassFile::parse(&bytes).unwrap();
    let shown = Shown::of(&class, "arms");
    assert_eq!(
        shown.depends("condition", Side::Fall),
        BTreeSet::from(["then"])
    );
    assert_eq!(
        shown.depends("condition", Side::Taken),
        BTreeSet::from(["else"])
    );
    assert_eq!(shown.lines.count(), 5);
}

#[test]
fn nested_loops_are_found_with_their_back_edges() {
    let bytes = flows();
    let class = ClassFile::parse(&bytes).unwrap();
    let shown = Shown::of(&class, "loop");
    let loops = shown.flow.loops();
    assert_eq!((loops.loops.len(), loops.back_edges.len()), (2, 2));
    let depth = |name: &str| {
        let blocks = shown.flow.blocks.iter().enumerate();
        let named = blocks.filter(|(_, block)| shown.name(block.start) == Some(name));
        named.map(|(number, _)| loops.depth(number)).max()
    };
    assert_eq!(depth("body"), Some(2));
    assert_eq!(depth("after"), Some(0));
    let inner = shown.depends("inner", Side::Fall);
    assert!(inner.contains("body") && !inner.contains("after"));
}

#[test]
fn an_endless_loop_has_control_dependence() {
    let bytes = flows();
    let class = ClassFile::parse(&bytes).unwrap();
    let shown = Shown::of(&class, "endless");
    assert!(shown.depends("asked", Side::Fall).contains("asked-for"));
    assert!(!shown.depends("asked", Side::Taken).contains("asked-for"));
}

#[test]
fn handlers_and_switches_have_edges_of_their_own() {
    let bytes = flows();
    let class = ClassFile::parse(&bytes).unwrap();
    let caught = Shown::of(&class, "caught");
    let thrown = |edge: &&classfile::analysis::flow::Edge| edge.kind == EdgeKind::Exception(0);
    let edge = caught.flow.edges.iter().find(thrown).unwrap();
    let start = |block: usize| caught.flow.blocks[block].start;
    assert_eq!(caught.name(start(edge.from.0)), Some("parse"));
    assert!(start(edge.to.0) > start(edge.from.0));
    let chosen = Shown::of(&class, "chosen");
    for (side, line) in [
        (Side::Case(1), "one"),
        (Side::Case(2), "few"),
        (Side::Case(3), "few"),
        (Side::Default, "many"),
    ] {
        assert_eq!(chosen.depends("switch", side), BTreeSet::from([line]));
    }
}

/// The constants of a method of the subject, compiled for this release.
fn uses(release: &str, method: &str) -> Vec<Use> {
    let classes = compile("Constants.java", &["--release", release]);
    let parsed: Vec<ClassFile> = classes
        .values()
        .map(|bytes| ClassFile::parse(bytes).unwrap())
        .collect();
    let mut environment = Environment::default();
    for class in &parsed {
        environment.add(class).unwrap();
    }
    let class = parsed
        .iter()
        .find(|class| class.name() == "subject/Constants")
        .unwrap();
    let mut members = class.methods.iter();
    let number = members.position(|member| member.name(&class.pool) == method);
    constants(class, number.unwrap(), &environment).unwrap()
}

fn values(uses: &[Use], origin: Origin) -> Vec<Known> {
    let some = uses.iter().filter(|one| one.origin == origin);
    some.map(|one| one.value.clone()).collect()
}

fn text(text: &str) -> Known {
    Known::Text(text.into())
}

#[test]
fn arithmetic_on_constants_is_folded() {
    let folded = values(&uses("17", "arithmetic"), Origin::Folded);
    for expected in [
        Known::Long(42),
        Known::Int(49),
        Known::Double(3.5f64.to_bits()),
        Known::Int(42),
        Known::Int(14),
    ] {
        assert!(folded.contains(&expected), "{expected:?} in {folded:?}");
    }
}

#[test]
fn concatenations_are_folded_in_both_styles() {
    for release in ["8", "17"] {
        let folded = values(&uses(release, "joined"), Origin::Folded);
        assert_eq!(folded, vec![text("Hello, 3!")], "release {release}");
        assert_eq!(
            values(&uses(release, "unknown"), Origin::Folded),
            vec![],
            "release {release}"
        );
    }
}

#[test]
fn builders_are_followed_up_to_where_paths_differ() {
    let uses = uses("17", "builders");
    assert_eq!(values(&uses, Origin::Folded), vec![]);
    let literals = values(&uses, Origin::Literal);
    assert_eq!(
        literals,
        vec![text("ab"), text("cd"), text("ef"), text("gh")]
    );
}

#[test]
fn switch_keys_strings_and_enum_constants_are_found() {
    let uses = uses("17", "switched");
    let keys = values(&uses, Origin::SwitchKey);
    assert!(keys.contains(&Known::Int(-5)) && keys.contains(&Known::Int(1000)));
    assert!(values(&uses, Origin::Literal).contains(&text("north")));
    let high = Known::Enum {
        class: "subject/Constants$Level".into(),
        name: "HIGH".into(),
    };
    assert_eq!(values(&uses, Origin::Static), vec![high]);
}

#[test]
fn static_finals_and_class_literals_are_known() {
    assert_eq!(
        values(&uses("17", "field"), Origin::Static),
        vec![Known::Int(42)]
    );
    assert_eq!(
        values(&uses("17", "literal"), Origin::Literal),
        vec![Known::Class("java/lang/String".into())]
    );
}

#[test]
fn uses_tell_the_type() {
    let uses = uses("17", "typed");
    let kind = |value: i32| {
        let one = uses.iter().find(|one| one.value == Known::Int(value));
        one.unwrap().kind
    };
    assert_eq!(kind('x' as i32), Kind::Char);
    assert_eq!(kind('y' as i32), Kind::Char);
    assert_eq!(kind(1), Kind::Boolean);
}

#[test]
fn what_loops_and_handlers_change_is_unknown() {
    let looped = values(&uses("17", "looped"), Origin::Folded);
    assert_eq!(looped, vec![]);
    let caught = values(&uses("17", "caught"), Origin::Folded);
    assert_eq!(caught, vec![Known::Int(30)]);
}

/// The call graph of the subject, by names.
struct Calls {
    hierarchy: Hierarchy,
    graph: CallGraph,
}

impl Calls {
    fn of() -> Calls {
        let classes = compile("Calls.java", &[]);
        let parsed: Vec<ClassFile> = classes
            .values()
            .map(|bytes| ClassFile::parse(bytes).unwrap())
            .collect();
        let mut hierarchy = Hierarchy::default();
        for class in &parsed {
            hierarchy.add(class).unwrap();
        }
        let all: Vec<&ClassFile> = parsed.iter().collect();
        let graph = CallGraph::of(&hierarchy, &all).unwrap();
        Calls { hierarchy, graph }
    }

    fn name(&self, id: MethodId) -> String {
        let class = self.hierarchy.class(id.class);
        let simple = class.name.trim_start_matches("subject/");
        format!("{simple}.{}", class.methods[id.method].0)
    }

    fn from(&self, name: &str) -> Vec<(String, CallKind)> {
        let calls = self.graph.calls.iter();
        let calls = calls.filter(|call| self.name(call.from) == name);
        let mut found: Vec<_> = calls.map(|call| (self.name(call.to), call.kind)).collect();
        found.sort();
        found
    }
}

#[test]
fn interface_calls_lead_to_all_implementations() {
    let calls = Calls::of();
    let expected = ["Circle.area", "Polygon.area", "Square.area"];
    let expected = expected.map(|name| (name.to_owned(), CallKind::Interface));
    assert_eq!(calls.from("Calls.measure"), expected);
    let expected = ["Circle.twice", "Shape.twice"];
    let expected = expected.map(|name| (name.to_owned(), CallKind::Interface));
    assert_eq!(calls.from("Calls.doubled"), expected);
    let expected = [("Triangle.sides".to_owned(), CallKind::Virtual)];
    assert_eq!(calls.from("Polygon.area"), expected);
    let expected = [("Shape.twice".to_owned(), CallKind::Special)];
    assert_eq!(calls.from("Circle.twice"), expected);
}

#[test]
fn lambdas_references_and_initialisers_are_called() {
    let calls = Calls::of();
    let expected = [
        ("Calls.lambda$later$0".to_owned(), CallKind::Dynamic),
        ("Triangle.sides".to_owned(), CallKind::Dynamic),
    ];
    assert_eq!(calls.from("Calls.later"), expected);
    let expected = [
        ("Circle.<clinit>".to_owned(), CallKind::Initialiser),
        ("Circle.<init>".to_owned(), CallKind::Special),
    ];
    assert_eq!(calls.from("Calls.make"), expected);
}

#[test]
fn recursion_makes_a_component_and_lines_add_up() {
    let calls = Calls::of();
    let components = calls.graph.graph().components();
    let names = |component: &Vec<usize>| -> BTreeSet<String> {
        let methods = component.iter().map(|number| calls.graph.methods[*number]);
        methods.map(|method| calls.name(method)).collect()
    };
    let pair = BTreeSet::from(["Calls.even".to_owned(), "Calls.odd".to_owned()]);
    assert!(components.iter().any(|component| names(component) == pair));
    let reachable = calls.graph.reachable_lines();
    let lines = |name: &str| {
        let mut methods = calls.graph.methods.iter();
        let number = methods.position(|method| calls.name(*method) == name);
        reachable[number.unwrap()]
    };
    assert_eq!(lines("Calls.even"), 2);
    // Itself, the three areas, and the sides of triangles.
    assert_eq!(lines("Calls.measure"), 5);
}

/// Runs every analysis on a class; gives how many goals it has.
fn analyse(class: &ClassFile) -> Result<usize, Error> {
    let mut environment = Environment::default();
    environment.add(class)?;
    for (number, method) in class.methods.iter().enumerate() {
        if let Some(code) = method.code(&class.pool)? {
            let flow = FlowGraph::of(&code);
            let covered: u32 = flow
                .blocks
                .iter()
                .map(|block| block.end - block.start)
                .sum();
            assert_eq!(covered as usize, code.bytes.len());
            flow.loops();
            flow.control_dependence();
            Lines::of(&code, &class.pool)?;
        }
        constants(class, number, &environment)?;
    }
    let mut hierarchy = Hierarchy::default();
    hierarchy.add(class);
    CallGraph::of(&hierarchy, &[class])?.reachable_lines();
    let goals = ClassGoals::of(class)?;
    let all: Vec<ProbeId> = (0..goals.probes.len())
        .map(|probe| ProbeId(probe as u32))
        .collect();
    let covered = goals.goals_of(&all);
    assert_eq!(
        covered.len(),
        goals.goals.len(),
        "all probes cover all goals"
    );
    Ok(goals.goals.len())
}

fn library(name: &str) -> Vec<u8> {
    let path = Path::new("/usr/share/java").join(format!("{name}.jar"));
    std::fs::read(path).expect("`scripts/install` installs it")
}

#[test]
fn all_analyses_run_on_every_class_of_real_jars() {
    let mut goals = 0;
    for name in ["asm", "bsh", "commons-lang3"] {
        let bytes = library(name);
        let jar = Jar::parse(&bytes).unwrap();
        for entry in jar.entries().filter(|entry| entry.name.ends_with(".class")) {
            let bytes = jar.read(entry).unwrap();
            let class = ClassFile::parse(&bytes).unwrap();
            let found = analyse(&class);
            goals += found.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        }
    }
    assert!(goals > 10_000, "only {goals} goals");
}

#[test]
fn broken_classes_give_errors_and_never_a_panic() {
    let bytes = library("bsh");
    let jar = Jar::parse(&bytes).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut read, mut refused) = (0, 0);
    for entry in jar.entries().filter(|entry| entry.name.ends_with(".class")) {
        for _ in 0..6 {
            let mut bytes = jar.read(entry).unwrap().into_owned();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
            }
            let analysed = ClassFile::parse(&bytes).and_then(|class| broken(&class));
            match analysed {
                Ok(()) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 50 && refused > 50, "{read} read, {refused} refused");
}

/// Runs every analysis on a class whose code may be nonsense.
fn broken(class: &ClassFile) -> Result<(), Error> {
    let mut environment = Environment::default();
    environment.add(class)?;
    for (number, method) in class.methods.iter().enumerate() {
        if let Some(code) = method.code(&class.pool)? {
            let flow = FlowGraph::of(&code);
            flow.loops();
            flow.control_dependence();
        }
        constants(class, number, &environment)?;
    }
    let mut hierarchy = Hierarchy::default();
    hierarchy.add(class);
    CallGraph::of(&hierarchy, &[class])?.reachable_lines();
    let goals = ClassGoals::of(class)?;
    goals.goals_of(&[ProbeId(0), ProbeId(1)]);
    Ok(())
}
