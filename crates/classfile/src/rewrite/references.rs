//! Writes snippets: constants and calls of the runtime, with the constant pool entries they need.
//!
//! Entries are made when they are first needed in a class and remembered for the rest of it.

use std::borrow::Cow;

use super::runtime::{PATH, PROBES, Probe};
use crate::error::PoolFull;
use crate::opcode::Opcode;
use crate::pool::{Constant, ConstantPool};

/// How many ints are remembered, a power of two.
const INTS: usize = 64;

/// The runtime's entries in the pool of one class; 0 where there is none yet.
#[derive(Debug, Default)]
pub(super) struct References {
    probes: [u16; Probe::ALL.len()],
    path: u16,
    class: u16,
    /// Ints that were appended lately, by their low bits.
    ints: Ints,
}

#[derive(Debug)]
struct Ints([(i32, u16); INTS]);

impl Default for Ints {
    fn default() -> Ints {
        Ints([(0, 0); INTS])
    }
}

impl References {
    /// Appends a call of a probe.
    pub(super) fn call(
        &mut self,
        probe: Probe,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        if self.probes[probe as usize] == 0 {
            let (class, pair) = self.member(probe.signature(), pool)?;
            self.probes[probe as usize] = pool.append(Constant::Method(class, pair))?;
        }
        invoke_static(self.probes[probe as usize], code);
        Ok(())
    }

    /// Appends a call of a probe with one number.
    pub(super) fn call_with(
        &mut self,
        probe: Probe,
        number: u32,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        self.push_int(number as i32, code, pool)?;
        self.call(probe, code, pool)
    }

    /// Appends the array of path registers.
    pub(super) fn path(
        &mut self,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        if self.path == 0 {
            let (class, pair) = self.member((PATH, "[I"), pool)?;
            self.path = pool.append(Constant::Field(class, pair))?;
        }
        code.push(Opcode::GETSTATIC.0);
        code.extend(self.path.to_be_bytes());
        Ok(())
    }

    /// The class and the name and type of a member of the runtime.
    fn member(
        &mut self,
        (name, descriptor): (&'static str, &'static str),
        pool: &mut ConstantPool,
    ) -> Result<(u16, u16), PoolFull> {
        if self.class == 0 {
            let name = pool.append(text(PROBES))?;
            self.class = pool.append(Constant::Class(name))?;
        }
        let name = pool.append(text(name))?;
        let descriptor = pool.append(text(descriptor))?;
        let pair = pool.append(Constant::NameAndType(name, descriptor))?;
        Ok((self.class, pair))
    }

    /// Appends the shortest instruction that pushes an int.
    pub(super) fn push_int(
        &mut self,
        value: i32,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        match value {
            -1..=5 => code.push((i32::from(Opcode::ICONST_0.0) + value) as u8),
            -128..=127 => code.extend([Opcode::BIPUSH.0, value as u8]),
            -32768..=32767 => {
                let [high, low] = (value as i16).to_be_bytes();
                code.extend([Opcode::SIPUSH.0, high, low]);
            }
            _ => {
                let known = &mut self.ints.0[value as usize % INTS];
                if known.0 == value && known.1 != 0 {
                    load(known.1, code);
                } else {
                    let index = pool.append(Constant::Integer(value))?;
                    *known = (value, index);
                    load(index, code);
                }
            }
        }
        Ok(())
    }
}

fn text(text: &'static str) -> Constant<'static> {
    // Names of the runtime are ASCII, which modified UTF-8 leaves as it is.
    Constant::Utf8(Cow::Borrowed(text.as_bytes()))
}

fn load(index: u16, code: &mut Vec<u8>) {
    match index.to_be_bytes() {
        [0, low] => code.extend([Opcode::LDC.0, low]),
        [high, low] => code.extend([Opcode::LDC_W.0, high, low]),
    }
}

/// Appends a call of a static method.
pub(super) fn invoke_static(method: u16, code: &mut Vec<u8>) {
    let [high, low] = method.to_be_bytes();
    code.extend([Opcode::INVOKESTATIC.0, high, low]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_are_pushed_by_the_shortest_instruction() {
        let mut pool = ConstantPool::empty();
        let mut lengths = Vec::new();
        for value in [-1, 5, 6, -128, 127, 128, 32767, -32768, 32768, i32::MIN] {
            let mut code = Vec::new();
            let mut references = References::default();
            references.push_int(value, &mut code, &mut pool).unwrap();
            lengths.push(code.len());
        }
        assert_eq!(lengths, [1, 1, 2, 2, 2, 3, 3, 3, 2, 2]);
    }
}
