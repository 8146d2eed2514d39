//! Run-time classes that workers announce, numbered for the whole pool.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::bytes::{Broken, Reader};

/// The number of a run-time class, the same for all workers of a pool. Which number a class gets is chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassNumber(pub u32);

/// A run-time class as a worker announces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassInfo {
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is public.
    pub public: bool,
    /// The descriptors of all its supertypes.
    pub supertypes: Vec<String>,
}

/// The classes that the workers of a pool have met.
#[derive(Debug, Default)]
struct Met {
    numbers: HashMap<String, ClassNumber>,
    infos: Vec<Arc<ClassInfo>>,
}

/// The classes that one worker has announced, over those of its pool.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    pool: Arc<Mutex<Met>>,
    /// By the worker's own numbers.
    announced: Vec<Option<ClassNumber>>,
}

impl Classes {
    /// The same pool for another worker, which has announced nothing.
    pub fn of_another_worker(&self) -> Classes {
        Classes {
            pool: Arc::clone(&self.pool),
            announced: Vec::new(),
        }
    }

    /// What a number means.
    pub fn info(&self, number: ClassNumber) -> Arc<ClassInfo> {
        let met = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&met.infos[number.0 as usize])
    }

    pub(super) fn read(&mut self, reader: &mut Reader) -> Result<ClassNumber, Broken> {
        let own = reader.number()? as usize;
        if let Some(Some(number)) = self.announced.get(own) {
            return Ok(*number);
        }
        if own > self.announced.len() + 10_000 {
            return Err(reader.broken());
        }
        let descriptor = descriptor(&reader.text()?);
        let public = reader.number()? & 1 == 1;
        let mut supertypes = Vec::new();
        for _ in 0..reader.count(2)? {
            supertypes.push(self::descriptor(&reader.text()?));
        }
        let number = self.meet(ClassInfo {
            descriptor,
            public,
            supertypes,
        });
        self.announced
            .resize(self.announced.len().max(own + 1), None);
        self.announced[own] = Some(number);
        Ok(number)
    }

    fn meet(&self, info: ClassInfo) -> ClassNumber {
        let mut met = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = met.numbers.get(&info.descriptor) {
            return number;
        }
        let number = ClassNumber(met.infos.len() as u32);
        met.numbers.insert(info.descriptor.clone(), number);
        met.infos.push(Arc::new(info));
        number
    }
}

/// From what `Class.getName` gives.
fn descriptor(name: &str) -> String {
    let name = name.replace('.', "/");
    if name.starts_with('[') {
        return name;
    }
    format!("L{name};")
}
