//! Names of signals, as people know them.

const NAMES: &[(i32, &str)] = &[
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
    (25, "SIGXFSZ"),
    (31, "SIGSYS"),
];

/// The name of a signal number on Linux.
pub fn signal_name(number: i32) -> String {
    let known = NAMES.iter().find(|(known, _)| *known == number);
    known.map_or_else(
        || format!("signal {number}"),
        |(_, name)| (*name).to_owned(),
    )
}
