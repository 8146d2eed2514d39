//! JVM class files as data: bytes in, bytes out.
//!
//! Reads, prints, analyses and rewrites class files of every version. Never panics on malformed input, never looks at a
//! file, a process or a clock.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
