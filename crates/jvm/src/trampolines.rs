//! Emits the classes through which workers call operations: no reflection, no boxing.
//!
//! A trampoline is a class in the package of the members it calls, so that those that are not public are callable too. Its
//! method `call` switches on the operation to a static stub each, which takes its arguments out of two arrays. At most 256
//! operations per class keep the switch below the size from which HotSpot refuses to compile a method.

use std::borrow::Cow;
use std::collections::BTreeMap;

use classfile::rewrite::runtime::CALLS;
use classfile::{Attribute, ClassFile, Code, ConstantPool, Member, Opcode, PoolFull};

use crate::implementors;
use crate::model::{JvmOperation, OperationKind};
use crate::shape::Shape;

/// The class that trampolines extend.
const BASE: &str = "testhound/rt/Trampoline";

/// The most operations of one trampoline.
const MOST: usize = 256;

const CALL: &str = "(I[Ljava/lang/Object;[J)Ljava/lang/Object;";
const STUB: &str = "([Ljava/lang/Object;[J)Ljava/lang/Object;";

const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const SUPER: u16 = 0x0020;
const SYNTHETIC: u16 = 0x1000;

/// The first class version in which static methods of interfaces can be called.
const JAVA_8: u16 = 52;

/// All trampolines of a subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trampolines {
    /// Their names in internal form, and their class files.
    pub classes: Vec<(String, Vec<u8>)>,
    /// The classes that are made for tests, likewise.
    pub implementors: Vec<(String, Vec<u8>)>,
    /// For every operation the index of its trampoline and its number there; `None` where there is none, as for arrays.
    pub places: Vec<Option<(u32, u8)>>,
}

impl Trampolines {
    /// Emits trampolines for all operations that can have one.
    pub fn emit(operations: &[JvmOperation], shapes: &[Shape]) -> Trampolines {
        let mut packages: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, operation) in operations.iter().enumerate() {
            if operation.kind != OperationKind::Array {
                packages.entry(package(operation)).or_default().push(index);
            }
        }
        let mut all = Trampolines {
            classes: Vec::new(),
            implementors: implementors::emit(operations),
            places: vec![None; operations.len()],
        };
        for (package, members) in packages {
            for (number, members) in members.chunks(MOST).enumerate() {
                let name = format!("{package}testhound$Trampoline{number}");
                let called = members
                    .iter()
                    .map(|&index| (index, &operations[index], &shapes[index]));
                // Only a class with thousands of huge names could fill its pool; its operations go by reflection.
                let Ok(bytes) = class(&name, called.collect()) else {
                    continue;
                };
                let trampoline = all.classes.len() as u32;
                for (local, &index) in members.iter().enumerate() {
                    all.places[index] = Some((trampoline, local as u8));
                }
                all.classes.push((name, bytes));
            }
        }
        all
    }
}

/// The package of a member with its slash. No class can be put into the packages of `java`; their public members are called
/// from the nameless one.
pub(crate) fn package(operation: &JvmOperation) -> &str {
    match operation.owner.rfind('/') {
        Some(end) if !operation.owner.starts_with("java/") => &operation.owner[..=end],
        _ => "",
    }
}

fn class(name: &str, called: Vec<(usize, &JvmOperation, &Shape)>) -> Result<Vec<u8>, PoolFull> {
    let mut pool = ConstantPool::empty();
    let this_class = pool.add_class(name)?;
    let super_class = pool.add_class(BASE)?;
    let mut methods = vec![
        constructor(&mut pool)?,
        switch(&mut pool, name, called.len())?,
    ];
    for (local, (index, operation, shape)) in called.into_iter().enumerate() {
        let code = stub(&mut pool, index, operation, shape)?;
        methods.push(method(&mut pool, STATIC, &stub_name(local), STUB, code)?);
    }
    let class = ClassFile {
        minor: 0,
        major: JAVA_8,
        pool,
        access: PUBLIC | SUPER | SYNTHETIC,
        this_class,
        super_class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods,
        attributes: Vec::new(),
    };
    Ok(class.write())
}

fn stub_name(local: usize) -> String {
    format!("call{local}")
}

pub(crate) fn method(
    pool: &mut ConstantPool<'static>,
    access: u16,
    name: &str,
    descriptor: &str,
    code: Code<'static>,
) -> Result<Member<'static>, PoolFull> {
    Ok(Member {
        access,
        name: pool.add_utf8(name)?,
        descriptor: pool.add_utf8(descriptor)?,
        attributes: vec![attribute(pool, "Code", code.write())?],
    })
}

fn attribute(
    pool: &mut ConstantPool<'static>,
    name: &str,
    info: Vec<u8>,
) -> Result<Attribute<'static>, PoolFull> {
    Ok(Attribute {
        name: pool.add_utf8(name)?,
        info: Cow::Owned(info),
        offset: 0,
    })
}

pub(crate) fn code(max_stack: u16, max_locals: u16, bytes: Vec<u8>) -> Code<'static> {
    Code {
        max_stack,
        max_locals,
        bytes: Cow::Owned(bytes),
        handlers: Vec::new(),
        attributes: Vec::new(),
        offset: 0,
        short: false,
    }
}

pub(crate) fn push_u16(bytes: &mut Vec<u8>, opcode: Opcode, operand: u16) {
    bytes.push(opcode.0);
    bytes.extend(operand.to_be_bytes());
}

fn constructor(pool: &mut ConstantPool<'static>) -> Result<Member<'static>, PoolFull> {
    let mut bytes = vec![Opcode::ALOAD_0.0];
    let base = pool.add_method_ref(BASE, "<init>", "()V")?;
    push_u16(&mut bytes, Opcode::INVOKESPECIAL, base);
    bytes.push(Opcode::RETURN.0);
    method(pool, PUBLIC, "<init>", "()V", code(1, 1, bytes))
}

/// `call`: a jump table to one call per stub.
fn switch(
    pool: &mut ConstantPool<'static>,
    name: &str,
    count: usize,
) -> Result<Member<'static>, PoolFull> {
    /// `aload_2, aload_3, invokestatic, areturn`.
    const CASE: usize = 6;
    let mut bytes = vec![Opcode::ILOAD_1.0, Opcode::TABLESWITCH.0, 0, 0];
    let first = bytes.len() + 12 + 4 * count;
    let from_switch = |case: usize| (first + CASE * case - 1) as u32;
    bytes.extend(from_switch(count).to_be_bytes());
    bytes.extend(0u32.to_be_bytes());
    bytes.extend((count as u32 - 1).to_be_bytes());
    for case in 0..count {
        bytes.extend(from_switch(case).to_be_bytes());
    }
    for case in 0..count {
        bytes.extend([Opcode::ALOAD_2.0, Opcode::ALOAD_3.0]);
        let stub = pool.add_method_ref(name, &stub_name(case), STUB)?;
        push_u16(&mut bytes, Opcode::INVOKESTATIC, stub);
        bytes.push(Opcode::ARETURN.0);
    }
    bytes.extend([Opcode::ACONST_NULL.0, Opcode::ARETURN.0]);
    let mut code = code(2, 4, bytes);
    code.attributes = vec![attribute(
        pool,
        "StackMapTable",
        frames(first, CASE, count),
    )?];
    method(pool, PUBLIC, "call", CALL, code)
}

/// A frame per case and one for the default: the locals are those of the entry, the stack is empty.
fn frames(first: usize, case: usize, count: usize) -> Vec<u8> {
    /// Below this, the kind of a frame is its distance from the one before.
    const SAME: usize = 64;
    const SAME_EXTENDED: u8 = 251;
    let mut frames = Vec::new();
    frames.extend((count as u16 + 1).to_be_bytes());
    if first < SAME {
        frames.push(first as u8);
    } else {
        frames.push(SAME_EXTENDED);
        frames.extend((first as u16).to_be_bytes());
    }
    frames.extend(std::iter::repeat_n(case as u8 - 1, count));
    frames
}

/// The code of one operation.
fn stub(
    pool: &mut ConstantPool<'static>,
    index: usize,
    operation: &JvmOperation,
    shape: &Shape,
) -> Result<Code<'static>, PoolFull> {
    let made = implementors::name(index, operation);
    let owner = made.as_ref().unwrap_or(&operation.owner);
    let mut bytes = Vec::new();
    if matches!(
        operation.kind,
        OperationKind::Constructor | OperationKind::Implementor
    ) {
        let class = pool.add_class(owner)?;
        push_u16(&mut bytes, Opcode::NEW, class);
        bytes.push(Opcode::DUP.0);
    }
    let mut slots = 0;
    for (index, parameter) in shape.parameters.iter().enumerate() {
        argument(pool, &mut bytes, index as u16, &parameter.descriptor)?;
        slots += width(parameter.letter);
    }
    invoke(pool, &mut bytes, operation, owner, slots)?;
    if operation.kind == OperationKind::Constructor && owner == "java/io/File" {
        let portable = pool.add_method_ref(CALLS, "portable", "(Ljava/io/File;)Ljava/io/File;")?;
        push_u16(&mut bytes, Opcode::INVOKESTATIC, portable);
    }
    give(pool, &mut bytes, shape.result)?;
    // Two for a new object, and at most an array, an index and a long on top of the arguments.
    Ok(code(slots + 6, 4, bytes))
}

fn width(letter: u8) -> u16 {
    match letter {
        b'J' | b'D' => 2,
        _ => 1,
    }
}

/// Takes an argument out of its array and gives it its type.
fn argument(
    pool: &mut ConstantPool<'static>,
    bytes: &mut Vec<u8>,
    index: u16,
    descriptor: &str,
) -> Result<(), PoolFull> {
    let letter = crate::shape::letter(descriptor);
    let (array, load) = match letter {
        b'L' => (Opcode::ALOAD_0, Opcode::AALOAD),
        _ => (Opcode::ALOAD_1, Opcode::LALOAD),
    };
    bytes.push(array.0);
    push_u16(bytes, Opcode::SIPUSH, index);
    bytes.push(load.0);
    match letter {
        b'L' if descriptor == "Ljava/lang/Object;" => {}
        b'L' => {
            let name = descriptor
                .strip_prefix('L')
                .and_then(|rest| rest.strip_suffix(';'));
            let class = pool.add_class(name.unwrap_or(descriptor))?;
            push_u16(bytes, Opcode::CHECKCAST, class);
        }
        b'J' => {}
        b'D' => {
            let double = pool.add_method_ref("java/lang/Double", "longBitsToDouble", "(J)D")?;
            push_u16(bytes, Opcode::INVOKESTATIC, double);
        }
        b'F' => {
            bytes.push(Opcode::L2I.0);
            let float = pool.add_method_ref("java/lang/Float", "intBitsToFloat", "(I)F")?;
            push_u16(bytes, Opcode::INVOKESTATIC, float);
        }
        b'B' => bytes.extend([Opcode::L2I.0, Opcode::I2B.0]),
        b'S' => bytes.extend([Opcode::L2I.0, Opcode::I2S.0]),
        b'C' => bytes.extend([Opcode::L2I.0, Opcode::I2C.0]),
        _ => bytes.push(Opcode::L2I.0),
    }
    Ok(())
}

fn invoke(
    pool: &mut ConstantPool<'static>,
    bytes: &mut Vec<u8>,
    operation: &JvmOperation,
    owner: &str,
    slots: u16,
) -> Result<(), PoolFull> {
    let JvmOperation {
        name, descriptor, ..
    } = operation;
    let made = operation.kind == OperationKind::Implementor;
    let opcode = match operation.kind {
        OperationKind::ClassLiteral => {
            let class = pool.add_class(owner)?;
            push_u16(bytes, Opcode::LDC_W, class);
            return Ok(());
        }
        OperationKind::StaticField | OperationKind::Field => {
            let field = pool.add_field_ref(owner, name, descriptor)?;
            let opcode = match operation.kind {
                OperationKind::Field => Opcode::GETFIELD,
                _ => Opcode::GETSTATIC,
            };
            push_u16(bytes, opcode, field);
            return Ok(());
        }
        OperationKind::Constructor | OperationKind::Implementor => Opcode::INVOKESPECIAL,
        OperationKind::StaticMethod => Opcode::INVOKESTATIC,
        _ if operation.interface => Opcode::INVOKEINTERFACE,
        _ => Opcode::INVOKEVIRTUAL,
    };
    let member = if operation.interface && !made {
        pool.add_interface_method_ref(owner, name, descriptor)?
    } else {
        pool.add_method_ref(owner, name, descriptor)?
    };
    push_u16(bytes, opcode, member);
    if opcode == Opcode::INVOKEINTERFACE {
        // At most 255 slots of parameters are allowed.
        bytes.extend([slots as u8, 0]);
    }
    Ok(())
}

/// Returns an object, or leaves the bits of a primitive in the array.
fn give(pool: &mut ConstantPool<'static>, bytes: &mut Vec<u8>, letter: u8) -> Result<(), PoolFull> {
    match letter {
        b'L' => {
            bytes.push(Opcode::ARETURN.0);
            return Ok(());
        }
        b'V' => {
            bytes.extend([Opcode::ACONST_NULL.0, Opcode::ARETURN.0]);
            return Ok(());
        }
        b'J' => {}
        b'D' => {
            let bits = pool.add_method_ref("java/lang/Double", "doubleToRawLongBits", "(D)J")?;
            push_u16(bytes, Opcode::INVOKESTATIC, bits);
        }
        b'F' => {
            let bits = pool.add_method_ref("java/lang/Float", "floatToRawIntBits", "(F)I")?;
            push_u16(bytes, Opcode::INVOKESTATIC, bits);
            bytes.push(Opcode::I2L.0);
        }
        _ => bytes.push(Opcode::I2L.0),
    }
    bytes.extend([
        Opcode::LSTORE_2.0,
        Opcode::ALOAD_1.0,
        Opcode::ICONST_0.0,
        Opcode::LLOAD_2.0,
        Opcode::LASTORE.0,
        Opcode::ACONST_NULL.0,
        Opcode::ARETURN.0,
    ]);
    Ok(())
}
