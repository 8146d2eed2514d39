//! Makes a failing input smaller: first the simplest frame whose inputs still fail the same way, then the shortest text.
//!
//! "The same way" means a failure with the same oracle and signature. Texts are shortened argument by argument, line by line,
//! then character by character, so the result may lie outside the specification's choices. An argument keeps one character:
//! a shorter one would be harder to read, not simpler.

use crate::Input;
use crate::spec::Spec;
use engine::frames::{ABSENT, Frame};
use engine::reduce::{shrink_list, simplify_frame};
use engine::{Failure, Seed};

/// How many inputs of a simpler frame are tried.
const TRIES: u64 = 3;

/// A reduced failing input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The frame it was made from.
    pub frame: Frame,
    /// The input.
    pub input: Input,
    /// Executions it took.
    pub executions: usize,
}

/// Asks whether an input fails in the same way, as long as executions are left.
struct Question<'a> {
    failures: &'a mut dyn FnMut(&Input, &Frame) -> Vec<Failure>,
    wanted: &'a Failure,
    frame: Frame,
    left: usize,
    asked: usize,
}

impl Question<'_> {
    fn fails(&mut self, input: &Input) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.asked += 1;
        let same = |failure: &Failure| {
            failure.oracle == self.wanted.oracle && failure.signature == self.wanted.signature
        };
        (self.failures)(input, &self.frame).iter().any(same)
    }
}

/// Reduces an input that shows `failure`. `failures` runs an input of a frame and judges it; it is asked at most `limit` times.
pub fn reduce(
    spec: &Spec,
    frame: &Frame,
    input: &Input,
    failure: &Failure,
    limit: usize,
    failures: &mut dyn FnMut(&Input, &Frame) -> Vec<Failure>,
) -> Reduced {
    let mut question = Question {
        failures,
        wanted: failure,
        frame: frame.clone(),
        left: limit,
        asked: 0,
    };
    let mut best = (frame.clone(), input.clone());
    // An input read from a pool need not be one that its frame could give.
    if frame.0.len() == spec.space.categories.len() {
        let simple = simplify_frame(&spec.space, frame, &mut |candidate| {
            question.frame = candidate.clone();
            let found = failing_input(spec, candidate, &mut question);
            if let Some(found) = found {
                best = found;
                return true;
            }
            false
        });
        debug_assert!(
            simple.0.len() == best.0.0.len(),
            "simplification keeps the categories"
        );
    }
    question.frame = best.0.clone();
    let input = shrink_input(best.1, &mut question);
    Reduced {
        frame: best.0,
        input,
        executions: question.asked,
    }
}

fn failing_input(
    spec: &Spec,
    frame: &Frame,
    question: &mut Question<'_>,
) -> Option<(Frame, Input)> {
    for attempt in 0..TRIES {
        let mut frame = frame.clone();
        for (choice, category) in frame.0.iter_mut().zip(&spec.space.categories) {
            if category.derived {
                *choice = ABSENT;
            }
        }
        let mut stream = Seed(1).derive("reduce", attempt).stream();
        let Ok((_, input)) = crate::source::make(spec, &mut frame, &mut stream) else {
            return None;
        };
        if question.fails(&input) {
            return Some((frame, input));
        }
    }
    None
}

/// Shortens every part of an input in turn, until nothing gets shorter.
fn shrink_input(input: Input, question: &mut Question<'_>) -> Input {
    let mut current = input;
    loop {
        let before = current.clone();
        current = shrink_args(current, question);
        current = shrink_stdin(current, question);
        current = shrink_files(current, question);
        if current == before || question.left == 0 {
            return current;
        }
    }
}

fn shrink_args(mut input: Input, question: &mut Question<'_>) -> Input {
    input.args = shrink_list(&input.args.clone(), usize::MAX, &mut |args| {
        question.fails(&Input {
            args: args.to_vec(),
            ..input.clone()
        })
    });
    for index in 0..input.args.len() {
        let chars: Vec<char> = input.args[index].chars().collect();
        let with = |chars: &[char]| {
            let mut candidate = input.clone();
            candidate.args[index] = chars.iter().collect();
            candidate
        };
        let shorter = shrink_list(&chars, usize::MAX, &mut |chars| {
            !chars.is_empty() && question.fails(&with(chars))
        });
        input = with(&shorter);
    }
    input
}

fn shrink_stdin(input: Input, question: &mut Question<'_>) -> Input {
    let stdin = shrink_bytes(&input.stdin, &mut |bytes| {
        question.fails(&Input {
            stdin: bytes.to_vec(),
            ..input.clone()
        })
    });
    Input { stdin, ..input }
}

fn shrink_files(mut input: Input, question: &mut Question<'_>) -> Input {
    let names: Vec<String> = input.files.keys().cloned().collect();
    for name in names {
        let mut without = input.clone();
        without.files.remove(&name);
        if question.fails(&without) {
            input = without;
            continue;
        }
        let with = |bytes: &[u8]| {
            let mut candidate = input.clone();
            candidate.files.insert(name.clone(), bytes.to_vec());
            candidate
        };
        let shorter = shrink_bytes(&input.files[&name].clone(), &mut |bytes| {
            question.fails(&with(bytes))
        });
        input = with(&shorter);
    }
    input
}

/// Removes lines, then bytes.
fn shrink_bytes(bytes: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let lines = shrink_list(&lines, usize::MAX, &mut |lines| fails(&lines.concat()));
    shrink_list(&lines.concat(), usize::MAX, fails)
}
