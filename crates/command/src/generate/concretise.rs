//! From a frame to texts, and from texts to an input.

use super::{GenerateError, Helpers, MAX_INPUT, MAX_STEPS, MAX_TEXT, Making, Problem};
use crate::expression::Context;
use crate::input::{Fields, Input};
use crate::spec::{Argument, CategorySpec, Part, Spec, Template};
use engine::Stream;
use engine::frames::{ABSENT, Frame};

impl Spec {
    /// Makes a frame concrete: draws the texts in an order in which references find what they refer to, puts them into
    /// the templates of `[run]`, and fills in the derived categories of the frame from the finished input.
    ///
    /// A category that only has a `from` beside a whole-input generator is left to classification, because telling its
    /// choices apart may need more than predicates.
    pub fn concretise(
        &self,
        frame: &mut Frame,
        stream: &mut Stream,
        helpers: &mut Helpers<'_>,
    ) -> Result<(Fields, Input), GenerateError> {
        let mut fields = Fields(vec![None; self.categories.len()]);
        let mut whole = String::new();
        // Texts grow in one buffer and are copied out at their final size, which saves most reallocations.
        let mut text = String::new();
        for &node in &self.order {
            text.clear();
            let mut making = Making {
                context: Context {
                    fields: &fields.0,
                    whole: &whole,
                    ..Context::default()
                },
                stream,
                grammar: &self.grammar,
                helpers,
                steps: MAX_STEPS,
            };
            if node == self.categories.len() {
                let made = self.input.as_ref().map(|g| g.make(&mut making, &mut text));
                made.transpose()
                    .map_err(|problem| error_at("`[input]`", problem))?;
                whole.clone_from(&text);
            } else if frame.0[node] != ABSENT {
                let made = self.make_text(node, frame.0[node], &mut making, &mut text);
                made.map_err(|problem| self.choice_error(node, frame.0[node], problem))?;
                fields.0[node] = Some(text.clone());
            }
        }
        let context = Context {
            fields: &fields.0,
            whole: &whole,
            ..Context::default()
        };
        if self.length(&context) > MAX_INPUT {
            return Err(error_at("`[run]`", Problem::InputTooLong));
        }
        let input = self.render(&fields, &whole);
        self.derive(&input, &whole, &mut fields, frame);
        Ok((fields, input))
    }

    /// One text of a choice: one that was observed, or a new one.
    fn make_text(
        &self,
        category: usize,
        choice: u16,
        making: &mut Making<'_, '_>,
        text: &mut String,
    ) -> Result<(), Problem> {
        let choices = &self.categories[category].choices;
        let choice = choices.get(usize::from(choice) - 1);
        let choice = choice.ok_or(Problem::NoGenerator)?;
        if !choice.observed.is_empty() {
            let reuse = self.learn.as_ref().map_or(0.0, |learn| learn.reuse);
            if making.stream.chance(reuse) {
                let observed = &choice.observed;
                text.push_str(&observed[making.stream.index(observed.len())]);
                return Ok(());
            }
        }
        let generator = choice.generator.as_ref().ok_or(Problem::NoGenerator)?;
        generator.make(making, text)
    }

    fn choice_error(&self, category: usize, choice: u16, problem: Problem) -> GenerateError {
        let name = &self.space.categories[category].name;
        let choice = self.space.choice_name(category, choice);
        error_at(&format!("`{name}={choice}`"), problem)
    }

    /// The length of all texts that `[run]` takes from elsewhere.
    fn length(&self, context: &Context<'_>) -> usize {
        let args = self
            .run
            .args
            .iter()
            .map(|argument| argument.length(context));
        let files = self.run.files.values().chain(self.run.env.values());
        let others = files
            .chain([&self.run.stdin])
            .map(|template| template.length(context));
        args.chain(others).fold(0, usize::saturating_add)
    }

    /// Puts the texts of the categories, and of the whole-input generator, into the templates of `[run]`.
    pub fn render(&self, fields: &Fields, whole: &str) -> Input {
        let context = Context {
            fields: &fields.0,
            whole,
            ..Context::default()
        };
        let mut input = Input::default();
        input.args.reserve(self.run.args.len());
        for argument in &self.run.args {
            argument.render(&context, &mut input.args);
        }
        let rendered = |template: &Template| {
            let mut text = String::new();
            template.render(&context, &mut text);
            text
        };
        input.stdin = rendered(&self.run.stdin).into_bytes();
        for (name, template) in &self.run.files {
            if !template.is_absent(&context) {
                input
                    .files
                    .insert(name.clone(), rendered(template).into_bytes());
            }
        }
        for (name, template) in &self.run.env {
            if !template.is_absent(&context) {
                input.env.insert(name.clone(), rendered(template));
            }
        }
        input
    }

    /// Fills in the derived categories: the first choice whose `match` holds, absent where none does.
    pub fn derive(&self, input: &Input, whole: &str, fields: &mut Fields, frame: &mut Frame) {
        for (index, category) in self.categories.iter().enumerate() {
            if category.derived {
                let text = category.from.as_ref().map(|from| from.find(input));
                let found = text.flatten().map(std::borrow::Cow::into_owned);
                frame.0[index] = match (&found, &category.from) {
                    (None, Some(_)) => ABSENT,
                    _ => first_match(
                        category,
                        &Context {
                            fields: &fields.0,
                            own: found.as_deref(),
                            whole,
                            input: Some(input),
                        },
                    ),
                };
                fields.0[index] = found;
            }
        }
    }
}

fn error_at(place: &str, problem: Problem) -> GenerateError {
    GenerateError {
        place: place.to_owned(),
        problem,
    }
}

fn first_match(category: &CategorySpec, context: &Context<'_>) -> u16 {
    let holds = |choice: &crate::spec::ChoiceSpec| {
        let matches = choice.matches.as_ref();
        matches.is_some_and(|matches| matches.holds(context))
    };
    let position = category.choices.iter().position(holds);
    position.map_or(ABSENT, |position| position as u16 + 1)
}

impl Argument {
    fn length(&self, context: &Context<'_>) -> usize {
        match self {
            Argument::One(template) | Argument::Split(template) => template.length(context),
            Argument::Group(inner) => {
                let lengths = inner.iter().map(|argument| argument.length(context));
                lengths.fold(0, usize::saturating_add)
            }
        }
    }

    fn render(&self, context: &Context<'_>, args: &mut Vec<String>) {
        let text = |template: &Template| {
            let mut text = String::new();
            template.render(context, &mut text);
            text
        };
        match self {
            Argument::One(template) => {
                // By far the most frequent kind: `"{category}"`.
                if let [Part::Category(category)] = template.parts.as_slice() {
                    args.extend(context.field(*category).map(str::to_owned));
                } else if !template.is_absent(context) {
                    args.push(text(template));
                }
            }
            Argument::Split(template) => {
                args.extend(text(template).split_whitespace().map(str::to_owned));
            }
            Argument::Group(inner) => {
                let lacks = |template: &&Template| template.lacks_any(context);
                if !self.templates().iter().any(lacks) {
                    inner
                        .iter()
                        .for_each(|argument| argument.render(context, args));
                }
            }
        }
    }
}

impl Template {
    /// Renders a template as a generator does: with a bound on the length.
    pub(super) fn make(&self, context: &Context<'_>, out: &mut String) -> Result<(), Problem> {
        if self.length(context) > MAX_TEXT {
            return Err(Problem::TooLong);
        }
        self.render(context, out);
        Ok(())
    }

    /// The length of the texts it takes from elsewhere. Expressions count as the texts they name, which is an upper bound
    /// but for the digits of numbers.
    fn length(&self, context: &Context<'_>) -> usize {
        let length = |part: &Part| match part {
            Part::Text(_) => 0,
            Part::Category(category) => context.field(*category).map_or(0, str::len),
            Part::Input => context.whole.len(),
            Part::Expression(expression) => {
                let fields = expression.fields().iter();
                let lengths = fields.map(|field| context.field(*field).map_or(0, str::len));
                let whole = usize::from(expression.uses_input()) * context.whole.len();
                lengths.fold(whole, usize::saturating_add)
            }
        };
        self.parts.iter().map(length).fold(0, usize::saturating_add)
    }
}
