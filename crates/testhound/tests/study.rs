//! `study` end to end: faulty versions, outcome matrix, runs, reports; and going on after a stop.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Sample, code, stderr, stdout};

/// Two faulty versions of `right.c`, one failing on zero divisors, one on negative numbers.
fn versions(sample: &Sample) {
    let right = std::fs::read_to_string(sample.path("right.c")).unwrap();
    std::fs::create_dir(sample.path("faulty")).unwrap();
    for (name, from, to) in [
        ("zero", "return 3;", "return 4;"),
        ("sign", "a % b", "a % b + (a < 0)"),
    ] {
        assert!(right.contains(from));
        std::fs::write(
            sample.path(&format!("faulty/{name}.c")),
            right.replace(from, to),
        )
        .unwrap();
    }
    let spec = std::fs::read_to_string(sample.path("divide.toml")).unwrap();
    let spec = spec
        .replace("divide.c", "right.c")
        .replace("reference = \"right.c\"", "");
    std::fs::write(sample.path("right.toml"), spec).unwrap();
}

const WORDS: &[&str] = &[
    "study",
    "right.toml",
    "--versions",
    "faulty",
    "--runs",
    "100",
    "--tests",
    "500",
    "--inputs",
    "1500",
    "--guides",
    "random,art-sum,art-pairs",
    "--out",
    "out",
    "--json",
];

#[test]
fn a_study_measures_every_guide_on_every_version_and_can_be_repeated() {
    let sample = Sample::new();
    versions(&sample);
    let output = sample.run(WORDS);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let subject = &record["subjects"][0];
    let found = subject["versions"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    for version in found {
        let rate = version["failure-rate"].as_f64().unwrap();
        let random = version["results"][0]["f-measure"].as_f64().unwrap();
        assert!(
            (random * rate - 1.0).abs() < 0.4,
            "random needs about 1/rate tests: {random} x {rate}"
        );
        assert_eq!(version["results"].as_array().unwrap().len(), 3);
    }
    for file in ["report.html", "study.json"] {
        assert!(sample.path("out").join(file).exists(), "{file}");
    }
    let executions = subject["timing"]["matrix-executions"].as_u64();
    // The original and two versions on 1,500 inputs, of which equal ones are run once.
    let executions = executions.unwrap();
    assert!(
        executions < 1500 * 3 && executions.is_multiple_of(3),
        "{executions}"
    );

    // The second sitting finds all results on disk and comes to the same figures.
    let again = sample.run(WORDS);
    let again: serde_json::Value = serde_json::from_str(&stdout(&again)).unwrap();
    assert_eq!(
        again["subjects"][0]["versions"][0]["results"][1]["f-measure"],
        found[0]["results"][1]["f-measure"]
    );
    assert_eq!(subject["timing"]["matrix-reused"], false);
    assert_eq!(again["subjects"][0]["timing"]["matrix-reused"], true);
    let other = sample.run(&[WORDS, &["--seed", "2"]].concat());
    assert_eq!(code(&other), 3, "{}", stdout(&other));
}

#[test]
fn mutants_of_the_source_serve_as_versions() {
    let sample = Sample::new();
    versions(&sample);
    let words = [
        "study",
        "right.toml",
        "--mutants",
        "4",
        "--runs",
        "20",
        "--tests",
        "200",
        "--inputs",
        "300",
        "--max-failure-rate",
        "0.5",
        "--out",
        "out",
    ];
    let output = sample.run(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("art-mif"), "{}", stdout(&output));
}

#[test]
fn runs_can_draw_from_the_generator_directly() {
    let sample = Sample::new();
    versions(&sample);
    let words = [
        "study",
        "right.toml",
        "--versions",
        "faulty",
        "--runs",
        "12",
        "--tests",
        "300",
        "--inputs",
        "400",
        "--guides",
        "random,art-sum",
        "--direct",
        "--out",
        "out",
        "--json",
    ];
    let output = sample.run(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let subject = &record["subjects"][0];
    assert!(subject["pool"].is_null());
    for version in subject["versions"].as_array().unwrap() {
        let tests = version["results"][1]["f-measure"].as_f64().unwrap();
        assert!((1.0..200.0).contains(&tests), "{tests}");
    }
}
