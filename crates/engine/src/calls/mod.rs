//! Call sequences: what targets share whose tests are calls on objects, such as Java classes and Python modules.
//!
//! `source` generates them and learns from what they did. It draws an operation (`weights`), makes its inputs (`inputs`) from
//! what can be had (`supply`) and what earlier sequences made (`pool`), puts them together (`draft`) and recognises what it
//! proposed before (`hash`); `learn` keeps what tests made. The parts of guides are in `parts`, and `knowledge` is what analysis tells
//! them. Sequences are kept and sent to workers in few bytes (`sequence`, `literals`). `slice` and `reduce` make kept sequences small.

pub mod knowledge;
pub mod model;
pub mod settings;
pub mod statistics;

pub mod literals;
pub mod sequence;

pub mod source;

pub mod reduce;
pub mod simpler;
pub mod slice;

mod alike;
mod changes;
mod draft;
mod fenwick;
mod hash;
mod inputs;
mod keep;
mod learn;
mod parts;
mod pool;
mod supply;
mod weights;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

pub use knowledge::{CHANGES_STATIC, Document, Domain, Knowledge, changes_parameters};
pub use literals::Literals;
pub use model::{CallModel, CallType, Parameter, PlaceId, Signature, TypeId};
pub use parts::guidance;
pub use sequence::Sequence;
pub use settings::CallSettings;
pub use source::CallSource;
pub use statistics::{CallStatistics, Lack};
