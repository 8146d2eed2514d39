//! Emits the classes that are made for tests: subclasses of abstract classes and implementors of interfaces whose methods do
//! nothing but answer. Written tests have the same classes as source; see `suite::implementor`.

use crate::model::{Answer, ImplementedMethod, JvmOperation, OperationKind};
use crate::trampolines::{code, method, package, push_u16};
use classfile::descriptor::{MethodType, Type};
use classfile::{ClassFile, ConstantPool, Member, Opcode, PoolFull};

const PUBLIC: u16 = 0x0001;
const PROTECTED: u16 = 0x0004;
const SUPER: u16 = 0x0020;
const SYNTHETIC: u16 = 0x1000;
const OBJECT: &str = "java/lang/Object";
const JAVA_8: u16 = 52;

/// The name of the class that an implementor makes an instance of, in internal form; none for other operations.
pub fn name(index: usize, operation: &JvmOperation) -> Option<String> {
    let made = operation.kind == OperationKind::Implementor;
    made.then(|| format!("{}testhound$Made{index}", package(operation)))
}

/// The classes of all implementors, with their names in internal form.
pub fn emit(operations: &[JvmOperation]) -> Vec<(String, Vec<u8>)> {
    let made = operations.iter().enumerate().filter_map(|(index, one)| {
        let name = name(index, one)?;
        // A class with thousands of huge names could fill its pool; it is not there then, and its tests throw.
        let bytes = class(&name, one).ok()??;
        Some((name, bytes))
    });
    made.collect()
}

/// The class file; none where a descriptor is malformed.
fn class(name: &str, operation: &JvmOperation) -> Result<Option<Vec<u8>>, PoolFull> {
    let Some(implementation) = &operation.implementation else {
        return Ok(None);
    };
    let above = match operation.interface {
        true => OBJECT,
        false => &operation.owner,
    };
    let mut pool = ConstantPool::empty();
    let this_class = pool.add_class(name)?;
    let super_class = pool.add_class(above)?;
    let interfaces = match operation.interface {
        true => vec![pool.add_class(&operation.owner)?],
        false => Vec::new(),
    };
    let mut methods = Vec::new();
    methods.extend(constructor(&mut pool, above, &operation.descriptor)?);
    for one in &implementation.methods {
        methods.extend(answering(
            &mut pool,
            one,
            one.answer(implementation.manner),
        )?);
    }
    let class = ClassFile {
        minor: 0,
        major: JAVA_8,
        pool,
        access: PUBLIC | SUPER | SYNTHETIC,
        this_class,
        super_class,
        interfaces,
        fields: Vec::new(),
        methods,
        attributes: Vec::new(),
    };
    Ok(Some(class.write()))
}

/// A constructor that passes everything on.
fn constructor(
    pool: &mut ConstantPool<'static>,
    above: &str,
    descriptor: &str,
) -> Result<Option<Member<'static>>, PoolFull> {
    let Ok(types) = MethodType::parse(descriptor) else {
        return Ok(None);
    };
    let mut bytes = vec![Opcode::ALOAD_0.0];
    let mut slot = 1;
    for parameter in types.parameters() {
        load(&mut bytes, parameter, slot);
        slot += width(parameter);
    }
    let member = pool.add_method_ref(above, "<init>", descriptor)?;
    push_u16(&mut bytes, Opcode::INVOKESPECIAL, member);
    bytes.push(Opcode::RETURN.0);
    let code = code(slot, slot, bytes);
    Ok(Some(method(pool, PUBLIC, "<init>", descriptor, code)?))
}

fn answering(
    pool: &mut ConstantPool<'static>,
    one: &ImplementedMethod,
    answer: Answer,
) -> Result<Option<Member<'static>>, PoolFull> {
    let Ok(types) = MethodType::parse(&one.descriptor) else {
        return Ok(None);
    };
    let parameters: Vec<Type> = types.parameters().collect();
    let slots = 1 + parameters.iter().map(|one| width(*one)).sum::<u16>();
    let letter = types.result().map_or(b'V', |one| one.text().as_bytes()[0]);
    let mut bytes = Vec::new();
    match answer {
        Answer::Argument(index) => {
            let before = &parameters[..usize::from(index)];
            let slot = 1 + before.iter().map(|one| width(*one)).sum::<u16>();
            load(&mut bytes, parameters[usize::from(index)], slot);
        }
        Answer::Nothing if letter == b'V' => {}
        Answer::Nothing => bytes.push(Opcode::ACONST_NULL.0),
        Answer::Number(number) => {
            // The instruction of 1 follows that of 0, which follows that of -1.
            bytes.push(Opcode::ICONST_0.0.wrapping_add_signed(number.clamp(-1, 1)));
            match letter {
                b'J' => bytes.push(Opcode::I2L.0),
                b'F' => bytes.push(Opcode::I2F.0),
                b'D' => bytes.push(Opcode::I2D.0),
                b'C' => bytes.push(Opcode::I2C.0),
                _ => {}
            }
        }
    }
    bytes.push(returning(letter).0);
    let access = one.access & (PUBLIC | PROTECTED);
    let code = code(2, slots, bytes);
    Ok(Some(method(
        pool,
        access,
        &one.name,
        &one.descriptor,
        code,
    )?))
}

fn returning(letter: u8) -> Opcode {
    match letter {
        b'V' => Opcode::RETURN,
        b'L' | b'[' => Opcode::ARETURN,
        b'J' => Opcode::LRETURN,
        b'F' => Opcode::FRETURN,
        b'D' => Opcode::DRETURN,
        _ => Opcode::IRETURN,
    }
}

fn load(bytes: &mut Vec<u8>, kind: Type, slot: u16) {
    let opcode = match kind.text().as_bytes()[0] {
        b'L' | b'[' => Opcode::ALOAD,
        b'J' => Opcode::LLOAD,
        b'F' => Opcode::FLOAD,
        b'D' => Opcode::DLOAD,
        _ => Opcode::ILOAD,
    };
    // A method has at most 255 slots of parameters.
    bytes.extend([opcode.0, slot as u8]);
}

fn width(kind: Type) -> u16 {
    match kind.text() {
        "J" | "D" => 2,
        _ => 1,
    }
}
