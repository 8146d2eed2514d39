//! Arithmetic on known values, as the JVM specification defines it. What would throw stays unknown.

use super::Known;
use crate::opcode::Opcode;

/// The result of an arithmetic instruction on known operands, the top of the stack last.
pub(super) fn fold(opcode: Opcode, operands: &[&Known]) -> Option<Known> {
    match operands {
        [Known::Int(a)] => int_unary(opcode, *a),
        [Known::Long(a)] => long_unary(opcode, *a),
        [Known::Float(a)] => float_unary(opcode, f32::from_bits(*a)),
        [Known::Double(a)] => double_unary(opcode, f64::from_bits(*a)),
        [Known::Int(a), Known::Int(b)] => int_binary(opcode, *a, *b),
        [Known::Long(a), Known::Long(b)] => long_binary(opcode, *a, *b),
        [Known::Long(a), Known::Int(b)] => long_shift(opcode, *a, *b),
        [Known::Float(a), Known::Float(b)] => {
            float_binary(opcode, f32::from_bits(*a), f32::from_bits(*b))
        }
        [Known::Double(a), Known::Double(b)] => {
            double_binary(opcode, f64::from_bits(*a), f64::from_bits(*b))
        }
        _ => None,
    }
}

fn float(value: f32) -> Known {
    Known::Float(value.to_bits())
}

fn double(value: f64) -> Known {
    Known::Double(value.to_bits())
}

fn int_unary(opcode: Opcode, a: i32) -> Option<Known> {
    Some(match opcode {
        Opcode::INEG => Known::Int(a.wrapping_neg()),
        Opcode::I2L => Known::Long(a.into()),
        Opcode::I2F => float(a as f32),
        Opcode::I2D => double(a.into()),
        Opcode::I2B => Known::Int((a as i8).into()),
        Opcode::I2C => Known::Int((a as u16).into()),
        Opcode::I2S => Known::Int((a as i16).into()),
        _ => return None,
    })
}

fn long_unary(opcode: Opcode, a: i64) -> Option<Known> {
    Some(match opcode {
        Opcode::LNEG => Known::Long(a.wrapping_neg()),
        Opcode::L2I => Known::Int(a as i32),
        Opcode::L2F => float(a as f32),
        Opcode::L2D => double(a as f64),
        _ => return None,
    })
}

fn float_unary(opcode: Opcode, a: f32) -> Option<Known> {
    Some(match opcode {
        Opcode::FNEG => float(-a),
        Opcode::F2I => Known::Int(a as i32),
        Opcode::F2L => Known::Long(a as i64),
        Opcode::F2D => double(a.into()),
        _ => return None,
    })
}

fn double_unary(opcode: Opcode, a: f64) -> Option<Known> {
    Some(match opcode {
        Opcode::DNEG => double(-a),
        Opcode::D2I => Known::Int(a as i32),
        Opcode::D2L => Known::Long(a as i64),
        Opcode::D2F => float(a as f32),
        _ => return None,
    })
}

fn int_binary(opcode: Opcode, a: i32, b: i32) -> Option<Known> {
    // A shift uses the lowest five bits only, as `wrapping_shl` does.
    let bits = b as u32;
    Some(Known::Int(match opcode {
        Opcode::IADD => a.wrapping_add(b),
        Opcode::ISUB => a.wrapping_sub(b),
        Opcode::IMUL => a.wrapping_mul(b),
        Opcode::IDIV if b != 0 => a.wrapping_div(b),
        Opcode::IREM if b != 0 => a.wrapping_rem(b),
        Opcode::ISHL => a.wrapping_shl(bits),
        Opcode::ISHR => a.wrapping_shr(bits),
        Opcode::IUSHR => (a as u32).wrapping_shr(bits) as i32,
        Opcode::IAND => a & b,
        Opcode::IOR => a | b,
        Opcode::IXOR => a ^ b,
        _ => return None,
    }))
}

fn long_binary(opcode: Opcode, a: i64, b: i64) -> Option<Known> {
    Some(Known::Long(match opcode {
        Opcode::LADD => a.wrapping_add(b),
        Opcode::LSUB => a.wrapping_sub(b),
        Opcode::LMUL => a.wrapping_mul(b),
        Opcode::LDIV if b != 0 => a.wrapping_div(b),
        Opcode::LREM if b != 0 => a.wrapping_rem(b),
        Opcode::LAND => a & b,
        Opcode::LOR => a | b,
        Opcode::LXOR => a ^ b,
        Opcode::LCMP => return Some(Known::Int(a.cmp(&b) as i32)),
        _ => return None,
    }))
}

fn long_shift(opcode: Opcode, a: i64, b: i32) -> Option<Known> {
    let bits = b as u32;
    Some(Known::Long(match opcode {
        Opcode::LSHL => a.wrapping_shl(bits),
        Opcode::LSHR => a.wrapping_shr(bits),
        Opcode::LUSHR => (a as u64).wrapping_shr(bits) as i64,
        _ => return None,
    }))
}

fn float_binary(opcode: Opcode, a: f32, b: f32) -> Option<Known> {
    Some(float(match opcode {
        Opcode::FADD => a + b,
        Opcode::FSUB => a - b,
        Opcode::FMUL => a * b,
        Opcode::FDIV => a / b,
        Opcode::FREM => a % b,
        Opcode::FCMPL => return Some(compare(f64::from(a), f64::from(b), -1)),
        Opcode::FCMPG => return Some(compare(f64::from(a), f64::from(b), 1)),
        _ => return None,
    }))
}

fn double_binary(opcode: Opcode, a: f64, b: f64) -> Option<Known> {
    Some(double(match opcode {
        Opcode::DADD => a + b,
        Opcode::DSUB => a - b,
        Opcode::DMUL => a * b,
        Opcode::DDIV => a / b,
        Opcode::DREM => a % b,
        Opcode::DCMPL => return Some(compare(a, b, -1)),
        Opcode::DCMPG => return Some(compare(a, b, 1)),
        _ => return None,
    }))
}

fn compare(a: f64, b: f64, unordered: i32) -> Known {
    Known::Int(a.partial_cmp(&b).map_or(unordered, |order| order as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_wrap_and_shifts_use_five_bits() {
        let max = Known::Int(i32::MAX);
        let one = Known::Int(1);
        assert_eq!(
            fold(Opcode::IADD, &[&max, &one]),
            Some(Known::Int(i32::MIN))
        );
        assert_eq!(
            fold(Opcode::ISHL, &[&one, &Known::Int(33)]),
            Some(Known::Int(2))
        );
        assert_eq!(fold(Opcode::IDIV, &[&max, &Known::Int(0)]), None);
        let min = Known::Int(i32::MIN);
        assert_eq!(
            fold(Opcode::IDIV, &[&min, &Known::Int(-1)]),
            Some(Known::Int(i32::MIN))
        );
    }

    #[test]
    fn conversions_are_those_of_java() {
        let nan = double(f64::NAN);
        assert_eq!(fold(Opcode::D2I, &[&nan]), Some(Known::Int(0)));
        assert_eq!(
            fold(Opcode::D2L, &[&double(1e300)]),
            Some(Known::Long(i64::MAX))
        );
        assert_eq!(
            fold(Opcode::I2C, &[&Known::Int(-1)]),
            Some(Known::Int(65535))
        );
        assert_eq!(fold(Opcode::DCMPG, &[&nan, &nan]), Some(Known::Int(1)));
        assert_eq!(fold(Opcode::DCMPL, &[&nan, &nan]), Some(Known::Int(-1)));
    }
}
