//! Access flags in words. Unknown bits are printed as a number.

fn words(access: u16, names: &[(u16, &str)]) -> Vec<String> {
    let mut words: Vec<String> = names
        .iter()
        .filter(|(flag, _)| access & flag != 0)
        .map(|(_, name)| (*name).to_owned())
        .collect();
    let known = names.iter().fold(0, |all, (flag, _)| all | flag);
    if access & !known != 0 {
        words.push(format!("{:#06x}", access & !known));
    }
    words
}

/// A class's flags and its kind.
pub(super) fn class(access: u16) -> Vec<String> {
    let mut words = inner_class(access & !0x0020 & !0x8000);
    let kind = match access {
        _ if access & 0x8000 != 0 => "module",
        _ if access & 0x2000 != 0 => "annotation",
        _ if access & 0x0200 != 0 => "interface",
        _ if access & 0x4000 != 0 => "enum",
        _ => "class",
    };
    words.retain(|word| !matches!(word.as_str(), "annotation" | "interface" | "enum"));
    words.push(kind.to_owned());
    words
}

/// The flags of a row of `InnerClasses`.
pub(super) fn inner_class(access: u16) -> Vec<String> {
    let names = [
        (0x0001, "public"),
        (0x0002, "private"),
        (0x0004, "protected"),
        (0x0008, "static"),
        (0x0010, "final"),
        (0x0400, "abstract"),
        (0x1000, "synthetic"),
        (0x0200, "interface"),
        (0x2000, "annotation"),
        (0x4000, "enum"),
    ];
    words(access, &names)
}

/// A field's flags and the word `field`.
pub(super) fn field(access: u16) -> Vec<String> {
    let names = [
        (0x0001, "public"),
        (0x0002, "private"),
        (0x0004, "protected"),
        (0x0008, "static"),
        (0x0010, "final"),
        (0x0040, "volatile"),
        (0x0080, "transient"),
        (0x1000, "synthetic"),
        (0x4000, "enum"),
    ];
    let mut words = words(access, &names);
    words.push("field".to_owned());
    words
}

/// A method's flags and the word `method`.
pub(super) fn method(access: u16) -> Vec<String> {
    let names = [
        (0x0001, "public"),
        (0x0002, "private"),
        (0x0004, "protected"),
        (0x0008, "static"),
        (0x0010, "final"),
        (0x0020, "synchronized"),
        (0x0040, "bridge"),
        (0x0080, "varargs"),
        (0x0100, "native"),
        (0x0400, "abstract"),
        (0x0800, "strict"),
        (0x1000, "synthetic"),
    ];
    let mut words = words(access, &names);
    words.push("method".to_owned());
    words
}

/// The flags of parameters, modules and what they relate to.
pub(super) fn small(access: u16) -> Vec<String> {
    let names = [
        (0x0010, "final"),
        (0x0020, "transitive"),
        (0x0040, "static"),
        (0x1000, "synthetic"),
        (0x8000, "mandated"),
    ];
    words(access, &names)
}
