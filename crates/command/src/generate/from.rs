//! Finds the text of a category in an existing input, where the specification says so with `from`.

use crate::input::Input;
use crate::spec::From;
use std::borrow::Cow;

impl From {
    /// The category's text in this input; `None` where it has none.
    pub fn find<'a>(&self, input: &'a Input) -> Option<Cow<'a, str>> {
        match self {
            From::Arg(number) => {
                let arg = input.args.get(number.checked_sub(1)?)?;
                Some(Cow::Borrowed(arg))
            }
            From::After(option) => {
                let at = input.args.iter().position(|arg| arg == option)?;
                input
                    .args
                    .get(at + 1)
                    .map(|arg| Cow::Borrowed(arg.as_str()))
            }
            From::Stdin(regex) => {
                let group = regex.captures(&input.stdin)?.get(1)?;
                Some(String::from_utf8_lossy(group.as_bytes()))
            }
            From::File(name) => {
                let contents = input.files.get(name)?;
                Some(String::from_utf8_lossy(contents))
            }
            From::Env(name) => input.env.get(name).map(|v| Cow::Borrowed(v.as_str())),
        }
    }
}
