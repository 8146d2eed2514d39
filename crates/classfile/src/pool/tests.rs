use super::*;
use crate::class::ClassFile;
use crate::error::PoolFull;

const ACCOUNT: &[u8] = include_bytes!("../../testdata/print/Account.class");

#[test]
fn an_equal_constant_is_reused() {
    let class = ClassFile::parse(ACCOUNT).unwrap();
    let mut pool = class.pool.clone();
    for (index, constant) in class.pool.iter() {
        let found = pool.add(constant.clone()).unwrap();
        assert!(found <= index);
        assert_eq!(pool.get(found), Ok(constant));
    }
    assert_eq!(pool.count(), class.pool.count());
    let method = pool
        .add_method_ref("java/lang/Math", "max", "(JJ)J")
        .unwrap();
    assert!(method < class.pool.count());
    assert_eq!(pool.add_class("not/Known").unwrap(), class.pool.count() + 1);
}

#[test]
fn additions_leave_all_bytes_before_them_as_they_are() {
    let mut class = ClassFile::parse(ACCOUNT).unwrap();
    let end = class.pool.offset(class.pool.count());
    let long = class.pool.add_long(i64::MIN).unwrap();
    let double = class.pool.add_double(-0.0).unwrap();
    assert_eq!(double, long + 2);
    let float = class.pool.add_float(f32::NAN).unwrap();
    let text = class.pool.add_string("\0 and \u{1f600}").unwrap();
    let bytes = class.write();
    assert_eq!(bytes[10..end], ACCOUNT[10..end]);
    let read = ClassFile::parse(&bytes).unwrap();
    assert_eq!(read.pool.get(long), Ok(&Constant::Long(i64::MIN)));
    assert_eq!(read.pool.get(double), Ok(&Constant::Double(1 << 63)));
    assert_eq!(
        read.pool.get(float),
        Ok(&Constant::Float(f32::NAN.to_bits()))
    );
    assert_eq!(read.pool.string(text), Ok("\0 and \u{1f600}"));
    assert!(read.pool.get(long + 1).is_err());
}

#[test]
fn texts_outside_plain_utf_8_are_found_also_after_additions() {
    let mut pool = ConstantPool::empty();
    let first = pool.add_utf8("one \u{1f600}").unwrap();
    assert_eq!(pool.utf8(first), Ok("one \u{1f600}"));
    let second = pool.add_utf8("two \0").unwrap();
    assert_eq!(pool.utf8(second), Ok("two \0"));
    assert_eq!(pool.add_utf8("one \u{1f600}"), Ok(first));
}

#[test]
fn a_full_pool_refuses_and_stays_whole() {
    let mut pool = ConstantPool::empty();
    for value in 0..65_533 {
        pool.add_integer(value).unwrap();
    }
    assert_eq!(pool.add_long(1), Err(PoolFull::Entries));
    assert_eq!(pool.add_integer(-1), Ok(65_534));
    assert_eq!(pool.add_integer(-2), Err(PoolFull::Entries));
    assert_eq!(pool.add_integer(7), Ok(8));
    assert_eq!(pool.count(), 65_535);
    let length = 65_536;
    let text = "x".repeat(length);
    let refused = ConstantPool::empty().add_utf8(&text);
    assert_eq!(refused, Err(PoolFull::Text { length }));
}

#[test]
fn a_wrong_kind_is_named() {
    let mut pool = ConstantPool::empty();
    let text = pool.add_utf8("a").unwrap();
    let error = pool.class_name(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "constant `1` is a text, but a class is needed at byte 10"
    );
    let error = pool.utf8(9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "constant `9` is missing, but a text is needed at byte 14"
    );
}

#[test]
fn entries_must_refer_to_the_right_kind() {
    let mut pool = ConstantPool::empty();
    let number = pool.add_integer(5).unwrap();
    pool.add(Constant::Class(number)).unwrap();
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    pool.write(&mut bytes);
    let error = ClassFile::parse(&bytes).unwrap_err();
    assert_eq!(
        (error.offset, error.to_string().contains("an int")),
        (15, true)
    );
}
