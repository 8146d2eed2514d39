//! Call sequences: what targets share whose tests are calls on objects, such as Java classes and Python modules.

pub mod model;

pub use model::{CallModel, CallType, Parameter, Signature, TypeId};
