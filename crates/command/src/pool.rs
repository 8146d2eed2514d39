//! Pools of existing inputs.

use crate::Input;
use engine::frames::Frame;

/// An existing input with its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolInput {
    /// Where it came from.
    pub name: String,
    /// The input.
    pub input: Input,
    /// Its frame; what fits no choice counts as absent.
    pub frame: Frame,
}
