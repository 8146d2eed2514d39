//! Runs a tool on a module, and coverage.py and pytest on what it wrote.
//!
//! What a run leaves in its folder: `result.json`, the report of coverage.py; `problem`, if the tool ended with an error; `unstable`, if not all
//! of our tests pass in three fresh runs.

use super::Options;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// Where a run is kept. What we give depends on the build, what Pynguin gives does not.
pub fn folder(options: &Options, tool: &str, module: &str, seed: u64) -> PathBuf {
    let (time, commit) = (options.time, &options.commit);
    let runs = options.work.join(match tool {
        "ours" => format!("modules-{time}-{seed}-{commit}"),
        _ => format!("modules-{time}-{seed}"),
    });
    runs.join(format!("{tool}-{module}"))
}

/// Removes what a changed tree gave before: nobody knows which changes those were.
pub fn forget(options: &Options) {
    if !options.commit.ends_with("-dirty") || !options.tools.iter().any(|tool| tool == "ours") {
        return;
    }
    for &seed in &options.seeds {
        for module in &options.modules {
            let _ = fs::remove_dir_all(folder(options, "ours", module, seed));
        }
    }
}

/// Runs a tool on a module, unless the result is there.
pub fn run(options: &Options, tool: &str, module: &str, seed: u64) {
    let folder = folder(options, tool, module, seed);
    if folder.join("result.json").exists() {
        return;
    }
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("suite")).unwrap();
    match tool {
        "ours" => ours(options, module, seed, &folder),
        "pynguin" => pynguin(options, module, seed, &folder),
        _ => panic!("there is no tool `{tool}`: ours or pynguin"),
    }
    let report = covered(options, module, &folder.join("suite"));
    fs::write(folder.join("result.json"), report).unwrap();
    eprintln!("{tool}: {module}, seed {seed}");
}

fn ours(options: &Options, module: &str, seed: u64, folder: &Path) {
    let python = python(options);
    let mut command = Command::new(&options.program);
    command
        .args(["generate", module, "--jobs", "1", "--force"])
        .args(["--time", &format!("{}s", options.time)])
        .args(["--seed", &seed.to_string()])
        .arg("--python")
        .arg(&python)
        .arg("--out")
        .arg(folder)
        .current_dir(&options.work);
    // The folder of a run is made anew by it.
    let log = options.work.join("modules-ours.log");
    let status = logged(&mut command, &log);
    assert!(
        matches!(status.code(), Some(0 | 1)),
        "{command:?} ended with {status}, see {}",
        log.display()
    );
    fs::create_dir_all(folder.join("suite")).unwrap();
    for round in 1..=3 {
        let mut command = pytest(&python, &["-m", "pytest"], &folder.join("suite"));
        command.env("PYTHONHASHSEED", round.to_string());
        let status = logged(&mut command, &folder.join(format!("fresh-{round}.log")));
        if !status.success() {
            let told = format!("not all tests of {module} pass in run {round}\n");
            fs::write(folder.join("unstable"), told).unwrap();
        }
    }
}

fn pynguin(options: &Options, module: &str, seed: u64, folder: &Path) {
    let site = Command::new(python(options))
        .args([
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ])
        .output()
        .unwrap();
    let mut command = Command::new("timeout");
    command
        .arg((options.time * 3 + 60).to_string())
        .arg(options.environment.join("bin/pynguin"))
        .args(["--module-name", module, "--assertion-generation", "NONE"])
        .args(["--maximum-search-time", &options.time.to_string()])
        .args(["--seed", &seed.to_string()])
        .args([
            "--project-path",
            String::from_utf8(site.stdout).unwrap().trim(),
        ])
        .arg("--output-path")
        .arg(folder.join("suite"))
        .arg("--report-dir")
        .arg(folder.join("report"))
        .env("PYNGUIN_DANGER_AWARE", "1");
    if !logged(&mut command, &folder.join("tool.log")).success() {
        fs::write(folder.join("problem"), "Pynguin ended with an error\n").unwrap();
    }
}

/// What the tests in a folder cover of a module, as coverage.py reports it; tests that fail cover something, too.
fn covered(options: &Options, module: &str, suite: &Path) -> Vec<u8> {
    let python = python(options);
    let source = format!("--source={module}");
    let words = ["-m", "coverage", "run", "--branch", &source, "-m", "pytest"];
    logged(
        &mut pytest(&python, &words, suite),
        &suite.join("pytest.log"),
    );
    let mut report = Command::new(&python);
    report.args(["-m", "coverage", "json", "-q", "-o", "coverage.json"]);
    let status = logged(report.current_dir(suite), &suite.join("coverage.log"));
    match status.success() {
        true => fs::read(suite.join("coverage.json")).unwrap(),
        false => br#"{"totals": null}"#.to_vec(),
    }
}

fn pytest(python: &Path, words: &[&str], suite: &Path) -> Command {
    let mut command = Command::new(python);
    command
        .args(words)
        .args(["-q", "-p", "no:cacheprovider", "."])
        .current_dir(suite);
    command
}

fn python(options: &Options) -> PathBuf {
    options.environment.join("bin/python")
}

/// Runs a command with its output in a file.
fn logged(command: &mut Command, log: &Path) -> ExitStatus {
    let file = File::create(log).unwrap();
    command
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .status()
        .unwrap()
}
