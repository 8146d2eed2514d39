//! The numbers that feedback-directed generation works with: probabilities and limits.
//!
//! The defaults follow Pacheco, Lahiri, Ernst and Ball, "Feedback-Directed Random Test Generation" (ICSE 2007), where it
//! gives a number. They are fixed for the preset `random`; nothing here looks at the subject.

/// Probabilities and limits of a [`CallSource`](super::CallSource).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallSettings {
    /// No test has more steps.
    pub longest_test: usize,
    /// No sequence that is kept for reuse has more steps; at most 64.
    pub longest_kept: usize,
    /// How often nothing is given where it may be and something else is there.
    pub nothing: f64,
    /// The factor on the weight of an operation that can only be called with nothing for some parameter.
    pub only_nothing: f64,
    /// How often an input is sought among the values of the test under construction first.
    pub reuse: f64,
    /// How often a literal is taken where a kept value would do as well.
    pub literal: f64,
    /// How often at most a new array is made where a kept value would do as well; less often where values of many types would.
    pub array: f64,
    /// How often an input is made by another auxiliary operation where a kept value would do as well.
    pub maker: f64,
    /// The most elements of a new array.
    pub most_elements: usize,
    /// How deep auxiliary operations nest: arrays of arrays, and what is needed to make what is needed.
    pub deepest: usize,
    /// How often the last step is repeated.
    pub repeat: f64,
    /// The most repetitions of the last step; few are likelier than many.
    pub most_repeats: usize,
    /// How often the objects are kept that a call was given which itself gave nothing new: it may have changed them, but
    /// most such calls only look.
    pub dull: f64,
    /// How many drafts one proposal makes to find a test that was not proposed before.
    pub tries: u32,
    /// After so many proposals in a row that found nothing new the source is exhausted. More than two rounds, so that what is
    /// in flight can still bring news.
    pub patience: u32,
    /// The most values kept for one type.
    pub kept_per_type: usize,
    /// The most values kept for all types together, shared out evenly among the types that operations give.
    pub kept_in_all: usize,
    /// Under how many offers at most one enters a full set of kept values: below, ageing would stop in a long run.
    pub slowest_ageing: u64,
    /// Whether time bounds the run, so that it need not repeat exactly. Then sequences cost the time that their execution took, not only
    /// their calls, and numbers near those that calls gave are inputs. Both may depend on what the worker ran before, and so
    /// may ticks.
    pub timed: bool,
    /// How many tests and values are remembered at least to recognise duplicates; twice as many at most.
    pub remembered: usize,
}

impl Default for CallSettings {
    fn default() -> CallSettings {
        CallSettings {
            longest_test: 40,
            longest_kept: 16,
            nothing: 0.05,
            only_nothing: 0.1,
            reuse: 0.1,
            literal: 0.7,
            array: 0.5,
            maker: 0.1,
            most_elements: 4,
            deepest: 5,
            repeat: 0.05,
            most_repeats: 20,
            dull: 0.25,
            tries: 20,
            patience: 512,
            kept_per_type: 1024,
            kept_in_all: 100_000,
            slowest_ageing: 16,
            timed: false,
            remembered: 1 << 18,
        }
    }
}
