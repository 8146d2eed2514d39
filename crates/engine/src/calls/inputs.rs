//! Choosing the inputs of an operation: nothing, a value of the test under construction, a literal, a new array, or a value
//! that an earlier sequence made. The parts of the slot `inputs` change what is drawn here; see `changes` for objects.
//!
//! Where values of several subtypes are kept, every subtype has the same chance and then every value of it, so that an
//! `Object` parameter sees all types equally often.

use super::draft::{Draft, Input};
use super::literals::Literals;
use super::parts::{Parts, detective, impurity};
use super::pool::Pool;
use super::statistics::Counts;
use super::supply::{Supply, Ways};
use super::{CallModel, CallSettings, Parameter, TypeId};
use crate::stream::Stream;
use crate::test::{Literal, OperationId, Origin};

/// How often another value is drawn where one makes the test too long, or must stand elsewhere.
const DRAWS: u32 = 4;

/// Everything that choosing inputs looks at, and the draft that it extends.
pub(super) struct Builder<'a> {
    pub model: &'a CallModel,
    pub settings: &'a CallSettings,
    pub pool: &'a Pool,
    pub supply: &'a Supply,
    pub literals: &'a Literals,
    pub parts: &'a Parts,
    /// The operation that the test is for.
    pub tested: OperationId,
    /// How often in a row each operation threw while it made an input.
    pub trouble: &'a [u32],
    pub counts: &'a Counts,
    pub stream: &'a mut Stream,
    pub draft: &'a mut Draft,
    /// Inputs of steps that are not complete yet, the innermost last.
    pub stack: &'a mut Vec<Input>,
}

impl Builder<'_> {
    /// Drafts a test of the tested operation; `None` if some input could not be made within the limits.
    pub(super) fn build(&mut self) -> Option<()> {
        self.draft.clear();
        self.stack.clear();
        self.call(self.tested, 0)?;
        if self.settings.most_repeats > 0 && self.stream.chance(self.settings.repeat) {
            self.repeat(self.tested);
        }
        Some(())
    }

    /// Appends a call of an operation with inputs of its own; gives its step.
    fn call(&mut self, operation: OperationId, depth: usize) -> Option<u32> {
        let signature = &self.model.signatures[operation.0 as usize];
        let base = self.stack.len();
        if !self.draft.move_to(signature.place) {
            return None;
        }
        for parameter in signature.required() {
            let input = self.input(*parameter, base, depth)?;
            self.stack.push(input);
        }
        if let Some(parameter) = signature.repeated() {
            for _ in 0..self.elements(parameter, depth) {
                let input = self.input(parameter, base, depth)?;
                self.stack.push(input);
            }
        }
        if self.draft.len() >= self.settings.longest_test {
            return None;
        }
        let (draft, inputs) = (&mut *self.draft, &self.stack[base..]);
        let step = draft.push(self.literals, operation, inputs);
        self.stack.truncate(base);
        Some(step)
    }

    fn elements(&mut self, parameter: Parameter, depth: usize) -> u64 {
        let some = parameter.nullable || self.supply.ways(parameter.kind).any;
        if !some || depth > self.settings.deepest {
            return 0;
        }
        self.stream.below(self.settings.most_elements as u64 + 1)
    }

    /// Repeats the last step some times, with other literals, if it is given an object: what makes containers grow.
    fn repeat(&mut self, operation: OperationId) {
        let object = |input: &Input| matches!(input, Input::Step(_));
        if !self.draft.last_inputs().iter().any(object) {
            return;
        }
        let most = 1 + self.stream.index(self.settings.most_repeats);
        let times = 1 + self.stream.index(most);
        for _ in 0..times.min(self.settings.longest_test - self.draft.len()) {
            self.stack.clear();
            self.stack.extend_from_slice(self.draft.last_inputs());
            for index in 0..self.stack.len() {
                if let Input::Literal(kind, _) | Input::Own(kind, _) = self.stack[index] {
                    self.stack[index] = self.literal(kind);
                }
            }
            let inputs = &self.stack[..];
            self.draft.push(self.literals, operation, inputs);
        }
    }

    /// An input for a parameter. The inputs chosen so far for the same step begin at `base` of the stack.
    pub(super) fn input(
        &mut self,
        parameter: Parameter,
        base: usize,
        depth: usize,
    ) -> Option<Input> {
        let Parameter { kind, nullable } = parameter;
        let supply = self.supply;
        let ways = supply.ways(kind);
        if nullable && (!ways.any || self.stream.chance(self.settings.nothing)) {
            return Some(Input::Nothing);
        }
        // A value of the same test is not given to itself: a collection that contains itself has no hash code.
        let receiver = self.stack.get(base).copied();
        if self.draft.len() > 0
            && self.stream.chance(self.settings.reuse)
            && let Some(step) = self.reused(kind, receiver)
        {
            return Some(Input::Step(step));
        }
        if let Some(input) = self.alike(kind, receiver, depth) {
            return Some(input);
        }
        let literals = !self.model.types[kind.0 as usize].literals.is_empty();
        let kept = !ways.kept.is_empty();
        let auxiliary = self.auxiliary(ways, depth);
        let other = kept || auxiliary.is_some();
        if literals && (!other || self.stream.chance(self.settings.literal)) {
            return Some(self.literal(kind));
        }
        if let Some(operation) = auxiliary {
            return self.made(operation, depth).map(Input::Step);
        }
        if kept {
            if let Some(input) = self.near_kept(kind, &ways.kept) {
                return Some(input);
            }
            let start = self.draft.len() as u32;
            let (step, kind) = self.kept(&ways.kept)?;
            self.change(kind, start, step, depth);
            return Some(Input::Step(step));
        }
        None
    }

    /// Makes an input by an auxiliary operation, or takes one that was made so before.
    fn made(&mut self, operation: OperationId, depth: usize) -> Option<u32> {
        let signature = &self.model.signatures[operation.0 as usize];
        let Some(kind) = signature.result.filter(|_| !signature.repeats) else {
            return self.call(operation, depth + 1);
        };
        let start = self.draft.len() as u32;
        let step = match self.stored(kind) {
            Some(step) => step,
            None => self.call(operation, depth + 1)?,
        };
        self.change(kind, start, step, depth);
        Some(step)
    }

    fn stored(&mut self, kind: TypeId) -> Option<u32> {
        let detective = self.parts.detective.as_ref()?;
        if !self.stream.chance(detective::STORED) {
            return None;
        }
        let kept = detective.draw(kind, self.stream)?;
        let short = self.draft.len() + kept.sequence.len() < self.settings.longest_test;
        if !short || !self.draft.move_to(kept.place) {
            return None;
        }
        Some(self.draft.append_stored(kind, kept.clone()))
    }

    /// An auxiliary operation to make an input by, if that is to be done.
    fn auxiliary(&mut self, ways: &Ways, depth: usize) -> Option<OperationId> {
        let (arrays, makers, kept) = (ways.arrays.len(), ways.makers.len(), ways.kept.len());
        if depth >= self.settings.deepest {
            return None;
        }
        if arrays > 0 {
            let share = arrays as f64 / (arrays + makers + kept) as f64;
            let share = share.min(self.settings.array);
            if (makers == 0 && kept == 0) || self.stream.chance(share) {
                return Some(ways.arrays[self.stream.index(arrays)]);
            }
        }
        if makers == 0 || (kept > 0 && !self.stream.chance(self.settings.maker)) {
            return None;
        }
        let mut maker = ways.makers[self.stream.index(makers)];
        // One that keeps throwing is passed over most of the time.
        for _ in 0..DRAWS {
            let trouble = self.trouble[maker.0 as usize];
            if trouble == 0 || self.stream.below(1 + u64::from(trouble)) == 0 {
                return Some(maker);
            }
            maker = ways.makers[self.stream.index(makers)];
        }
        (kept == 0).then_some(maker)
    }

    /// A value of the test under construction that can be given for this type.
    fn reused(&mut self, kind: TypeId, receiver: Option<Input>) -> Option<u32> {
        let model = self.model;
        let fits = |(step, value): (usize, &Option<TypeId>)| {
            let fits = value.is_some_and(|value| model.fits(value, kind));
            (fits && receiver != Some(Input::Step(step as u32))).then_some(step as u32)
        };
        let values = self.draft.values(model, self.pool);
        let fitting = || values.iter().enumerate().filter_map(fits);
        let count = fitting().count();
        if count == 0 {
            return None;
        }
        fitting().nth(self.stream.index(count))
    }

    /// Appends a sequence that makes a value of one of these types; gives its step and its type.
    pub(super) fn kept(&mut self, kinds: &[TypeId]) -> Option<(u32, TypeId)> {
        for _ in 0..DRAWS {
            let kind = kinds[self.stream.index(kinds.len())];
            let number = self.pool.draw(kind, self.stream);
            let kept = self.pool.get(kind, number);
            let short = self.draft.len() + kept.sequence.len() < self.settings.longest_test;
            if short && self.draft.move_to(kept.place) {
                return Some((self.draft.append(self.pool, kind, number), kind));
            }
        }
        None
    }

    /// Maybe a number of a type near one that a call gave, of these types.
    fn near_kept(&mut self, kind: TypeId, kinds: &[TypeId]) -> Option<Input> {
        let impurity = self.parts.impurity.as_ref()?;
        let closed = self.model.types[kind.0 as usize].closed;
        if !self.settings.timed || closed || !impurity.is_number(kind) {
            return None;
        }
        if !self.stream.chance(impurity::LITERALS) {
            return None;
        }
        let given = kinds[self.stream.index(kinds.len())];
        let number = self.pool.draw(given, self.stream);
        let number = impurity.number(given, self.pool.get(given, number).number)?;
        let value = impurity.near(kind, &number, self.stream)?;
        let origin = Origin::Fuzzed;
        Some(self.draft.own(kind, Literal { value, origin }))
    }

    /// A literal of a type, maybe changed.
    fn literal(&mut self, kind: TypeId) -> Input {
        let constants = self.parts.constants.as_ref();
        let mined = constants.and_then(|one| one.draw(self.tested, kind, self.stream));
        let index = mined.unwrap_or_else(|| {
            let count = self.model.types[kind.0 as usize].literals.len();
            self.stream.index(count) as u32
        });
        let number = self.literals.number(kind, index);
        if let Some(impurity) = &self.parts.impurity
            && !self.model.types[kind.0 as usize].closed
            && self.stream.chance(impurity::LITERALS)
            && let Some(value) = impurity.near(kind, &self.literals.get(number).value, self.stream)
        {
            let origin = Origin::Fuzzed;
            return self.draft.own(kind, Literal { value, origin });
        }
        Input::Literal(kind, number)
    }
}

#[cfg(test)]
mod tests {
    use crate::calls::{
        CallModel, CallSettings, CallSource, CallType, Domain, Knowledge, Parameter, Signature,
        TypeId,
    };
    use crate::frames::{Frame, FrameBlock};
    use crate::observation::{End, Observation, StepResult};
    use crate::run::{Executed, Proposal};
    use crate::source::Source;
    use crate::stream::Seed;
    use crate::test::{Argument, Literal, OperationId, Origin, Step, Test, TestId, Value};

    /// The numbers written in tests of `void take(int)`, after `int count()` gave a million; `number` is the type `int`.
    fn written(parts: &[&str], timed: bool, number: CallType) -> Vec<i64> {
        let int = TypeId(0);
        let take = Signature {
            parameters: vec![Parameter {
                kind: int,
                nullable: false,
            }],
            ..Signature::default()
        };
        let count = Signature {
            result: Some(int),
            ..Signature::default()
        };
        let model = CallModel {
            types: vec![number],
            signatures: vec![count, take],
        };
        let knowledge = Knowledge {
            changes: vec![0, 0],
            domains: vec![vec![Domain::Whole(i32::MIN.into(), i32::MAX.into())]],
            ..Knowledge::default()
        };
        let settings = CallSettings {
            timed,
            ..CallSettings::default()
        };
        let mut source = CallSource::guided(model, settings, Seed(1), parts, &knowledge);
        let steps = vec![Step {
            operation: OperationId(0),
            arguments: Vec::new(),
        }];
        let proposal = Proposal {
            id: TestId(0),
            frame: Frame::default(),
            test: Test { steps }.into(),
        };
        let mut observation = Observation::plain(End::Exited(0));
        observation.details.results = vec![StepResult::Number {
            kind: int,
            bits: 1_000_000,
        }];
        source.learn(&[Executed {
            proposal: &proposal,
            observation: &observation,
        }]);
        let mut stream = Seed(2).stream();
        let tests = (0..100).map_while(|_| {
            let made = source.finish(&FrameBlock::new(0, 1), 0, &mut stream);
            Some(made.ok()?.0.as_ref().clone())
        });
        let literal = |argument: &Argument| match argument {
            Argument::Literal(literal) => match literal.value {
                Value::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        };
        let steps = tests.flat_map(|test| test.steps);
        let given = steps.flat_map(|step| step.arguments);
        given.filter_map(|argument| literal(&argument)).collect()
    }

    #[test]
    fn numbers_that_calls_gave_are_changed_where_a_run_need_not_repeat() {
        let written = |parts, timed| written(parts, timed, CallType::default());
        let numbers = written(&["impurity"], true);
        let near = |number: &i64| (1_000_000 - 200..1_000_000 + 200).contains(number);
        assert!(
            numbers.len() > 10 && numbers.iter().all(near),
            "{numbers:?}"
        );
        assert!(written(&["impurity"], false).is_empty());
        assert!(written(&[], true).is_empty());
    }

    #[test]
    fn a_type_with_certain_literals_only_gets_no_other() {
        let literal = |number| Literal {
            value: Value::Int(number),
            origin: Origin::Builtin,
        };
        let written = |closed, timed| {
            let number = CallType {
                literals: [3, 7].map(literal).to_vec(),
                closed,
                ..CallType::default()
            };
            written(&["impurity"], timed, number)
        };
        for timed in [false, true] {
            let mut numbers = written(true, timed);
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers, [3, 7], "timed: {timed}");
            let others = written(false, timed);
            assert!(others.iter().any(|number| ![3, 7].contains(number)));
        }
    }
}
