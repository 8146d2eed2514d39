//! One run of a guide on a harness, with one worker.

use crate::options::{Options, Subject};
use crate::results::{Found, Outcome, Point};
use engine::actions::{ActionSettings, ActionSource, arms};
use engine::{
    Budget, Goal, Guide, Hits, LazyTest, Model, Operation, Proposal, RoundSize, Run, Seed, Test,
    TestKind,
};
use nix::time::{ClockId, clock_gettime};
use python::Places;
use python::harness::{Goals, HarnessTarget, Report, judge};
use python::protocol::{Measure, Repeats, StepLimits};
use python::session::Session;
use python::worker::Launch;
use sandbox::LauncherCommand;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Actions of a test.
const LENGTH: u32 = 100;
/// Rounds that are proposed and not learnt, as in `generate`.
const IN_FLIGHT: usize = 2;

/// When a run ends.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// After so many actions.
    pub actions: Option<u64>,
    /// After so much processor time.
    pub cpu: Option<Duration>,
    /// At the first failure.
    pub first_failure: bool,
    /// A folder whose modules come before all others.
    pub overlay: Option<PathBuf>,
}

/// Runs a guide.
pub fn run(
    options: &Options,
    subject: &Subject,
    guide: &str,
    seed: u64,
    limits: &Limits,
) -> Outcome {
    let (arms, mix) = arms(Guide::parse(guide, TestKind::Actions).unwrap().parts());
    let report = Report::of(&arms);
    // Where failures are all that counts, only guides that need coverage measure it, as in `generate`.
    let measure = match limits.first_failure && report != Report::All {
        true => Measure::Nothing,
        false => Measure::Branches,
    };
    let probes = (measure, Repeats::of(&arms, mix));
    let overlay = limits.overlay.as_deref();
    let mut driver = Driver::new(options, subject, report, probes, overlay);
    driver.timed = limits.cpu.is_some();
    driver.run(guide, seed, limits);
    driver.outcome
}

/// One worker that runs tests of a subject.
pub struct Driver {
    /// The subject.
    pub target: HarnessTarget,
    /// Its worker.
    pub session: Session,
    /// What hits mean.
    pub goals: Goals,
    /// Passing tests as they were taken, with the goals that they hit, where somebody wants them.
    pub noted: Option<Vec<(LazyTest, Vec<Goal>)>>,
    report: Report,
    outcome: Outcome,
    covered: BTreeSet<u32>,
    actions: u64,
    /// What the worker and this thread have used.
    cpu: Duration,
    timed: bool,
}

/// Processor time of this thread.
fn own_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .unwrap()
        .into()
}

impl Driver {
    /// Starts a worker; modules of the overlay come before all others.
    pub fn new(
        options: &Options,
        subject: &Subject,
        report: Report,
        (measure, repeats): (Measure, Repeats),
        overlay: Option<&Path>,
    ) -> Driver {
        let file = options.harnesses.join(format!("{}.tstl", subject.name));
        let target = HarnessTarget::new(&file, &std::fs::read_to_string(&file).unwrap()).unwrap();
        let interpreter = Places::of_this_process(options.python.clone())
            .find()
            .unwrap();
        let mut launch = Launch::new(interpreter, LauncherCommand::this_program().unwrap());
        launch.allow = subject
            .allow
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let mut load = target.load(measure, StepLimits::default());
        load.probes.repeats = repeats;
        if let Some(overlay) = overlay {
            load.paths.insert(0, overlay.to_string_lossy().into_owned());
        }
        let mut session = Session::new(&options.runtime, &launch, load);
        let mut goals = Goals::default();
        // A fault may break a module as it is loaded: then there is nothing to run.
        if session.ask::<serde_json::Value>("facts", &()).is_ok() {
            goals.add_all(&session.files());
        }
        Driver {
            target,
            session,
            goals,
            report,
            outcome: Outcome::default(),
            covered: BTreeSet::new(),
            actions: 0,
            cpu: Duration::ZERO,
            timed: false,
            noted: None,
        }
    }

    /// Runs a guide; what is noted is in the fields.
    pub fn run(&mut self, guide: &str, seed: u64, limits: &Limits) {
        let guide = Guide::parse(guide, TestKind::Actions).unwrap();
        let (arms, mix) = arms(guide.parts());
        let settings = ActionSettings {
            arms,
            mix,
            length: LENGTH,
            ..ActionSettings::default()
        };
        let budget = Budget {
            time: limits.cpu,
            executions: limits
                .actions
                .map(|actions| actions.div_ceil(u64::from(LENGTH))),
            ..Budget::default()
        };
        let mut operations = self.target.operations();
        operations.push(Operation {
            name: "draw further steps".to_owned(),
            lines: None,
        });
        let model = Model {
            operations,
            criteria: self.goals.criteria(),
            hits: match self.report {
                Report::All => Hits::All,
                _ => Hits::FirstSeen,
            },
            rounds: RoundSize::Growing,
            ..Model::default()
        };
        let source = ActionSource::new(self.target.model.clone(), settings);
        let selector = guide.selector(&model.space, 1);
        let mut run = Run::new(Seed(seed), budget, model, Box::new(source), selector);
        self.drive(&mut run, limits);
    }

    fn drive(&mut self, run: &mut Run, limits: &Limits) {
        let mut flight: VecDeque<Vec<Proposal>> = VecDeque::new();
        let mut before = own_time();
        loop {
            let now = own_time();
            self.cpu += now - std::mem::replace(&mut before, now);
            let failed = limits.first_failure && !self.outcome.failures.is_empty();
            let spent = limits.cpu.is_some_and(|limit| self.cpu >= limit);
            while !failed && !spent && run.over(self.cpu).is_none() && flight.len() < IN_FLIGHT {
                let round = run.propose().unwrap();
                if round.is_empty() {
                    break;
                }
                flight.push_back(round);
            }
            if failed || spent {
                break;
            }
            let Some(mut round) = flight.pop_front() else {
                break;
            };
            let tests: Vec<_> = round
                .iter()
                .map(|one| self.target.encode(&one.test, self.report))
                .collect();
            let Ok(ran) = self.session.run(&tests) else {
                break;
            };
            let observations: Vec<_> = round
                .iter_mut()
                .zip(&ran)
                .map(|(one, ran)| self.observe(one, ran))
                .collect();
            run.learn(&round, &observations, self.cpu);
        }
        self.point();
    }

    fn observe(
        &mut self,
        proposal: &mut Proposal,
        ran: &python::session::Ran,
    ) -> engine::Observation {
        let session = &self.session;
        let judged = judge(ran, &self.target.model, &mut self.goals, &|| {
            session.files()
        });
        let mut observation = judged.observation;
        if self.timed {
            observation.details.micros = judged.cpu.as_micros() as u64;
        }
        self.actions += judged.steps;
        // A test whose worker was killed for it has used up its patience.
        self.cpu += match ran {
            python::session::Ran::Replied(_) => judged.busy,
            _ => Duration::from_secs(1),
        };
        if let Some(steps) = observation.taken.take() {
            proposal.test = Test { steps }.into();
        }
        if let Some(noted) = &mut self.noted
            && observation.failures.is_empty()
        {
            noted.push((proposal.test.clone(), observation.hits.clone()));
        }
        let before = self.covered.len();
        let branches = observation.hits.iter().filter(|goal| goal.criterion.0 == 0);
        self.covered.extend(branches.map(|goal| goal.number));
        if self.covered.len() > before {
            self.point();
        }
        for failure in &observation.failures {
            let known = &mut self.outcome.failures;
            if known.iter().all(|one| one.signature != failure.signature) {
                known.push(Found {
                    signature: failure.signature.clone(),
                    actions: self.actions,
                    cpu: self.cpu.as_micros() as u64,
                });
            }
        }
        observation
    }

    fn point(&mut self) {
        self.outcome.points.push(Point {
            actions: self.actions,
            cpu: self.cpu.as_micros() as u64,
            covered: self.covered.len() as u32,
        });
    }
}
