use super::*;
use crate::frames::VerificationType;
use crate::opcode::Opcode;
use crate::pool::MemberRef;

const PUBLIC_STATIC: u16 = 0x0009;

fn method<'a>(owner: &'a str, name: &'a str, descriptor: &'a str) -> MemberRef<'a> {
    MemberRef {
        owner,
        name,
        descriptor,
        interface: false,
    }
}

/// `call(op, args)` goes to one of two stubs.
fn trampoline() -> ClassBuilder {
    let mut class = ClassBuilder::new(52, 0x0031, "gen/Calls", "java/lang/Object").unwrap();
    let descriptor = "(I[Ljava/lang/Object;)Ljava/lang/Object;";
    let mut code = class.method(PUBLIC_STATIC, "call", descriptor).unwrap();
    let pool = &mut class.class.pool;
    let entry = code.entry_locals().to_vec();
    let (first, second, other) = (code.label(), code.label(), code.label());
    code.local(Opcode::ILOAD, 0).unwrap();
    code.table_switch(0, &[first, second], other).unwrap();
    for (label, name) in [(first, "length"), (second, "hashCode")] {
        code.place(label);
        code.frame(&entry, &[]);
        code.local(Opcode::ALOAD, 1).unwrap();
        code.push_int(pool, 0).unwrap();
        code.op(Opcode::AALOAD).unwrap();
        code.class(pool, Opcode::CHECKCAST, "java/lang/String")
            .unwrap();
        let target = method("java/lang/String", name, "()I");
        code.invoke(pool, Opcode::INVOKEVIRTUAL, target).unwrap();
        let boxing = method("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
        code.invoke(pool, Opcode::INVOKESTATIC, boxing).unwrap();
        code.op(Opcode::ARETURN).unwrap();
    }
    code.place(other);
    code.frame(&entry, &[]);
    code.op(Opcode::ACONST_NULL).unwrap();
    code.op(Opcode::ARETURN).unwrap();
    class.finish_method(code).unwrap();
    class
}

#[test]
fn a_trampoline_with_a_switch_reads_back() {
    let bytes = trampoline().finish();
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(class.name(), "gen/Calls");
    let code = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert_eq!((code.max_stack, code.max_locals), (2, 2));
    let names: Vec<&str> = code.instructions().map(|one| one.opcode.name()).collect();
    assert_eq!(names[..3], ["iload", "tableswitch", "aload"]);
    let frames = Frames::parse(&class, &class.methods[0], &code).unwrap();
    assert_eq!(frames.list.len(), 3);
    assert_eq!(class.write(), bytes);
}

#[test]
fn constants_are_pushed_in_the_shortest_way() {
    let mut class = ClassBuilder::new(52, 1, "A", "java/lang/Object").unwrap();
    let mut code = class.method(PUBLIC_STATIC, "m", "()V").unwrap();
    let pool = &mut class.class.pool;
    for value in [-1, 5, 6, -128, 300, 40_000] {
        code.push_int(pool, value).unwrap();
        code.op(Opcode::POP).unwrap();
    }
    let long = pool.add_long(7).unwrap();
    code.load(pool, long).unwrap();
    code.op(Opcode::POP2).unwrap();
    code.local(Opcode::DLOAD, 300).unwrap();
    code.op(Opcode::POP2).unwrap();
    code.op(Opcode::RETURN).unwrap();
    class.finish_method(code).unwrap();
    let code = class.class.methods[0]
        .code(&class.class.pool)
        .unwrap()
        .unwrap();
    let names: Vec<&str> = code.instructions().map(|one| one.opcode.name()).collect();
    let pushes = [
        "iconst_m1",
        "iconst_5",
        "bipush",
        "bipush",
        "sipush",
        "ldc",
        "ldc2_w",
        "dload",
    ];
    assert_eq!(
        names.iter().step_by(2).take(8).copied().collect::<Vec<_>>(),
        pushes
    );
    assert_eq!((code.max_stack, code.max_locals), (2, 302));
}

#[test]
fn mistakes_of_the_caller_are_errors() {
    let mut class = ClassBuilder::new(52, 1, "A", "java/lang/Object").unwrap();
    let mut code = class.method(PUBLIC_STATIC, "m", "()V").unwrap();
    assert_eq!(code.op(Opcode::POP), Err(BuildError::Underflow { at: 0 }));
    let mut code = class.method(PUBLIC_STATIC, "m", "()V").unwrap();
    let nowhere = code.label();
    code.branch(Opcode::GOTO, nowhere).unwrap();
    assert_eq!(
        class.finish_method(code),
        Err(BuildError::NoPlace { from: 0 })
    );
    let mut code = class.method(PUBLIC_STATIC, "m", "()V").unwrap();
    let far = code.label();
    code.branch(Opcode::GOTO, far).unwrap();
    for _ in 0..40_000 {
        code.op(Opcode::NOP).unwrap();
    }
    code.place(far);
    code.frame(&[VerificationType::Top], &[]);
    code.op(Opcode::RETURN).unwrap();
    let too_far = BuildError::TooFar {
        from: 0,
        to: 40_003,
    };
    assert_eq!(class.finish_method(code), Err(too_far));
    assert!(class.method(PUBLIC_STATIC, "m", "oops").is_err());
}
