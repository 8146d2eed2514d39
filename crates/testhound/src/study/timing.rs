//! How long guides take to generate tests, without running them: Table 7 and Fig. 3 of the paper.

use crate::exit::Failed;
use command::source::{SpecSource, operations};
use command::spec::Spec;
use engine::{Budget, Guide, Model, Run, Seed, TestKind};
use report::study::{GenerationPoint, GenerationTime};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The numbers of tests that are timed; the paper's table has the third.
const SIZES: [u64; 4] = [100, 1000, 10_000, 100_000];
/// A guide that takes longer than this for one size is not tried on the next.
const PATIENCE: Duration = Duration::from_secs(2);

/// Times a guide on a specification: frames selected and made concrete.
pub fn generation_time(
    spec: &Arc<Spec>,
    guide: &str,
    candidates: usize,
) -> Result<GenerationTime, Failed> {
    let parsed =
        Guide::parse(guide, TestKind::Frames).expect("guides are checked before a study begins");
    let mut points = Vec::new();
    for tests in SIZES {
        let model = Model::of_space(spec.space.clone(), operations());
        let selector = parsed.selector(&model.space, candidates);
        let source = Box::new(SpecSource::new(Arc::clone(spec)));
        let budget = Budget {
            executions: Some(tests),
            ..Budget::default()
        };
        let mut run = Run::new(Seed(1), budget, model, source, selector);
        let begin = Instant::now();
        let mut made = 0;
        while made < tests {
            made += run
                .propose()
                .map_err(|error| Failed::input(error.to_string()))?
                .len() as u64;
        }
        let elapsed = begin.elapsed();
        points.push(GenerationPoint {
            tests,
            seconds: elapsed.as_secs_f64(),
        });
        if elapsed > PATIENCE {
            break;
        }
    }
    Ok(GenerationTime {
        guide: guide.to_owned(),
        points,
    })
}
