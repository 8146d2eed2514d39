//! The command line of the benchmark, and what it asks to do. Where results are kept is said by `bench/grt`.

mod ablation;
mod bars;
mod cover;
mod gathered;
mod jacoco;
mod jobs;
mod maven;
mod measure;
mod pit;
mod quality;
mod results;
mod sample;
mod step;
mod subjects;
#[path = "../suites/mod.rs"]
mod suites;
mod tools;

use anyhow::Result;
use clap::Parser;
use sample::Sample;
use std::path::PathBuf;
use std::process::ExitCode;
use step::Step;
use subjects::Subject;

const ABOUT: &str = "Measures the bars of guidance on the subjects of Ma et al., GRT: Program-Analysis-Guided Random Testing (ASE 2015), Table II";

const MORE: &str = "\
Steps:
  cover     random and grt: JaCoCo on the written suites, our mutants (bars 1, 2, 5)
  longer    random with ten times the time on four subjects (bar 2)
  ablation  every part alone, every part removed, on six subjects (bar 3, Figure 7)
  mutants   our mutants of PIT's default group under the suites of `cover` (bar 4)
  pit       the real PIT beside ours on two subjects (bar 4)
  fresh     suites of `cover` compiled and run three times by every JDK of this machine (bar 6)
  table     what has been measured, beside the paper's numbers, and the bars
  estimate  how long the steps will take

What has a result file is not measured again, so steps may be run in sittings. Samples are the classes with the lowest checksums of \
their names. The budget is that of the search: discovery before it, and choosing assertions, writing and verifying the suite after it \
are outside, as in the paper; both times are printed. Runs have one worker, and call deprecated members, too: samples contain \
deprecated classes. Needs Maven and a JDK.

Examples:
  bench/grt estimate
  bench/grt cover mutants table --subjects jdom,jaxen --seconds 2,10,30 --seeds 1,2,3
  bench/grt cover table --guides 'random;constants,detective;grt'
  PROGRAM=target/debug/testhound bench/grt ablation table --seconds 0.5";

/// What the command line asks for.
#[derive(Debug, Parser)]
#[command(bin_name = "bench/grt", about = ABOUT, after_help = MORE)]
pub struct Options {
    /// What to do, in this order
    #[arg(value_name = "STEP", required = true, value_parser = Word::parse)]
    words: Vec<Word>,
    /// Other subjects than the step's own
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = subjects::named)]
    subjects: Vec<&'static Subject>,
    /// Other guides than the step's own, separated by `;`, or by `,` where each is one name, as `testhound compare` takes them; a combination
    /// alone ends with `;`
    #[arg(long, value_name = "GUIDES", default_value = "", hide_default_value = true, value_parser = Guides::parse)]
    guides: Guides,
    /// Budgets per class
    #[arg(long, value_name = "S", value_delimiter = ',', default_value = "2", value_parser = seconds)]
    seconds: Vec<f64>,
    /// Seeds
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    seeds: Vec<u64>,
    /// Classes per subject, or `all`
    #[arg(long, value_name = "N", default_value = "20")]
    classes: Sample,
    /// The `testhound` that is measured
    #[arg(long, value_name = "FILE", env = "PROGRAM", hide_env_values = true, default_value = env!("CARGO_BIN_EXE_testhound"), hide_default_value = true)]
    program: PathBuf,
    /// JDKs for `fresh`; those of Debian's packages if none is given
    #[arg(long, value_name = "DIRS", env = "JDKS", value_delimiter = ',')]
    jdks: Vec<PathBuf>,
    /// Where results are kept
    #[arg(
        long,
        value_name = "DIR",
        default_value = "bench/results/grt",
        hide = true
    )]
    results: PathBuf,
    /// Where suites are kept
    #[arg(
        long,
        value_name = "DIR",
        default_value = "bench/work/grt/suites",
        hide = true
    )]
    suites: PathBuf,
    /// Where what Maven fetches is kept
    #[arg(
        long,
        value_name = "DIR",
        default_value = "bench/work/grt",
        hide = true
    )]
    work: PathBuf,
}

/// What a word of the command line asks for.
#[derive(Clone, Debug, PartialEq)]
enum Word {
    Step(Step),
    Table,
    Estimate,
}

impl Word {
    fn parse(text: &str) -> Result<Word, String> {
        match text {
            "table" => Ok(Word::Table),
            "estimate" => Ok(Word::Estimate),
            _ => {
                let step = Step::ALL.into_iter().find(|step| step.name() == text);
                let names = Step::ALL.map(Step::name).join(", ");
                step.map(Word::Step)
                    .ok_or_else(|| format!("the steps are {names}, table, estimate"))
            }
        }
    }
}

/// Guides by name. A guide may itself be a list of parts with commas.
#[derive(Clone, Debug, PartialEq)]
struct Guides(Vec<String>);

impl Guides {
    fn parse(text: &str) -> Result<Guides, String> {
        let separator = if text.contains(';') { ';' } else { ',' };
        let names = text.split(separator).map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        names.map(known).collect::<Result<_, _>>().map(Guides)
    }
}

/// A guide that `testhound` has; a wrong name would cost every run of a step.
fn known(name: &str) -> Result<String, String> {
    let guide = engine::Guide::parse(name, engine::TestKind::Calls);
    guide.map_err(|error| error.to_string())?;
    Ok(name.to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let positive = number.filter(|number| number.is_finite() && *number > 0.0);
    positive.ok_or_else(|| "a number of seconds above 0".to_owned())
}

/// Does what the command line of this process asks for.
pub fn main() -> ExitCode {
    // Cargo adds a word of its own.
    let options = Options::parse_from(std::env::args_os().filter(|word| word != "--bench"));
    let done = options
        .words
        .iter()
        .try_for_each(|word| act(word, &options));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn act(word: &Word, options: &Options) -> Result<()> {
    match word {
        Word::Step(step) => jobs::run(*step, options)?,
        Word::Table => {
            print!("{}", cover::table(options));
            print!("{}", ablation::table(options)?);
            for line in bars::lines(options).iter().chain(&quality::lines(options)) {
                println!("{line}");
            }
        }
        Word::Estimate => {
            for step in Step::ALL {
                let open = jobs::open(step, options);
                println!("{}", jobs::announced(step, &open, options)?);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Options {
        /// The options of a command line.
        pub fn of(words: &[&str]) -> Options {
            Options::parse_from(["bench/grt"].iter().chain(words))
        }
    }

    #[test]
    fn a_command_line_names_steps_and_what_to_measure() {
        let options = Options::of(&[
            "cover",
            "table",
            "--subjects",
            "jdom,guava",
            "--seconds",
            "2,10",
        ]);
        assert_eq!(options.words, [Word::Step(Step::Cover), Word::Table]);
        assert_eq!(options.subjects[1].name, "guava");
        assert_eq!((options.seconds, options.seeds), (vec![2.0, 10.0], vec![1]));
    }

    #[test]
    fn guides_are_spelt_as_for_compare() {
        let guides = |text: &str| Options::of(&["cover", "--guides", text]).guides.0;
        assert_eq!(guides("random,grt"), ["random", "grt"]);
        assert_eq!(
            guides("random;constants,detective; grt"),
            ["random", "constants,detective", "grt"]
        );
        assert_eq!(guides("constants,detective;"), ["constants,detective"]);
        assert_eq!(Options::of(&["cover"]).guides.0, [""; 0]);
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        for (words, told) in [
            (["covers", "--seeds", "1"], "the steps are cover, longer"),
            (
                ["cover", "--subjects", "log4j"],
                "the subjects are commons-cli",
            ),
            (["cover", "--seconds", "0"], "a number of seconds above 0"),
            (["cover", "--classes", "0"], "a number above 0, or `all`"),
            (["cover", "--guides", "random;constant"], "constant"),
        ] {
            let all = ["bench/grt"].into_iter().chain(words);
            let error = Options::try_parse_from(all).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
