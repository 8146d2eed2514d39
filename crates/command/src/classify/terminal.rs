//! Where the matches of a regular expression end, when they start at the start of a text.
//!
//! Matching once from start to end finds them all, with an automaton that is built when it is first needed.

use crate::generate::Pattern;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A regular expression and its automaton.
#[derive(Debug)]
pub(super) struct Terminal<'s> {
    pattern: &'s Pattern,
    automaton: OnceLock<Option<Box<Automaton>>>,
}

#[derive(Debug)]
struct Automaton {
    dfa: DFA,
    cache: Mutex<Cache>,
}

impl<'s> Terminal<'s> {
    pub fn new(pattern: &'s Pattern) -> Terminal<'s> {
        Terminal {
            pattern,
            automaton: OnceLock::new(),
        }
    }

    /// Whether it matches a text from start to end.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern.matches(text)
    }

    /// The lengths of the starts of this text that it matches, in ascending order.
    pub fn ends(&self, text: &str) -> Vec<usize> {
        let automaton = self
            .automaton
            .get_or_init(|| Automaton::new(self.pattern.source()));
        let found = automaton.as_ref().and_then(|a| a.ends(text));
        found.unwrap_or_else(|| {
            let ends = text.char_indices().map(|(end, _)| end).chain([text.len()]);
            ends.filter(|end| self.matches(&text[..*end])).collect()
        })
    }
}

impl Automaton {
    /// `None` where the pattern has assertions, which would look beyond the end of a match.
    fn new(source: &str) -> Option<Box<Automaton>> {
        let hir = regex_syntax::parse(source).ok()?;
        if !hir.properties().look_set().is_empty() {
            return None;
        }
        let nfa = thompson::Compiler::new().build_from_hir(&hir).ok()?;
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let cache = Mutex::new(dfa.create_cache());
        Some(Box::new(Automaton { dfa, cache }))
    }

    fn ends(&self, text: &str) -> Option<Vec<usize>> {
        // A panic while it was held leaves the cache slow at worst.
        let cache = &mut self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let config = start::Config::new().anchored(Anchored::Yes);
        let mut state = self.dfa.start_state(cache, &config).ok()?;
        let mut ends = Vec::new();
        // The automaton tells of a match one byte after it has ended.
        for (at, byte) in text.bytes().enumerate() {
            state = self.dfa.next_state(cache, state, byte).ok()?;
            if state.is_match() {
                ends.push(at);
            }
            if state.is_dead() {
                return Some(ends);
            }
            if state.is_quit() {
                return None;
            }
        }
        state = self.dfa.next_eoi_state(cache, state).ok()?;
        if state.is_match() {
            ends.push(text.len());
        }
        Some(ends)
    }
}
