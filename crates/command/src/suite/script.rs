//! A case as a plain POSIX shell script: it needs nothing of ours, runs the program once and says whether it behaved.
//!
//! Exit codes of the script: 0 as expected, 1 not as expected, 2 could not be run.
//!
//! Differences from how Testhound runs the same case: no sandbox, and a time limit only where a `timeout` command exists.

use super::check::Check;
use crate::Input;
use std::fmt::Write;
use std::time::Duration;

/// All that a script needs to know.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    /// Lines for a person: the frame, the failure.
    pub about: Vec<String>,
    /// The program as the shell finds it; `$here` is the case's folder.
    pub program: String,
    /// The working folder, relative to the scratch folder.
    pub folder: &'a str,
    /// The complete environment except `HOME`, which is the scratch folder.
    pub env: Vec<(String, String)>,
    /// The input. Standard input and files stand in the case's folder.
    pub input: &'a Input,
    /// The time limit.
    pub timeout: Duration,
    /// What must hold.
    pub checks: &'a [Check],
}

/// A word in single quotes.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Script<'_> {
    /// The text of the script.
    pub fn render(&self) -> String {
        let mut text = String::from("#!/bin/sh\n");
        for line in &self.about {
            // A line break inside would end the comment.
            writeln!(text, "# {}", line.replace(['\n', '\r'], " "))
                .expect("a String takes all text");
        }
        text.push_str("# usage: run.sh [PROGRAM]    exit code 0: as expected, 1: not as expected, 2: could not be run\n");
        text.push_str(PROLOGUE);
        self.run(&mut text);
        for check in self.checks {
            text.push_str(&check.shell());
        }
        text.push_str(EPILOGUE);
        text
    }

    fn run(&self, text: &mut String) {
        let mut line = |part: String| {
            text.push_str(&part);
            text.push('\n');
        };
        line(format!("program=${{1:-{}}}", self.program));
        line(
            "case $program in */*) ;; *) program=$(command -v -- \"$program\") || exit 2 ;; esac"
                .to_owned(),
        );
        line("case $program in /*) ;; *) program=$PWD/$program ;; esac".to_owned());
        if !self.input.files.is_empty() {
            line("cp -R \"$here/files/.\" \"$work/\" || exit 2".to_owned());
        }
        if !self.folder.is_empty() {
            line(format!(
                "mkdir -p \"$work\"/{0} && cd \"$work\"/{0} || exit 2",
                quote(self.folder)
            ));
        } else {
            line("cd \"$work\" || exit 2".to_owned());
        }
        let seconds = self.timeout.as_secs_f64().ceil().max(1.0);
        line(format!(
            "if command -v timeout >/dev/null 2>&1; then limit='timeout -k 1 {seconds}'; else limit=; fi"
        ));
        let env = self
            .env
            .iter()
            .map(|(name, value)| format!(" {}", quote(&format!("{name}={value}"))));
        let args = self.input.args.iter().map(|arg| format!(" {}", quote(arg)));
        line(format!(
            "env -i HOME=\"$work\"{} \\",
            env.collect::<String>()
        ));
        let stdin = if self.input.stdin.is_empty() {
            "/dev/null"
        } else {
            "\"$here/stdin\""
        };
        line(format!(
            "  $limit \"$program\"{} \\",
            args.collect::<String>()
        ));
        line(format!("  <{stdin} >\"$out/stdout\" 2>\"$out/stderr\""));
        line("code=$?".to_owned());
    }
}

const PROLOGUE: &str = r#"set -u
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
work=$(mktemp -d) && out=$(mktemp -d) || exit 2
trap 'rm -rf "$work" "$out"' EXIT
bad=0
not() { echo "not as expected: $1"; bad=1; }
"#;

const EPILOGUE: &str = r#"[ "$bad" = 0 ] && echo "as expected (exit code $code)"
exit "$bad"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        for word in [
            "plain",
            "",
            "a b",
            "it's",
            "$HOME `id` \"x\" \\ \n",
            "-n",
            "*",
            "é",
        ] {
            let quoted = quote(word);
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {quoted}")])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word, "{quoted}");
        }
    }
}
