//! What a subject may do: the policy of a launcher, its limits, and the `--allow` permissions that widen it.
//!
//! This file holds data and parsers only. What enforces the policy lives in `inside`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// How strictly the policy is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Every mechanism, or an error that names the missing one.
    #[default]
    Full,
    /// Every mechanism that this kernel and user have; the launcher lists the missing ones.
    BestEffort,
    /// No isolation. Processes are still limited in time, killed as a whole, and their output captured.
    Off,
}

impl FromStr for Mode {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Mode, AllowError> {
        match text {
            "full" => Ok(Mode::Full),
            "best-effort" => Ok(Mode::BestEffort),
            "off" => Ok(Mode::Off),
            _ => Err(AllowError::Mode(text.to_owned())),
        }
    }
}

/// How programs are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Launch {
    /// A new program image for every run.
    Plain,
    /// A program is loaded once and forks before its `main` for every run. What cannot be started so is started in the
    /// plain way: scripts, static programs, programs whose libraries start threads, a changing environment.
    ForkServer,
    /// Like `ForkServer`, from the second run of a program with the same environment on.
    #[default]
    Auto,
}

/// What bounds a subject. Limits of one process count for each of its processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// CPU time of one process, rounded up to seconds.
    pub cpu: Option<Duration>,
    /// Size in bytes of one file that a process writes; standard output and error are such files.
    pub file_size: u64,
    /// Bytes of standard output, and of standard error, that are read back.
    pub output: u64,
    /// Memory in bytes that all processes of a program take together. Watched at intervals of 50 ms, which needs the
    /// mechanisms `pid-namespace` and `proc`; a program that takes more is killed.
    pub memory: Option<u64>,
    /// Address space of one process in bytes. Exact, but virtual machines and sanitizers cannot bear it.
    pub address_space: Option<u64>,
    /// Processes and threads at one time; up to four more if fewer fork servers are running than may.
    pub processes: Option<u64>,
    /// Open files of one process.
    pub open_files: u64,
    /// Size in bytes of a core file.
    pub core: u64,
    /// Bytes of all files in the scratch folder together (with a mount namespace; otherwise only `file_size` counts).
    pub scratch_bytes: u64,
    /// Files and folders in the scratch folder (with a mount namespace).
    pub scratch_files: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            cpu: Some(Duration::from_secs(60)),
            file_size: 16 << 20,
            output: 4 << 20,
            memory: Some(2 << 30),
            address_space: None,
            processes: Some(64),
            open_files: 256,
            core: 0,
            scratch_bytes: 64 << 20,
            scratch_files: 4096,
        }
    }
}

/// What the processes of a launcher may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// How strictly it is enforced.
    pub mode: Mode,
    /// The private folder in which programs run and may write. Created if absent.
    pub scratch: PathBuf,
    /// Further folders that may be written.
    pub write: Vec<PathBuf>,
    /// Addresses that may be reached over TCP.
    pub net: Vec<NetAddress>,
    /// Bounds on what is used.
    pub limits: Limits,
    /// How programs are started.
    pub launch: Launch,
}

impl Policy {
    /// The full sandbox with default limits and nothing allowed.
    pub fn new(scratch: PathBuf) -> Policy {
        Policy {
            mode: Mode::Full,
            scratch,
            write: Vec::new(),
            net: Vec::new(),
            limits: Limits::default(),
            launch: Launch::default(),
        }
    }

    /// Widens the policy by one permission.
    pub fn allow(&mut self, allow: Allow) {
        match allow {
            Allow::Write(folder) => self.write.push(folder),
            Allow::Net(address) => self.net.push(address),
        }
    }
}

/// A host and a TCP port. The host is an address or a name that resolves when the launcher starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetAddress {
    /// Address or name, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// One permission, as `--allow` and specifications spell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allow {
    /// `write:DIR`: this folder may be written.
    Write(PathBuf),
    /// `net:HOST:PORT`: this address may be reached over TCP.
    Net(NetAddress),
}

/// A permission or mode that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AllowError {
    /// Neither `write:` nor `net:`.
    #[error("unknown permission `{0}`\nhint: write `write:DIR` or `net:HOST:PORT`")]
    Kind(String),
    /// `write:` with nothing behind it.
    #[error("`{0}` names no folder\nhint: write `write:DIR`")]
    Folder(String),
    /// `net:` without host or port.
    #[error("`{0}` names no host and port\nhint: write `net:127.0.0.1:6379` or `net:[::1]:6379`")]
    Address(String),
    /// Not a port number.
    #[error("`{port}` in `{text}` is not a port\nhint: a port is a number from 1 to 65535")]
    Port {
        /// The whole permission.
        text: String,
        /// What stands where the port should.
        port: String,
    },
    /// Not a sandbox mode.
    #[error("unknown sandbox mode `{0}`\nhint: write `full`, `best-effort` or `off`")]
    Mode(String),
}

impl FromStr for Allow {
    type Err = AllowError;

    fn from_str(text: &str) -> Result<Allow, AllowError> {
        match text.split_once(':') {
            Some(("write", folder)) if !folder.is_empty() => {
                Ok(Allow::Write(PathBuf::from(folder)))
            }
            Some(("write", _)) => Err(AllowError::Folder(text.to_owned())),
            Some(("net", address)) => parse_address(text, address).map(Allow::Net),
            _ => Err(AllowError::Kind(text.to_owned())),
        }
    }
}

fn parse_address(text: &str, address: &str) -> Result<NetAddress, AllowError> {
    let bad = || AllowError::Address(text.to_owned());
    let (host, port) = address.rsplit_once(':').ok_or_else(bad)?;
    let host = match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').ok_or_else(bad)?,
        None if host.contains(':') => return Err(bad()),
        None => host,
    };
    if host.is_empty() || host.contains(char::is_whitespace) {
        return Err(bad());
    }
    match port.parse() {
        Ok(number) if number > 0 => Ok(NetAddress {
            host: host.to_owned(),
            port: number,
        }),
        _ => Err(AllowError::Port {
            text: text.to_owned(),
            port: port.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(host: &str, port: u16) -> Allow {
        Allow::Net(NetAddress {
            host: host.to_owned(),
            port,
        })
    }

    #[test]
    fn permissions_are_read() {
        assert_eq!(
            "write:/var/tmp".parse(),
            Ok(Allow::Write(PathBuf::from("/var/tmp")))
        );
        assert_eq!("net:127.0.0.1:6379".parse(), Ok(net("127.0.0.1", 6379)));
        assert_eq!("net:localhost:80".parse(), Ok(net("localhost", 80)));
        assert_eq!("net:[::1]:80".parse(), Ok(net("::1", 80)));
    }

    #[test]
    fn bad_permissions_say_what_to_write() {
        for text in [
            "",
            "read:/x",
            "write:",
            "net:",
            "net:host",
            "net:h:0",
            "net:h:x",
            "net::1",
            "net:::1:80",
        ] {
            let error = text.parse::<Allow>().unwrap_err().to_string();
            assert!(error.contains("\nhint: "), "{text}: {error}");
        }
    }

    #[test]
    fn modes_are_read() {
        assert_eq!("best-effort".parse(), Ok(Mode::BestEffort));
        assert!("none".parse::<Mode>().is_err());
    }
}
