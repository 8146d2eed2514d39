//! Compiles regular expressions with places for their errors and a bound on their size.

use super::place::Fault;
use regex_syntax::ast;

/// The most memory one compiled regular expression may take, in bytes.
pub const MAX_REGEX_SIZE: usize = 2 << 20;

/// A regular expression over text.
pub fn compile_regex(pattern: &str) -> Result<regex::Regex, Fault> {
    check(pattern)?;
    regex::RegexBuilder::new(pattern)
        .size_limit(MAX_REGEX_SIZE)
        .build()
        .map_err(|error| too_large_or_invalid(pattern, &error))
}

/// A regular expression over bytes, for what programs print.
pub fn compile_bytes_regex(pattern: &str) -> Result<regex::bytes::Regex, Fault> {
    check(pattern)?;
    regex::bytes::RegexBuilder::new(pattern)
        .size_limit(MAX_REGEX_SIZE)
        .build()
        .map_err(|error| too_large_or_invalid(pattern, &error))
}

/// The syntax tree of a regular expression.
pub fn parse_regex(pattern: &str) -> Result<ast::Ast, Fault> {
    let parsed = ast::parse::ParserBuilder::new()
        .nest_limit(100)
        .build()
        .parse(pattern);
    parsed.map_err(|error| {
        let span = error.span().start.offset..error.span().end.offset;
        let cause = format!("this regular expression is not valid: {}", error.kind());
        let fault = Fault::new(span, cause);
        match error.kind() {
            ast::ErrorKind::UnsupportedLookAround | ast::ErrorKind::UnsupportedBackreference => {
                fault.hint("look-around and backreferences are not supported")
            }
            _ => fault,
        }
    })
}

fn check(pattern: &str) -> Result<(), Fault> {
    parse_regex(pattern).map(drop)
}

fn too_large_or_invalid(pattern: &str, error: &regex::Error) -> Fault {
    match error {
        regex::Error::CompiledTooBig(limit) => Fault::new(
            0..pattern.len(),
            format!("this regular expression needs more than {limit} bytes"),
        )
        .hint("use smaller repetition counts, or `(?-u:…)` around classes such as `\\w`"),
        other => {
            let message = other.to_string();
            let last = message.lines().last().unwrap_or_default();
            let cause = last.trim().trim_start_matches("error: ");
            Fault::new(
                0..pattern.len(),
                format!("this regular expression is not valid: {cause}"),
            )
        }
    }
}
