//! How tests compare a figure with a stored reference value. Only compiled for tests.

/// Panics unless `actual` agrees with `expected` to nine significant digits.
#[track_caller]
pub(crate) fn assert_close(actual: f64, expected: f64) {
    assert_within(actual, expected, 1e-9);
}

/// Panics unless `actual` agrees with `expected` up to the given relative error.
#[track_caller]
pub(crate) fn assert_within(actual: f64, expected: f64, relative: f64) {
    let error = (actual - expected).abs();
    assert!(
        error <= relative * expected.abs().max(f64::MIN_POSITIVE),
        "got {actual}, reference {expected}"
    );
}
