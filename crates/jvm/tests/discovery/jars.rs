//! Jars of all kinds: versions, signatures, seals, class paths, damage.

use crate::compiler::{compile_text, jar, jdks};
use jvm::discovery::{Deprecated, Discovered, Error, Filters, Jdk, Reason, Subject, discover};
use std::fs;
use std::path::{Path, PathBuf};

const FOO: &str = "package org.example; public class Foo { public int twice(int n) { return 2 * n; } \
    int quiet() { return 1; } static class Bar { public void call() {} } }";

fn one_jdk() -> Jdk {
    Jdk::open(&jdks()[0]).unwrap()
}

fn open(paths: &[PathBuf], classpath: &[PathBuf], jdk: &Jdk) -> Discovered {
    let subject = Subject::open(paths, classpath, jdk.release()).unwrap();
    discover(&subject, jdk, &Filters::default()).unwrap()
}

fn names(discovered: &Discovered) -> Vec<&str> {
    discovered
        .operations
        .iter()
        .map(|one| one.name.as_str())
        .collect()
}

fn reasons(discovered: &Discovered) -> Vec<String> {
    discovered.reasons.iter().map(ToString::to_string).collect()
}

fn write(folder: &Path, name: &str, entries: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, jar(entries)).unwrap();
    path
}

#[test]
fn class_files_of_java_1_4_and_of_the_newest_release_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for home in jdks() {
        let jdk = Jdk::open(&home).unwrap();
        let newest = compile_text(
            &home,
            &[],
            "New.java",
            "public class New { public int m() { return 1; } }",
        );
        // Nothing in this class needs more than Java 1.4, so that only the number differs.
        let mut old = compile_text(&home, &["--release", "8"], "Foo.java", FOO);
        for (_, bytes) in &mut old {
            bytes[6..8].copy_from_slice(&48_u16.to_be_bytes());
        }
        let all = old.iter().chain(&newest);
        let entries: Vec<(&str, &[u8])> = all
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect();
        let path = write(folder.path(), "both.jar", &entries);
        let discovered = open(&[path], &[], &jdk);
        assert_eq!(reasons(&discovered), Vec::<String>::new());
        assert_eq!(
            names(&discovered),
            [
                "new New()",
                "New.m()",
                "new org.example.Foo()",
                "org.example.Foo.twice(int)",
                "org.example.Foo.quiet()",
                "new org.example.Foo.Bar()",
                "org.example.Foo.Bar.call()"
            ]
        );
    }
}

#[test]
fn multi_release_jars_give_what_the_jvm_would_see() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let plain = compile_text(
        jdk.home(),
        &["--release", "8"],
        "A.java",
        "public class A { public void old() {} }",
    );
    let newer = compile_text(
        jdk.home(),
        &["--release", "9"],
        "A.java",
        "public class A { public void current() {} }",
    );
    let entries = |manifest: &'static str| {
        [
            ("META-INF/MANIFEST.MF", manifest.as_bytes()),
            ("A.class", plain[0].1.as_slice()),
            ("META-INF/versions/9/A.class", newer[0].1.as_slice()),
            ("META-INF/versions/99/A.class", b"not for us".as_slice()),
            ("module-info.class", b"left out".as_slice()),
        ]
    };
    let multi = write(
        folder.path(),
        "multi.jar",
        &entries("Multi-Release: true\n"),
    );
    assert_eq!(
        names(&open(&[multi], &[], &jdk)),
        ["new A()", "A.current()"]
    );
    let single = write(
        folder.path(),
        "single.jar",
        &entries("Manifest-Version: 1.0\n"),
    );
    assert_eq!(names(&open(&[single], &[], &jdk)), ["new A()", "A.old()"]);
}

#[test]
fn packages_of_signed_and_sealed_jars_are_closed_to_tests() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let classes = compile_text(jdk.home(), &[], "Foo.java", FOO);
    let manifests: [&[(&str, &[u8])]; 3] = [
        &[
            ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n"),
            ("META-INF/ME.SF", b""),
            ("META-INF/ME.RSA", b""),
        ],
        &[("META-INF/MANIFEST.MF", b"Sealed: true\n")],
        &[(
            "META-INF/MANIFEST.MF",
            b"A: b\n\nName: org/example/\nSealed: true\n",
        )],
    ];
    for manifest in manifests {
        let mut entries = manifest.to_vec();
        entries.extend(
            classes
                .iter()
                .map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        );
        let path = write(folder.path(), "closed.jar", &entries);
        let discovered = open(&[path], &[], &jdk);
        assert_eq!(
            names(&discovered),
            ["new org.example.Foo()", "org.example.Foo.twice(int)"]
        );
        assert_eq!(discovered.packages, [None, None]);
        assert_eq!(
            reasons(&discovered),
            [
                "org/example/Foo.quiet()I: closed-package",
                "org/example/Foo$Bar: closed-package"
            ]
        );
        assert!(discovered.classes.iter().all(|class| class.closed));
    }
}

#[test]
fn broken_classes_get_reasons_and_the_rest_is_discovered() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let classes = compile_text(jdk.home(), &[], "Foo.java", FOO);
    let good = classes
        .iter()
        .find(|(name, _)| name == "org/example/Foo.class")
        .unwrap();
    let mut future = good.1.clone();
    future[6..8].copy_from_slice(&200_u16.to_be_bytes());
    let path = write(
        folder.path(),
        "broken.jar",
        &[
            ("org/example/Foo.class", &good.1),
            ("Cut.class", &good.1[..100]),
            ("Empty.class", b""),
            ("Future.class", &future),
            ("org/example/Moved.class", &good.1),
            ("org/example/Later.class", &future),
        ],
    );
    let mut bytes = fs::read(&path).unwrap();
    // The data of the last entry: the checksum does not fit any more.
    let place = bytes
        .windows(4)
        .rposition(|four| four == b"PK\x01\x02")
        .unwrap();
    let first = bytes
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .unwrap();
    assert!(place > first);
    bytes[first - 20] ^= 0xFF;
    fs::write(&path, &bytes).unwrap();
    let discovered = open(&[path], &[], &jdk);
    assert!(names(&discovered).contains(&"org.example.Foo.twice(int)"));
    let found: Vec<(&str, Reason)> = discovered
        .reasons
        .iter()
        .map(|one| (one.class.as_str(), one.reason))
        .collect();
    assert_eq!(
        found,
        [
            ("Cut", Reason::UnreadableClass),
            ("Empty", Reason::UnreadableClass),
            ("Future", Reason::MisplacedClass),
            ("org/example/Later", Reason::UnreadableClass),
            ("org/example/Moved", Reason::MisplacedClass),
        ]
    );
    assert!(discovered.reasons.iter().all(|one| !one.detail.is_empty()));
}

#[test]
fn classes_of_a_newer_release_than_the_jdk_have_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let mut classes = compile_text(jdk.home(), &[], "A.java", "public class A {}");
    classes[0].1[6..8].copy_from_slice(&(jdk.major() + 1).to_be_bytes());
    let path = write(folder.path(), "new.jar", &[("A.class", &classes[0].1)]);
    let discovered = open(&[path], &[], &jdk);
    let java = jdk.release() + 1;
    assert_eq!(
        reasons(&discovered),
        [format!("A: class-too-new (Java {java})")]
    );
}

#[test]
fn dependencies_come_from_the_class_path_and_from_manifests() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let classes = compile_text(
        jdk.home(),
        &[],
        "All.java",
        "interface Base { } interface Gone { } class Other { } \
         public class All implements Base { public All() {} void take(Other o, Gone g) {} void call(Other o) {} \
         void fail() throws Oops {} } class Sub extends All { } class Oops extends Exception { }",
    );
    let entry = |name: &str| {
        let found = classes
            .iter()
            .find(|(place, _)| *place == format!("{name}.class"));
        (found.unwrap().0.as_str(), found.unwrap().1.as_slice())
    };
    let app = write(
        folder.path(),
        "app.jar",
        &[
            (
                "META-INF/MANIFEST.MF",
                b"Class-Path: base.jar absent.jar other%20one.jar\n",
            ),
            entry("All"),
            entry("Sub"),
        ],
    );
    let without = open(std::slice::from_ref(&app), &[], &jdk);
    assert_eq!(
        reasons(&without),
        ["All: missing-class (Base)", "Sub: missing-class (Base)"]
    );
    assert_eq!(names(&without), Vec::<&str>::new());

    write(folder.path(), "base.jar", &[entry("Base")]);
    write(folder.path(), "other one.jar", &[entry("Other")]);
    let with = open(std::slice::from_ref(&app), &[], &jdk);
    assert_eq!(
        reasons(&with),
        [
            "All.call(LOther;)V: parameter-only-null (Other)",
            "All.fail()V: missing-class (Oops)",
            "All.take(LOther;LGone;)V: missing-class (Gone)",
        ]
    );
    let rest = write(folder.path(), "rest.jar", &[entry("Gone"), entry("Oops")]);
    let all = open(&[app], &[rest, folder.path().join("nowhere.jar")], &jdk);
    assert!(
        !reasons(&all)
            .iter()
            .any(|reason| reason.contains("missing")),
        "{:?}",
        all.reasons
    );
}

#[test]
fn what_is_no_subject_is_said_with_place_cause_and_hint() {
    let folder = tempfile::tempdir().unwrap();
    let absent = Subject::open(&[folder.path().join("absent.jar")], &[], 17).unwrap_err();
    assert!(matches!(absent, Error::Missing { .. }), "{absent}");
    let text = folder.path().join("text.jar");
    fs::write(&text, "this is no jar").unwrap();
    let no_jar = Subject::open(std::slice::from_ref(&text), &[], 17)
        .unwrap_err()
        .to_string();
    assert!(
        no_jar.contains("text.jar") && no_jar.contains("at byte") && no_jar.contains("\nhint: "),
        "{no_jar}"
    );
    let empty = write(folder.path(), "empty.jar", &[("readme.txt", b"hi")]);
    let no_classes = Subject::open(&[empty], &[], 17).unwrap_err();
    assert!(
        matches!(no_classes, Error::NoClasses { .. }),
        "{no_classes}"
    );
    let nothing = tempfile::tempdir().unwrap();
    let no_classes = Subject::open(&[nothing.path().to_owned()], &[], 17)
        .unwrap_err()
        .to_string();
    assert!(no_classes.contains("hint: compile first"), "{no_classes}");
}

#[test]
fn deprecated_members_are_tested_on_demand_and_names_of_other_languages_never() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = one_jdk();
    let text = "public class A { @Deprecated public void old() {} public void isXempty() {} public void new_() {} }";
    let mut classes = compile_text(jdk.home(), &[], "A.java", text);
    // Other languages may put any character into a name.
    let bytes = &mut classes[0].1;
    let place = bytes
        .windows(8)
        .position(|eight| eight == b"isXempty")
        .unwrap();
    bytes[place + 2] = b'-';
    let path = write(folder.path(), "a.jar", &[("A.class", &classes[0].1)]);
    let subject = Subject::open(&[path], &[], jdk.release()).unwrap();
    let filters = Filters {
        deprecated: Deprecated::Tested,
        ..Filters::default()
    };
    let discovered = discover(&subject, &jdk, &filters).unwrap();
    assert_eq!(names(&discovered), ["new A()", "A.old()", "A.new_()"]);
    assert_eq!(reasons(&discovered), ["A.is-empty()V: not-a-java-name"]);
}
