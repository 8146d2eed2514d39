//! Prints the code of a method with its lines, frames and handlers.

use super::{Printer, text};
use crate::code::Code;
use crate::error::Error;
use crate::frames::{Frames, VerificationType};
use crate::instruction::{Instruction, Operand};
use crate::member::Member;
use crate::opcode::OperandKind;

/// So many types of a frame are printed.
const MOST_TYPES: usize = 64;

impl Printer<'_> {
    /// Prints the code of a method, if it has some.
    pub(super) fn code(&mut self, method: &Member) {
        let code = match method.code(&self.class.pool) {
            Ok(Some(code)) => code,
            Ok(None) => return,
            Err(error) => return self.failed(&error),
        };
        self.line(&format!(
            "code of {} bytes, stack {}, locals {}",
            code.bytes.len(),
            code.max_stack,
            code.max_locals
        ));
        self.inside(|printer| {
            printer.instructions(method, &code);
            printer.handlers(&code);
            printer.attributes(&code.attributes);
        });
    }

    fn instructions(&mut self, method: &Member, code: &Code) {
        let frames = match Frames::parse(self.class, method, code) {
            Ok(frames) => Some(frames),
            Err(error) => {
                self.failed(&error);
                None
            }
        };
        let mut lines = self.lines(code).into_iter().peekable();
        for instruction in code.instructions() {
            while let Some((_, line)) = lines.next_if(|(pc, _)| *pc <= instruction.pc) {
                self.line(&format!("line {line}"));
            }
            if let Some(frames) = &frames {
                self.frame(frames, instruction.pc);
            }
            match self.instruction(&instruction) {
                Ok(text) => self.line(&text),
                Err(error) => self.failed(&error),
            }
        }
    }

    fn frame(&mut self, frames: &Frames, pc: u32) {
        let Some(frame) = frames.at(pc) else { return };
        let mut text = format!("frame [{}]", self.types(frames.locals(frame)));
        let stack = frames.stack(frame);
        if !stack.is_empty() {
            text.push_str(&format!(" stack [{}]", self.types(stack)));
        }
        self.line(&text);
    }

    fn types(&self, types: &[VerificationType]) -> String {
        let shown = types.iter().take(MOST_TYPES).map(|found| match found {
            VerificationType::Top => "top".to_owned(),
            VerificationType::Integer => "int".to_owned(),
            VerificationType::Float => "float".to_owned(),
            VerificationType::Double => "double".to_owned(),
            VerificationType::Long => "long".to_owned(),
            VerificationType::Null => "null".to_owned(),
            VerificationType::UninitializedThis => "uninitialized this".to_owned(),
            VerificationType::Object(class) => {
                let name = self.class.pool.class_name(*class);
                text::short(name.unwrap_or_default())
            }
            VerificationType::Uninitialized(pc) => format!("uninitialized {pc}"),
            VerificationType::Parameter(number) => format!("parameter {number}"),
        });
        let mut shown: Vec<String> = shown.collect();
        if types.len() > MOST_TYPES {
            shown.push(format!("{} more", types.len() - MOST_TYPES));
        }
        shown.join(", ")
    }

    fn instruction(&self, instruction: &Instruction) -> Result<String, Error> {
        let pool = &self.class.pool;
        let wide = if instruction.is_wide() { "wide " } else { "" };
        let mut out = format!("{:>5} {wide}{}", instruction.pc, instruction.opcode.name());
        let implied = matches!(
            instruction.opcode.info().operands,
            OperandKind::FixedValue(_) | OperandKind::FixedLocal(_)
        );
        let operand = match &instruction.operand {
            _ if implied => return Ok(out),
            Operand::None => return Ok(out),
            Operand::Value(value) => match instruction.opcode.info().operands {
                OperandKind::ArrayType => array_type(*value),
                _ => value.to_string(),
            },
            Operand::Local(local) => local.to_string(),
            Operand::Increment { local, by } => format!("{local} by {by}"),
            Operand::Branch(target) => format!("-> {target}"),
            Operand::Switch(switch) => {
                let cases = switch.cases.iter();
                let mut cases: Vec<String> =
                    cases.map(|(key, to)| format!("{key} -> {to}")).collect();
                cases.push(format!("default -> {}", switch.default));
                cases.join(", ")
            }
            Operand::Pool(index) | Operand::Dynamic(index) => text::constant(pool, *index)?,
            Operand::Interface { index, count } => {
                format!("{}, {count} slots", text::member(pool, *index)?)
            }
            Operand::MultiArray { index, dimensions } => {
                let name = text::short(pool.class_name(*index)?);
                format!("{name}, {dimensions} dimensions")
            }
        };
        out.push(' ');
        out.push_str(&operand);
        Ok(out)
    }

    fn handlers(&mut self, code: &Code) {
        for handler in &code.handlers {
            let caught = match self.class.pool.class_name(handler.class) {
                Ok(name) => text::short(name),
                Err(_) => "anything".to_owned(),
            };
            self.line(&format!(
                "handler {}..{} -> {} for {caught}",
                handler.start, handler.end, handler.target
            ));
        }
    }
}

fn array_type(kind: i32) -> String {
    let names = [
        "boolean", "char", "float", "double", "byte", "short", "int", "long",
    ];
    let name = usize::try_from(kind - 4).ok().and_then(|at| names.get(at));
    name.map_or_else(|| format!("type {kind}"), |name| (*name).to_owned())
}
