//! Standard streams as memory files: the program writes to what looks like a regular file, we read it afterwards.
//!
//! Files, not pipes, so that nobody has to read along while the program runs, and a limit on file sizes ends endless
//! output. They serve one run after another: a launcher gets them once and its programs inherit them. A program shares
//! the position and the flags of each file with us, so both are reset before every run.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::stat::fstat;

const PAGE: u64 = 4096;

/// The unit in which the kernel tells how much memory a file takes.
const BLOCK: u64 = 512;

/// Standard input, output and error.
pub struct Streams {
    stdin: Stream,
    stdout: Stream,
    stderr: Stream,
}

impl Streams {
    /// Fresh streams.
    pub fn new() -> io::Result<Streams> {
        Ok(Streams {
            stdin: Stream::new(true)?,
            stdout: Stream::new(false)?,
            stderr: Stream::new(false)?,
        })
    }

    /// The files that programs get, in order of their descriptors.
    pub fn theirs(&self) -> [&File; 3] {
        [&self.stdin.theirs, &self.stdout.theirs, &self.stderr.theirs]
    }

    /// Empties the streams and puts the input in place.
    pub fn prepare(&mut self, input: &[u8]) -> io::Result<()> {
        self.stdin.memory.write_all_at(input, 0)?;
        self.stdin.look()?;
        self.stdin.reset(input.len() as u64)?;
        self.stdout.reset(0)?;
        self.stderr.reset(0)
    }

    /// Reads standard output and error back, each up to `limit` bytes, and says whether there was more.
    pub fn read_back(&mut self, limit: u64) -> io::Result<[(Vec<u8>, bool); 2]> {
        Ok([self.stdout.read_back(limit)?, self.stderr.read_back(limit)?])
    }

    /// Whether the last program changed something that cannot be reset, so that fresh streams are needed.
    pub fn spoilt(&self) -> bool {
        [&self.stdin, &self.stdout, &self.stderr]
            .iter()
            .any(|stream| stream.spoilt)
    }
}

struct Stream {
    /// For us: read and write, position unused.
    memory: File,
    /// For the program: read or write only, as a shell would open it.
    theirs: File,
    mode: u32,
    /// What was there when we looked last.
    length: u64,
    blocks: u64,
    spoilt: bool,
}

impl Stream {
    fn new(read: bool) -> io::Result<Stream> {
        let memory = File::from(memfd_create(c"stream", MFdFlags::MFD_CLOEXEC)?);
        let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
        let theirs = File::options().read(read).write(!read).open(path)?;
        let mode = fstat(&memory)?.st_mode;
        Ok(Stream {
            memory,
            theirs,
            mode,
            length: 0,
            blocks: 0,
            spoilt: false,
        })
    }

    /// Cuts the stream to this length and begins it anew.
    fn reset(&mut self, length: u64) -> io::Result<()> {
        // A program can also reserve memory beyond the end. Cutting costs tens of microseconds
        // where it gives memory back, so it is done only if needed.
        if self.length != length || self.blocks > length.div_ceil(PAGE) * (PAGE / BLOCK) {
            self.memory.set_len(length)?;
        }
        // Drops flags such as append and non-blocking.
        fcntl(&self.theirs, FcntlArg::F_SETFL(OFlag::empty()))?;
        self.theirs.rewind()
    }

    /// Looks at what is there.
    fn look(&mut self) -> io::Result<()> {
        let data = fstat(&self.memory)?;
        (self.length, self.blocks) = (data.st_size.unsigned_abs(), data.st_blocks.unsigned_abs());
        self.spoilt |= data.st_mode != self.mode;
        Ok(())
    }

    fn read_back(&mut self, limit: u64) -> io::Result<(Vec<u8>, bool)> {
        self.look()?;
        let mut content = vec![0; self.length.min(limit) as usize];
        if !content.is_empty() {
            self.memory.read_exact_at(&mut content, 0)?;
        }
        Ok((content, self.length > limit))
    }
}
