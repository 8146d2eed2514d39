//! Code that a compiler made and nobody wrote: it has no mutants, as in PIT, so that scores can be compared.
//!
//! Whole members: bridges, synthetic methods other than the bodies of lambdas, static initialisers, `values` and `valueOf`
//! of enums, what records get by themselves. Within methods: `assert`, the loops of `for (x : y)`, switches over texts
//! and enums, the handlers of `try` with resources, null checks that nobody wrote, and lines that write a log.
//!
//! Differences from PIT: the patterns are those of javac and of the Eclipse compiler; code of other languages keeps mutants
//! that PIT drops.

use classfile::{ClassFile, Flow, Instruction, Member, Opcode, Operand};

use super::method::Method;

const BRIDGE: u16 = 0x0040;
const SYNTHETIC: u16 = 0x1000;
const ENUM: u16 = 0x4000;

/// Packages of loggers.
const LOGGERS: [&str; 5] = [
    "java/util/logging/",
    "org/apache/commons/logging/",
    "org/apache/log4j/",
    "org/apache/logging/log4j/",
    "org/slf4j/",
];

/// What is known of a class.
pub struct Class<'c> {
    class: &'c ClassFile<'c>,
    is_enum: bool,
    is_record: bool,
}

impl<'c> Class<'c> {
    /// Looks at a class.
    pub fn new(class: &'c ClassFile<'c>) -> Class<'c> {
        Class {
            class,
            is_enum: class.access & ENUM != 0 || class.super_name() == Some("java/lang/Enum"),
            is_record: class.super_name() == Some("java/lang/Record"),
        }
    }

    /// Whether nobody wrote this method, or nothing can be seen of a change in it.
    pub fn is_compiler_made(&self, member: &Member) -> bool {
        let pool = &self.class.pool;
        let (name, descriptor) = (member.name(pool), member.descriptor(pool));
        let synthetic = member.access & SYNTHETIC != 0 && !name.starts_with("lambda$");
        let of_enum = self.is_enum
            && (name == "values" && descriptor.starts_with("()[")
                || name == "valueOf" && descriptor.starts_with("(Ljava/lang/String;)"));
        let access = member.access & BRIDGE != 0 || synthetic;
        access || name == "<clinit>" || of_enum || self.is_record && self.is_of_record(member)
    }

    /// Whether a record has the method by itself: an accessor, or one whose body is a dynamic call.
    fn is_of_record(&self, member: &Member) -> bool {
        let pool = &self.class.pool;
        let Ok(Some(code)) = member.code(pool) else {
            return false;
        };
        let instructions: Vec<Instruction> = code.instructions().collect();
        let dynamic = instructions.iter().any(|instruction| {
            let site = match instruction.operand {
                Operand::Dynamic(index) => pool.dynamic(index).ok(),
                _ => None,
            };
            site.is_some_and(|(_, name, _)| name == member.name(pool))
        });
        let accessor = match instructions.as_slice() {
            [this, get, _] => {
                let field = get.constant().and_then(|index| pool.member(index).ok());
                this.opcode == Opcode::ALOAD_0
                    && get.opcode == Opcode::GETFIELD
                    && field.is_some_and(|field| field.name == member.name(pool))
            }
            _ => false,
        };
        dynamic || accessor
    }
}

/// For every instruction of a method, whether a compiler made it.
pub(super) fn compiler_made(method: &Method) -> Vec<bool> {
    let mut made = Made {
        method,
        made: vec![false; method.instructions.len()],
    };
    for index in 0..method.instructions.len() {
        made.assertion(index);
        made.null_check(index);
        made.iterator_loop(index);
        made.array_loop(index);
        made.text_switch(index);
        made.enum_switch(index);
        made.resource_handler(index);
    }
    made.log_lines();
    made.made
}

struct Made<'m> {
    method: &'m Method<'m>,
    made: Vec<bool>,
}

impl Made<'_> {
    fn mark(&mut self, from: usize, to: usize) {
        let end = to.min(self.made.len());
        if from < end {
            self.made[from..end].fill(true);
        }
    }

    fn calls(&self, index: usize, owner: &str, name: &str) -> bool {
        let called = self.method.called(index);
        called.is_some_and(|called| called.0 == owner && called.1 == name)
    }

    /// Where a jump goes, as the number of an instruction.
    fn target(&self, index: usize) -> Option<usize> {
        match self.method.instructions.get(index)?.operand {
            Operand::Branch(target) => self.method.index_of(target),
            _ => None,
        }
    }

    fn local(&self, index: usize) -> Option<u16> {
        match self.method.instructions.get(index)?.operand {
            Operand::Local(local) => Some(local),
            _ => None,
        }
    }

    fn is(&self, index: usize, opcode: Opcode) -> bool {
        self.method.opcode(index) == Some(opcode)
    }

    /// Whether the opcode is `astore`, `istore` and so on, short forms included.
    fn named(&self, index: usize, prefix: &str) -> bool {
        let opcode = self.method.opcode(index);
        opcode.is_some_and(|opcode| opcode.name().split('_').next() == Some(prefix))
    }

    /// `if (!$assertionsDisabled && !condition) throw …`: from the field to where the jump goes.
    fn assertion(&mut self, index: usize) {
        if self.method.static_field(index) == Some("$assertionsDisabled")
            && self.is(index, Opcode::GETSTATIC)
            && let Some(end) = self.target(index + 1)
        {
            self.mark(index, end);
        }
    }

    /// `Objects.requireNonNull(x); pop` and `x.getClass(); pop`, which guard inner classes and method references.
    fn null_check(&mut self, index: usize) {
        let check = self.calls(index, "java/util/Objects", "requireNonNull")
            || self
                .method
                .called(index)
                .is_some_and(|called| called.1 == "getClass" && called.2 == "()Ljava/lang/Class;");
        if check && self.is(index + 1, Opcode::POP) {
            self.mark(index, index + 1);
        }
    }

    /// `iterator(); astore i; [goto]; aload i; hasNext(); ifeq …; aload i; next()`.
    fn iterator_loop(&mut self, index: usize) {
        let is_iterator = |called: (&str, &str, &str)| {
            called.1 == "iterator" && called.2 == "()Ljava/util/Iterator;"
        };
        if !self.method.called(index).is_some_and(is_iterator) || !self.named(index + 1, "astore") {
            return;
        }
        let local = self.local(index + 1);
        let head = match self
            .method
            .instructions
            .get(index + 2)
            .map(Instruction::flow)
        {
            Some(Flow::Goto) => self.target(index + 2),
            _ => Some(index + 2),
        };
        let Some(head) = head else {
            return;
        };
        let on_iterator = |at: usize, name: &str| {
            self.named(at, "aload")
                && self.local(at) == local
                && self.calls(at + 1, "java/util/Iterator", name)
        };
        if !on_iterator(head, "hasNext") {
            return;
        }
        // The loop's body follows the test, or precedes it where the compiler put the test last.
        let body = match self.method.opcode(head + 2) {
            Some(Opcode::IFNE) => self.target(head + 2),
            _ => Some(head + 3),
        };
        if let Some(body) = body.filter(|body| on_iterator(*body, "next")) {
            self.mark(index, index + 1);
            self.mark(head, head + 3);
            self.mark(body, body + 2);
        }
    }

    /// `arraylength; istore n; iconst_0; istore i; iload i; iload n; if_icmpge …`, and the step of `i`.
    fn array_loop(&mut self, index: usize) {
        let shape = self.is(index, Opcode::ARRAYLENGTH)
            && self.named(index + 1, "istore")
            && self.is(index + 2, Opcode::ICONST_0)
            && self.named(index + 3, "istore")
            && self.named(index + 4, "iload")
            && self.named(index + 5, "iload")
            && self.is(index + 6, Opcode::IF_ICMPGE);
        let counter = self.local(index + 3);
        let fits =
            self.local(index + 4) == counter && self.local(index + 5) == self.local(index + 1);
        let Some(end) = self.target(index + 6).filter(|_| shape && fits) else {
            return;
        };
        self.mark(index + 2, index + 7);
        let step = end.checked_sub(2);
        if let Some(step) = step.filter(|step| self.is(*step, Opcode::IINC)) {
            self.mark(step, step + 1);
        }
    }

    /// A switch over texts: by hash code first, then by `equals`, giving a number to the switch that was written.
    fn text_switch(&mut self, index: usize) {
        if !self.calls(index, "java/lang/String", "hashCode") {
            return;
        }
        let Some(Operand::Switch(switch)) = self
            .method
            .instructions
            .get(index + 1)
            .map(|next| &next.operand)
        else {
            return;
        };
        let default = self.method.index_of(switch.default);
        let Some(default) = default.filter(|default| *default > index) else {
            return;
        };
        // The number's first value, -1, is set before the hash code is taken.
        let from = index.saturating_sub(3);
        let start = (from..index).find(|at| self.is(*at, Opcode::ICONST_M1));
        self.mark(start.unwrap_or(index), default);
    }

    /// `getstatic $SwitchMap$…; x.ordinal(); iaload; switch`.
    fn enum_switch(&mut self, index: usize) {
        let called = self.method.called(index);
        if called.is_some_and(|called| called.1 == "ordinal" && called.2 == "()I")
            && self.is(index + 1, Opcode::IALOAD)
        {
            self.mark(index, index + 1);
        }
    }

    /// The handler that closes a resource and keeps what closing throws: around `addSuppressed`, up to the next `athrow`.
    fn resource_handler(&mut self, index: usize) {
        if !self.calls(index, "java/lang/Throwable", "addSuppressed") {
            return;
        }
        let method = self.method;
        let pc = method.instructions[index].pc;
        let handlers = method.code.handlers.iter();
        let starts = handlers
            .filter(|handler| u32::from(handler.target) < pc)
            .filter(|handler| method.pool.class_name(handler.class) == Ok("java/lang/Throwable"))
            .map(|handler| u32::from(handler.target));
        // The innermost handler around is that of `close`; the one before it catches what the body throws.
        let mut starts: Vec<u32> = starts.collect();
        starts.sort_unstable();
        starts.dedup();
        let start = match starts.as_slice() {
            [.., outer, _] => *outer,
            [only] => *only,
            [] => return,
        };
        let end = (index..method.instructions.len()).find(|at| self.is(*at, Opcode::ATHROW));
        if let (Some(start), Some(end)) = (method.index_of(start), end) {
            self.mark(start, end + 1);
            self.plain_close(start, end);
        }
    }

    /// The call that closes the same resource when nothing was thrown, with the null check before it.
    fn plain_close(&mut self, start: usize, end: usize) {
        let closes = |made: &Self, at: usize| {
            let called = made.method.called(at + 1);
            made.named(at, "aload")
                && called.is_some_and(|called| called.1 == "close" && called.2 == "()V")
        };
        let Some(handled) = (start..end).find(|at| closes(self, *at)) else {
            return;
        };
        for at in 0..self.method.instructions.len() {
            if !closes(self, at) || self.local(at) != self.local(handled) {
                continue;
            }
            self.mark(at, at + 2);
            let check = at.checked_sub(1).filter(|at| self.is(*at, Opcode::IFNULL));
            if let Some(check) = check {
                self.mark(check, check + 1);
            }
        }
    }

    /// All code of lines that call a logger.
    fn log_lines(&mut self) {
        let method = self.method;
        let is_logger = |index: &usize| {
            let called = method.called(*index);
            called.is_some_and(|called| LOGGERS.iter().any(|logger| called.0.starts_with(logger)))
        };
        let line = |index: usize| method.line(method.instructions[index].pc);
        let calls = (0..method.instructions.len()).filter(is_logger);
        let lines: Vec<u32> = calls.filter_map(line).collect();
        for index in 0..method.instructions.len() {
            if line(index).is_some_and(|line| lines.contains(&line)) {
                self.mark(index, index + 1);
            }
        }
    }
}
