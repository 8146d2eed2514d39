//! Workers that run tests in batches: started ahead, watched while they run, replaced when a test takes them down.
//!
//! A [`Runner`] is one process that answers requests and marks which test it is at. [`run_all`] gives every test a reply,
//! whatever became of the runners. A [`Pool`] keeps several busy and gives results back in the order of submission, and a
//! [`Starter`] has one more process ready than are needed. What requests and replies say is the caller's business.

mod pool;
mod process;
mod resume;
mod starter;
mod watch;

pub use pool::{Ended, Pool};
pub use process::{Gone, Places, Runner};
pub use resume::{Loss, Silence, run_all};
pub use starter::{Source, Spare, Starter};
pub use watch::is_hung;
