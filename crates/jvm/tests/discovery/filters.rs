//! Patterns, entries and changes since a revision.

use crate::compiler::{compile, compile_text, jdks};
use jvm::discovery::{Discovered, Error, Filters, Inputs, Jdk, Pattern, Since, Subject, discover};
use sandbox::{End, Tool};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "package org.example;
public class Parser {
    public Parser() { }
    public static int parse(String text) { return 1; }
    public static int parse(String text, int[] radix) { return 2; }
    public int rest() { return 3; }
    public static void main(String[] args) { }
    public static class Options { public void strict() { } }
}
class Lexer { static void run() { } void next() { } }
";

fn subject(home: &Path) -> (tempfile::TempDir, Subject) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in compile_text(home, &[], "Parser.java", TEXT) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let subject = Subject::open(&[folder.path().to_owned()], &[], 17).unwrap();
    (folder, subject)
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::new(text)).collect()
}

fn by_class(texts: &[&str]) -> Filters {
    Filters {
        classes: patterns(texts),
        ..Filters::default()
    }
}

fn by_method(texts: &[&str]) -> Filters {
    Filters {
        methods: patterns(texts),
        ..Filters::default()
    }
}

fn by_entry(entry: &str) -> Filters {
    Filters {
        entry: Some(entry.to_owned()),
        ..Filters::default()
    }
}

fn classes(discovered: &Discovered) -> Vec<&str> {
    discovered
        .classes
        .iter()
        .map(|class| class.source_name.as_str())
        .collect()
}

/// The operations to be tested, without those that only make inputs.
fn tested(discovered: &Discovered) -> Vec<&str> {
    let operations = discovered
        .operations
        .iter()
        .zip(&discovered.model.calls.signatures);
    let tested = operations.filter(|(_, signature)| !signature.auxiliary);
    tested
        .map(|(operation, _)| operation.name.as_str())
        .collect()
}

#[test]
fn patterns_choose_classes_packages_and_methods() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let (_folder, subject) = subject(&home);
    let find = |filters: &Filters| discover(&subject, &jdk, filters).unwrap();
    assert_eq!(
        classes(&find(&by_class(&["Parser"]))),
        ["org.example.Parser", "org.example.Parser.Options"]
    );
    assert_eq!(
        classes(&find(&by_class(&["org.example.L*"]))),
        ["org.example.Lexer"]
    );
    assert_eq!(
        classes(&find(&by_class(&["org.example.Parser$Options"]))),
        ["org.example.Parser.Options"]
    );
    let package = Filters {
        packages: patterns(&["org.**"]),
        ..by_class(&["*er"])
    };
    assert_eq!(classes(&find(&package)).len(), 3);

    let one = find(&by_method(&["parse(String)"]));
    assert_eq!(tested(&one), ["org.example.Parser.parse(java.lang.String)"]);
    assert_eq!(classes(&one), ["org.example.Parser"]);
    assert_eq!(one.classes[0].methods.as_ref().unwrap().len(), 1);
    assert!(one.reasons.is_empty(), "{:?}", one.reasons);
    let rest = find(&by_method(&[
        "Parser.re*",
        "org.example.Lexer.<init>",
        "Options.Options",
    ]));
    assert_eq!(
        tested(&rest),
        [
            "new org.example.Lexer()",
            "org.example.Parser.rest()",
            "new org.example.Parser.Options()"
        ]
    );
    // What is not tested is still there to make inputs.
    assert!(
        rest.operations
            .iter()
            .any(|operation| operation.name == "new org.example.Parser()")
    );
}

#[test]
fn unknown_names_are_errors_with_similar_ones() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let (_folder, subject) = subject(&home);
    let error = |filters: &Filters| discover(&subject, &jdk, filters).unwrap_err().to_string();
    assert_eq!(
        error(&by_class(&["Parser", "Lexar"])),
        "no class matches `Lexar`\nhint: did you mean `Lexer`?"
    );
    assert_eq!(
        error(&by_method(&["Parser.pares"])),
        "no method matches `Parser.pares`\nhint: did you mean `Parser.parse`?"
    );
    let package = Filters {
        packages: patterns(&["org.exmaple"]),
        ..Filters::default()
    };
    assert_eq!(
        error(&package),
        "no package matches `org.exmaple`\nhint: did you mean `org.example`?"
    );
    let both = Filters {
        methods: patterns(&["next"]),
        ..by_class(&["Parser"])
    };
    assert!(error(&both).starts_with("no method matches `next`"));
}

#[test]
fn inputs_may_come_from_the_rest_of_the_subject() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let text = "public class User { public void use(Shape shape, Object any) { } }
        interface Shape { Ink ink(); } class Circle implements Shape { Circle(Size[] size) { } public Ink ink() { return null; } }
        enum Size { SMALL } class Ink { } class Other { static Other of() { return null; } }";
    for (name, bytes) in compile_text(&home, &[], "User.java", text) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
    let find = |inputs: Inputs| {
        let filters = Filters {
            inputs,
            ..by_class(&["User"])
        };
        discover(&subject, &jdk, &filters).unwrap()
    };
    let own = find(Inputs::UnderTest);
    assert_eq!(own.operations.len(), 2);
    assert_eq!(
        own.reasons[0].to_string(),
        "User.use(LShape;Ljava/lang/Object;)V: parameter-only-null (Shape)"
    );
    let all = find(Inputs::Everywhere);
    let names: Vec<&str> = all.operations.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "new User()",
            "User.use(Shape, java.lang.Object)",
            "new Circle(Size[])",
            "new Shape() {Empty}",
            "Size.SMALL",
            "new Size[]"
        ]
    );
    assert_eq!(
        tested(&all),
        ["new User()", "User.use(Shape, java.lang.Object)"]
    );
    assert!(all.reasons.is_empty(), "{:?}", all.reasons);
    assert_eq!(classes(&all), ["User"]);
}

#[test]
fn long_arrays_and_those_of_texts_come_from_the_class_library() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let text =
        "public class Packer { public static void pack(byte[] bytes, double[] numbers) { } }";
    for (name, bytes) in compile_text(&home, &[], "Packer.java", text) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
    let filters = Filters {
        inputs: Inputs::Everywhere,
        ..Filters::default()
    };
    let discovered = discover(&subject, &jdk, &filters).unwrap();
    let names = discovered.operations.iter().map(|one| one.name.as_str());
    let mut made: Vec<&str> = names.filter(|name| name.starts_with("java")).collect();
    made.sort_unstable();
    assert_eq!(
        made,
        [
            "java.lang.String.getBytes()",
            "java.util.Arrays.copyOf(byte[], int)",
            "java.util.Arrays.copyOf(double[], int)",
        ]
    );
}

#[test]
fn what_a_class_leaves_open_is_implemented_with_the_types_that_source_has() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let text = "public abstract class Rule extends Base<Integer> implements Comparable<Rule> {
            protected Rule(int least) { } public abstract String toString(); int known() { return 1; } }
        abstract class Base<T> { abstract T same(T one, String two); int known() { return 0; } abstract int other(); }
        abstract class Sure extends Base<String> { final int other() { return 1; } }
        abstract class Pipe extends java.io.InputStream { } abstract class Walk implements java.util.Iterator<Rule> { }
        abstract class Shut { private Shut() { } } sealed interface Closed permits Open { } final class Open implements Closed { }";
    for (name, bytes) in compile_text(&home, &[], "Rule.java", text) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
    let filters = Filters {
        inputs: Inputs::Everywhere,
        ..Filters::default()
    };
    let discovered = discover(&subject, &jdk, &filters).unwrap();
    let made = discovered.model.operations.iter().filter_map(|operation| {
        let implementation = operation.implementation.as_ref()?;
        let methods = implementation.methods.iter().map(|method| {
            let (given, gives) = method.source.clone().unwrap();
            let gives = gives.unwrap_or_default();
            let answer = method.answer(implementation.manner);
            format!("{}({}){gives} {answer:?}", method.name, given.concat())
        });
        let methods: Vec<String> = methods.collect();
        Some(format!("{} {}", operation.owner, methods.join(", ")))
    });
    assert_eq!(
        made.collect::<Vec<_>>(),
        [
            "Base same(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object; Nothing, other()I Number(0)",
            "Base same(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object; Argument(0), other()I Number(1)",
            "Pipe read()I Number(-1)",
            "Rule toString()Ljava/lang/String; Nothing, same(Ljava/lang/Integer;Ljava/lang/String;)Ljava/lang/Integer; Nothing, \
             other()I Number(0), compareTo(LRule;)I Number(0)",
            "Rule toString()Ljava/lang/String; Nothing, same(Ljava/lang/Integer;Ljava/lang/String;)Ljava/lang/Integer; Argument(0), \
             other()I Number(1), compareTo(LRule;)I Number(1)",
            "Sure same(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String; Nothing",
            "Sure same(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String; Argument(0)",
            "Walk hasNext()Z Number(0), next()LRule; Nothing",
        ]
    );
}

#[test]
fn a_pattern_for_a_broken_class_gives_its_reason() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in compile_text(&home, &[], "Good.java", "public class Good { }") {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("Broken.class"), b"broken").unwrap();
    let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
    let discovered = discover(&subject, &jdk, &by_class(&["Broken"])).unwrap();
    assert_eq!(discovered.reasons.len(), 1);
    assert!(discovered.operations.is_empty());
    let discovered = discover(&subject, &jdk, &by_class(&["Good"])).unwrap();
    assert_eq!(discovered.reasons.len(), 0);
}

#[test]
fn an_entry_is_the_one_operation() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let (_folder, subject) = subject(&home);
    let main = discover(&subject, &jdk, &by_entry("org.example.Parser")).unwrap();
    let names: Vec<&str> = main
        .operations
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "org.example.Parser.main(java.lang.String[])",
            "new java.lang.String[]"
        ]
    );
    assert_eq!(main.classes.len(), 3);
    assert!(main.reasons.is_empty());
    let run = discover(&subject, &jdk, &by_entry("org.example.Lexer.run")).unwrap();
    assert_eq!(tested(&run), ["org.example.Lexer.run()"]);
    let one = discover(
        &subject,
        &jdk,
        &by_entry("org.example.Parser.parse(String, int[])"),
    )
    .unwrap();
    assert_eq!(
        tested(&one),
        ["org.example.Parser.parse(java.lang.String, int[])"]
    );
    let error = |entry: &str| {
        discover(&subject, &jdk, &by_entry(entry))
            .unwrap_err()
            .to_string()
    };
    assert!(
        error("org.example.Parser.parse")
            .contains("there are several: `parse(String)`, `parse(String,int[])`")
    );
    assert!(error("org.example.Lexer").contains("`org.example.Lexer` has no static method `main`"));
    assert!(
        error("org.example.Lexr.run").contains("hint: did you mean `org.example.Lexer"),
        "{}",
        error("org.example.Lexr.run")
    );
}

fn git(folder: &Path, args: &[&str]) {
    let mut all = vec![
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ];
    all.extend(args);
    let mut tool = Tool::new(
        PathBuf::from("git"),
        all.iter().map(OsString::from).collect(),
    );
    tool.folder = Some(folder.to_owned());
    let finished = tool.run().unwrap();
    let said = String::from_utf8_lossy(&finished.stderr);
    assert_eq!(finished.end, End::Exited(0), "{said}");
}

const BEFORE: &str = "package a;
public class A {
    public int one() {
        return 1;
    }
    public int two() {
        return 2;
    }
    public Runnable three() {
        return () -> {
            two();
        };
    }
}
";

#[test]
fn only_methods_changed_since_a_revision_are_tested() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src/a/A.java");
    fs::create_dir_all(source.parent().unwrap()).unwrap();
    fs::write(&source, BEFORE).unwrap();
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "before"]);
    let classes = folder.path().join("classes");
    let since = |revision: &str| Filters {
        since: Some(Since {
            revision: revision.to_owned(),
            folder: folder.path().to_owned(),
        }),
        ..Filters::default()
    };
    let changed = |after: &str| -> Result<Vec<String>, Error> {
        fs::write(&source, after).unwrap();
        fs::create_dir_all(&classes).unwrap();
        compile(&home, &[], std::slice::from_ref(&source), &classes);
        let subject = Subject::open(std::slice::from_ref(&classes), &[], jdk.release())?;
        let discovered = discover(&subject, &jdk, &since("HEAD"))?;
        Ok(tested(&discovered)
            .iter()
            .map(|name| (*name).to_owned())
            .collect())
    };
    let same = changed(BEFORE).unwrap_err();
    assert!(matches!(same, Error::NothingChanged { .. }), "{same}");
    assert_eq!(
        changed(&BEFORE.replace("return 2", "return 20")).unwrap(),
        ["a.A.two()"]
    );
    assert_eq!(
        changed(&BEFORE.replace("int two()", "long two()")).unwrap(),
        ["a.A.two()"]
    );
    assert_eq!(
        changed(&BEFORE.replace("            two();", "            one();")).unwrap(),
        ["a.A.three()"]
    );
    let subject = Subject::open(&[classes], &[], jdk.release()).unwrap();
    let unknown = discover(&subject, &jdk, &since("--output=x"))
        .unwrap_err()
        .to_string();
    assert!(
        unknown.contains("cannot find what changed since `--output=x`"),
        "{unknown}"
    );
    assert!(!folder.path().join("x").exists());
}

#[test]
fn inputs_come_from_factories_of_libraries_and_the_jdk_and_their_receivers_are_made_too() {
    let home = jdks().remove(0);
    let jdk = Jdk::open(&home).unwrap();
    let write = |classes: Vec<(String, Vec<u8>)>| {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in classes {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        folder
    };
    // A package with a name like those of the JDK is not of the JDK.
    let text = "package javax.parts; public class Parts { public static Part part() { return new Part(); }
        public static final class Part { private Part() { } } public static final class Gear { private Gear() { } }
        public static class Maker { public Gear build() { return new Gear(); } }
        public interface Listener { void heard(String text); int more(); } }";
    let library = write(compile_text(&home, &[], "Parts.java", text));
    let text = "import javax.parts.Parts; public class User {
        public static void use(Parts.Part part, Parts.Gear gear, Parts.Listener listener) { }
        public static void match(java.util.regex.Matcher matcher) { } }";
    let path = library.path().to_str().unwrap();
    let folder = write(compile_text(&home, &["-cp", path], "User.java", text));
    let open = |path: &tempfile::TempDir| vec![path.path().to_owned()];
    let subject = Subject::open(&open(&folder), &open(&library), jdk.release()).unwrap();
    let filters = Filters {
        inputs: Inputs::Everywhere,
        ..Filters::default()
    };
    let discovered = discover(&subject, &jdk, &filters).unwrap();
    let names: Vec<&str> = discovered
        .operations
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    for wanted in [
        "javax.parts.Parts.part()",
        "javax.parts.Parts.Maker.build()",
        "new javax.parts.Parts.Maker()",
        "new javax.parts.Parts.Listener() {Empty}",
        "java.util.regex.Pattern.compile(java.lang.String)",
        "java.util.regex.Pattern.matcher(java.lang.CharSequence)",
    ] {
        assert!(names.contains(&wanted), "{wanted}: {names:#?}");
    }
    assert!(discovered.reasons.is_empty(), "{:?}", discovered.reasons);
}
