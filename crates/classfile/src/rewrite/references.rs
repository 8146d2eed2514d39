//! Writes snippets: constants and calls of the runtime, with the constant pool entries they need.
//!
//! Entries are made when they are first needed in a class and remembered for the rest of it.

use super::runtime::{PATH, PROBES, Probe};
use crate::error::PoolFull;
use crate::opcode::Opcode;
use crate::pool::ConstantPool;

/// The runtime's entries in the pool of one class; 0 where there is none yet.
#[derive(Debug, Default)]
pub(super) struct References {
    probes: [u16; Probe::ALL.len()],
    path: u16,
}

impl References {
    /// Appends a call of a probe.
    pub(super) fn call(
        &mut self,
        probe: Probe,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        let known = &mut self.probes[probe as usize];
        if *known == 0 {
            let (name, descriptor) = probe.signature();
            *known = pool.add_method_ref(PROBES, name, descriptor)?;
        }
        invoke_static(*known, code);
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
        push_int(number as i32, code, pool)?;
        self.call(probe, code, pool)
    }

    /// Appends the array of path registers.
    pub(super) fn path(
        &mut self,
        code: &mut Vec<u8>,
        pool: &mut ConstantPool,
    ) -> Result<(), PoolFull> {
        if self.path == 0 {
            self.path = pool.add_field_ref(PROBES, PATH, "[I")?;
        }
        code.push(Opcode::GETSTATIC.0);
        code.extend(self.path.to_be_bytes());
        Ok(())
    }
}

/// Appends a call of a static method.
pub(super) fn invoke_static(method: u16, code: &mut Vec<u8>) {
    let [high, low] = method.to_be_bytes();
    code.extend([Opcode::INVOKESTATIC.0, high, low]);
}

/// Appends the shortest instruction that pushes an int.
pub(super) fn push_int(
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
            let index = pool.add_integer(value)?;
            let [high, low] = index.to_be_bytes();
            match high {
                0 => code.extend([Opcode::LDC.0, low]),
                _ => code.extend([Opcode::LDC_W.0, high, low]),
            }
        }
    }
    Ok(())
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
            push_int(value, &mut code, &mut pool).unwrap();
            lengths.push(code.len());
        }
        assert_eq!(lengths, [1, 1, 2, 2, 2, 3, 3, 3, 2, 2]);
    }
}
