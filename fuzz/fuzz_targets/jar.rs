//! Any bytes are a jar whose entries unpack within their bounds, or have an error with a place.
#![no_main]

use classfile::jar::Jar;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let jar = match Jar::parse(bytes) {
        Ok(jar) => jar,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let _ = jar.manifest();
    let _ = jar.classes(17);
    for entry in jar.entries() {
        assert!(jar.find(&entry.name).is_some());
        if entry.size < 1 << 16
            && let Ok(unpacked) = jar.read(entry)
        {
            assert_eq!(unpacked.len() as u64, entry.size);
        }
    }
    assert!(jar.signatures().count() <= jar.entries().count());
});
