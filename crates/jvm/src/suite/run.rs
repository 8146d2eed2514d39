//! Runs the compiled tests of a suite in a fresh, sandboxed JVM and reads how each ended.
//!
//! A test JVM runs the subject, so it is kept in the sandbox like workers.

use super::verify::{Verifier, VerifyError};
use sandbox::{End, Launcher, Policy, Request};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Normally.
    Passed,
    /// It threw.
    Failed(Thrown),
    /// It took too long.
    Hung,
    /// The JVM ended with it.
    Lost(String),
    /// The JVM ended before it.
    NotRun,
}

/// What a test threw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// The line of the test's own method; 0 where it is not on the stack.
    pub line: u32,
    /// The exception's class.
    pub class: String,
    /// The class and method that threw.
    pub top: String,
    /// Its message.
    pub message: String,
}

/// The conditions of a run that must not matter to a good test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    /// Tests in JUnit's order, American English, UTC.
    Usual,
    /// Tests in reverse, Turkish, India's time, and another user, folder, memory, number of processors, identity hash codes,
    /// properties that are often not set, names of days and formats of another source, as another JDK may have them, and
    /// properties of another JDK.
    Unusual,
    /// As usual, but tests in an order in which none stands beside its neighbours, because static state that tests leave behind
    /// can look the same forwards and backwards; then all again in another such order, after what all others left.
    Mixed,
}

impl Conditions {
    /// The orders in which tests are run, one after another.
    fn orders(self, tests: &[(String, String)]) -> Vec<Vec<usize>> {
        let mut usual: Vec<usize> = (0..tests.len()).collect();
        usual.sort_by_key(|index| {
            let (class, method) = &tests[*index];
            (class, java_hash(method), method)
        });
        // Multiples of the golden ratio, modulo 1, lie far apart; so do those of the square root of two.
        let mixed = |factor: u32| {
            let mut order = usual.clone();
            order.sort_by_key(|index| (*index as u32).wrapping_mul(factor));
            order
        };
        match self {
            Conditions::Usual => vec![usual],
            Conditions::Unusual => vec![usual.into_iter().rev().collect()],
            Conditions::Mixed => vec![mixed(0x9e37_79b9), mixed(0x6a09_e667)],
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Conditions::Usual | Conditions::Mixed => &[
                "-Duser.language=en",
                "-Duser.country=US",
                "-Duser.timezone=UTC",
                "-Xmx512m",
            ],
            // Turkish has other capital letters and a decimal comma; India is off by half an hour.
            Conditions::Unusual => &[
                "-Duser.language=tr",
                "-Djava.locale.providers=COMPAT,SPI",
                "-Djava.awt.headless=true",
                "-Duser.timezone=Asia/Kolkata",
                "-Duser.name=somebody",
                "-Xmx480m",
                "-XX:ActiveProcessorCount=3",
                "-XX:hashCode=0",
            ],
        }
    }

    /// What the JVM may do: tests may take their time one by one, and the JVM's own threads count as processes.
    fn policy(self, policy: &Policy) -> Policy {
        let mut policy = policy.clone();
        policy.limits.cpu = None;
        policy.limits.processes = policy.limits.processes.map(|number| number.max(256));
        if self == Conditions::Unusual {
            let mut name = policy.scratch.file_name().unwrap_or_default().to_owned();
            name.push("-elsewhere");
            policy.scratch.set_file_name(name);
            policy.limits.scratch_bytes -= policy.limits.scratch_bytes / 4;
        }
        policy
    }
}

/// The name of the list of tests in the scratch folder.
const LIST: &str = "tests.txt";

/// The hash code of a string in Java, by which JUnit orders the methods of a class.
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

/// Runs tests, given by class and method, and says how each ended every time, in the given order.
pub fn run(
    verifier: &Verifier,
    tests: &[(String, String)],
    conditions: Conditions,
) -> Result<Vec<Vec<Ended>>, VerifyError> {
    let orders = conditions.orders(tests);
    let times = orders.len();
    let order: Vec<(usize, usize)> = orders
        .into_iter()
        .enumerate()
        .flat_map(|(time, order)| order.into_iter().map(move |index| (time, index)))
        .collect();
    let list = order.iter().map(|&(_, index)| {
        let (class, method) = &tests[index];
        format!("{class} {method}\n")
    });
    let list: String = list.collect();
    let policy = conditions.policy(&verifier.policy);
    let scratch = policy.scratch.clone();
    let mut launcher = Launcher::start(policy, verifier.launcher.clone())?;
    let mut request = Request::new(verifier.compiler.java.java());
    request.args = arguments(verifier, conditions, &scratch)?;
    request.files.insert(PathBuf::from(LIST), list.into_bytes());
    request.env = vec![("TMPDIR".into(), scratch.into())];
    if conditions == Conditions::Unusual {
        // Has no country, which Java would take from here.
        request.env.push(("LC_ALL".into(), "C.UTF-8".into()));
    }
    request.timeout = time_limit(verifier.test_timeout, order.len());
    let finished = launcher.run(&request)?;
    let mut ended = vec![vec![Ended::NotRun; tests.len()]; times];
    let read = read(&finished.stdout, &mut |place, how| {
        if let Some(&(time, index)) = order.get(place) {
            ended[time][index] = how;
        }
    });
    if let Some(&(time, last)) = read.running.and_then(|place| order.get(place)) {
        ended[time][last] = match finished.end {
            End::TimedOut => Ended::Hung,
            End::Exited(code) => Ended::Lost(format!("exit code {code}")),
            End::Signalled(signal) => Ended::Lost(format!("signal {signal}")),
            End::Lost => Ended::Lost("the sandbox ended".to_owned()),
        };
    } else if !read.complete && ended.iter().flatten().all(|one| *one == Ended::NotRun) {
        let text = String::from_utf8_lossy(&finished.stderr);
        return Err(VerifyError::Runner(text.chars().take(2000).collect()));
    }
    Ok(ended)
}

/// Enough for many quick tests and some slow ones, on a busy machine; a single one that hangs ends the JVM long before.
fn time_limit(test: Duration, tests: usize) -> Duration {
    let each = Duration::from_millis(100).saturating_mul(tests as u32);
    let quiet = Duration::from_secs(60) + test.saturating_mul(4) + each;
    quiet.saturating_mul(10)
}

fn arguments(
    verifier: &Verifier,
    conditions: Conditions,
    scratch: &std::path::Path,
) -> Result<Vec<OsString>, VerifyError> {
    let compiler = &verifier.compiler;
    let mut classpath = vec![compiler.classes()];
    classpath.extend(compiler.classpath.iter().cloned());
    let classpath =
        std::env::join_paths(classpath).map_err(|error| VerifyError::Runner(error.to_string()))?;
    let mut args: Vec<OsString> = [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Dfile.encoding=UTF-8",
    ]
    .map(OsString::from)
    .to_vec();
    args.extend(conditions.options().iter().map(OsString::from));
    for name in ["java.io.tmpdir", "user.home"] {
        let mut option = OsString::from(format!("-D{name}="));
        option.push(scratch);
        args.push(option);
    }
    args.extend(["-cp".into(), classpath]);
    args.extend(["testhound.run.Runner", LIST].map(OsString::from));
    args.push(verifier.test_timeout.as_millis().to_string().into());
    let same = conditions == Conditions::Usual;
    args.push(if same { "same" } else { "other" }.into());
    Ok(args)
}

/// What the runner's lines say beside the ends of tests.
struct Read {
    /// The test that had begun and not ended.
    running: Option<usize>,
    /// Whether all were run.
    complete: bool,
}

fn read(output: &[u8], ended: &mut dyn FnMut(usize, Ended)) -> Read {
    let text = String::from_utf8_lossy(output);
    let mut read = Read {
        running: None,
        complete: false,
    };
    for line in text.lines() {
        let Some(line) = line.strip_prefix("testhound\t") else {
            continue;
        };
        let fields: Vec<&str> = line.split('\t').collect();
        let place = fields.get(1).and_then(|field| field.parse().ok());
        let Some(place) = place else { continue };
        let how = match fields[0] {
            "start" => {
                read.running = Some(place);
                continue;
            }
            "pass" => Ended::Passed,
            "hang" => Ended::Hung,
            "fail" => Ended::Failed(Thrown {
                line: fields
                    .get(2)
                    .and_then(|line| line.parse().ok())
                    .unwrap_or(0),
                class: fields.get(3).copied().unwrap_or_default().to_owned(),
                top: fields.get(4).copied().unwrap_or_default().to_owned(),
                message: fields.get(5).copied().unwrap_or_default().to_owned(),
            }),
            _ => {
                read.complete = true;
                continue;
            }
        };
        read.running = None;
        ended(place, how);
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hash_as_in_java() {
        assert_eq!(java_hash(""), 0);
        assert_eq!(java_hash("hello"), 99_162_322);
        assert_eq!(java_hash("polygenelubricants"), i32::MIN);
    }

    #[test]
    fn the_usual_order_is_that_of_junit_and_others_hold_the_same_tests() {
        let names = [("b.B", "b"), ("a.A", "polygenelubricants"), ("a.A", "a")];
        let tests = names.map(|(class, method)| (class.to_owned(), method.to_owned()));
        assert_eq!(Conditions::Usual.orders(&tests), [[1, 2, 0]]);
        assert_eq!(Conditions::Unusual.orders(&tests), [[0, 2, 1]]);
        for mut order in Conditions::Mixed.orders(&tests) {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2]);
        }
    }
}
