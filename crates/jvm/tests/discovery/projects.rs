//! Maven and Gradle projects. Their build tools are played by scripts, so that the tests need none.

use jvm::discovery::{Error, Subject};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A class file that nobody looks into.
fn put_class(folder: &Path, name: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), b"class").unwrap();
}

fn put_script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn open(folder: &Path) -> Result<Subject, Error> {
    Subject::open(&[folder.to_owned()], &[], 17)
}

#[test]
fn all_modules_of_a_maven_project_and_its_class_path_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    for module in ["", "core", "app"] {
        fs::create_dir_all(top.join(module)).unwrap();
        fs::write(top.join(module).join("pom.xml"), "<project/>").unwrap();
    }
    put_class(&top.join("core/target/classes/core"), "Core.class");
    put_class(&top.join("app/target/classes/app"), "App.class");
    put_class(&top.join("app/target/test-classes/app"), "AppTest.class");
    put_class(&top.join("lib"), "Dependency.class");
    let lib = top.join("lib");
    let list = format!(
        "echo '[INFO] Dependencies classpath:'; echo '{}:{}'",
        lib.display(),
        lib.display()
    );
    put_script(
        &top.join("mvnw"),
        &format!("[ \"$1 $3\" = '-o dependency:build-classpath' ] || exit 1; {list}"),
    );
    let subject = open(top).unwrap();
    let classes: Vec<&str> = subject.classes.keys().map(String::as_str).collect();
    assert_eq!(classes, ["app/App", "core/Core"]);
    assert_eq!(subject.full_classpath()[2..], [lib]);
    assert_eq!(subject.notes, Vec::<String>::new());
}

#[test]
fn a_build_tool_that_fails_is_noted_and_copied_dependencies_need_none() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    fs::write(top.join("pom.xml"), "<project/>").unwrap();
    put_class(&top.join("target/classes"), "App.class");
    put_script(&top.join("mvnw"), "echo '[ERROR] no plugin here'; exit 1");
    let subject = open(top).unwrap();
    assert_eq!(subject.classes.len(), 1);
    assert_eq!(subject.notes.len(), 1);
    assert!(
        subject.notes[0].contains("no plugin here") && subject.notes[0].contains("--classpath"),
        "{:?}",
        subject.notes
    );

    put_script(&top.join("mvnw"), "exit 1");
    fs::create_dir_all(top.join("target/dependency")).unwrap();
    fs::write(
        top.join("target/dependency/a.jar"),
        crate::compiler::jar(&[("a.txt", b"")]),
    )
    .unwrap();
    let subject = open(top).unwrap();
    assert_eq!(
        subject.full_classpath()[1..],
        [top.join("target/dependency/a.jar")]
    );
    assert_eq!(subject.notes, Vec::<String>::new());
}

#[test]
fn gradle_projects_are_asked_with_a_script_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    fs::write(top.join("settings.gradle.kts"), "").unwrap();
    put_class(&top.join("build/classes/java/main"), "App.class");
    put_class(&top.join("build/classes/kotlin/main"), "Other.class");
    put_class(&top.join("lib"), "Dependency.class");
    let own = top.join("build/classes/java/main");
    put_script(
        &top.join("gradlew"),
        &format!(
            "grep -q testhoundClasspath \"$6\" || exit 1; echo 'testhound-classpath:{}:{}/lib'",
            own.display(),
            top.display()
        ),
    );
    let subject = open(top).unwrap();
    assert_eq!(subject.classes.len(), 2);
    assert_eq!(subject.notes, Vec::<String>::new());
    assert_eq!(subject.full_classpath()[2..], [top.join("lib")]);
}

#[test]
fn a_project_that_is_not_compiled_says_how_to() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("build.gradle"), "").unwrap();
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("\nhint: run `gradle classes` in it first"),
        "{error}"
    );
}
