//! The tokens that a compiler would see, with their brackets paired.
//!
//! White space, comments, preprocessor lines and the unused branches of `#if` are left out; every index in the other
//! files of this folder counts the tokens kept here. Reading past the end gives an empty text, so that looking ahead
//! needs no bounds.

use std::ops::Range;

use super::conditional::unused_branches;
use super::lex::{Token, TokenKind, lex};
use crate::Span;

/// A source as the other passes read it.
pub(super) struct Code<'a> {
    /// The whole text.
    pub source: &'a str,
    tokens: Vec<Token<'a>>,
    partners: Vec<Option<usize>>,
    /// The preprocessor lines, in order.
    directives: Vec<Span>,
}

impl<'a> Code<'a> {
    pub fn new(source: &'a str) -> Code<'a> {
        let all = lex(source);
        let unused = unused_branches(&all);
        let directives = all
            .iter()
            .filter(|token| token.kind == TokenKind::Directive);
        let directives = directives
            .map(|token| Span {
                start: token.start,
                end: token.end(),
            })
            .collect();
        let seen = all
            .iter()
            .zip(unused)
            .filter(|(token, unused)| !unused && !is_invisible(token.kind));
        let tokens: Vec<Token<'a>> = seen.map(|(token, _)| *token).collect();
        let partners = pair_brackets(&tokens);
        Code {
            source,
            tokens,
            partners,
            directives,
        }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The token's text, digraphs spelt as what they stand for; empty past the end.
    pub fn text(&self, index: usize) -> &'a str {
        match self.tokens.get(index).map_or("", |token| token.text) {
            "<:" => "[",
            ":>" => "]",
            "<%" => "{",
            "%>" => "}",
            text => text,
        }
    }

    /// Whether the token is this keyword or punctuator.
    pub fn is(&self, index: usize, text: &str) -> bool {
        self.text(index) == text
    }

    /// Whether the token is one of these keywords or punctuators.
    pub fn is_any(&self, index: usize, texts: &[&str]) -> bool {
        texts.contains(&self.text(index))
    }

    /// The token's kind; [`TokenKind::Unknown`] past the end.
    pub fn kind(&self, index: usize) -> TokenKind {
        self.tokens
            .get(index)
            .map_or(TokenKind::Unknown, |token| token.kind)
    }

    pub fn is_identifier(&self, index: usize) -> bool {
        self.kind(index) == TokenKind::Identifier
    }

    /// The other bracket of a pair.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().flatten()
    }

    /// The closing bracket of the group that `index` opens; none where it opens no group.
    pub fn close(&self, index: usize) -> Option<usize> {
        self.partner(index).filter(|partner| *partner > index)
    }

    /// The token after `index` when the group it may open counts as one.
    pub fn skip(&self, index: usize) -> usize {
        self.close(index).unwrap_or(index) + 1
    }

    /// The first token of a range, outside of inner groups, with this text.
    pub fn find(&self, range: Range<usize>, text: &str) -> Option<usize> {
        let mut index = range.start;
        while index < range.end {
            if self.is(index, text) {
                return Some(index);
            }
            index = self.skip(index);
        }
        None
    }

    /// The parts of a range between separators outside of inner groups; at least one part.
    pub fn split(&self, range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        while let Some(found) = self.find(start..range.end, separator) {
            parts.push(start..found);
            start = found + 1;
        }
        parts.push(start..range.end.max(start));
        parts
    }

    /// Byte offset of the token; that of the end of the text past the end.
    pub fn start(&self, index: usize) -> usize {
        self.tokens
            .get(index)
            .map_or(self.source.len(), |token| token.start)
    }

    /// The bytes from the first token of a range to its last; an empty range has none.
    pub fn span(&self, range: &Range<usize>) -> Option<Span> {
        let tokens = self.tokens.get(range.clone())?;
        Some(Span {
            start: tokens.first()?.start,
            end: tokens.last()?.end(),
        })
    }

    /// Whether a preprocessor line lies within a span.
    pub fn holds_directive(&self, span: Span) -> bool {
        let next = self
            .directives
            .partition_point(|directive| directive.start < span.start);
        self.directives
            .get(next)
            .is_some_and(|directive| directive.start < span.end)
    }
}

fn is_invisible(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Whitespace | TokenKind::Comment | TokenKind::Directive
    )
}

/// For each bracket the index of its other half. A closing bracket pairs with the nearest open one of its kind; those
/// opened in between, and brackets with no other half, stay alone.
fn pair_brackets(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut open_of_kind = [0_usize; 3];
    for (index, token) in tokens.iter().enumerate() {
        let Some((kind, opens)) = bracket(token.text) else {
            continue;
        };
        if opens {
            open.push((kind, index));
            open_of_kind[kind] += 1;
            continue;
        }
        if open_of_kind[kind] == 0 {
            continue;
        }
        while let Some((candidate, opener)) = open.pop() {
            open_of_kind[candidate] -= 1;
            if candidate == kind {
                partners[opener] = Some(index);
                partners[index] = Some(opener);
                break;
            }
        }
    }
    partners
}

/// The kind of bracket and whether it opens.
pub(super) fn bracket(text: &str) -> Option<(usize, bool)> {
    match text {
        "(" => Some((0, true)),
        ")" => Some((0, false)),
        "[" | "<:" => Some((1, true)),
        "]" | ":>" => Some((1, false)),
        "{" | "<%" => Some((2, true)),
        "}" | "%>" => Some((2, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_pair_by_kind_and_a_lost_one_stays_alone() {
        let code = Code::new("{ ( [ ) } ]");
        assert_eq!(code.close(0), Some(4));
        assert_eq!(code.close(1), Some(3));
        assert_eq!(code.partner(2), None);
        assert_eq!(code.partner(5), None);
        assert_eq!(code.close(4), None, "a closing bracket opens nothing");
    }

    #[test]
    fn digraphs_are_brackets() {
        let code = Code::new("a<:1:>");
        assert!(code.is(1, "[") && code.is(3, "]"));
        assert_eq!(code.close(1), Some(3));
    }

    #[test]
    fn splitting_leaves_inner_groups_whole() {
        let code = Code::new("a, f(b, c), d");
        let parts = code.split(0..code.len(), ",");
        assert_eq!(parts, [0..1, 2..8, 9..10]);
    }

    #[test]
    fn comments_and_directives_are_not_seen() {
        let code = Code::new("a /* b */\n#define c\nd");
        assert_eq!((code.len(), code.text(1), code.text(2)), (2, "d", ""));
        assert!(code.holds_directive(Span {
            start: 0,
            end: code.source.len()
        }));
        assert!(!code.holds_directive(Span { start: 0, end: 1 }));
    }
}
