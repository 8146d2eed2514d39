//! The tests of the table of the benchmark `modules`, whose own target has no harness.

#[path = "../benches/modules/table.rs"]
mod table;

/// What is not reached from here is not used.
const _: fn(&std::path::Path) -> Option<table::Outcome> = table::Outcome::read;
