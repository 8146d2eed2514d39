//! What code alone does not tell of calls: contracts, natives, and what stands for an abstract type of the JDK.

use super::{Effects, STATIC, parameter};

/// The effects of calls that are not looked into.
pub(super) fn effects(owner: &str, name: &str, descriptor: &str) -> Option<Effects> {
    let effects = |mutates| {
        Some(Effects {
            mutates,
            returns: 0,
        })
    };
    match (name, descriptor) {
        ("equals", "(Ljava/lang/Object;)Z")
        | ("hashCode", "()I")
        | ("toString", "()Ljava/lang/String;")
        | ("compareTo", "(Ljava/lang/Object;)I")
        | ("compare", "(Ljava/lang/Object;Ljava/lang/Object;)I") => return effects(0),
        _ => {}
    }
    match (owner, name) {
        ("java/lang/System", "arraycopy") => effects(parameter(2)),
        // The receiver is one object of the JDK; what changes is the first argument.
        ("sun/misc/Unsafe" | "jdk/internal/misc/Unsafe", _) => {
            let writes = [
                "put",
                "compareAnd",
                "weakCompareAnd",
                "getAnd",
                "set",
                "copy",
            ];
            let writes = writes.iter().any(|prefix| name.starts_with(prefix));
            effects(if writes { parameter(1) } else { 0 })
        }
        ("java/lang/invoke/VarHandle", _) => {
            let reads = name.starts_with("get") && !name.starts_with("getAnd");
            effects(if reads { 0 } else { parameter(1) })
        }
        ("java/util/Locale", "setDefault") => effects(STATIC),
        ("java/lang/System", "setProperty" | "clearProperty") => effects(STATIC),
        ("java/lang/Object", "wait" | "notify" | "notifyAll" | "<init>") => effects(0),
        ("java/lang/Object", "clone" | "getClass") => effects(0),
        ("java/lang/Character", "toChars") if descriptor.ends_with(")I") => effects(parameter(1)),
        ("java/math/BigInteger", "probablePrime") => effects(parameter(1)),
        ("java/math/BigInteger", "<init>") if descriptor.contains("Ljava/util/Random;") => {
            // The generator is the last parameter, after the new object and one number or two.
            effects(parameter(descriptor.matches('I').count() + 1))
        }
        (
            "java/lang/String"
            | "java/lang/Class"
            | "java/lang/Math"
            | "java/lang/StrictMath"
            | "java/lang/Boolean"
            | "java/lang/Byte"
            | "java/lang/Short"
            | "java/lang/Character"
            | "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Float"
            | "java/lang/Double"
            | "java/math/BigInteger"
            | "java/math/BigDecimal"
            | "java/util/Locale",
            _,
        ) if !(name == "getChars" || name == "getBytes") || !descriptor.ends_with(")V") => {
            effects(0)
        }
        ("java/lang/String", _) => effects(parameter(3)),
        ("java/lang/System", _) if descriptor.ends_with(")V") => effects(STATIC),
        ("java/lang/System", _) => effects(0),
        // The machinery behind these is large, and none of it is the subject's state.
        ("java/lang/Throwable", "<init>" | "fillInStackTrace") => effects(0),
        _ => None,
    }
}

/// A class that stands for an abstract type.
pub(super) fn implementation(owner: &str) -> Option<&'static str> {
    Some(match owner {
        "java/util/Collection" | "java/util/List" | "java/lang/Iterable" => "java/util/ArrayList",
        "java/util/AbstractCollection" | "java/util/AbstractList" => "java/util/ArrayList",
        "java/util/Set" | "java/util/AbstractSet" => "java/util/HashSet",
        "java/util/SortedSet" | "java/util/NavigableSet" => "java/util/TreeSet",
        "java/util/Map" | "java/util/AbstractMap" => "java/util/HashMap",
        "java/util/SortedMap" | "java/util/NavigableMap" => "java/util/TreeMap",
        "java/util/Map$Entry" => "java/util/HashMap$Node",
        "java/util/Queue" | "java/util/Deque" => "java/util/ArrayDeque",
        "java/util/Iterator" => "java/util/ArrayList$Itr",
        "java/util/ListIterator" => "java/util/ArrayList$ListItr",
        "java/util/Enumeration" => "java/util/StringTokenizer",
        "java/lang/CharSequence" => "java/lang/String",
        "java/lang/Appendable" | "java/lang/AbstractStringBuilder" => "java/lang/StringBuilder",
        "java/io/InputStream" => "java/io/ByteArrayInputStream",
        "java/io/OutputStream" => "java/io/ByteArrayOutputStream",
        "java/io/Reader" => "java/io/StringReader",
        "java/io/Writer" => "java/io/StringWriter",
        "java/text/Format" | "java/text/DateFormat" => "java/text/SimpleDateFormat",
        "java/text/NumberFormat" => "java/text/DecimalFormat",
        "java/util/Calendar" => "java/util/GregorianCalendar",
        "java/lang/Number" => "java/lang/Integer",
        _ => return None,
    })
}

/// The effects of a call of which no code is known: what returns nothing is called for its effect on the receiver.
pub(super) fn guess(has_receiver: bool, descriptor: &str) -> Effects {
    let changes = has_receiver && descriptor.ends_with(")V");
    Effects {
        mutates: if changes { parameter(0) } else { 0 },
        returns: if has_receiver { parameter(0) } else { 0 },
    }
}
