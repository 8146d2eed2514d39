//! The body of a test method: steps as Java statements, assertions behind them.
//!
//! Types are written raw, as the JVM has them: what compiles then does what the steps did. A result gets a variable only if
//! something uses it. Whether the compiler really takes the code is for `compile` to find out.

use super::assertion::{Assertion, Expected, Look};
use super::assertion_code::{AssertionContext, Variable, call};
use super::contract::{Contract, ContractContext};
use super::implementor;
use super::literal::{of_value, type_of_value, unboxed};
use super::overload::Types;
use super::reason::Reason;
use super::source_name::{Viewpoint, ascii, is_inner, is_reference};
use super::variable::Variables;
use crate::model::{JvmOperation, OperationKind};
use crate::observed::{Observed, ObservedThrow};
use engine::{Argument, Step, Test};
use std::collections::BTreeSet;

/// How a test is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Casts only where they are known to be needed.
    Plain,
    /// Every argument and receiver of another type is cast to that of its parameter, which also forgets type arguments.
    Cast,
}

/// A test method's code. Class names are still marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The statements.
    pub lines: Vec<Line>,
    /// Exceptions that the statements may throw by declaration, in internal form.
    pub throws: BTreeSet<String>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The statement.
    pub text: String,
    /// The index of the assertion that it is, among those given.
    pub assertion: Option<usize>,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub struct BodyInput<'a> {
    /// The steps.
    pub test: &'a Test,
    /// What they showed.
    pub observed: &'a Observed,
    /// What is asserted.
    pub assertions: &'a [Assertion],
    /// The contract that the test shows to be violated.
    pub contract: Option<&'a Contract>,
    /// Whether an exception of the last step is expected, not a failure.
    pub expects_exception: bool,
    /// How it is written.
    pub style: Style,
}

/// An argument as source text, with its type where it has one (`null` has none).
struct Given {
    text: String,
    descriptor: Option<String>,
    /// Whether a cast or a call on it needs parentheses around it.
    compound: bool,
}

/// Writes the body of a test.
pub fn write_body(viewpoint: Viewpoint, types: &Types, input: &BodyInput) -> Result<Body, Reason> {
    let mut writer = Writer {
        viewpoint,
        types,
        style: input.style,
        names: Variables::default(),
        results: Vec::new(),
        body: Body::default(),
    };
    let ran = input.observed.steps.len().min(input.test.steps.len());
    let steps = &input.test.steps[..ran];
    let used = used_results(steps, input);
    let threw = input.observed.threw();
    for (index, step) in steps.iter().enumerate() {
        match threw {
            Some((at, throw)) if at == index && input.expects_exception => {
                writer.throwing(index, step, throw)?;
            }
            _ => writer.step(index, step, used.contains(&index))?,
        }
    }
    writer.assertions(input.assertions)?;
    if let Some(contract) = input.contract {
        let variables = contract.steps.iter().map(|step| writer.variable(*step));
        let context = ContractContext {
            viewpoint,
            types,
            variables: variables.collect::<Result<_, _>>()?,
        };
        for line in context.statements(contract)? {
            writer.line(line);
        }
    }
    Ok(writer.body)
}

/// The steps whose results something uses.
fn used_results(steps: &[Step], input: &BodyInput) -> BTreeSet<usize> {
    let arguments = steps.iter().flat_map(|step| &step.arguments);
    let mut used: BTreeSet<usize> = arguments
        .filter_map(|argument| match argument {
            Argument::Result(index) => Some(*index as usize),
            _ => None,
        })
        .collect();
    for assertion in input.assertions {
        used.insert(assertion.step as usize);
        if let Expected::Same(step) = assertion.expected {
            used.insert(step as usize);
        }
    }
    if let Some(contract) = input.contract {
        used.extend(contract.steps.iter().map(|step| *step as usize));
    }
    used
}

/// The result of a step.
#[derive(Clone, Debug)]
enum Known {
    /// It has no name.
    Unnamed,
    /// A variable, or the name of a constant.
    Named(Variable),
}

struct Writer<'a> {
    viewpoint: Viewpoint<'a>,
    types: &'a Types<'a>,
    style: Style,
    names: Variables,
    results: Vec<Known>,
    body: Body,
}

impl Writer<'_> {
    fn line(&mut self, text: String) {
        self.body.lines.push(Line {
            text,
            assertion: None,
        });
    }

    fn variable(&self, step: u32) -> Result<Variable, Reason> {
        match self.results.get(step as usize) {
            Some(Known::Named(variable)) => Ok(variable.clone()),
            _ => Err(Reason::Malformed(step as usize)),
        }
    }

    fn operation(&self, index: usize, step: &Step) -> Result<&JvmOperation, Reason> {
        let operations = &self.viewpoint.model.operations;
        operations
            .get(step.operation.0 as usize)
            .ok_or(Reason::Malformed(index))
    }

    fn step(&mut self, index: usize, step: &Step, used: bool) -> Result<(), Reason> {
        let operation = self.operation(index, step)?.clone();
        self.body.throws.extend(operation.throws.iter().cloned());
        let expression = self.expression(index, step, &operation)?;
        let named = used || !is_statement(&operation);
        let Some(result) = self.result(step).filter(|_| named) else {
            self.results.push(Known::Unnamed);
            self.line(format!("{expression};"));
            return Ok(());
        };
        if used && is_constant(&operation) {
            // Constants read best where they are used.
            self.results.push(Known::Named(Variable {
                name: expression,
                descriptor: result,
            }));
            return Ok(());
        }
        let descriptor = self.viewpoint.declarable(&result).to_owned();
        let name = self.names.name(self.viewpoint.model, &descriptor);
        let kind = self.viewpoint.kind(&descriptor)?;
        self.line(format!("{kind} {name} = {expression};"));
        self.results
            .push(Known::Named(Variable { name, descriptor }));
        Ok(())
    }

    /// The last step, which must throw.
    fn throwing(&mut self, index: usize, step: &Step, throw: &ObservedThrow) -> Result<(), Reason> {
        let operation = self.operation(index, step)?.clone();
        let expression = self.expression(index, step, &operation)?;
        let classes = std::iter::once(&throw.class).chain(&throw.public_classes);
        let known = |class: &&String| {
            self.viewpoint.model.classes.contains_key(*class)
                || throw.public_classes.contains(class)
        };
        let class = classes
            .filter(known)
            .find_map(|class| self.viewpoint.class(class).ok());
        let class = class.ok_or_else(|| Reason::NotAccessible(throw.class.replace('/', ".")))?;
        let executed = match self.result(step) {
            Some(result) if !is_statement(&operation) => {
                let descriptor = self.viewpoint.declarable(&result);
                let name = self.names.name(self.viewpoint.model, descriptor);
                let kind = self.viewpoint.kind(descriptor)?;
                format!("{{ {kind} {name} = {expression}; }}")
            }
            _ => expression,
        };
        self.line(call(
            "assertThrows",
            &[&format!("{class}.class"), &format!("() -> {executed}")],
        ));
        self.results.push(Known::Unnamed);
        Ok(())
    }

    fn result(&self, step: &Step) -> Option<String> {
        let model = self.viewpoint.model;
        let signature = model.calls.signatures.get(step.operation.0 as usize)?;
        model.descriptors.get(signature.result?.0 as usize).cloned()
    }

    fn assertions(&mut self, assertions: &[Assertion]) -> Result<(), Reason> {
        for (index, assertion) in assertions.iter().enumerate() {
            let context = AssertionContext {
                viewpoint: self.viewpoint,
                types: self.types,
            };
            // The result of a step that is called for its effect alone has no name.
            let Ok(variable) = self.variable(assertion.step) else {
                continue;
            };
            let other = match assertion.expected {
                Expected::Same(step) => Some(self.variable(step)?),
                _ => None,
            };
            // An assertion that names what this package cannot see is not a reason to lose the test.
            if let Ok(text) = context.statement(assertion, &variable, other.as_ref()) {
                if let Look::Getter(getter) = &assertion.look {
                    self.body.throws.extend(getter.throws.iter().cloned());
                }
                self.body.lines.push(Line {
                    text,
                    assertion: Some(index),
                });
            }
        }
        Ok(())
    }

    fn expression(
        &self,
        index: usize,
        step: &Step,
        operation: &JvmOperation,
    ) -> Result<String, Reason> {
        let asked = self.parameters(index, step)?;
        let given: Vec<Given> = step
            .arguments
            .iter()
            .zip(&asked)
            .map(|(argument, asked)| self.argument(index, argument, asked))
            .collect::<Result<_, _>>()?;
        let view = &self.viewpoint;
        match operation.kind {
            OperationKind::Array => {
                let elements: Result<Vec<String>, Reason> = given
                    .into_iter()
                    .zip(&asked)
                    .map(|(given, asked)| self.fitted(given, asked, false))
                    .collect();
                let kind = view.kind(&operation.owner)?;
                Ok(format!("new {kind} {{{}}}", elements?.join(", ")))
            }
            OperationKind::StaticField => Ok(format!(
                "{}.{}",
                view.class(&operation.owner)?,
                view.member(&operation.name)?
            )),
            OperationKind::Field => {
                let receiver = self.receiver(index, given, operation)?.0;
                Ok(format!("{receiver}.{}", view.member(&operation.name)?))
            }
            OperationKind::StaticMethod => {
                let owner = view.class(&operation.owner)?;
                let arguments = self.arguments(given, &asked, operation)?;
                Ok(format!(
                    "{owner}.{}({arguments})",
                    view.member(&operation.name)?
                ))
            }
            OperationKind::Method => {
                let (receiver, given) = self.receiver(index, given, operation)?;
                let arguments = self.arguments(given, &asked[1..], operation)?;
                let name = view.member(&operation.name)?;
                Ok(format!("{receiver}.{name}({arguments})"))
            }
            OperationKind::Constructor => self.construction(index, given, &asked, operation),
            OperationKind::ClassLiteral => Ok(format!("{}.class", view.class(&operation.owner)?)),
            OperationKind::Implementor => {
                let arguments = self.arguments(given, &asked, operation)?;
                implementor::expression(view, operation, &arguments)
            }
        }
    }

    fn construction(
        &self,
        index: usize,
        given: Vec<Given>,
        asked: &[String],
        operation: &JvmOperation,
    ) -> Result<String, Reason> {
        let view = &self.viewpoint;
        let class = view.class(&operation.owner)?;
        if !is_inner(view.model, &operation.owner) {
            let arguments = self.arguments(given, asked, operation)?;
            return Ok(format!("new {class}({arguments})"));
        }
        let facts = view.model.classes.get(&operation.owner);
        let outer = facts.and_then(|facts| facts.outer.clone());
        let simple = facts.and_then(|facts| facts.simple.clone());
        let (Some(outer), Some(simple)) = (outer, simple) else {
            return Err(Reason::NoJavaName(operation.owner.replace('/', ".")));
        };
        // An inner class is made from an instance of the outer one, which the descriptor has as its first parameter.
        let outer = JvmOperation {
            owner: outer,
            ..operation.clone()
        };
        let all: Vec<Option<&str>> = given.iter().map(|one| one.descriptor.as_deref()).collect();
        let casts = self.style == Style::Cast || self.types.ambiguous(operation, &all);
        let (receiver, given) = self.receiver(index, given, &outer)?;
        let arguments = self.join(given, &asked[1..], casts, operation)?;
        Ok(format!("{receiver}.new {}({arguments})", ascii(&simple)))
    }

    /// The descriptors of the parameters, one for every argument.
    fn parameters(&self, index: usize, step: &Step) -> Result<Vec<String>, Reason> {
        let model = self.viewpoint.model;
        let malformed = || Reason::Malformed(index);
        let signature = model
            .calls
            .signatures
            .get(step.operation.0 as usize)
            .ok_or_else(malformed)?;
        let mut parameters: Vec<&engine::calls::Parameter> = signature.parameters.iter().collect();
        if signature.repeats {
            let last = parameters.pop().ok_or_else(malformed)?;
            while parameters.len() < step.arguments.len() {
                parameters.push(last);
            }
        }
        if parameters.len() != step.arguments.len() {
            return Err(malformed());
        }
        let descriptor = |parameter: &engine::calls::Parameter| {
            model.descriptors.get(parameter.kind.0 as usize).cloned()
        };
        let all: Option<Vec<String>> = parameters.into_iter().map(descriptor).collect();
        all.ok_or_else(malformed)
    }

    fn argument(&self, index: usize, argument: &Argument, asked: &str) -> Result<Given, Reason> {
        match argument {
            Argument::Result(step) => {
                let variable = self.variable(*step)?;
                Ok(Given {
                    text: variable.name,
                    descriptor: Some(variable.descriptor),
                    compound: false,
                })
            }
            Argument::Literal(literal) => {
                let text = of_value(&literal.value, asked)?;
                let compound = text.starts_with(['-', '(']);
                Ok(Given {
                    compound,
                    descriptor: type_of_value(&literal.value, asked).map(str::to_owned),
                    text,
                })
            }
            Argument::Slot { .. } => Err(Reason::Malformed(index)),
        }
    }

    /// Takes the receiver off the arguments.
    fn receiver(
        &self,
        index: usize,
        given: Vec<Given>,
        operation: &JvmOperation,
    ) -> Result<(String, Vec<Given>), Reason> {
        let mut given = given.into_iter();
        let receiver = given.next().ok_or(Reason::Malformed(index))?;
        let owner = match operation.owner.starts_with('[') {
            true => operation.owner.clone(),
            false => format!("L{};", operation.owner),
        };
        let fits = receiver
            .descriptor
            .as_ref()
            .is_some_and(|given| self.types.fits(given, &owner));
        let rest = given.collect();
        let same = receiver.descriptor.as_deref() == Some(owner.as_str());
        if same || fits && self.style == Style::Plain {
            return Ok((receiver.text, rest));
        }
        let kind = self.viewpoint.kind(&owner);
        let kind = match (kind, fits) {
            (Ok(kind), _) => kind,
            // A public class may inherit what a hidden one declares.
            (Err(_), true) => return Ok((receiver.text, rest)),
            (Err(reason), false) => return Err(reason),
        };
        Ok((format!("(({kind}) {})", receiver.text), rest))
    }

    fn arguments(
        &self,
        given: Vec<Given>,
        asked: &[String],
        operation: &JvmOperation,
    ) -> Result<String, Reason> {
        let types: Vec<Option<&str>> = given.iter().map(|one| one.descriptor.as_deref()).collect();
        let casts = self.style == Style::Cast || self.types.ambiguous(operation, &types);
        self.join(given, asked, casts, operation)
    }

    fn join(
        &self,
        given: Vec<Given>,
        asked: &[String],
        casts: bool,
        operation: &JvmOperation,
    ) -> Result<String, Reason> {
        const VARARGS: u16 = 0x80;
        let last = given.len();
        let texts: Result<Vec<String>, Reason> = given
            .into_iter()
            .zip(asked)
            .enumerate()
            .map(|(index, (given, asked))| {
                // Bare `null` for a variable number of arguments could be the array or its only element.
                let open = operation.access & VARARGS != 0 && index + 1 == last;
                self.fitted(given, asked, casts || open)
            })
            .collect();
        Ok(texts?.join(", "))
    }

    /// An argument, cast where it does not fit by itself, or where `exact` asks for the very type of the parameter.
    fn fitted(&self, given: Given, asked: &str, exact: bool) -> Result<String, Reason> {
        let fits = match given.descriptor.as_deref() {
            None => is_reference(asked) && !exact,
            Some(kind) if kind == asked => true,
            Some(_) if exact => false,
            // A literal is written for its parameter, so that boxing alone remains to be done.
            Some(kind) => {
                self.types.fits(kind, asked)
                    || !is_reference(kind)
                        && (unboxed(asked) == unboxed(kind) || is_reference(asked))
            }
        };
        if fits {
            return Ok(given.text);
        }
        let kind = self.viewpoint.kind(asked)?;
        Ok(match given.compound {
            true => format!("({kind}) ({})", given.text),
            false => format!("({kind}) {}", given.text),
        })
    }
}

/// Whether an operation alone is a statement; reading a field and making an array are not.
fn is_statement(operation: &JvmOperation) -> bool {
    use OperationKind::{Array, ClassLiteral, Field, Implementor, StaticField};
    !matches!(
        operation.kind,
        Array | ClassLiteral | Field | Implementor | StaticField
    )
}

/// Whether an operation names a constant that can stand wherever its value is used.
pub fn is_constant(operation: &JvmOperation) -> bool {
    const FINAL: u16 = 0x10;
    operation.kind == OperationKind::ClassLiteral
        || operation.kind == OperationKind::StaticField && operation.access & FINAL != 0
}
