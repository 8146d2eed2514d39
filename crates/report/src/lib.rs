//! Records in, strings out: how Testhound tells people and programs what happened.
//!
//! A record is plain data that the binary fills; an exporter turns it into terminal text, CSV, JSON, JUnit XML or one
//! self-contained HTML page. This crate never writes a file, never asks for the time and never measures anything: equal
//! records give equal bytes. Statistics come from the records or, for drawing, from `stats`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compare;
pub mod escape;
pub mod faults;
pub mod html;
pub mod jacoco;
mod json;
pub mod junit;
pub mod jvm;
pub mod lcov;
mod left_out;
pub mod number;
pub mod plot;
pub mod run;
pub mod sarif;
pub mod studies;
pub mod study;
pub mod table;

pub use left_out::LeftOut;
