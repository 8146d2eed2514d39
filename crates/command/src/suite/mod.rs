//! Suites: cases as folders with plain shell scripts, and the script that runs them all.

mod case;
mod check;
mod script;

pub use case::{Case, CaseFile, CaseSettings};
pub use check::{Check, Rewrite, posix_pattern};
pub use script::{Script, quote};

/// A script that runs every case beside it and counts; its exit code is 0 if all behave as expected.
pub const RUN_ALL: &str = r#"#!/bin/sh
# Runs all cases in this folder.    usage: run-all.sh [PROGRAM]
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
good=0
bad=0
for script in "$here"/*/run.sh; do
    [ -e "$script" ] || continue
    name=$(basename "$(dirname "$script")")
    if output=$(sh "$script" "$@" 2>&1); then
        good=$((good + 1))
    else
        bad=$((bad + 1))
        printf '%s: %s\n' "$name" "$output"
    fi
done
echo "$good passed, $bad failed"
[ "$bad" = 0 ]
"#;
