//! Verification on tests that do not hold.
