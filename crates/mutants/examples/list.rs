//! Lists the mutants of a C source, one per line: `cargo run -p mutants --example list < calendar.c`

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut source = String::new();
    std::io::stdin().read_to_string(&mut source)?;
    for mutant in mutants::c::mutants(&source, &mutants::c::Options::default()) {
        println!("{mutant}");
    }
    Ok(())
}
