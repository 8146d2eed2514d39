use super::*;
use crate::class::ClassFile;

const ACCOUNT: &[u8] = include_bytes!("../../testdata/print/Account.class");

/// A code of these bytes, checked with the constants of a real class.
fn check(bytes: &[u8], handlers: &[Handler]) -> Result<(), Error> {
    let class = ClassFile::parse(ACCOUNT).unwrap();
    let code = Code {
        max_stack: 9,
        max_locals: 9,
        bytes: Cow::Borrowed(bytes),
        handlers: handlers.to_vec(),
        attributes: Vec::new(),
        offset: 100,
        short: false,
    };
    code.check(&class.pool)
}

fn fails(bytes: &[u8], offset: u32, kind: ErrorKind) {
    assert_eq!(check(bytes, &[]), Err(Error { offset, kind }), "{bytes:?}");
}

#[test]
fn malformed_instructions_are_refused_with_their_place() {
    assert_eq!(check(&[0, 177], &[]), Ok(()));
    fails(&[0, 202], 101, ErrorKind::Opcode { opcode: 202 });
    fails(&[0, 17, 1], 101, ErrorKind::Truncated { missing: 1 });
    fails(&[196, 0, 0, 0], 100, ErrorKind::Wide { opcode: 0 });
    fails(&[167, 0, 1, 177], 100, ErrorKind::Jump { target: 1 });
    fails(&[167, 0, 9, 177], 100, ErrorKind::Jump { target: 9 });
    fails(&[0, 167, 255, 0], 101, ErrorKind::Jump { target: -255 });
}

#[test]
fn switches_are_bounded_by_the_code() {
    // Padding, default, low and high of a `tableswitch`; then its one target.
    let table = |high: u8, target: u8| {
        let head = [170, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, high];
        [&head[..], &[0, 0, 0, target, 177]].concat()
    };
    assert_eq!(check(&table(0, 20), &[]), Ok(()));
    fails(&table(1, 20), 100, ErrorKind::Truncated { missing: 3 });
    fails(&table(0, 3), 100, ErrorKind::Jump { target: 3 });
    let lookup = |keys: [u8; 2]| {
        let head = [171, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 2];
        let pairs = keys.map(|key| [0, 0, 0, key, 0, 0, 0, 28]).concat();
        [&head[..], &pairs, &[177]].concat()
    };
    assert_eq!(check(&lookup([1, 2]), &[]), Ok(()));
    fails(&lookup([2, 2]), 100, ErrorKind::Switch);
    let backwards = [170, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 3, 177];
    fails(&backwards, 100, ErrorKind::Switch);
}

#[test]
fn constants_must_have_the_kind_that_the_instruction_needs() {
    let class = ClassFile::parse(ACCOUNT).unwrap();
    let long = class
        .pool
        .iter()
        .find(|(_, one)| matches!(one, Constant::Long(_)));
    let index = long.unwrap().0 as u8;
    assert_eq!(check(&[20, 0, index, 177], &[]), Ok(()));
    let kind = ErrorKind::Constant {
        index: index.into(),
        found: "a long",
        wanted: "a loadable constant of one slot",
    };
    fails(&[0, 18, index, 177], 101, kind);
    assert!(check(&[182, 0xff, 0xff, 177], &[]).is_err());
}

#[test]
fn handlers_cover_whole_instructions() {
    let code = [17, 0, 1, 177];
    let handler = |start, end, target| Handler {
        start,
        end,
        target,
        class: 0,
    };
    assert_eq!(check(&code, &[handler(0, 3, 3), handler(0, 4, 0)]), Ok(()));
    for wrong in [
        handler(1, 3, 3),
        handler(0, 2, 3),
        handler(0, 3, 1),
        handler(3, 3, 3),
        handler(0, 5, 3),
    ] {
        let error = check(&code, &[handler(0, 3, 3), wrong]).unwrap_err();
        // After the code, the number of handlers and the first one.
        assert_eq!(
            (error.offset, error.kind),
            (114, ErrorKind::Handler { number: 1 })
        );
    }
}

#[test]
fn the_oldest_classes_have_a_short_header() {
    let mut class = ClassFile::parse(ACCOUNT).unwrap();
    let name = class.pool.add_utf8("Code").unwrap();
    (class.major, class.minor) = (45, 2);
    let method = &mut class.methods[0];
    method.attributes = vec![Attribute {
        name,
        info: Cow::Borrowed(&[2, 3, 0, 1, 177, 0, 0, 0, 0]),
        offset: 0,
    }];
    class.methods.truncate(1);
    let bytes = class.write();
    let class = ClassFile::parse(&bytes).unwrap();
    let code = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert_eq!(
        (code.max_stack, code.max_locals, &*code.bytes),
        (2, 3, &[177][..])
    );
    assert_eq!(code.write(), [2, 3, 0, 1, 177, 0, 0, 0, 0]);
}
