//! Built classes run on real JVMs with the verifier on. Needs a JDK.
#![allow(clippy::unwrap_used)]

mod subjects;

use std::process::Command;

use classfile::build::ClassBuilder;
use classfile::frames::VerificationType;
use classfile::{MemberRef, Opcode};

const PUBLIC_STATIC: u16 = 0x0009;

fn member<'a>(owner: &'a str, name: &'a str, descriptor: &'a str) -> MemberRef<'a> {
    let interface = owner == "java/util/List";
    MemberRef {
        owner,
        name,
        descriptor,
        interface,
    }
}

/// `pick(number)` goes through both kinds of switch: 10 and 11 give texts, other numbers an exception's message.
fn add_pick(class: &mut ClassBuilder) {
    let mut code = class
        .method(
            PUBLIC_STATIC,
            "pick",
            "(ILjava/util/List;)Ljava/lang/Object;",
        )
        .unwrap();
    let pool = &mut class.class.pool;
    let entry = code.entry_locals().to_vec();
    let [ten, eleven, other, start, end, caught] = [(); 6].map(|()| code.label());
    code.place(start);
    code.local(Opcode::ILOAD, 0).unwrap();
    code.table_switch(10, &[ten, eleven], other).unwrap();
    code.place(ten);
    code.frame(&entry, &[]);
    let text = pool.add_string("ten \0 \u{1f600}").unwrap();
    code.load(pool, text).unwrap();
    code.op(Opcode::ARETURN).unwrap();
    code.place(eleven);
    code.frame(&entry, &[]);
    code.push_int(pool, 123_456).unwrap();
    let long = pool.add_long(1 << 40).unwrap();
    code.load(pool, long).unwrap();
    code.local(Opcode::LSTORE, 400).unwrap();
    code.invoke(
        pool,
        Opcode::INVOKESTATIC,
        member("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"),
    )
    .unwrap();
    code.op(Opcode::ARETURN).unwrap();
    code.place(other);
    code.frame(&entry, &[]);
    code.local(Opcode::ALOAD, 1).unwrap();
    code.local(Opcode::ILOAD, 0).unwrap();
    code.invoke(
        pool,
        Opcode::INVOKEINTERFACE,
        member("java/util/List", "get", "(I)Ljava/lang/Object;"),
    )
    .unwrap();
    code.op(Opcode::ARETURN).unwrap();
    code.place(end);
    code.place(caught);
    let exception = pool.add_class("java/lang/RuntimeException").unwrap();
    code.frame(&entry, &[VerificationType::Object(exception)]);
    code.invoke(
        pool,
        Opcode::INVOKEVIRTUAL,
        member("java/lang/Object", "getClass", "()Ljava/lang/Class;"),
    )
    .unwrap();
    code.invoke(
        pool,
        Opcode::INVOKEVIRTUAL,
        member("java/lang/Class", "getName", "()Ljava/lang/String;"),
    )
    .unwrap();
    code.op(Opcode::ARETURN).unwrap();
    code.handler(
        pool,
        (start, end),
        caught,
        Some("java/lang/RuntimeException"),
    )
    .unwrap();
    class.finish_method(code).unwrap();
}

/// `main` prints what `pick` gives for 10, 11 and 12.
fn add_main(class: &mut ClassBuilder) {
    let mut code = class
        .method(PUBLIC_STATIC, "main", "([Ljava/lang/String;)V")
        .unwrap();
    let pool = &mut class.class.pool;
    let (again, done) = (code.label(), code.label());
    code.push_int(pool, 10).unwrap();
    code.local(Opcode::ISTORE, 1).unwrap();
    let locals = [code.entry_locals()[0], VerificationType::Integer];
    code.place(again);
    code.frame(&locals, &[]);
    code.local(Opcode::ILOAD, 1).unwrap();
    code.push_int(pool, 12).unwrap();
    code.branch(Opcode::IF_ICMPGT, done).unwrap();
    code.field(
        pool,
        Opcode::GETSTATIC,
        member("java/lang/System", "out", "Ljava/io/PrintStream;"),
    )
    .unwrap();
    code.local(Opcode::ILOAD, 1).unwrap();
    code.invoke(
        pool,
        Opcode::INVOKESTATIC,
        member("java/util/Collections", "emptyList", "()Ljava/util/List;"),
    )
    .unwrap();
    code.invoke(
        pool,
        Opcode::INVOKESTATIC,
        member("gen/Built", "pick", "(ILjava/util/List;)Ljava/lang/Object;"),
    )
    .unwrap();
    code.invoke(
        pool,
        Opcode::INVOKEVIRTUAL,
        member("java/io/PrintStream", "println", "(Ljava/lang/Object;)V"),
    )
    .unwrap();
    code.push_int(pool, 1).unwrap();
    code.local(Opcode::ILOAD, 1).unwrap();
    code.op(Opcode::IADD).unwrap();
    code.local(Opcode::ISTORE, 1).unwrap();
    code.branch(Opcode::GOTO, again).unwrap();
    code.place(done);
    code.frame(&locals, &[]);
    code.op(Opcode::RETURN).unwrap();
    class.finish_method(code).unwrap();
}

#[test]
fn a_built_class_verifies_and_runs_on_every_jdk() {
    let mut class = ClassBuilder::new(52, 0x0021, "gen/Built", "java/lang/Object").unwrap();
    class.field(PUBLIC_STATIC, "count", "I").unwrap();
    add_pick(&mut class);
    add_main(&mut class);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("gen")).unwrap();
    std::fs::write(folder.path().join("gen/Built.class"), class.finish()).unwrap();
    for jdk in subjects::jdks() {
        let output = Command::new(jdk.join("bin/java"))
            .args([
                "-Xverify:all",
                "-Xshare:auto",
                "-Dfile.encoding=UTF-8",
                "-Dstdout.encoding=UTF-8",
                "-cp",
            ])
            .arg(folder.path())
            .arg("gen.Built")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", jdk.display());
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            printed,
            "ten \0 \u{1f600}\n123456\njava.lang.IndexOutOfBoundsException\n"
        );
    }
}
