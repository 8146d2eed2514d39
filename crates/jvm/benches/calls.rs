//! What executing a call costs: `cargo bench -p jvm --bench calls -- [--java DIR] [--tests N] [--record DIR]`.
//!
//! Random sequences over JDK collections, commons-lang3 and joda-time are generated once, by the same loop that generates
//! tests, and then executed again in several ways: through trampolines and through `Method.invoke`, in batches and one at a
//! time, with one and with two workers, always with coverage and results per step. Tests that use up a budget or lose their worker
//! (a loop without end) are left out of the repetitions: they would measure budgets. Prints calls per second of the worker's
//! processor time, with and without its start, ratios between the ways, and the share of the engine. Needs Debian's
//! libcommons-lang3-java and libjoda-time-java.
#![allow(clippy::unwrap_used)]

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use engine::calls::{CallSettings, CallSource};
use engine::model::Hits;
use engine::{Budget, End, Model, Run, Seed, Test, selection};
use jvm::discovery::{Discovered, Filters, Jdk, Pattern, Subject, discover};
use jvm::prepared::Inside;
use jvm::protocol::{Encoded, Encoder, Needed, Step};
use jvm::session::Session;
use jvm::target::Target;
use jvm::worker::Launch;
use jvm::workers::{PoolSettings, Workers};
use jvm::{Java, OperationKind, Places};
use nix::sys::resource::{UsageWho, getrusage};
use sandbox::LauncherCommand;

sandbox::launcher_here!();

const JDK_CLASSES: [&str; 7] = [
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/ArrayDeque",
    "java/util/HashMap",
    "java/util/TreeMap",
    "java/util/HashSet",
    "java/util/PriorityQueue",
];

const LIBRARY_CLASSES: [&str; 11] = [
    "org.apache.commons.lang3.StringUtils",
    "org.apache.commons.lang3.ArrayUtils",
    "org.apache.commons.lang3.Range",
    "org.apache.commons.lang3.CharRange",
    "org.apache.commons.lang3.math.Fraction",
    "org.apache.commons.lang3.math.NumberUtils",
    "org.apache.commons.lang3.mutable.MutableInt",
    "org.joda.time.Duration",
    "org.joda.time.LocalDate",
    "org.joda.time.Period",
    "org.joda.time.Days",
];

const JARS: [&str; 2] = [
    "/usr/share/java/commons-lang3.jar",
    "/usr/share/java/joda-time.jar",
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|one| one == name)?;
        arguments.get(at + 1).cloned()
    };
    let java = Places::of_this_process(option("--java").map(PathBuf::from))
        .find()
        .unwrap();
    let tests: u64 = option("--tests").map_or(40_000, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let subject = Subjects::open(&java, folder.path());
    println!(
        "Java {}, {} operations",
        java.release,
        subject.discovered.model.operations.len()
    );
    let launch = Launch::new(java, LauncherCommand::this_program().unwrap());
    let target = subject.prepare(folder.path(), false);
    let reflective = subject.prepare(folder.path(), true);
    let tests = generate(&target, &subject.discovered, &launch, tests);
    let bench = Bench::new(&target, &launch, &tests);
    if let Some(folder) = option("--record") {
        bench.record(Path::new(&folder));
        return;
    }
    let start = bench.start_cost();
    println!(
        "start of a worker: {:.0} ms of processor time",
        start.as_secs_f64() * 1e3
    );
    let batched = bench.run("trampolines, batches of 64", &target, 64, 1.0);
    let invoked = bench.run("Method.invoke, batches of 64", &reflective, 64, 1.0);
    let single = bench.run("trampolines, one test at a time", &target, 1, 0.25);
    println!("trampolines / invoke: {:.2}", batched / invoked);
    println!("batches / one at a time: {:.2}", batched / single);
    let [one, two] = [1, 2].map(|workers| bench.pool(workers));
    println!("two workers / one: {:.2} in wall time", two / one);
}

/// How often every test is executed, so that most of it happens in a warm worker, as in a run of some minutes.
const REPEATS: usize = 10;

/// How often every test is executed before a pool is measured.
const WARM_UP: usize = 5;

/// What is called.
struct Subjects {
    subject: Subject,
    discovered: Discovered,
}

impl Subjects {
    fn open(java: &Java, folder: &Path) -> Subjects {
        let jdk = Jdk::open(&java.home).unwrap();
        let classes = folder.join("jdk");
        for name in JDK_CLASSES {
            let file = classes.join(name).with_extension("class");
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, jdk.class(name).unwrap().unwrap()).unwrap();
        }
        let mut paths = vec![classes];
        paths.extend(JARS.map(PathBuf::from));
        let subject = Subject::open(&paths, &[], java.version as u16).unwrap();
        let names = JDK_CLASSES.iter().map(|name| name.replace('/', "."));
        let names = names.chain(LIBRARY_CLASSES.map(str::to_owned));
        let filters = Filters {
            classes: names.map(|name| Pattern::new(&name)).collect(),
            ..Filters::default()
        };
        let discovered = discover(&subject, &jdk, &filters).unwrap();
        Subjects {
            subject,
            discovered,
        }
    }

    fn prepare(&self, folder: &Path, reflective: bool) -> Target {
        let inside = Inside {
            reflective,
            ..Inside::default()
        };
        let needs = PoolSettings::default().needs;
        Target::prepare(folder, &self.subject, &self.discovered, needs, &inside).unwrap()
    }
}

/// The processor time of this process, without its children.
fn own_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
    let time = |value: nix::sys::time::TimeVal| {
        Duration::new(value.tv_sec() as u64, value.tv_usec() as u32 * 1000)
    };
    time(usage.user_time()) + time(usage.system_time())
}

/// Generates tests as a run does, two rounds in flight, and tells the engine's share.
fn generate(target: &Target, discovered: &Discovered, launch: &Launch, count: u64) -> Vec<Test> {
    let model = Model {
        operations: discovered.operations.clone(),
        criteria: target.coverage.criteria(),
        hits: Hits::FirstSeen,
        ..Model::default()
    };
    let source = CallSource::new(
        discovered.model.calls.clone(),
        CallSettings::default(),
        Seed(1),
    );
    let selector = selection::by_name("random", &model.space, 1).unwrap();
    let budget = Budget {
        executions: Some(count),
        ..Budget::default()
    };
    let mut run = Run::new(Seed(1), budget, model, Box::new(source), selector);
    let settings = PoolSettings {
        batch: 64,
        contracts_every: 0,
        ..PoolSettings::default()
    };
    let mut workers = Workers::start(target, launch, settings);
    let (mut kept, mut rounds) = (Vec::new(), VecDeque::new());
    let begin = own_time();
    loop {
        while rounds.len() < 2 {
            let round = run.propose().unwrap();
            if round.is_empty() {
                break;
            }
            workers.submit(round.iter().map(|one| &one.test)).unwrap();
            rounds.push_back(round);
        }
        let Some(round) = rounds.pop_front() else {
            break;
        };
        let collected = workers.collect().unwrap().unwrap();
        run.learn(&round, &collected.observations, Duration::ZERO);
        let ended = collected.observations.iter().map(|one| &one.end);
        kept.extend(round.into_iter().zip(ended).filter_map(|(one, end)| {
            matches!(end, End::Exited(_) | End::Threw(_)).then_some(one.test)
        }));
    }
    let engine = own_time() - begin;
    let workers = workers.finish();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
    println!(
        "generated {count} tests, {} goals covered, {} failures; engine {:.2} us per test, workers {:.2} with their starts, engine side {:.1} % of workers",
        run.seen().len(),
        run.ledger().len(),
        each(engine),
        each(workers),
        100.0 * engine.as_secs_f64() / workers.as_secs_f64(),
    );
    println!(
        "left out of what follows: {} tests that used up a budget or lost their worker",
        count - kept.len() as u64
    );
    kept.iter().map(|test| test.as_ref().clone()).collect()
}

struct Bench<'a> {
    target: &'a Target,
    launch: &'a Launch,
    tests: &'a [Test],
}

impl<'a> Bench<'a> {
    fn new(target: &'a Target, launch: &'a Launch, tests: &'a [Test]) -> Bench<'a> {
        Bench {
            target,
            launch,
            tests,
        }
    }

    /// A session, and the tests in batches of this size.
    fn session(&self, target: &Target, batch: usize) -> (Session, Vec<Encoded>) {
        let needed = Needed::of(PoolSettings::default().needs);
        let session = Session::new(&target.prepared, self.launch, needed);
        let strings = Arc::clone(session.strings());
        let mut strings = strings.lock().unwrap_or_else(PoisonError::into_inner);
        let mut encoder = Encoder::new(&target.prepared.shapes, &mut strings);
        let encoded = self.tests.chunks(batch).map(|tests| {
            let mut encoded = Encoded::default();
            for test in tests {
                encoder.append_test(&mut encoded, test, false).unwrap();
            }
            encoded
        });
        let encoded = encoded.collect();
        (session, encoded)
    }

    /// Writes the subject and all requests down, so that the Java side can be run and profiled alone:
    /// `java -cp runtime.jar testhound.rt.Main subject marker <requests >replies`.
    fn record(&self, folder: &Path) {
        let (session, encoded) = self.session(self.target, 64);
        let mut strings = session.strings().lock().unwrap().since(0);
        let mut requests = Vec::new();
        for (number, tests) in encoded.iter().enumerate() {
            let (needed, all) = (Needed::of(PoolSettings::default().needs), 0..tests.len());
            let request = jvm::protocol::batch(number as u32, needed, &strings, tests, all);
            requests.extend(request);
            strings.clear();
        }
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("requests"), requests).unwrap();
        std::fs::write(folder.join("marker"), [0; 12]).unwrap();
        for name in ["subject", "runtime.jar"] {
            std::fs::copy(self.target.prepared.folder().join(name), folder.join(name)).unwrap();
        }
    }

    /// The processor time of a worker that runs one test.
    fn start_cost(&self) -> Duration {
        let (mut session, encoded) = self.session(self.target, 1);
        session.run(&encoded[0]).unwrap();
        session.finish().unwrap().unwrap().cpu
    }

    /// Executes a share of the tests; returns calls per second of the worker's processor time without its start.
    fn run(&self, name: &str, target: &Target, batch: usize, share: f64) -> f64 {
        let (mut session, encoded) = self.session(target, batch);
        let count = (self.tests.len() as f64 * share) as usize;
        let (mut calls, mut threw) = (0u64, 0u64);
        let (begin, own) = (Instant::now(), own_time());
        let chunks = || encoded.iter().zip(self.tests[..count].chunks(batch));
        for (chunk, tests) in (0..REPEATS).flat_map(|_| chunks()) {
            for (reply, test) in session.run(chunk).unwrap().iter().zip(tests) {
                let called = reply.steps.iter().zip(&test.steps).filter(|(_, step)| {
                    let operation = &target.model.operations[step.operation.0 as usize];
                    operation.kind != OperationKind::Array
                });
                calls += called.count() as u64;
                threw += u64::from(matches!(reply.steps.last(), Some(Step::Threw(_))));
            }
        }
        let (wall, own) = (begin.elapsed(), own_time() - own);
        let (replaced, count) = (session.replaced, count * REPEATS);
        let cpu = session.finish().unwrap().unwrap().cpu;
        let start = self.start_cost();
        let rate = calls as f64 / (cpu - start).as_secs_f64();
        println!(
            "{name}: {count} tests, {calls} calls, {:.1} % throw, {:.0} calls/s of worker CPU ({:.0} with start), {:.1} us/test, {:.0} calls/s wall, engine side {:.1} % of worker, {replaced} workers replaced",
            100.0 * threw as f64 / count as f64,
            rate,
            calls as f64 / cpu.as_secs_f64(),
            (cpu - start).as_secs_f64() * 1e6 / count as f64,
            calls as f64 / wall.as_secs_f64(),
            100.0 * own.as_secs_f64() / cpu.as_secs_f64(),
        );
        rate
    }

    /// Executes all tests on a pool several times; returns tests per second of wall time, once its workers are warm.
    fn pool(&self, workers: usize) -> f64 {
        let settings = PoolSettings {
            workers,
            batch: 64,
            contracts_every: 0,
            ..PoolSettings::default()
        };
        let mut pool = Workers::start(self.target, self.launch, settings);
        // Each worker compiles for itself, so a pool of two needs twice as many tests until it is warm.
        self.repeat(&mut pool, WARM_UP * workers);
        let (begin, own) = (Instant::now(), own_time());
        self.repeat(&mut pool, REPEATS * workers);
        let count = REPEATS * workers * self.tests.len();
        let (wall, own) = (begin.elapsed(), own_time() - own);
        let rate = count as f64 / wall.as_secs_f64();
        println!(
            "{workers} workers: {rate:.0} tests/s of wall time, engine side {:.2} us per test",
            own.as_secs_f64() * 1e6 / count as f64
        );
        rate
    }

    /// Executes all tests so many times, three rounds in flight.
    fn repeat(&self, pool: &mut Workers, times: usize) {
        let mut in_flight = 0;
        for round in (0..times).flat_map(|_| self.tests.chunks(128)) {
            pool.submit(round).unwrap();
            in_flight += 1;
            if in_flight > 2 {
                pool.collect().unwrap();
                in_flight -= 1;
            }
        }
        while pool.collect().unwrap().is_some() {}
    }
}
