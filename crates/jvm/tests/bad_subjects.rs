//! Subjects that misbehave: each gives an observation or a reason, and what runs beside them does not notice.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use engine::observation::StepResult;
use engine::{End, Observation, Step, Test};
use jvm::Java;
use jvm::prepared::Inside;
use jvm::protocol::Needed;
use jvm::session::Session;
use jvm::workers::PoolSettings;
use support::{Ready, compile, int, javas, test, text};

sandbox::launcher_here!();

const GOOD: &str = "bad/Good";

/// Compiles the bad subjects; afterwards one class is gone and one is not what the others were compiled with.
fn ready(java: &Java) -> Ready {
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes).unwrap();
    compile(java, "bad", &classes, &[]);
    compile(java, "bad-later", &classes, &[]);
    std::fs::remove_file(classes.join("bad/Missing.class")).unwrap();
    Ready::of(java, folder, &[classes], &Inside::default())
}

/// Runs each bad call between two good ones, in one batch; the good ones must show what they always show.
fn observe(ready: &Ready, bad: Vec<Step>) -> Vec<Observation> {
    let good = test(vec![
        ready.step(GOOD, "twice", vec![int(21)]),
        ready.step(GOOD, "count", vec![]),
        ready.step(GOOD, "time", vec![]),
        ready.step(GOOD, "random", vec![]),
    ]);
    let mut tests: Vec<Test> = vec![good.clone()];
    for step in bad {
        tests.extend([test(vec![step]), good.clone()]);
    }
    let mut workers = ready.workers(PoolSettings {
        batch: 64,
        ..PoolSettings::default()
    });
    let observations = workers.execute(&tests).unwrap().observations;
    for (index, observation) in observations.iter().enumerate().step_by(2) {
        assert_eq!(
            observation.end,
            End::Exited(0),
            "after {index}: {observation:?}"
        );
        assert_eq!(
            observation.details.results, observations[0].details.results,
            "after {index}"
        );
    }
    observations.into_iter().skip(1).step_by(2).collect()
}

/// Asserts how each call ends.
fn assert_ends(ready: &Ready, class: &str, calls: &[(&str, End)]) {
    let steps = calls
        .iter()
        .map(|(name, _)| ready.step(class, name, vec![]));
    let observations = observe(ready, steps.collect());
    for ((name, end), observation) in calls.iter().zip(&observations) {
        assert_eq!(
            observation.end, *end,
            "{name} on Java {}",
            ready.java.version
        );
    }
}

#[test]
fn what_does_not_end_times_out() {
    for java in javas() {
        let ready = ready(&java);
        let calls = [
            "loop",
            "stubborn",
            "hugeArray",
            "hoard",
            "hoardSmall",
            "sleep",
            "await",
            "deadlock",
        ];
        let calls = calls.map(|name| (name, End::TimedOut));
        assert_ends(&ready, "bad/Endless", &calls);
    }
}

#[test]
fn a_test_that_waits_although_it_is_interrupted_does_not_lose_its_worker() {
    for java in javas() {
        let ready = ready(&java);
        let stubborn = ready.step("bad/Endless", "awaitStubbornly", vec![]);
        let mut workers = ready.workers(PoolSettings {
            workers: 1,
            ..PoolSettings::default()
        });
        let executed = workers.execute(&[test(vec![stubborn])]).unwrap();
        assert_eq!(executed.observations[0].end, End::TimedOut);
        assert_eq!(workers.started(), 1, "Java {}", java.version);
    }
}

#[test]
fn what_a_test_without_end_reaches_is_left_to_others() {
    let java = javas().remove(0);
    let ready = ready(&java);
    let twice = || ready.step(GOOD, "twice", vec![int(21)]);
    let endless = test(vec![twice(), ready.step("bad/Endless", "loop", vec![])]);
    let mut workers = ready.workers(PoolSettings {
        workers: 1,
        ..PoolSettings::default()
    });
    let executed = workers.execute(&[endless, test(vec![twice()])]).unwrap();
    let [endless, good] = &executed.observations[..] else {
        panic!("two tests");
    };
    assert_eq!(endless.end, End::TimedOut);
    assert_eq!(endless.hits, []);
    assert!(!good.hits.is_empty());
}

#[test]
fn loops_of_the_class_library_and_too_much_memory_are_stopped() {
    for java in javas() {
        let ready = ready(&java);
        assert_ends(
            &ready,
            "bad/Endless",
            &[
                ("libraryLoop", End::TimedOut),
                ("hugeLibraryArray", End::WorkerLost),
                ("input", End::Exited(0)),
            ],
        );
    }
}

#[test]
fn small_objects_that_the_class_library_hoards_are_stopped() {
    for java in javas() {
        let ready = ready(&java);
        let hoard = ready.step("bad/Endless", "hoardInLibrary", vec![]);
        let observations = observe(&ready, vec![hoard]);
        // Where the machine is too busy to watch, the memory is full first.
        let end = observations[0].end;
        assert!(matches!(end, End::TimedOut | End::WorkerLost), "{end:?}");
    }
}

#[test]
fn a_stack_that_overflows_is_an_exception() {
    for java in javas() {
        let ready = ready(&java);
        let deep = ready.step("bad/Endless", "recurse", vec![int(0)]);
        let observations = observe(&ready, vec![deep.clone(), deep]);
        assert_eq!(observations[0].end, End::Threw(0));
        assert_eq!(observations[0].details, observations[1].details);
        assert_eq!(observations[0].ticks, observations[1].ticks);
    }
}

#[test]
fn ending_or_breaking_the_process_loses_the_test_and_not_the_run() {
    for java in javas() {
        let ready = ready(&java);
        let calls = [
            "exit",
            "exitAndGoOn",
            "halt",
            "haltByReflection",
            "crash",
            "babble",
        ];
        let calls = calls.map(|name| (name, End::WorkerLost));
        assert_ends(&ready, "bad/Hostile", &calls);
    }
}

#[test]
fn a_thread_that_stays_and_noise_disturb_nobody() {
    for java in javas() {
        let ready = ready(&java);
        let calls = ["leakThread", "noise", "leakThread"].map(|name| (name, End::Exited(0)));
        assert_ends(&ready, "bad/Hostile", &calls);
    }
}

#[test]
fn files_and_processes_outside_are_out_of_reach() {
    for java in javas() {
        let ready = ready(&java);
        let canary = ready.folder.path().join("canary");
        std::fs::write(&canary, "sings").unwrap();
        let path = canary.to_str().unwrap();
        let delete = ready.step("bad/Hostile", "delete", vec![text(path)]);
        let kill = ready.step("bad/Hostile", "killParent", vec![]);
        let observations = observe(&ready, vec![delete, kill]);
        assert_eq!(observations[0].end, End::Exited(0));
        assert_eq!(std::fs::read(&canary).unwrap(), b"sings");
        // The parent it sees is the launcher inside the sandbox, which ends with the worker at most.
        assert!(Path::new("/proc/self").exists());
        assert!(
            matches!(
                observations[1].end,
                End::Exited(0) | End::Threw(0) | End::WorkerLost
            ),
            "{:?}",
            observations[1]
        );
    }
}

#[test]
fn a_broken_static_initialiser_shows_the_same_in_every_test() {
    for java in javas() {
        let ready = ready(&java);
        let throws = ready.step("bad/ThrowsAtStart", "value", vec![]);
        let hangs = ready.step("bad/HangsAtStart", "value", vec![]);
        let observations = observe(&ready, vec![throws.clone(), throws, hangs.clone(), hangs]);
        for observation in &observations[..2] {
            assert_eq!(observation.end, End::Threw(0));
            assert!(matches!(
                observation.details.results[0],
                StepResult::Threw { .. }
            ));
        }
        assert_eq!(observations[0].details, observations[1].details);
        assert_eq!(observations[2].end, End::TimedOut);
        assert_eq!(observations[3].end, End::TimedOut);
    }
}

#[test]
fn what_does_not_link_has_a_reason_and_the_rest_of_its_class_can_be_called() {
    for java in javas() {
        let ready = ready(&java);
        let needed = Needed(0);
        let mut session = Session::new(&ready.target.prepared, &ready.launch(), needed);
        let reasons = session.links().unwrap();
        let reason_of = |class: &str, name: &str| {
            let number = ready.operation(class, name).0;
            let found = reasons.iter().find(|(operation, _)| *operation == number);
            found.map(|(_, reason)| reason.clone())
        };
        assert_eq!(reason_of(GOOD, "twice"), None);
        assert_eq!(reason_of("bad/Orphan", "alone"), None);
        let reason = reason_of("bad/Unlinked", "value").unwrap();
        assert!(
            reason.contains("IncompatibleClassChangeError") || reason.contains("VerifyError"),
            "{reason}"
        );
        let alone = ready.step("bad/Orphan", "alone", vec![int(1)]);
        let makes = ready.step("bad/Orphan", "makes", vec![]);
        let unlinked = ready.step("bad/Unlinked", "value", vec![]);
        let observations = observe(&ready, vec![alone, makes, unlinked]);
        let ends: Vec<End> = observations.iter().map(|one| one.end).collect();
        assert_eq!(ends, [End::Exited(0), End::Threw(0), End::Threw(0)]);
    }
}
