//! Prints attributes: known ones by what they say, others by name and length.

use super::{Printer, flags, text};
use crate::attribute::Attribute;
use crate::attributes::{self, Annotation, ElementValue};
use crate::error::Error;

impl Printer<'_> {
    /// Prints a list of attributes.
    pub(super) fn attributes(&mut self, list: &[Attribute]) {
        for attribute in list {
            if let Err(error) = self.attribute(attribute) {
                let name = text::short(attribute.name(&self.class.pool));
                self.line(&format!("{name}: error: {error}"));
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute) -> Result<(), Error> {
        let pool = &self.class.pool;
        let name = attribute.name(pool);
        match name {
            // Printed with the code.
            "Code" | "LineNumberTable" | "StackMapTable" => {}
            "Deprecated" | "Synthetic" => self.line(&name.to_lowercase()),
            "Signature" => self.word("signature", attributes::text(attribute, pool)?),
            "SourceFile" => self.word("source", attributes::text(attribute, pool)?),
            "NestHost" => self.word("nest-host", attributes::class(attribute, pool)?),
            "ModuleMainClass" => self.word("main-class", attributes::class(attribute, pool)?),
            "Exceptions" => self.words("throws", &attributes::class_list(attribute, pool)?),
            "NestMembers" => self.words("nest-members", &attributes::class_list(attribute, pool)?),
            "PermittedSubclasses" => {
                self.words("permits", &attributes::class_list(attribute, pool)?);
            }
            "ConstantValue" => {
                attributes::constant_value(attribute, pool)?;
                let index = u16::from_be_bytes([attribute.info[0], attribute.info[1]]);
                self.line(&format!("constant {}", text::constant(pool, index)?));
            }
            "AnnotationDefault" => {
                let value = attributes::annotation_default(attribute, pool)?;
                self.line(&format!("default {}", element(&value)));
            }
            _ => return self.table(name, attribute),
        }
        Ok(())
    }

    /// Attributes of several rows.
    fn table(&mut self, name: &str, attribute: &Attribute) -> Result<(), Error> {
        match name {
            "InnerClasses" => self.inner_classes(attribute)?,
            "EnclosingMethod" => self.enclosing_method(attribute)?,
            "BootstrapMethods" => self.bootstrap_methods(attribute)?,
            "Record" => self.record(attribute)?,
            "MethodParameters" => self.method_parameters(attribute)?,
            "LocalVariableTable" => self.variables("variable", attribute)?,
            "LocalVariableTypeTable" => self.variables("variable-type", attribute)?,
            "Module" => self.module(attribute)?,
            "RuntimeVisibleAnnotations" => self.annotations("annotation", attribute)?,
            "RuntimeInvisibleAnnotations" => self.annotations("invisible-annotation", attribute)?,
            "RuntimeVisibleParameterAnnotations" | "RuntimeInvisibleParameterAnnotations" => {
                self.parameter_annotations(attribute)?;
            }
            "RuntimeVisibleTypeAnnotations" | "RuntimeInvisibleTypeAnnotations" => {
                self.type_annotations(attribute)?;
            }
            _ => self.line(&format!(
                "attribute {} of {} bytes",
                text::short(name),
                attribute.info.len()
            )),
        }
        Ok(())
    }

    fn word(&mut self, key: &str, value: &str) {
        self.line(&format!("{key} {}", text::short(value)));
    }

    fn words(&mut self, key: &str, values: &[&str]) {
        let values: Vec<String> = values.iter().map(|value| text::short(value)).collect();
        self.line(&format!("{key} {}", values.join(", ")));
    }

    fn inner_classes(&mut self, attribute: &Attribute) -> Result<(), Error> {
        for row in attributes::inner_classes(attribute, &self.class.pool)? {
            let mut words = flags::inner_class(row.access);
            words.insert(0, "inner-class".to_owned());
            words.push(text::short(row.class));
            words.extend(row.name.map(|name| format!("named {}", text::short(name))));
            words.extend(row.outer.map(|outer| format!("of {}", text::short(outer))));
            self.line(&words.join(" "));
        }
        Ok(())
    }

    fn enclosing_method(&mut self, attribute: &Attribute) -> Result<(), Error> {
        let around = attributes::enclosing_method(attribute, &self.class.pool)?;
        let mut line = format!("enclosed-by {}", text::short(around.class));
        if let Some((name, descriptor)) = around.method {
            line += &format!(".{} {}", text::short(name), text::short(descriptor));
        }
        self.line(&line);
        Ok(())
    }

    fn bootstrap_methods(&mut self, attribute: &Attribute) -> Result<(), Error> {
        let pool = &self.class.pool;
        let rows = attributes::bootstrap_methods(attribute, pool)?;
        for (number, row) in rows.iter().enumerate() {
            let handle = text::constant(pool, row.handle)?;
            self.line(&format!("bootstrap {number} {handle}"));
            for argument in &row.arguments {
                let argument = text::constant(&self.class.pool, *argument)?;
                self.inside(|printer| printer.line(&argument));
            }
        }
        Ok(())
    }

    fn record(&mut self, attribute: &Attribute) -> Result<(), Error> {
        for component in attributes::record_components(attribute, &self.class.pool)? {
            let descriptor = text::short(component.descriptor);
            self.line(&format!(
                "component {} {descriptor}",
                text::short(component.name)
            ));
            self.inside(|printer| printer.attributes(&component.attributes));
        }
        Ok(())
    }

    fn method_parameters(&mut self, attribute: &Attribute) -> Result<(), Error> {
        for row in attributes::method_parameters(attribute, &self.class.pool)? {
            let mut words = flags::small(row.access);
            words.insert(0, "parameter".to_owned());
            words.extend(row.name.map(text::short));
            self.line(&words.join(" "));
        }
        Ok(())
    }

    fn variables(&mut self, key: &str, attribute: &Attribute) -> Result<(), Error> {
        for row in attributes::local_variables(attribute, &self.class.pool)? {
            let end = u32::from(row.start) + u32::from(row.length);
            let (name, descriptor) = (text::short(row.name), text::short(row.descriptor));
            self.line(&format!(
                "{key} {} {name} {descriptor} {}..{end}",
                row.local, row.start
            ));
        }
        Ok(())
    }

    fn module(&mut self, attribute: &Attribute) -> Result<(), Error> {
        let module = attributes::module(attribute, &self.class.pool)?;
        let versioned = |name: &str, version: Option<&str>| match version {
            Some(version) => format!("{}@{}", text::short(name), text::short(version)),
            None => text::short(name),
        };
        let open = if module.access & 0x0020 != 0 {
            "open "
        } else {
            ""
        };
        let name = versioned(module.name, module.version);
        self.line(&format!("{open}module {name}"));
        for row in &module.requires {
            let mut words = flags::small(row.access);
            words.insert(0, "requires".to_owned());
            words.push(versioned(row.module, row.version));
            self.line(&words.join(" "));
        }
        let exports = module.exports.iter().map(|row| ("exports", row));
        for (key, row) in exports.chain(module.opens.iter().map(|row| ("opens", row))) {
            self.line(&format!(
                "{key} {}{}",
                text::short(row.package),
                after(" to ", &row.to)
            ));
        }
        for service in &module.uses {
            self.word("uses", service);
        }
        for row in &module.provides {
            let with = after(" with ", &row.with);
            self.line(&format!("provides {}{with}", text::short(row.service)));
        }
        Ok(())
    }

    fn annotations(&mut self, key: &str, attribute: &Attribute) -> Result<(), Error> {
        for found in attributes::annotations(attribute, &self.class.pool)? {
            self.line(&format!("{key} {}", annotation(&found)));
        }
        Ok(())
    }

    fn parameter_annotations(&mut self, attribute: &Attribute) -> Result<(), Error> {
        let parameters = attributes::parameter_annotations(attribute, &self.class.pool)?;
        for (number, list) in parameters.iter().enumerate() {
            for found in list {
                self.line(&format!(
                    "parameter-annotation {number} {}",
                    annotation(found)
                ));
            }
        }
        Ok(())
    }

    fn type_annotations(&mut self, attribute: &Attribute) -> Result<(), Error> {
        for found in attributes::type_annotations(attribute, &self.class.pool)? {
            let shown = annotation(&found.annotation);
            self.line(&format!("type-annotation {:#04x} {shown}", found.target));
        }
        Ok(())
    }
}

/// A list after a word; nothing when it is empty.
fn after(word: &str, names: &[&str]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<String> = names.iter().map(|name| text::short(name)).collect();
            format!("{word}{}", names.join(", "))
        }
    }
}

fn annotation(found: &Annotation) -> String {
    let elements = found.elements.iter();
    let elements: Vec<String> = elements
        .map(|(name, value)| format!("{} = {}", text::short(name), element(value)))
        .collect();
    let name = text::short(found.class_name());
    match elements.is_empty() {
        true => format!("@{name}"),
        false => format!("@{name}({})", elements.join(", ")),
    }
}

fn element(value: &ElementValue) -> String {
    match value {
        ElementValue::Int(b'Z', value) => (*value != 0).to_string(),
        ElementValue::Int(_, value) => value.to_string(),
        ElementValue::Long(value) => format!("{value}L"),
        ElementValue::Float(value) => format!("{}f", text::float(*value, value.to_bits())),
        ElementValue::Double(value) => text::double(*value, value.to_bits()),
        ElementValue::Text(value) => text::quoted(value),
        ElementValue::Enum(descriptor, name) => {
            format!("{}.{}", text::short(descriptor), text::short(name))
        }
        ElementValue::Class(descriptor) => format!("class {}", text::short(descriptor)),
        ElementValue::Annotation(inner) => annotation(inner),
        ElementValue::Array(values) => {
            let values: Vec<String> = values.iter().map(element).collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}
