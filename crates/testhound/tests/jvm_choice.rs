//! What is tested of Java classes, and how: `--since`, `--entry`, `--fresh-jvm`, `--check`, end to end.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::process::Output;
use support::{Project, code, stderr, stdout, tree};

const SHAPES: &str = "package a;
public class Shapes {
    public int corners(int kind) {
        return kind > 2 ? kind : 0;
    }
    public int area(int width, int height) {
        if (width < 0 || height < 0) {
            return -1;
        }
        return width * height;
    }
}
";

fn record(output: &Output) -> Value {
    // Whatever the subject printed would be no JSON.
    let parsed = serde_json::from_slice(&output.stdout);
    parsed.unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

/// The written suite as one text.
fn suite(project: &Project, out: &str) -> String {
    let files = tree(&project.path(out).join("suite"));
    let texts = files.into_iter().map(|(_, bytes)| bytes);
    texts
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect()
}

#[test]
fn only_what_changed_since_a_revision_is_tested_and_counted() {
    let project = Project::new(&[("src/a/Shapes.java", SHAPES)]);
    for words in [
        &["init", "-q"][..],
        &["add", "src"],
        &["commit", "-q", "-m", "before"],
    ] {
        project.git(words);
    }
    project.compile("src", "classes");
    let words = ["generate", "classes", "--since", "HEAD", "--json"];
    let more = ["--executions", "500", "--mutants", "0", "--out", "out"];
    let words = [&words[..], &more].concat();
    let output = project.run(&words);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("no method of the subject changed since `HEAD`"));

    let after = SHAPES.replace("return -1;", "return 0;");
    std::fs::write(project.path("src/a/Shapes.java"), after).unwrap();
    project.compile("src", "classes");
    let output = project.run(&[&words[..], &["--force"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record = record(&output);
    let methods = record["classes"][0]["methods"].as_array().unwrap();
    let names: Vec<&str> = methods
        .iter()
        .map(|method| method["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["area"]);
    // Two conditions with two sides each; the other method has two more.
    assert_eq!(record["suite-coverage"]["branch"]["covered"], 4);
    assert_eq!(record["suite-coverage"]["branch"]["total"], 4);
    let text = suite(&project, "out");
    assert!(text.contains(".area("), "{text}");
    assert!(!text.contains("corners"), "{text}");
}

const MAIN: &str = "package app;
public class Main {
    public static void main(String[] args) {
        System.out.println(\"usage: none\");
        System.err.println(args.length);
        if (args.length > 1) {
            Helper.help(args[0]);
        }
    }
    public static int other() {
        return 1;
    }
}
class Helper {
    static void help(String text) {
        if (text != null && text.isEmpty()) {
            System.exit(2);
        }
    }
}
";

#[test]
fn an_entry_is_all_that_is_called_and_its_output_is_swallowed() {
    let project = Project::new(&[("src/app/Main.java", MAIN)]);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--entry", "app.Main", "--json"];
    let more = ["--executions", "100", "--mutants", "0", "--out", "out"];
    let output = project.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record = record(&output);
    let classes = record["classes"].as_array().unwrap();
    let names: Vec<&str> = classes
        .iter()
        .map(|class| class["name"].as_str().unwrap())
        .collect();
    let reached = "what the entry reaches counts";
    assert_eq!(names, ["app/Helper", "app/Main"], "{reached}");
    let branch = &record["suite-coverage"]["branch"];
    assert!(branch["covered"].as_u64() > Some(3), "{branch}");
    let text = suite(&project, "out");
    assert!(!text.contains("other()"), "{text}");
    let tests = text.matches("@Test").count();
    assert!(tests > 0);
    let calls = "a program is started once per test";
    assert_eq!(text.matches("Main.main(").count(), tests, "{calls}: {text}");
}

const FORGETFUL: &str = "package app;
public class Once {
    public static void main(String[] args) {
        if (System.getProperty(\"app.ran\") != null) {
            throw new AssertionError(\"ran before in this JVM\");
        }
        System.setProperty(\"app.ran\", \"yes\");
    }
}
";

#[test]
fn a_fresh_jvm_knows_nothing_of_earlier_tests() {
    let project = Project::new(&[("src/app/Once.java", FORGETFUL)]);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--entry", "app.Once", "--json"];
    let more = ["--executions", "8", "--mutants", "0", "--out"];
    let words = [&words[..], &more].concat();
    let output = project.run(&[&words[..], &["shared"]].concat());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert_eq!(record(&output)["failures"][0]["contract"], "assertion");
    let output = project.run(&[&words[..], &["own", "--fresh-jvm"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let own = record(&output);
    assert_eq!(own["failures"].as_array().unwrap().len(), 0);
    assert!(own["command"].as_str().unwrap().contains("--fresh-jvm"));
}

const RANGE: &str = "package r;
public class Range {
    private int low;
    private int high;
    public Range(int low) {
        this.low = low;
        this.high = low;
    }
    public void widen(int by) {
        low -= by;
        high += by;
    }
    public boolean isSound() {
        return low <= high;
    }
}
";

const EVEN: &str = "package r;
public class Even {
    private int value;
    public void add(int more) {
        value += more;
    }
    @CheckRep
    void verify() {
        if (value % 2 != 0) {
            throw new IllegalStateException(\"odd\");
        }
    }
}
@interface CheckRep {}
";

#[test]
fn objects_that_find_themselves_broken_are_failures() {
    let project = Project::new(&[("src/r/Range.java", RANGE), ("src/r/Even.java", EVEN)]);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--check", "isSound", "--json"];
    let more = ["--executions", "2000", "--mutants", "0", "--out", "out"];
    let output = project.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let record = record(&output);
    let failures = record["failures"].as_array().unwrap();
    let mut signatures: Vec<&str> = failures
        .iter()
        .map(|failure| failure["signature"].as_str().unwrap())
        .collect();
    signatures.sort_unstable();
    assert_eq!(signatures.len(), 2, "{signatures:?}");
    assert!(signatures[0].starts_with("check-rep of r.Even by `verify` java.lang.IllegalState"));
    assert_eq!(signatures[1], "check-rep of r.Range by `isSound`");
    let text = suite(&project, "out");
    assert!(text.contains("assertTrue(range.isSound())"), "{text}");
    assert!(!text.contains("assertFalse(range.isSound())"), "{text}");
    assert!(text.contains("even.verify();"), "{text}");

    let words = ["generate", "classes", "--check", "isSuond", "--out", "b"];
    let output = project.run(&words);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: did you mean `isSound`?"));
}

const CHANCE: &str = "package a;
public class Chance {
    public static int draw() {
        return new java.util.Random().nextInt(100);
    }
    public static int check(int number) {
        if (number == 7) {
            throw new IllegalArgumentException();
        }
        return number;
    }
    public static String kind(java.io.File file) {
        return file.isDirectory() ? \"folder\" : \"none\";
    }
    public static boolean late() {
        return java.time.LocalDate.now().getMonthValue() > 6;
    }
}
";

#[test]
fn nothing_is_written_that_depends_on_chance_the_clock_or_the_jdk() {
    let project = Project::new(&[("src/a/Chance.java", CHANCE)]);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--guide", "grt", "--json"];
    let more = ["--executions", "3000", "--mutants", "0", "--out", "out"];
    let output = project.run(&[&words[..], &more].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = suite(&project, "out");
    let bodies: Vec<&str> = text.split("@Test").skip(1).collect();
    let with = |word: &str| {
        let found = bodies.iter().filter(|body| body.contains(word));
        found.copied().collect::<Vec<&str>>()
    };
    assert!(!with("check(").is_empty() && !with("kind(").is_empty());
    assert!(with("check(").iter().all(|body| !body.contains("draw()")));
    assert!(
        with("new File(")
            .iter()
            .all(|body| !body.contains("new File(\"\")"))
    );
    assert!(with("late()").iter().all(|body| !body.contains("assert")));
}

const TABLES: &str = "package a;
public class Tables {
    public static Class<?> kind() {
        return Long.class;
    }
    public static int size(java.util.EnumMap<?, ?> table) {
        return table.size();
    }
}
";

#[test]
fn what_the_class_library_throws_at_the_test_itself_is_no_failure_of_the_subject() {
    // `new EnumMap(Class)` throws a null pointer exception for a class that is no enum.
    let project = Project::new(&[("src/a/Tables.java", TABLES)]);
    project.compile("src", "classes");
    let words = ["generate", "classes", "--guide", "grt", "--json"];
    let more = ["--executions", "1000", "--mutants", "0", "--out", "out"];
    let output = project.run(&[&words[..], &more].concat());
    let failures = &record(&output)["failures"];
    assert_eq!(code(&output), 0, "{failures}");
}
