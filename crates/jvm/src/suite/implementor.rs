//! Classes that are made for a test, as source: a lambda where the interface has one method, else an anonymous class. The same classes
//! as bytecode are in `implementors`.

use super::reason::Reason;
use super::source_name::Viewpoint;
use crate::model::{Answer, ImplementedMethod, JvmOperation, Manner};

const PUBLIC: u16 = 0x1;
const PROTECTED: u16 = 0x4;

/// The expression that makes an instance, with these arguments of its constructor.
pub fn expression(
    view: &Viewpoint,
    operation: &JvmOperation,
    arguments: &str,
) -> Result<String, Reason> {
    let Some(implementation) = &operation.implementation else {
        return Err(Reason::NoJavaName(operation.owner.replace('/', ".")));
    };
    let manner = implementation.manner;
    let written = |one: &&ImplementedMethod| one.source.is_some();
    let methods: Vec<&ImplementedMethod> = implementation.methods.iter().filter(written).collect();
    if let [one] = &methods[..]
        && operation.interface
        && !one.generic
    {
        return Ok(lambda(one, manner));
    }
    let mut text = format!("new {}({arguments}) {{", view.class(&operation.owner)?);
    for one in methods {
        text.push_str(&method(view, one, manner)?);
    }
    text.push_str(" }");
    Ok(text)
}

/// The parameters of lambdas and methods.
fn parameter(index: usize) -> String {
    format!("p{index}")
}

fn lambda(one: &ImplementedMethod, manner: Manner) -> String {
    let count = one.source.as_ref().map_or(0, |(given, _)| given.len());
    let names: Vec<String> = (0..count).map(parameter).collect();
    let body = answer(one, manner).unwrap_or_else(|| "{ }".to_owned());
    match &names[..] {
        [name] => format!("{name} -> {body}"),
        names => format!("({}) -> {body}", names.join(", ")),
    }
}

fn method(view: &Viewpoint, one: &ImplementedMethod, manner: Manner) -> Result<String, Reason> {
    let access = match one.access & (PUBLIC | PROTECTED) {
        PUBLIC => "public ",
        PROTECTED => "protected ",
        _ => "",
    };
    let (given, result) = one.source.clone().unwrap_or_default();
    let mut parameters = Vec::new();
    for (index, descriptor) in given.iter().enumerate() {
        parameters.push(format!("{} {}", view.kind(descriptor)?, parameter(index)));
    }
    let result = match result {
        Some(result) => view.kind(&result)?,
        None => "void".to_owned(),
    };
    let body = match answer(one, manner) {
        Some(answer) => format!("return {answer};"),
        None => String::new(),
    };
    let (name, parameters) = (view.member(&one.name)?, parameters.join(", "));
    Ok(format!(
        " {access}{result} {name}({parameters}) {{ {body} }}"
    ))
}

/// What a method gives; none where it gives nothing.
fn answer(one: &ImplementedMethod, manner: Manner) -> Option<String> {
    let (_, result) = one.source.as_ref()?;
    let result = result.as_deref()?;
    Some(match one.answer(manner) {
        Answer::Nothing => "null".to_owned(),
        Answer::Argument(index) => parameter(index.into()),
        Answer::Number(number) if result == "Z" => (number == 1).to_string(),
        Answer::Number(-1) if result == "C" => "(char) -1".to_owned(),
        Answer::Number(number) => number.to_string(),
    })
}
