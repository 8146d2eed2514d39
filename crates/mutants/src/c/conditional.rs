//! Which branches of `#if … #else … #endif` the outline of a file leaves out.
//!
//! The conditions themselves are unknown here, except a plain `0` or `1`. All branches that may be compiled are kept as
//! long as each is balanced in its brackets. Where one is not (two versions of an `if (…) {` line), reading all would
//! ruin the structure of everything after, so only the first is kept.

use super::code::bracket;
use super::lex::{Token, TokenKind};

/// Running count of brackets: how many more were opened than closed, and the least that count ever was.
#[derive(Clone, Copy, Default)]
struct Balance {
    net: i64,
    least: i64,
}

impl Balance {
    fn add(&mut self, later: Balance) {
        self.least = self.least.min(self.net + later.least);
        self.net += later.net;
    }

    fn is_even(self) -> bool {
        self.net == 0 && self.least == 0
    }
}

struct Branch {
    first: usize,
    end: usize,
    compiled: bool,
    balance: Balance,
}

struct Group {
    branches: Vec<Branch>,
    /// An earlier condition is a plain `1`, so the branches to come are never compiled.
    decided: bool,
}

/// For each token whether it lies in a branch that is left out.
pub(super) fn unused_branches(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut groups: Vec<Group> = Vec::new();
    let mut changes = vec![0_i32; tokens.len() + 1];
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Directive {
            if let (Some((_, opens)), Some(branch)) = (bracket(token.text), innermost(&mut groups))
            {
                let step = if opens { 1 } else { -1 };
                branch.balance.add(Balance {
                    net: step,
                    least: step.min(0),
                });
            }
            continue;
        }
        let (name, condition) = directive(token.text);
        match name {
            "if" | "ifdef" | "ifndef" => {
                groups.push(Group {
                    branches: Vec::new(),
                    decided: false,
                });
                open_branch(&mut groups, index, name == "if", condition);
            }
            "elif" | "else" | "elifdef" | "elifndef" => {
                close_branch(&mut groups, index);
                open_branch(&mut groups, index, name == "elif", condition);
            }
            "endif" => {
                close_branch(&mut groups, index);
                if let Some(group) = groups.pop() {
                    let read = finish(&group, &mut changes);
                    if let Some(branch) = innermost(&mut groups) {
                        branch.balance.add(read);
                    }
                }
            }
            _ => {}
        }
    }
    running_sums(&changes, tokens.len())
}

fn innermost(groups: &mut [Group]) -> Option<&mut Branch> {
    groups.last_mut()?.branches.last_mut()
}

/// The name of a preprocessor line and the text after it, without its last comment.
fn directive(text: &str) -> (&str, &str) {
    let body = text
        .trim_start_matches("%:")
        .trim_start_matches('#')
        .trim_start();
    let name_end = body
        .find(|character: char| !character.is_ascii_alphabetic())
        .unwrap_or(body.len());
    let (name, rest) = body.split_at(name_end);
    let condition = rest.split("/*").next().unwrap_or_default();
    (
        name,
        condition.split("//").next().unwrap_or_default().trim(),
    )
}

fn open_branch(groups: &mut [Group], index: usize, has_condition: bool, condition: &str) {
    let Some(group) = groups.last_mut() else {
        return;
    };
    let never = group.decided || (has_condition && condition == "0");
    group.decided |= has_condition && condition == "1";
    let branch = Branch {
        first: index + 1,
        end: index + 1,
        compiled: !never,
        balance: Balance::default(),
    };
    group.branches.push(branch);
}

fn close_branch(groups: &mut [Group], index: usize) {
    if let Some(branch) = innermost(groups) {
        branch.end = index;
    }
}

/// Notes the branches to leave out and gives the balance of those that are read.
fn finish(group: &Group, changes: &mut [i32]) -> Balance {
    let even = group
        .branches
        .iter()
        .filter(|branch| branch.compiled)
        .all(|branch| branch.balance.is_even());
    let first = group.branches.iter().position(|branch| branch.compiled);
    let mut read = Balance::default();
    for (index, branch) in group.branches.iter().enumerate() {
        if branch.compiled && (even || Some(index) == first) {
            read.add(branch.balance);
        } else {
            changes[branch.first] += 1;
            changes[branch.end] -= 1;
        }
    }
    read
}

fn running_sums(changes: &[i32], count: usize) -> Vec<bool> {
    let mut depth = 0;
    let mut unused = Vec::with_capacity(count);
    for change in &changes[..count] {
        depth += change;
        unused.push(depth > 0);
    }
    unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::lex;

    /// The identifiers of the branches that are read.
    fn read(source: &str) -> String {
        let tokens = lex(source);
        let unused = unused_branches(&tokens);
        let names = tokens
            .iter()
            .zip(unused)
            .filter(|(token, unused)| !unused && token.kind == TokenKind::Identifier);
        names
            .map(|(token, _)| token.text)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn balanced_branches_are_all_read() {
        assert_eq!(
            read("#ifdef A\na;\n#elif B\nb;\n#else\nc;\n#endif\nd"),
            "a b c d"
        );
    }

    #[test]
    fn a_plain_zero_or_one_decides() {
        assert_eq!(read("#if 0 /* old */\na\n#else\nb\n#endif"), "b");
        assert_eq!(read("#if 1\na\n#elif 1\nb\n#else\nc\n#endif\nd"), "a d");
    }

    #[test]
    fn of_unbalanced_branches_only_the_first_is_read() {
        assert_eq!(read("#ifdef A\na {\n#else\nb {\n#endif\nc }"), "a c");
        assert_eq!(read("#ifdef A\na } x {\n#else\nb\n#endif\nc"), "a x c");
        assert_eq!(
            read("#if 0\nz\n#elif A\na {\n#else\nb {\n#endif\nc }"),
            "a c"
        );
    }

    #[test]
    fn an_inner_group_counts_for_the_outer_one() {
        assert_eq!(
            read("#ifdef A\n#ifdef B\na {\n#endif\n#else\nb {\n#endif\nc }"),
            "a c"
        );
    }

    #[test]
    fn stray_lines_change_nothing() {
        assert_eq!(read("#endif\n#else\na\n#if 0\nb"), "a b");
    }
}
