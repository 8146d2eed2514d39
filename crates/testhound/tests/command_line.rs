//! Exit codes, settings and the smaller subcommands of the real binary.

mod support;

use support::{Sample, code, stderr, stdout};

#[test]
fn a_wrong_flag_is_exit_code_2() {
    let sample = Sample::new();
    assert_eq!(
        code(&sample.run(&["generate", "divide.toml", "--no-such-flag"])),
        2
    );
}

#[test]
fn a_broken_specification_is_exit_code_3_with_its_place() {
    let sample = Sample::new();
    std::fs::write(
        sample.path("bad.toml"),
        "[run]\nprogram = \"true\"\nargz = []\n",
    )
    .unwrap();
    let output = sample.run(&["generate", "bad.toml"]);
    assert_eq!(code(&output), 3);
    assert!(
        stderr(&output).contains("bad.toml:3:1"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("hint:"), "{}", stderr(&output));
    assert_eq!(code(&sample.run(&["generate", "missing.toml"])), 3);
}

#[test]
fn a_program_that_is_not_there_is_exit_code_5() {
    let sample = Sample::new();
    std::fs::write(sample.path("none.toml"), "[run]\nprogram = \"no-such-program\"\nargs = [\"{a}\"]\n[category.a]\nchoice.x = { literal = \"x\" }\n").unwrap();
    let output = sample.run(&["generate", "none.toml", "--executions", "5"]);
    assert_eq!(code(&output), 5, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("`no-such-program`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_unknown_guide_gets_a_hint() {
    let sample = Sample::new();
    let output = sample.run(&["generate", "divide.toml", "--guide", "art-som"]);
    assert_eq!(code(&output), 3);
    assert!(
        stderr(&output).contains("hint: did you mean `art-sum`?"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_jar_is_recognised_and_refused_honestly() {
    let sample = Sample::new();
    std::fs::write(sample.path("app.jar"), "").unwrap();
    let output = sample.run(&["generate", "app.jar"]);
    assert_eq!(code(&output), 4);
    assert!(
        stderr(&output).contains("JVM subject"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let sample = Sample::new();
    std::fs::write(
        sample.path("testhound.toml"),
        "seed = 3\nexecutions = 8\nguide = 'fscs'\n",
    )
    .unwrap();
    let seed_of = |words: &[&str], env: Option<&str>| {
        let mut command = sample.command(
            &[
                &[
                    "generate",
                    "divide.toml",
                    "--json",
                    "--force",
                    "--no-reduce",
                ],
                words,
            ]
            .concat(),
        );
        if let Some(seed) = env {
            command.env("TESTHOUND_SEED", seed);
        }
        let output = command.output().unwrap();
        let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(record["guide"], "fscs");
        assert_eq!(record["executions"], 8);
        record["seed"].as_u64().unwrap()
    };
    assert_eq!(seed_of(&[], None), 3);
    assert_eq!(seed_of(&[], Some("4")), 4);
    assert_eq!(seed_of(&["--seed", "5"], Some("4")), 5);
}

#[test]
fn completions_manual_and_guides_are_printed() {
    let sample = Sample::new();
    assert!(stdout(&sample.run(&["completions", "bash"])).contains("_testhound"));
    assert!(stdout(&sample.run(&["man"])).contains(".TH testhound"));
    let guides = stdout(&sample.run(&["generate", "x", "--guide", "help"]));
    assert!(
        guides.contains("art-sum") && guides.contains("auto"),
        "{guides}"
    );
}

#[test]
fn doctor_names_every_mechanism() {
    let sample = Sample::new();
    let output = sample.run(&["doctor"]);
    let text = stdout(&output);
    for what in ["landlock", "seccomp", "pid-namespace", "tool: cc"] {
        assert!(text.contains(what), "{text}");
    }
}
