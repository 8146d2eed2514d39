//! The `Module` attribute of a module description.

use crate::attribute::Attribute;
use crate::error::Error;
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// What a module says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its flags: open, synthetic, mandated.
    pub access: u16,
    /// Its version.
    pub version: Option<&'p str>,
    /// The modules it needs.
    pub requires: Vec<Requires<'p>>,
    /// The packages it exports.
    pub exports: Vec<Related<'p>>,
    /// The packages it opens to reflection.
    pub opens: Vec<Related<'p>>,
    /// The services it uses.
    pub uses: Vec<&'p str>,
    /// The services it provides.
    pub provides: Vec<Provides<'p>>,
}

/// A module that a module needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requires<'p> {
    /// Its name.
    pub module: &'p str,
    /// Flags: transitive, static, synthetic, mandated.
    pub access: u16,
    /// The version compiled against.
    pub version: Option<&'p str>,
}

/// A package that is exported or opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related<'p> {
    /// The package, such as `java/util`.
    pub package: &'p str,
    /// Flags: synthetic, mandated.
    pub access: u16,
    /// The modules it is for; empty for all.
    pub to: Vec<&'p str>,
}

/// A service with its implementations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provides<'p> {
    /// The service's class.
    pub service: &'p str,
    /// The classes that implement it.
    pub with: Vec<&'p str>,
}

/// The content of a `Module`.
pub fn module<'p>(attribute: &Attribute, pool: &'p ConstantPool) -> Result<Module<'p>, Error> {
    let mut reader = attribute.reader();
    let module = Module {
        name: named(&mut reader, pool)?,
        access: reader.u16()?,
        version: reader.optional_text(pool)?,
        requires: reader.list(|reader| {
            Ok(Requires {
                module: named(reader, pool)?,
                access: reader.u16()?,
                version: reader.optional_text(pool)?,
            })
        })?,
        exports: reader.list(|reader| related(reader, pool))?,
        opens: reader.list(|reader| related(reader, pool))?,
        uses: reader.list(|reader| reader.class(pool))?,
        provides: reader.list(|reader| {
            Ok(Provides {
                service: reader.class(pool)?,
                with: reader.list(|reader| reader.class(pool))?,
            })
        })?,
    };
    reader.finish()?;
    Ok(module)
}

fn related<'p>(reader: &mut Reader, pool: &'p ConstantPool) -> Result<Related<'p>, Error> {
    Ok(Related {
        package: named(reader, pool)?,
        access: reader.u16()?,
        to: reader.list(|reader| named(reader, pool))?,
    })
}

fn named<'p>(reader: &mut Reader, pool: &'p ConstantPool) -> Result<&'p str, Error> {
    reader.required(|index| pool.module_or_package_name(index))
}
