//! Tests that are written out when somebody looks at them. Of a million call sequences that run, a few thousand are kept,
//! and only those are worth an allocation per step.

use crate::calls::{Literals, Sequence};
use crate::test::{OperationId, Test};
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

/// A test, written out or not.
#[derive(Clone, Debug)]
pub struct LazyTest {
    sequence: Option<(Sequence, Rc<Literals>)>,
    written: OnceCell<Rc<Test>>,
    /// Whether the same test was proposed before.
    pub repeated: bool,
}

impl LazyTest {
    /// The test that a sequence is, with the literals that it names.
    pub fn of(sequence: Sequence, literals: &Rc<Literals>) -> LazyTest {
        LazyTest {
            sequence: Some((sequence, Rc::clone(literals))),
            written: OnceCell::new(),
            repeated: false,
        }
    }

    /// The sequence, if it was proposed as one, with the literals that it names.
    #[inline]
    pub fn sequence(&self) -> Option<(&Sequence, &Rc<Literals>)> {
        let (sequence, literals) = self.sequence.as_ref()?;
        Some((sequence, literals))
    }

    /// The operation of a step, without writing the test out.
    pub fn operation(&self, step: usize) -> Option<OperationId> {
        match &self.sequence {
            Some((sequence, _)) => sequence.operations().nth(step),
            None => self.steps.get(step).map(|step| step.operation),
        }
    }
}

impl From<Test> for LazyTest {
    fn from(test: Test) -> LazyTest {
        LazyTest {
            sequence: None,
            written: OnceCell::from(Rc::new(test)),
            repeated: false,
        }
    }
}

impl Deref for LazyTest {
    type Target = Rc<Test>;

    fn deref(&self) -> &Rc<Test> {
        self.written.get_or_init(|| {
            let written = |(sequence, literals): &(Sequence, Rc<Literals>)| sequence.test(literals);
            Rc::new(self.sequence.as_ref().map(written).unwrap_or_default())
        })
    }
}
