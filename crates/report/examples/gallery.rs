//! Prints one of the sample pages, to be looked at in a browser while working on plots and pages:
//! `cargo run -p report --example gallery -- studies > studies.html`.

#[path = "../tests/samples/run.rs"]
mod run_sample;
#[path = "../tests/samples/mod.rs"]
mod samples;

use report::studies::{self, StudiesRecord};
use report::{run, study};

fn main() {
    let page = match std::env::args().nth(1).as_deref() {
        Some("studies") => {
            let subjects = [
                ("tokens", 1.0),
                ("schedule", 0.9),
                ("replace", 1.1),
                ("collide", 1.45),
                ("calendar", 0.7),
            ];
            let subjects: Vec<_> = subjects
                .iter()
                .map(|(name, hardness)| samples::study(name, 23, *hardness))
                .collect();
            let overall = samples::overall(&subjects);
            let (command, program) = ("testhound study".to_owned(), "testhound 0.1.0".to_owned());
            studies::html(&StudiesRecord {
                command,
                program,
                subjects,
                overall,
            })
        }
        Some("run") => run::html(&run_sample::run(5)),
        _ => study::html(&samples::study("tokens", 23, 1.0)),
    };
    println!("{page}");
}
