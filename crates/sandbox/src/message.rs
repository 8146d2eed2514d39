//! What the frames between the two sides of a launcher say.
//!
//! Reading and writing stand beside each other so that their order can be compared.

use std::ffi::OsStr;
use std::io;
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::policy::{Launch, Limits, Mode};
use crate::probe::{Mechanism, Missing};
use crate::request::{Collect, Request};
use crate::wire::{Reader, Writer};

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The first frame to a launcher: its policy, with paths and addresses made absolute. The standard streams of all
/// programs travel with it.
#[derive(Debug)]
pub struct Setup {
    pub mode: Mode,
    pub scratch: PathBuf,
    pub write: Vec<PathBuf>,
    pub net: Vec<SocketAddr>,
    pub limits: Limits,
    pub launch: Launch,
    pub serves: Serves,
    /// The number of the processor that the launcher is bound to.
    pub processor: usize,
}

/// How many requests a launcher serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serves {
    /// One after another.
    Many,
    /// One, then it ends, and with it all descriptors of the program.
    One,
}

impl Setup {
    pub fn encode(&self, writer: &mut Writer) {
        writer.number(self.mode as u64);
        writer.bytes(self.scratch.as_os_str().as_bytes());
        writer.number(self.write.len() as u64);
        for folder in &self.write {
            writer.bytes(folder.as_os_str().as_bytes());
        }
        writer.number(self.net.len() as u64);
        for address in &self.net {
            writer.bytes(address.to_string().as_bytes());
        }
        writer.number(self.launch as u64);
        writer.number(self.serves as u64);
        writer.number(self.processor as u64);
        let limits = &self.limits;
        writer.option(limits.cpu.map(|time| time.as_nanos() as u64));
        writer.option(limits.memory);
        writer.option(limits.address_space);
        writer.option(limits.processes);
        for number in [
            limits.file_size,
            limits.output,
            limits.open_files,
            limits.core,
            limits.scratch_bytes,
            limits.scratch_files,
        ] {
            writer.number(number);
        }
    }

    pub fn decode(mut reader: Reader) -> io::Result<Setup> {
        let reader = &mut reader;
        Ok(Setup {
            mode: match reader.number()? {
                0 => Mode::Full,
                1 => Mode::BestEffort,
                _ => Mode::Off,
            },
            scratch: path(reader.bytes()?),
            write: (0..reader.number()?)
                .map(|_| reader.bytes().map(path))
                .collect::<io::Result<_>>()?,
            net: (0..reader.number()?)
                .map(|_| address(reader.bytes()?))
                .collect::<io::Result<_>>()?,
            launch: match reader.number()? {
                0 => Launch::Plain,
                1 => Launch::ForkServer,
                _ => Launch::Auto,
            },
            serves: if reader.number()? == 0 {
                Serves::Many
            } else {
                Serves::One
            },
            processor: reader.number()? as usize,
            limits: Limits {
                cpu: reader.option()?.map(Duration::from_nanos),
                memory: reader.option()?,
                address_space: reader.option()?,
                processes: reader.option()?,
                file_size: reader.number()?,
                output: reader.number()?,
                open_files: reader.number()?,
                core: reader.number()?,
                scratch_bytes: reader.number()?,
                scratch_files: reader.number()?,
            },
        })
    }
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

fn address(bytes: &[u8]) -> io::Result<SocketAddr> {
    let text = std::str::from_utf8(bytes).map_err(|_| bad("address"))?;
    text.parse().map_err(|_| bad("address"))
}

/// The launcher's answer to `Setup`; the listening sockets of allowed addresses travel with it.
#[derive(Debug, Default)]
pub struct Ready {
    pub missing: Vec<Missing>,
    pub fatal: Option<String>,
}

impl Ready {
    pub fn encode(&self, writer: &mut Writer) {
        writer.bytes(self.fatal.as_deref().unwrap_or_default().as_bytes());
        writer.number(self.missing.len() as u64);
        for missing in &self.missing {
            writer.number(missing.mechanism as u64);
            writer.bytes(missing.reason.as_bytes());
        }
    }

    pub fn decode(mut reader: Reader) -> io::Result<Ready> {
        let fatal = text(reader.bytes()?);
        let mut missing = Vec::new();
        for _ in 0..reader.number()? {
            let number = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
            let mechanism = *Mechanism::ALL.get(number).ok_or_else(|| bad("mechanism"))?;
            missing.push(Missing {
                mechanism,
                reason: text(reader.bytes()?),
            });
        }
        Ok(Ready {
            missing,
            fatal: (!fatal.is_empty()).then_some(fatal),
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes a request without its standard input, which is in the stream that the launcher has. Zero bytes were ruled out before.
pub fn encode_run(request: &Request, writer: &mut Writer) {
    writer.number(request.timeout.as_nanos().try_into().unwrap_or(u64::MAX));
    writer.number(request.collect as u64);
    strings(
        writer,
        std::iter::once(request.program.as_os_str())
            .chain(request.args.iter().map(|a| a.as_os_str())),
    );
    let env: Vec<_> = request
        .env
        .iter()
        .map(|(name, value)| [name.as_os_str(), value.as_os_str()].join(OsStr::new("=")))
        .collect();
    strings(writer, env.iter().map(|entry| entry.as_os_str()));
    let folder = request.folder.as_deref().unwrap_or(Path::new(""));
    strings(writer, std::iter::once(folder.as_os_str()));
    writer.number(request.files.len() as u64);
    for (name, content) in &request.files {
        writer.bytes(name.as_os_str().as_bytes());
        writer.bytes(content);
    }
}

fn strings<'a>(writer: &mut Writer, strings: impl Iterator<Item = &'a OsStr>) {
    let mut text = Vec::new();
    let mut count = 0;
    for string in strings {
        text.extend_from_slice(string.as_bytes());
        text.push(0);
        count += 1;
    }
    writer.number(count);
    writer.bytes(&text);
}

/// Strings that follow each other, each ended by a zero byte.
#[derive(Clone, Copy)]
pub struct Strings<'a> {
    pub count: usize,
    pub text: &'a [u8],
}

/// A request as the launcher reads it, in place.
pub struct Run<'a> {
    pub timeout: Duration,
    pub collect: Collect,
    pub args: Strings<'a>,
    pub env: Strings<'a>,
    pub folder: Strings<'a>,
    pub files: Vec<(&'a Path, &'a [u8])>,
}

impl<'a> Run<'a> {
    pub fn decode(mut reader: Reader<'a>) -> io::Result<Run<'a>> {
        let reader = &mut reader;
        Ok(Run {
            timeout: Duration::from_nanos(reader.number()?),
            collect: if reader.number()? == 0 {
                Collect::Nothing
            } else {
                Collect::Files
            },
            args: read_strings(reader)?,
            env: read_strings(reader)?,
            folder: read_strings(reader)?,
            files: (0..reader.number()?)
                .map(|_| {
                    Ok((
                        Path::new(OsStr::from_bytes(reader.bytes()?)),
                        reader.bytes()?,
                    ))
                })
                .collect::<io::Result<_>>()?,
        })
    }
}

fn read_strings<'a>(reader: &mut Reader<'a>) -> io::Result<Strings<'a>> {
    let count = usize::try_from(reader.number()?).map_err(|_| bad("count"))?;
    Ok(Strings {
        count,
        text: reader.bytes()?,
    })
}

/// The launcher's answer to a request.
#[derive(Debug)]
pub enum Reply {
    /// The program ran.
    Ran(Ran),
    /// It could not be executed; the error number.
    NotStarted(i32),
    /// Its files could not be laid out.
    NoFiles(String),
}

/// How a program ended, without its output.
#[derive(Debug, Default)]
pub struct Ran {
    /// The status word of `wait`.
    pub status: i32,
    pub timed_out: bool,
    pub cpu: Duration,
    pub wall: Duration,
    pub leftover: u32,
    pub memory_exceeded: bool,
    /// Whether a fork server made it.
    pub forked: bool,
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub files_truncated: bool,
}

impl Reply {
    pub fn encode(&self, writer: &mut Writer) {
        match self {
            Reply::Ran(ran) => {
                writer.number(0);
                writer.number(u64::from(ran.status as u32));
                writer.number(u64::from(ran.timed_out));
                writer.number(ran.cpu.as_nanos() as u64);
                writer.number(ran.wall.as_nanos() as u64);
                writer.number(u64::from(ran.memory_exceeded));
                writer.number(u64::from(ran.leftover));
                writer.number(u64::from(ran.forked));
                writer.number(u64::from(ran.files_truncated));
                writer.number(ran.files.len() as u64);
                for (name, content) in &ran.files {
                    writer.bytes(name.as_os_str().as_bytes());
                    writer.bytes(content);
                }
            }
            Reply::NotStarted(errno) => {
                writer.number(1);
                writer.number(u64::from(*errno as u32));
            }
            Reply::NoFiles(reason) => {
                writer.number(2);
                writer.bytes(reason.as_bytes());
            }
        }
    }

    pub fn decode(mut reader: Reader) -> io::Result<Reply> {
        let reader = &mut reader;
        Ok(match reader.number()? {
            0 => Reply::Ran(Ran {
                status: reader.number()? as u32 as i32,
                timed_out: reader.number()? == 1,
                cpu: Duration::from_nanos(reader.number()?),
                wall: Duration::from_nanos(reader.number()?),
                memory_exceeded: reader.number()? == 1,
                leftover: reader.number()? as u32,
                forked: reader.number()? == 1,
                files_truncated: reader.number()? == 1,
                files: (0..reader.number()?)
                    .map(|_| Ok((path(reader.bytes()?), reader.bytes()?.to_vec())))
                    .collect::<io::Result<_>>()?,
            }),
            1 => Reply::NotStarted(reader.number()? as u32 as i32),
            2 => Reply::NoFiles(text(reader.bytes()?)),
            _ => return Err(bad("reply")),
        })
    }
}
