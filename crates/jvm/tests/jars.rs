//! Jars that loaders treat in a special way: signed, for several releases, with a module. Workers run them all alike.
#![allow(clippy::unwrap_used)]

mod support;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use engine::Needs;
use jvm::Java;
use jvm::instrument::{Extras, OriginalClass, instrument};
use jvm::observed::{ObservedStep, ObservedValue};
use jvm::prepared::Inside;
use jvm::protocol::{Encoder, Needed, World};
use jvm::session::Session;
use sandbox::{End, Tool};
use support::{Ready, compile, int, javas, test};

sandbox::launcher_here!();

fn tool(java: &Java, name: &str, args: &[&dyn AsRef<std::ffi::OsStr>]) {
    let args: Vec<OsString> = args.iter().map(|one| one.as_ref().to_owned()).collect();
    let finished = Tool::new(java.home.join("bin").join(name), args)
        .run()
        .unwrap();
    let output = [finished.stdout, finished.stderr].concat();
    assert_eq!(
        finished.end,
        End::Exited(0),
        "{name}: {}",
        String::from_utf8_lossy(&output)
    );
}

/// A signed module jar that has a second class file for newer releases.
fn jar(java: &Java, folder: &Path) -> PathBuf {
    let [plain, newer, module] = ["plain", "newer", "module"].map(|name| folder.join(name));
    for (target, options) in [(&plain, ["--release", "8"]), (&newer, ["--release", "9"])] {
        std::fs::create_dir(target).unwrap();
        let name = format!("jars/{}", target.file_name().unwrap().to_str().unwrap());
        compile(java, &name, target, &options);
    }
    std::fs::create_dir(&module).unwrap();
    compile(java, "jars/module", &module, &[]);
    let jar = folder.join("packed.jar");
    tool(
        java,
        "jar",
        &[
            &"--create",
            &"--file",
            &jar,
            &"-C",
            &plain,
            &".",
            &"-C",
            &module,
            &".",
            &"--release",
            &"9",
            &"-C",
            &newer,
            &".",
        ],
    );
    let keys = folder.join("keys");
    let password = ["-storepass", "secret", "-keypass", "secret"];
    let [a, b, c, d] = password;
    tool(
        java,
        "keytool",
        &[
            &"-genkeypair",
            &"-alias",
            &"us",
            &"-dname",
            &"CN=us",
            &"-keyalg",
            &"EC",
            &"-keystore",
            &keys,
            &a,
            &b,
            &c,
            &d,
        ],
    );
    tool(
        java,
        "jarsigner",
        &[&"-keystore", &keys, &a, &b, &jar, &"us"],
    );
    jar
}

/// What the last step of a test gives.
fn last(session: &mut Session, ready: &Ready, steps: Vec<engine::Step>) -> ObservedStep {
    let encoded = {
        let mut strings = session.strings().lock().unwrap();
        let mut encoder = Encoder::new(&ready.target.prepared.shapes, &mut strings);
        encoder.test(&test(steps), false).unwrap()
    };
    let look = session.look(&encoded, World::USUAL).unwrap().unwrap();
    look.observed.unwrap().steps.pop().unwrap()
}

#[test]
fn a_signed_module_jar_for_several_releases_runs_as_its_release_asks() {
    for java in javas() {
        let folder = tempfile::tempdir().unwrap();
        let jar = jar(&java, folder.path());
        let ready = Ready::of(&java, folder, &[jar], &Inside::default());
        let mut session = Session::new(&ready.target.prepared, &ready.launch(), Needed(0));
        let version = vec![ready.step("jarred/Packed", "version", vec![])];
        let expected = if java.version >= 9 { "new" } else { "old" };
        assert_eq!(
            last(&mut session, &ready, version),
            ObservedStep::Value(ObservedValue::Text(expected.encode_utf16().collect()))
        );
    }
}

#[test]
fn redefined_classes_stay_redefined_when_the_worker_is_replaced() {
    for java in javas() {
        let ready = Ready::new(&java, "bad", &Inside::default());
        let other = ready.folder.path().join("other");
        std::fs::create_dir(&other).unwrap();
        compile(&java, "redefined", &other, &[]);
        let mut launch = ready.launch();
        launch.redefines = true;
        let mut session = Session::new(&ready.target.prepared, &launch, Needed(0));
        let twice = |session: &mut Session| {
            let step = ready.step("bad/Hostile", "noise", vec![]);
            let called = ready.step("bad/Good", "twice", vec![int(10)]);
            last(session, &ready, vec![step, called])
        };
        let gives = |number| ObservedStep::Value(ObservedValue::Int(number));
        assert_eq!(twice(&mut session), gives(20));
        let refused = session.redefine(&[("bad/Good".to_owned(), vec![1, 2, 3])]);
        assert!(refused.is_err());
        let bytes = std::fs::read(other.join("bad/Good.class")).unwrap();
        // Redefinition keeps the shape of a class, and rewriting adds a method.
        let original = OriginalClass {
            name: "bad/Good",
            bytes: &bytes,
            under_test: false,
            methods: None,
        };
        let rewritten = instrument(&[original], Needs::default(), &Extras::default())
            .classes
            .remove(0);
        session
            .redefine(&[(rewritten.name, rewritten.bytes)])
            .unwrap();
        assert_eq!(twice(&mut session), gives(30));
        session.retire();
        assert_eq!(twice(&mut session), gives(30));
    }
}
