//! Methods that the compiler made as a whole.

use super::{kotlin, matcher::Matcher};
use crate::analysis::coverage::Rules;
use crate::analysis::coverage::listing::Listing;
use crate::attribute::Attribute;
use crate::attributes;
use crate::opcode::{Flow, Opcode};
use crate::pool::ConstantPool;

const PRIVATE: u16 = 0x0002;
const BRIDGE: u16 = 0x0040;
const SYNTHETIC: u16 = 0x1000;

/// Whether nothing of the method counts.
pub(super) fn is_compiler_made(listing: &Listing) -> bool {
    listing.access & BRIDGE != 0
        || is_synthetic(listing)
        || is_enum_method(listing)
        || is_empty_private_constructor(listing)
        || is_empty_enum_constructor(listing)
        || is_record_method(listing)
        || is_generated(listing)
        || kotlin::is_without_lines(listing)
}

fn is_synthetic(listing: &Listing) -> bool {
    let class = listing.class;
    let scala = class.attribute("ScalaSig").is_some() || class.attribute("Scala").is_some();
    let written = listing.name.starts_with("lambda$")
        || (scala && listing.name.starts_with("$anonfun$"))
        || (kotlin::is_kotlin(listing) && kotlin::is_written(listing));
    listing.access & SYNTHETIC != 0 && !written
}

fn is_enum_method(listing: &Listing) -> bool {
    if listing.class.super_name() != Some("java/lang/Enum") {
        return false;
    }
    let own = |before: &str| {
        let rest = listing.descriptor.strip_prefix(before);
        rest.and_then(|rest| rest.strip_suffix(';')) == Some(listing.class.name())
    };
    match listing.name {
        "values" => own("()[L"),
        "valueOf" => own("(Ljava/lang/String;)L"),
        _ => false,
    }
}

fn is_empty_private_constructor(listing: &Listing) -> bool {
    let Some(above) = listing.class.super_name() else {
        return false;
    };
    listing.access & PRIVATE != 0
        && (listing.name, listing.descriptor) == ("<init>", "()V")
        && first_is_this(listing)
            .call(Opcode::INVOKESPECIAL, (above, "<init>", "()V"))
            .is(Opcode::RETURN)
            .fits()
}

fn is_empty_enum_constructor(listing: &Listing) -> bool {
    const DESCRIPTOR: &str = "(Ljava/lang/String;I)V";
    let parent = ("java/lang/Enum", "<init>", DESCRIPTOR);
    listing.class.super_name() == Some("java/lang/Enum")
        && (listing.name, listing.descriptor) == ("<init>", DESCRIPTOR)
        && first_is_this(listing)
            .is(Opcode::ALOAD)
            .is(Opcode::ILOAD)
            .call(Opcode::INVOKESPECIAL, parent)
            .is(Opcode::RETURN)
            .fits()
}

/// What a record has without writing it: `equals`, `hashCode`, `toString`, and since later versions accessors.
fn is_record_method(listing: &Listing) -> bool {
    if listing.class.super_name() != Some("java/lang/Record") {
        return false;
    }
    let mut matcher = first_is_this(listing);
    match (listing.name, listing.descriptor) {
        ("equals", "(Ljava/lang/Object;)Z") => matcher
            .is(Opcode::ALOAD)
            .is(Opcode::INVOKEDYNAMIC)
            .is(Opcode::IRETURN)
            .fits(),
        ("hashCode", "()I") => matcher.is(Opcode::INVOKEDYNAMIC).is(Opcode::IRETURN).fits(),
        ("toString", "()Ljava/lang/String;") => {
            matcher.is(Opcode::INVOKEDYNAMIC).is(Opcode::ARETURN).fits()
        }
        (name, descriptor) if listing.rules == Rules::Current => {
            let reads = |listing: &Listing, at: usize| {
                let named = listing.member(at).map(|named| named.name);
                listing.opcode(at) == Opcode::GETFIELD && named == Some(name)
            };
            let returns = |listing: &Listing, at: usize| listing.flow(at) == Flow::Return;
            descriptor.starts_with("()") && matcher.test(reads).test(returns).fits()
        }
        _ => false,
    }
}

/// Whether an annotation whose name holds `Generated` is on the method or its class.
fn is_generated(listing: &Listing) -> bool {
    let pool = listing.pool();
    let class = annotations(&listing.class.attributes, pool);
    let member = listing.class.method(listing.name, listing.descriptor);
    let method = member.map(|member| annotations(&member.attributes, pool));
    let mut all = class.into_iter().chain(method.unwrap_or_default());
    all.any(|descriptor| {
        let simple = descriptor.rsplit(['/', '$']).next();
        simple.is_some_and(|simple| simple.contains("Generated"))
    })
}

/// The descriptors of the annotations in a list of attributes; malformed ones are passed over.
pub(super) fn annotations<'p>(found: &[Attribute], pool: &'p ConstantPool) -> Vec<&'p str> {
    let named = |attribute: &&Attribute| {
        let name = attribute.name(pool);
        name == "RuntimeVisibleAnnotations" || name == "RuntimeInvisibleAnnotations"
    };
    let lists = found.iter().filter(named);
    let lists = lists.filter_map(|attribute| attributes::annotations(attribute, pool).ok());
    lists
        .flatten()
        .map(|annotation| annotation.descriptor)
        .collect()
}

fn first_is_this<'l, 'c>(listing: &'l Listing<'c>) -> Matcher<'l, 'c> {
    let mut matcher = Matcher::new(listing);
    let loads_this = |listing: &Listing, at: usize| {
        listing.opcode(at) == Opcode::ALOAD && listing.local(at) == Some(0)
    };
    matcher.at(0).test(loads_this);
    matcher
}
