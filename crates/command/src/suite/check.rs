//! What a written case checks, as shell text. The same list decides what a replay expects.

use super::script::quote;
use serde::{Deserialize, Serialize};

/// One thing that must hold after the program ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// No signal ended it.
    NoSignal,
    /// It ended in time.
    InTime,
    /// No sanitizer reported.
    NoSanitizerReport,
    /// The exit code is one of these.
    ExitIn(Vec<i32>),
    /// Standard output is what stands in the case's file `expected-stdout`, after these rewrites.
    Stdout(Vec<Rewrite>),
    /// Standard error is what stands in the case's file `expected-stderr`, after these rewrites.
    Stderr(Vec<Rewrite>),
    /// This pattern (as the shell's tools take it) is not found in the output.
    Forbid(String),
    /// This pattern is found in the output.
    Require(String),
    /// What Testhound checks and the script cannot, for a person.
    Unchecked(String),
}

/// A rewrite of output before it is compared: an extended regular expression and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewrite {
    /// The pattern, in POSIX syntax.
    pub pattern: String,
    /// The replacement.
    pub with: String,
}

impl Check {
    /// The shell text that checks it. Sees `$code`, `$out`, `$here` and calls `not` with a reason.
    pub fn shell(&self) -> String {
        match self {
            // A shell reports signal n as 128 + n; GNU timeout's 124 and 137 are time-outs.
            Check::NoSignal => {
                "[ \"$code\" -le 128 ] || [ \"$code\" -gt 192 ] || { [ -n \"$limit\" ] && [ \"$code\" = 137 ]; } || not \"ended by signal $((code - 128))\"\n".to_owned()
            }
            Check::InTime => {
                "[ -z \"$limit\" ] || { [ \"$code\" != 124 ] && [ \"$code\" != 137 ]; } || not 'time-out'\n".to_owned()
            }
            Check::NoSanitizerReport => {
                "if grep -E -q 'ERROR: [A-Za-z]+Sanitizer|runtime error:' \"$out/stderr\"; then not 'a sanitizer reported'; fi\n".to_owned()
            }
            Check::ExitIn(codes) => {
                let list: Vec<String> = codes.iter().map(i32::to_string).collect();
                format!("case $code in {}) ;; *) not \"exit code $code\" ;; esac\n", list.join("|"))
            }
            Check::Stdout(rewrites) => compare("stdout", rewrites),
            Check::Stderr(rewrites) => compare("stderr", rewrites),
            Check::Forbid(pattern) => {
                let what = quote(&format!("found {pattern}"));
                format!("if cat \"$out/stdout\" \"$out/stderr\" | grep -E -q -e {}; then not {what}; fi\n", quote(pattern))
            }
            Check::Unchecked(what) => format!("# not checked here: {}\n", what.replace(['\n', '\r'], " ")),
            Check::Require(pattern) => {
                let what = quote(&format!("did not find {pattern}"));
                format!("cat \"$out/stdout\" \"$out/stderr\" | grep -E -q -e {} || not {what}\n", quote(pattern))
            }
        }
    }
}

fn compare(stream: &str, rewrites: &[Rewrite]) -> String {
    let mut text = String::new();
    let mut file = format!("$out/{stream}");
    if !rewrites.is_empty() {
        let parts = rewrites.iter().map(|rewrite| {
            let with = rewrite
                .with
                .replace('\\', "\\\\")
                .replace('\u{1}', "")
                .replace('&', "\\&");
            format!(
                " -e {}",
                quote(&format!("s\u{1}{}\u{1}{with}\u{1}g", rewrite.pattern))
            )
        });
        text = format!(
            "sed -E{} \"{file}\" >\"{file}.same\"\n",
            parts.collect::<String>()
        );
        file.push_str(".same");
    }
    text.push_str(&format!("diff \"$here/expected-{stream}\" \"{file}\" || not '{stream} differs (< expected, > seen)'\n"));
    text
}

/// Rewrites a pattern of ours into the syntax of POSIX extended regular expressions; `None` where that has no such thing.
pub fn posix_pattern(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match (c, in_class) {
            ('\\', _) => {
                let class = match chars.next()? {
                    'd' => "0-9",
                    'w' => "A-Za-z0-9_",
                    's' => "[:space:]",
                    'n' | 't' | 'r' | 'b' | 'B' | 'D' | 'W' | 'S' | 'x' | 'u' | 'p' | 'P' | 'A'
                    | 'z' => return None,
                    other => {
                        let special = "]^-\\";
                        match in_class {
                            true if special.contains(other) => return None,
                            true => out.push(other),
                            false => out.extend(['\\', other]),
                        }
                        continue;
                    }
                };
                out.push_str(&if in_class {
                    class.to_owned()
                } else {
                    format!("[{class}]")
                });
            }
            ('(', false) if chars.peek() == Some(&'?') => {
                chars.next();
                if chars.next() != Some(':') {
                    return None;
                }
                out.push('(');
            }
            ('*' | '+' | '?' | '}', false) if chars.peek() == Some(&'?') => return None,
            ('[', _) => {
                in_class = true;
                out.push(c);
            }
            (']', _) => {
                in_class = false;
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_cannot_check_is_a_comment_in_it() {
        let check = Check::Unchecked("standard output\nexit 1".to_owned());
        assert_eq!(
            check.shell(),
            "# not checked here: standard output exit 1\n"
        );
    }

    #[test]
    fn common_patterns_have_a_posix_form() {
        assert_eq!(
            posix_pattern(r"\d+:\d\d").as_deref(),
            Some("[0-9]+:[0-9][0-9]")
        );
        assert_eq!(
            posix_pattern(r"(?:a|b)[\d_]").as_deref(),
            Some("(a|b)[0-9_]")
        );
        assert_eq!(
            posix_pattern(r"/tmp/[^ ]+\.c").as_deref(),
            Some(r"/tmp/[^ ]+\.c")
        );
        assert_eq!(posix_pattern(r"a+?"), None);
        assert_eq!(posix_pattern(r"(?i)x"), None);
        assert_eq!(posix_pattern(r"\bword"), None);
    }
}
