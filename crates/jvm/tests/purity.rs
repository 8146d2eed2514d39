//! The purity analysis on methods of the JDK and of a library whose effects their documentation states.
#![allow(clippy::unwrap_used)]

use classfile::ClassFile;
use classfile::analysis::purity::{Effects, MethodCall, effects};
use jvm::discovery::{Jdk, Subject};
use jvm::{Java, Places};
use std::path::PathBuf;

/// Class, method, descriptor, and what changes: `-` for nothing, parameters by number (0 is the receiver), `static`.
const JDK: &[(&str, &str, &str, &str)] = &[
    ("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", "0"),
    ("java/util/ArrayList", "get", "(I)Ljava/lang/Object;", "-"),
    ("java/util/ArrayList", "size", "()I", "-"),
    ("java/util/ArrayList", "isEmpty", "()Z", "-"),
    (
        "java/util/ArrayList",
        "contains",
        "(Ljava/lang/Object;)Z",
        "-",
    ),
    ("java/util/ArrayList", "clear", "()V", "0"),
    (
        "java/util/ArrayList",
        "remove",
        "(I)Ljava/lang/Object;",
        "0",
    ),
    (
        "java/util/ArrayList",
        "toArray",
        "()[Ljava/lang/Object;",
        "-",
    ),
    (
        "java/util/LinkedList",
        "addFirst",
        "(Ljava/lang/Object;)V",
        "0",
    ),
    (
        "java/util/LinkedList",
        "getFirst",
        "()Ljava/lang/Object;",
        "-",
    ),
    (
        "java/util/HashMap",
        "get",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        "-",
    ),
    (
        "java/util/HashMap",
        "containsKey",
        "(Ljava/lang/Object;)Z",
        "-",
    ),
    (
        "java/util/HashMap",
        "put",
        "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        "0",
    ),
    ("java/util/TreeMap", "firstKey", "()Ljava/lang/Object;", "-"),
    ("java/util/List", "add", "(Ljava/lang/Object;)Z", "0"),
    ("java/util/List", "get", "(I)Ljava/lang/Object;", "-"),
    ("java/util/Iterator", "next", "()Ljava/lang/Object;", "0"),
    ("java/util/Iterator", "hasNext", "()Z", "-"),
    ("java/util/BitSet", "set", "(I)V", "0"),
    ("java/util/BitSet", "get", "(I)Z", "-"),
    ("java/util/BitSet", "and", "(Ljava/util/BitSet;)V", "0"),
    ("java/util/Optional", "isPresent", "()Z", "-"),
    ("java/util/Arrays", "fill", "([II)V", "0"),
    ("java/util/Arrays", "copyOf", "([II)[I", "-"),
    ("java/util/Arrays", "equals", "([I[I)Z", "-"),
    (
        "java/util/Collections",
        "swap",
        "(Ljava/util/List;II)V",
        "0",
    ),
    (
        "java/util/Collections",
        "reverse",
        "(Ljava/util/List;)V",
        "0",
    ),
    ("java/util/Collections", "sort", "(Ljava/util/List;)V", "0"),
    (
        "java/util/Arrays",
        "parallelSetAll",
        "([ILjava/util/function/IntUnaryOperator;)V",
        "0",
    ),
    ("java/lang/StringBuilder", "length", "()I", "-"),
    ("java/lang/StringBuilder", "charAt", "(I)C", "-"),
    (
        "java/lang/StringBuilder",
        "append",
        "(C)Ljava/lang/StringBuilder;",
        "0",
    ),
    ("java/lang/StringBuilder", "setLength", "(I)V", "0"),
    ("java/lang/String", "trim", "()Ljava/lang/String;", "-"),
    ("java/io/ByteArrayInputStream", "read", "()I", "0"),
    ("java/io/ByteArrayInputStream", "available", "()I", "-"),
    ("java/io/ByteArrayInputStream", "read", "([BII)I", "0 1"),
    ("java/io/StringWriter", "write", "(I)V", "0"),
    ("java/awt/Point", "translate", "(II)V", "0"),
    (
        "java/util/Locale",
        "setDefault",
        "(Ljava/util/Locale;)V",
        "static",
    ),
    (
        "java/lang/System",
        "setProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        "static",
    ),
    (
        "java/lang/System",
        "getProperty",
        "(Ljava/lang/String;)Ljava/lang/String;",
        "-",
    ),
    (
        "java/net/URL",
        "setURLStreamHandlerFactory",
        "(Ljava/net/URLStreamHandlerFactory;)V",
        "static",
    ),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        "get",
        "()I",
        "-",
    ),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        "set",
        "(I)V",
        "0",
    ),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        "weakCompareAndSetPlain",
        "(II)Z",
        "0",
    ),
];

/// The same for commons-lang3.
const LANG: &[(&str, &str, &str, &str)] = &[
    (
        "org/apache/commons/lang3/mutable/MutableInt",
        "increment",
        "()V",
        "0",
    ),
    (
        "org/apache/commons/lang3/mutable/MutableInt",
        "intValue",
        "()I",
        "-",
    ),
    (
        "org/apache/commons/lang3/mutable/MutableObject",
        "setValue",
        "(Ljava/lang/Object;)V",
        "0",
    ),
    (
        "org/apache/commons/lang3/ArrayUtils",
        "reverse",
        "([I)V",
        "0",
    ),
    (
        "org/apache/commons/lang3/ArrayUtils",
        "clone",
        "([I)[I",
        "-",
    ),
    (
        "org/apache/commons/lang3/ArrayUtils",
        "contains",
        "([II)Z",
        "-",
    ),
    ("org/apache/commons/lang3/ArrayUtils", "add", "([II)[I", "-"),
    (
        "org/apache/commons/lang3/StringUtils",
        "isBlank",
        "(Ljava/lang/CharSequence;)Z",
        "-",
    ),
    (
        "org/apache/commons/lang3/StringUtils",
        "reverse",
        "(Ljava/lang/String;)Ljava/lang/String;",
        "-",
    ),
    (
        "org/apache/commons/lang3/tuple/MutablePair",
        "setLeft",
        "(Ljava/lang/Object;)V",
        "0",
    ),
    (
        "org/apache/commons/lang3/tuple/MutablePair",
        "getLeft",
        "()Ljava/lang/Object;",
        "-",
    ),
];

fn java() -> Java {
    Places::of_this_process(None).find().unwrap()
}

fn shown(effects: Effects) -> String {
    let parameters = (0..32).filter(|index| effects.mutates_parameter(*index));
    let mut changed: Vec<String> = parameters.map(|index| index.to_string()).collect();
    if effects.mutates_static() {
        changed.push("static".to_owned());
    }
    match changed.is_empty() {
        true => "-".to_owned(),
        false => changed.join(" "),
    }
}

fn check(classes: &[&ClassFile], jdk: &Jdk, table: &[(&str, &str, &str, &str)]) {
    let is_static = |owner: &str| {
        [
            "Arrays",
            "Collections",
            "Locale",
            "System",
            "URL",
            "ArrayUtils",
            "StringUtils",
        ]
        .contains(&owner.rsplit('/').next().unwrap())
    };
    let calls: Vec<MethodCall> = table
        .iter()
        .map(|&(owner, name, descriptor, _)| MethodCall {
            owner,
            name,
            descriptor,
            is_static: is_static(owner),
        })
        .collect();
    let found = effects(classes, &mut |name| jdk.class(name).ok()?, &calls);
    let line = |(owner, name, descriptor): (&str, &str, &str), shown: &str| {
        format!("{owner}.{name}{descriptor} changes {shown}")
    };
    let expected: Vec<String> = table
        .iter()
        .map(|&(owner, name, descriptor, changes)| line((owner, name, descriptor), changes))
        .collect();
    let found: Vec<String> = table
        .iter()
        .zip(found)
        .map(|(&(owner, name, descriptor, _), effects)| {
            line((owner, name, descriptor), &shown(effects))
        })
        .collect();
    similar(&expected, &found);
}

fn similar(expected: &[String], found: &[String]) {
    let different = expected
        .iter()
        .zip(found)
        .filter(|(one, other)| one != other);
    let different: Vec<String> = different
        .map(|(one, other)| format!("{one}\n  but found {other}"))
        .collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn methods_of_the_jdk_change_what_their_documentation_says() {
    let jdk = Jdk::open(&java().home).unwrap();
    check(&[], &jdk, JDK);
}

#[test]
fn methods_of_a_library_change_what_their_documentation_says() {
    let jdk = Jdk::open(&java().home).unwrap();
    let jar = PathBuf::from("/usr/share/java/commons-lang3.jar");
    let subject = Subject::open(&[jar], &[], jdk.release()).unwrap();
    let classes: Vec<ClassFile> = subject
        .classes
        .values()
        .map(|class| ClassFile::parse(&class.bytes).unwrap())
        .collect();
    check(&classes.iter().collect::<Vec<_>>(), &jdk, LANG);
}
