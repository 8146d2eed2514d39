//! A reader of instruction sequences with named variables and targets.
//!
//! A step that does not fit makes the whole match fail; later steps then do nothing. A name stands for what it met first, also
//! across several attempts from different starts.

use std::collections::BTreeMap;

use crate::analysis::coverage::listing::Listing;
use crate::opcode::Opcode;

pub(super) struct Matcher<'l, 'c> {
    listing: &'l Listing<'c>,
    /// The next instruction; `None` once a step failed.
    next: Option<usize>,
    variables: BTreeMap<String, u16>,
    owners: BTreeMap<String, &'c str>,
    targets: BTreeMap<String, usize>,
}

impl<'l, 'c> Matcher<'l, 'c> {
    pub fn new(listing: &'l Listing<'c>) -> Matcher<'l, 'c> {
        Matcher {
            listing,
            next: None,
            variables: BTreeMap::new(),
            owners: BTreeMap::new(),
            targets: BTreeMap::new(),
        }
    }

    /// Starts again at an instruction, with the names known so far.
    pub fn at(&mut self, start: usize) -> &mut Self {
        self.next = Some(start);
        self
    }

    /// The number of the last instruction matched, if all matched.
    pub fn last(&self) -> Option<usize> {
        self.next?.checked_sub(1)
    }

    /// Whether all steps matched so far.
    pub fn fits(&self) -> bool {
        self.next.is_some()
    }

    /// The instruction is accepted by a test.
    pub fn test(&mut self, accepts: impl FnOnce(&Listing<'c>, usize) -> bool) -> &mut Self {
        let at = self.next.filter(|at| *at < self.listing.len());
        let at = at.filter(|at| accepts(self.listing, *at));
        self.next = at.map(|at| at + 1);
        self
    }

    pub fn any(&mut self) -> &mut Self {
        self.test(|_, _| true)
    }

    pub fn is(&mut self, opcode: Opcode) -> &mut Self {
        self.test(|listing, at| listing.opcode(at) == opcode)
    }

    /// A load or store of a named variable.
    pub fn variable(&mut self, opcode: Opcode, name: &str) -> &mut Self {
        self.is(opcode);
        if let Some(local) = self.last().and_then(|last| self.listing.local(last))
            && *self.variables.entry(name.to_owned()).or_insert(local) != local
        {
            self.next = None;
        }
        self
    }

    /// A jump to a named instruction.
    pub fn jump(&mut self, opcode: Opcode, name: &str) -> &mut Self {
        self.is(opcode);
        if let Some(target) = self.last().and_then(|last| self.listing.jump(last))
            && *self.targets.entry(name.to_owned()).or_insert(target) != target
        {
            self.next = None;
        }
        self
    }

    /// The next instruction is the named one.
    pub fn label(&mut self, name: &str) -> &mut Self {
        let target = self.targets.get(name).copied();
        self.next = self.next.filter(|next| Some(*next) == target);
        self
    }

    /// A call, as owner, name and descriptor.
    pub fn call(&mut self, opcode: Opcode, method: (&str, &str, &str)) -> &mut Self {
        self.test(|listing, at| {
            let named = listing.member(at);
            let same =
                named.map(|named| (named.owner, named.name, named.descriptor)) == Some(method);
            same && listing.opcode(at) == opcode
        })
    }

    /// `name.close()`, of the same class whenever the name is met.
    pub fn close(&mut self, name: &str) -> &mut Self {
        self.variable(Opcode::ALOAD, name);
        self.test(|listing, at| {
            let named = listing.member(at);
            let closes =
                named.is_some_and(|named| (named.name, named.descriptor) == ("close", "()V"));
            let opcode = listing.opcode(at);
            closes && (opcode == Opcode::INVOKEINTERFACE || opcode == Opcode::INVOKEVIRTUAL)
        });
        if let Some(member) = self.last().and_then(|last| self.listing.member(last))
            && *self.owners.entry(name.to_owned()).or_insert(member.owner) != member.owner
        {
            self.next = None;
        }
        self
    }

    pub fn add_suppressed(&mut self) -> &mut Self {
        let method = (
            "java/lang/Throwable",
            "addSuppressed",
            "(Ljava/lang/Throwable;)V",
        );
        self.call(Opcode::INVOKEVIRTUAL, method)
    }
}
