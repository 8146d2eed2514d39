//! The pool of classified inputs that a study draws from: made by the generators of the specification, or given.

use crate::cli::Study;
use crate::exit::Failed;
use command::Input;
use command::pool;
use command::source::make;
use command::spec::Spec;
use engine::Seed;
use engine::frames::{Frame, FrameBlock, Sampler};

/// Inputs with their frames.
pub struct Inputs {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Their frames, in the same order.
    pub frames: FrameBlock,
}

impl Inputs {
    /// Makes the inputs of a study, or reads them from a folder.
    pub fn new(spec: &Spec, flags: &Study) -> Result<Inputs, Failed> {
        let categories = spec.space.categories.len();
        let mut all = Inputs {
            inputs: Vec::new(),
            frames: FrameBlock::new(categories, 0),
        };
        if let Some(folder) = &flags.pool {
            for input in
                pool::load(spec, folder).map_err(|error| Failed::input(error.to_string()))?
            {
                all.frames.push(&input.frame.0);
                all.inputs.push(input.input);
            }
            return Ok(all);
        }
        let sampler = Sampler::new(&spec.space);
        let seed = Seed(flags.seed).derive("inputs", 0);
        for number in 0..flags.inputs as u64 {
            let mut stream = seed.derive("input", number).stream();
            let mut frame = Frame(vec![0; categories]);
            sampler.draw(&mut stream, &mut frame.0);
            let made = make(spec, &mut frame, &mut stream);
            let (_, input) = made.map_err(|error| Failed::input(error.to_string()))?;
            all.frames.push(&frame.0);
            all.inputs.push(input);
        }
        Ok(all)
    }
}
