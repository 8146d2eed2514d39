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
fn a_python_file_that_cannot_be_loaded_is_an_error_of_the_subject() {
    let sample = Sample::new();
    std::fs::write(sample.path("app.py"), "def (:\n").unwrap();
    let output = sample.run(&["generate", "app.py"]);
    assert_eq!(code(&output), 5);
    assert!(
        stderr(&output).contains("SyntaxError"),
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

#[test]
fn inspect_shows_the_frame_of_an_input_and_counts_frames() {
    let sample = Sample::new();
    let output = sample.run(&["inspect", "divide.toml", "--", "-5", "mod", "12"]);
    let words: Vec<String> = stdout(&output)
        .lines()
        .map(|line| {
            line.split_whitespace()
                .take(2)
                .collect::<Vec<_>>()
                .join("=")
        })
        .collect();
    assert_eq!(words, ["a=negative", "operator=mod", "b=large"]);
    let output = sample.run(&["inspect", "divide.toml", "--", "x", "mod", "12"]);
    assert!(stdout(&output).contains("?"), "{}", stdout(&output));
    let output = sample.run(&["inspect", "divide.toml", "--", "5", "mod", "3", "more"]);
    assert!(stderr(&output).contains("fits no template"));
    std::fs::write(
        sample.path("lines.toml"),
        "[run]\nprogram = 'cat'\nstdin = 'size={n};'\n[category.n]\nchoice.small = { int = [0, 9] }\n",
    )
    .unwrap();
    let output = sample.run(&["inspect", "lines.toml", "--"]);
    assert_eq!(stdout(&output), "n  ?\n", "{}", stderr(&output));
    let frames = stdout(&sample.run(&["inspect", "divide.toml", "--frames", "--limit", "3"]));
    assert!(
        frames.ends_with("28 frames: 27 normal, 0 single, 1 error\n"),
        "{frames}"
    );
}

#[test]
fn a_tsl_file_is_imported() {
    let sample = Sample::new();
    let tsl = "Size:\n  empty. [property Empty]\n  full.\nOrder:\n  sorted. [if !Empty]\n  mixed. [if !Empty]\n";
    std::fs::write(sample.path("list.tsl"), tsl).unwrap();
    let output = sample.run(&["import", "list.tsl", "--out", "list.toml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let frames = stdout(&sample.run(&["inspect", "list.toml", "--frames"]));
    assert!(frames.contains("3 frames"), "{frames}");
}

#[test]
fn a_pool_of_existing_inputs_is_used_once_each() {
    let sample = Sample::new();
    std::fs::create_dir(sample.path("pool")).unwrap();
    std::fs::write(
        sample.path("pool/all.args"),
        "1 div 2\n7 mod 3\n-7 mod 3\n5 div 0\n",
    )
    .unwrap();
    let words = [
        "generate",
        "divide.toml",
        "--pool",
        "pool",
        "--without-replacement",
        "--json",
        "--no-reduce",
    ];
    let record: serde_json::Value = serde_json::from_str(&stdout(&sample.run(&words))).unwrap();
    assert_eq!(record["executions"], 4);
    assert_eq!(record["stopped-by"], "the end of the pool");
    assert_eq!(record["failures"].as_array().unwrap().len(), 2, "{record}");
}

#[test]
fn lint_accepts_every_bundled_specification() {
    let sample = Sample::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut specs = Vec::new();
    for folder in std::fs::read_dir(&examples).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let files = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        specs.extend(files.filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        }));
    }
    assert!(specs.len() >= 13, "{specs:?}");
    let mut words = vec!["lint", "--samples", "10"];
    words.extend(specs.iter().map(|path| path.to_str().unwrap()));
    let output = sample.run(&words);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

#[test]
fn lint_shows_a_choice_that_is_classified_as_another() {
    let sample = Sample::new();
    let spec = "[run]\nprogram = \"true\"\nargs = [\"{a}\"]\n[category.a]\nchoice.small = { int = [1, 9] }\nchoice.odd = { pick = [\"3\", \"5\"] }\n";
    std::fs::write(sample.path("overlap.toml"), spec).unwrap();
    let output = sample.run(&["lint", "overlap.toml"]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    assert!(
        stdout(&output).contains("overlap.toml:6:"),
        "{}",
        stdout(&output)
    );
}
