//! Standard streams as memory files: the program writes to what looks like a regular file, we read it afterwards.
//!
//! Files, not pipes, so that nobody has to read along while the program runs, and a limit on file sizes ends endless
//! output.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use nix::sys::memfd::{MFdFlags, memfd_create};

/// Standard input, output and error of one run.
pub struct Streams {
    /// What the program reads.
    pub stdin: File,
    /// What it writes.
    pub stdout: File,
    /// What it complains.
    pub stderr: File,
}

impl Streams {
    /// Fresh streams with the given input.
    pub fn new(input: &[u8]) -> io::Result<Streams> {
        let mut stdin = memory_file()?;
        if !input.is_empty() {
            stdin.write_all(input)?;
            stdin.rewind()?;
        }
        Ok(Streams {
            stdin,
            stdout: memory_file()?,
            stderr: memory_file()?,
        })
    }
}

fn memory_file() -> io::Result<File> {
    Ok(File::from(memfd_create(c"stream", MFdFlags::MFD_CLOEXEC)?))
}

/// Reads a stream back, up to `limit` bytes, and says whether there was more.
pub fn read_back(file: &mut File, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let length = file.metadata()?.len();
    if length == 0 {
        return Ok((Vec::new(), false));
    }
    let wanted = length.min(limit);
    let mut content = Vec::with_capacity(wanted as usize);
    file.rewind()?;
    file.take(wanted).read_to_end(&mut content)?;
    Ok((content, length > limit))
}
