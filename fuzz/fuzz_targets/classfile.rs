//! Any bytes are a class file that is written back the same, at every level, and prints; or have an error with a place.
//! Start it from real classes: put some into `corpus/classfile`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/classfile/tests/subjects/any_bytes.rs"]
mod any_bytes;

fuzz_target!(|bytes: &[u8]| any_bytes::check(bytes));
