//! The user's checking program: it finds the case in a folder and says by its exit code whether it accepts it.

use super::judge::describe_end;
use crate::Input;
use engine::Failure;
use sandbox::{End, Finished, Tool};
use std::path::Path;

/// Runs the checking program on one case. It is the user's own and trusted: no sandbox.
pub(super) fn run_check(
    command: &[String],
    folder: &Path,
    input: &Input,
    finished: &Finished,
) -> Result<Option<Failure>, sandbox::Error> {
    let case = tempfile::tempdir()?;
    let args: String = input.args.iter().map(|arg| format!("{arg}\n")).collect();
    let exit = describe_end(finished.end);
    let files: [(&str, &[u8]); 5] = [
        ("args", args.as_bytes()),
        ("stdin", &input.stdin),
        ("stdout", &finished.stdout),
        ("stderr", &finished.stderr),
        ("exit", exit.as_bytes()),
    ];
    for (name, bytes) in files {
        std::fs::write(case.path().join(name), bytes)?;
    }
    let Some((program, args)) = command.split_first() else {
        return Ok(None);
    };
    let mut tool = Tool::new(program.into(), args.iter().map(Into::into).collect());
    tool.folder = Some(folder.to_owned());
    tool.env = vec![("TESTHOUND_CASE".into(), case.path().into())];
    let checked = tool.run()?;
    if checked.end == End::Exited(0) {
        return Ok(None);
    }
    let said = [checked.stdout, checked.stderr].concat();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let first = said.lines().next().unwrap_or("no reason given").to_owned();
    Ok(Some(Failure {
        oracle: "check".to_owned(),
        signature: format!("{}: {first}", describe_end(checked.end)),
        message: format!("the checking program refuses it: {said}"),
    }))
}
