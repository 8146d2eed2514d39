//! Discovery against real compilers, jars, repositories and JDKs. Needs `javac` and `git`.

#![allow(clippy::unwrap_used)]

mod compiler;
mod compiles;
mod filters;
mod image;
mod inputs;
mod jars;
mod listings;
mod projects;
mod real_jars;
