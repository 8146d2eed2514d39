//! Reads a harness and prints its model as workers get it: `cargo run -p python --example harness FILE.tstl`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("error: no file\nhint: name a harness");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: cannot read `{file}`: {error}");
            return ExitCode::from(2);
        }
    };
    match python::harness::parse(&text, &file) {
        Ok(harness) => {
            let text = serde_json::to_string_pretty(&harness);
            println!("{}", text.unwrap_or_default());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
