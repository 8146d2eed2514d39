//! Where command-line tests come from: the generators of a specification, or a pool of existing inputs.
//!
//! A test is one step. Operation `run` holds the texts of the categories, from which the input is rendered; operation
//! `run-input` holds a whole concrete input, for inputs that the categories alone do not determine.

use crate::classify::Classifier;
use crate::generate::Helpers;
use crate::pool::PoolInput;
use crate::spec::Spec;
use crate::{Fields, Input};
use engine::frames::{Frame, FrameBlock, Sampler};
use engine::{
    Argument, Executed, LazyTest, Literal, Operation, OperationId, Origin, Source, SourceError,
    Step, Stream, Test, Value,
};
use sandbox::{End, Tool};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const RUN: OperationId = OperationId(0);
const RUN_INPUT: OperationId = OperationId(1);

/// The operations of every command-line subject.
pub fn operations() -> Vec<Operation> {
    ["run", "run-input"]
        .map(|name| Operation {
            name: name.to_owned(),
            lines: None,
        })
        .to_vec()
}

/// The test that runs a program on the texts of its categories.
fn fields_test(fields: &Fields, frame: &Frame) -> Test {
    let literal = |(category, (text, choice)): (usize, (&Option<String>, &u16))| {
        let value = text
            .as_ref()
            .map_or(Value::Nothing, |text| Value::Text(text.clone()));
        let origin = Origin::Choice {
            category: category as u16,
            choice: *choice,
        };
        Argument::Literal(Literal { value, origin })
    };
    let arguments = fields
        .0
        .iter()
        .zip(&frame.0)
        .enumerate()
        .map(literal)
        .collect();
    Test {
        steps: vec![Step {
            operation: RUN,
            arguments,
        }],
    }
}

/// The test that runs a program on a whole input.
pub fn input_test(input: &Input, origin: Origin) -> Test {
    let json = serde_json::to_string(input).expect("inputs have string keys only");
    let literal = Literal {
        value: Value::Text(json),
        origin,
    };
    Test {
        steps: vec![Step {
            operation: RUN_INPUT,
            arguments: vec![Argument::Literal(literal)],
        }],
    }
}

/// The concrete input of a test; `None` for a test that is not one of ours.
pub fn test_input(spec: &Spec, test: &Test) -> Option<Input> {
    let [step] = test.steps.as_slice() else {
        return None;
    };
    let texts = step.arguments.iter().map(|argument| match argument {
        Argument::Literal(Literal {
            value: Value::Text(text),
            ..
        }) => Some(Some(text.clone())),
        Argument::Literal(Literal {
            value: Value::Nothing,
            ..
        }) => Some(None),
        _ => None,
    });
    let texts: Vec<Option<String>> = texts.collect::<Option<_>>()?;
    match step.operation {
        RUN => Some(spec.render(&Fields(texts), "")),
        _ => serde_json::from_str(texts.first()?.as_ref()?).ok(),
    }
}

/// Runs the helper commands of a specification, in the specification's folder.
pub fn run_helper(folder: &Path, command: &[String], seed: u64) -> Result<String, String> {
    let (program, args) = command.split_first().ok_or("the command is empty")?;
    let program = if program.contains('/') {
        folder.join(program)
    } else {
        PathBuf::from(program)
    };
    let program = if program.is_relative() && program.components().count() > 1 {
        program.canonicalize().map_err(|error| error.to_string())?
    } else {
        program
    };
    let mut tool = Tool::new(program, args.iter().map(Into::into).collect());
    tool.folder = Some(folder.to_owned());
    tool.env = vec![("TESTHOUND_SEED".into(), seed.to_string().into())];
    let finished = tool.run().map_err(|error| error.to_string())?;
    if finished.end != End::Exited(0) {
        let said = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
        return Err(format!(
            "{}: {said}",
            crate::oracle::describe_end(finished.end)
        ));
    }
    let text =
        String::from_utf8(finished.stdout).map_err(|_| "it printed bytes that are not UTF-8")?;
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

/// Draws frames and makes them concrete.
pub struct SpecSource {
    spec: Arc<Spec>,
    sampler: Sampler,
    /// Whether some category is read off the finished input, so that every candidate must be made concrete.
    read_off: bool,
    made: Vec<(Test, Frame)>,
}

impl SpecSource {
    /// The source of a specification.
    pub fn new(spec: Arc<Spec>) -> SpecSource {
        let sampler = Sampler::new(&spec.space);
        let read_off = spec
            .space
            .categories
            .iter()
            .any(|category| category.derived);
        SpecSource {
            spec,
            sampler,
            read_off,
            made: Vec::new(),
        }
    }

    /// Makes a frame concrete; categories that are read off the input are filled in.
    pub fn make(
        &self,
        frame: &mut Frame,
        stream: &mut Stream,
    ) -> Result<(Fields, Input), SourceError> {
        make(&self.spec, frame, stream)
    }

    fn make_test(
        &self,
        mut frame: Frame,
        stream: &mut Stream,
    ) -> Result<(Test, Frame), SourceError> {
        let (fields, input) = self.make(&mut frame, stream)?;
        let test = if self.spec.input.is_some() {
            input_test(&input, Origin::Builtin)
        } else {
            fields_test(&fields, &frame)
        };
        Ok((test, frame))
    }
}

/// Makes a frame concrete with the helper commands of the specification at hand.
pub fn make(
    spec: &Spec,
    frame: &mut Frame,
    stream: &mut Stream,
) -> Result<(Fields, Input), SourceError> {
    let folder = spec.folder().to_owned();
    let helpers: &mut Helpers<'_> = &mut |command, seed| run_helper(&folder, command, seed);
    let made = spec.concretise(frame, stream, helpers);
    let (mut fields, input) = made.map_err(|error| SourceError::Failed(error.to_string()))?;
    // Beside a whole-input generator, categories with a `from` are read off the finished input.
    if spec.input.is_some() {
        Classifier::new(spec).read_off(&input, &mut fields, frame);
    }
    Ok((fields, input))
}

impl Source for SpecSource {
    fn propose(
        &mut self,
        candidates: &mut FrameBlock,
        stream: &mut Stream,
    ) -> Result<(), SourceError> {
        self.sampler.fill(stream, candidates);
        self.made.clear();
        if !self.read_off || candidates.rows() == 1 {
            return Ok(());
        }
        for row in 0..candidates.rows() {
            let made = self.make_test(Frame(candidates.row(row).to_vec()), stream)?;
            candidates.row_mut(row).copy_from_slice(&made.1.0);
            self.made.push(made);
        }
        Ok(())
    }

    fn finish(
        &mut self,
        candidates: &FrameBlock,
        row: usize,
        stream: &mut Stream,
    ) -> Result<(LazyTest, Frame), SourceError> {
        let (test, frame) = if self.made.is_empty() {
            self.make_test(Frame(candidates.row(row).to_vec()), stream)?
        } else {
            self.made.swap_remove(row)
        };
        Ok((test.into(), frame))
    }

    fn learn(&mut self, _round: &[Executed<'_>]) {}
}

/// How often an input of a pool may be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Any number of times.
    With,
    /// Once.
    Without,
}

/// Selects from existing inputs.
pub struct PoolSource {
    inputs: Vec<PoolInput>,
    replacement: Replacement,
    left: Vec<usize>,
    drawn: Vec<usize>,
}

impl PoolSource {
    /// A source over these inputs.
    pub fn new(inputs: Vec<PoolInput>, replacement: Replacement) -> PoolSource {
        let left = (0..inputs.len()).collect();
        PoolSource {
            inputs,
            replacement,
            left,
            drawn: Vec::new(),
        }
    }
}

impl Source for PoolSource {
    fn propose(
        &mut self,
        candidates: &mut FrameBlock,
        stream: &mut Stream,
    ) -> Result<(), SourceError> {
        if self.left.is_empty() {
            return Err(SourceError::Exhausted);
        }
        self.drawn.clear();
        for row in 0..candidates.rows() {
            let position = stream.index(self.left.len());
            self.drawn.push(position);
            candidates
                .row_mut(row)
                .copy_from_slice(&self.inputs[self.left[position]].frame.0);
        }
        Ok(())
    }

    fn finish(
        &mut self,
        _candidates: &FrameBlock,
        row: usize,
        _stream: &mut Stream,
    ) -> Result<(LazyTest, Frame), SourceError> {
        let position = self.drawn[row];
        let index = match self.replacement {
            Replacement::With => self.left[position],
            Replacement::Without => self.left.swap_remove(position),
        };
        let chosen = &self.inputs[index];
        let test = input_test(&chosen.input, Origin::Given(chosen.name.clone()));
        Ok((test.into(), chosen.frame.clone()))
    }

    fn learn(&mut self, _round: &[Executed<'_>]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Seed;

    const WHOLE: &str = r#"
[run]
program = "cat"
stdin = "{input}"

[input]
grammar = "list"

[grammar]
rules = """
<list> ::= <number> "\n" | <number> "\n" <list>
<number> ::= /[0-9]{1,3}/
"""

[category.first]
from = { stdin = "^([0-9]+)" }
choice.short = { regex = "[0-9]" }
choice.long = { regex = "[0-9]{2,3}" }

[category.lines]
derived = true
choice.one = { match = "lines(stdin) = 1" }
choice.more = { match = "otherwise" }
"#;

    #[test]
    fn a_whole_input_is_classified_before_it_is_selected() {
        let spec = Spec::parse(Path::new("whole.toml"), WHOLE).unwrap();
        let mut source = SpecSource::new(Arc::new(spec.clone()));
        let mut candidates = FrameBlock::new(2, 4);
        for number in 0..50 {
            let mut stream = Seed(number).stream();
            source.propose(&mut candidates, &mut stream).unwrap();
            assert!(
                candidates
                    .iter()
                    .all(|frame| frame.iter().all(|choice| *choice != 0))
            );
            let (test, frame) = source.finish(&candidates, 2, &mut stream).unwrap();
            assert_eq!(frame.0, candidates.row(2));
            let input = test_input(&spec, &test).unwrap();
            let text = String::from_utf8(input.stdin).unwrap();
            let long = text.lines().next().unwrap().len() > 1;
            assert_eq!(frame.0[0], 1 + u16::from(long), "{text:?}");
            assert_eq!(
                frame.0[1],
                1 + u16::from(text.lines().count() > 1),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_pool_without_replacement_gives_every_input_once() {
        let input = |name: &str| PoolInput {
            name: name.to_owned(),
            input: Input {
                args: vec![name.to_owned()],
                ..Input::default()
            },
            frame: Frame(vec![1]),
        };
        let names = ["a", "b", "c"];
        let mut source = PoolSource::new(names.map(input).to_vec(), Replacement::Without);
        let mut stream = Seed(1).stream();
        let mut candidates = FrameBlock::new(1, 2);
        let mut seen = Vec::new();
        while source.propose(&mut candidates, &mut stream).is_ok() {
            let (test, _) = source.finish(&candidates, 1, &mut stream).unwrap();
            seen.push(test.size().1);
        }
        assert_eq!(seen.len(), 3);
    }
}
