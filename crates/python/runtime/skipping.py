"""Stores that are left out of the code once they were told often enough, as SlipCover does (Altmayer Pizzorno and Berger, ISSTA 2023).

Now and then, functions under test get code in which the probes that have been told are jumped over: the code stays as long as it was, so
that jumps, lines and handlers stay valid. Whoever then wants all hits of a test gets the old code back first. A store that does not look
as expected, on a version of Python that nobody knows yet, stays.
"""

import dis
import gc
import sys
import time
import types

from .placing import NAME
from .probes import Probes

# Seconds of processor time before probes are left out for the first time; every later time is twice as far off, up to the last.
SOON, LATE = 0.2, 6.4

NEW = sys.version_info >= (3, 11)
LOADS = {dis.opmap["LOAD_NAME"]: 0, dis.opmap["LOAD_GLOBAL"]: int(NEW)}
CONSTANT, STORE = dis.opmap["LOAD_CONST"], dis.opmap["STORE_SUBSCR"]
EXTENDED, JUMP = dis.EXTENDED_ARG, dis.opmap["JUMP_FORWARD"]
# What a jump counts.
UNIT = 2 if sys.version_info >= (3, 10) else 1


class Skipping(Probes):
    """Probes that are left out when they have been told."""

    def __init__(self, lines, modules):
        super().__init__(lines, modules)
        self.skipped = b""
        self.functions = []
        # What code was before.
        self.before = {}
        # The probes of code, with the code itself, which must live as long as its number is used.
        self.known = {}
        self.due, self.later = 0.0, SOON

    def gather(self):
        """Finds the functions under test that are there already: soon nobody will find them."""
        self.functions = has_probes(gc.get_objects())
        self.due = time.process_time() + SOON

    def clear(self):
        for function, code in self.before.values():
            function.__code__ = code
        if self.before:
            # Somebody wants all hits; it may be the first of many.
            self.before, self.skipped, self.known = {}, b"", {}
            self.due = time.process_time() + LATE
        super().clear()

    def rest(self):
        """Leaves probes out if it is time."""
        now = time.process_time()
        if now < self.due:
            return
        if self.seen != self.skipped:
            self.skipped = bytes(self.seen)
            self.skip(self.skipped)
        self.later = min(2 * self.later, LATE)
        self.due = now + self.later

    def skip(self, done):
        """Lets all functions jump over these probes."""
        for function in self.functions + has_probes(gc.get_objects()):
            code = function.__code__
            less = self.less(code, done)
            if less is not code:
                self.before.setdefault(id(function), (function, code))
                function.__code__ = less

    def less(self, code, done):
        """Code without these probes; the same if it has none of them."""
        known = self.known.get(id(code))
        if known is None:
            known = self.known[id(code)] = (code, stores(code), inner(code))
        _, places, nested = known
        constants = {at: self.less(code.co_consts[at], done) for at in nested}
        constants = {at: less for at, less in constants.items() if less is not code.co_consts[at]}
        over = [place for place in places if place[2] < len(done) and done[place[2]]]
        if not over and not constants:
            return code
        raw = bytearray(code.co_code)
        for start, end, _ in over:
            raw[start : start + 2] = bytes((JUMP, (end - start - 2) // UNIT))
        changed = [constants.get(at, constant) for at, constant in enumerate(code.co_consts)]
        less = code.replace(co_code=bytes(raw), co_consts=tuple(changed))
        self.known[id(less)] = (less, [place for place in places if place not in over], nested)
        return less


def has_probes(objects):
    """The functions with probes among these objects."""
    function = types.FunctionType
    return [one for one in objects if type(one) is function and NAME in one.__code__.co_names]


def inner(code):
    """Where code has code with probes among its constants."""
    kind = types.CodeType
    return [at for at, one in enumerate(code.co_consts) if type(one) is kind and NAME in one.co_names]


def stores(code):
    """Where the stores of code begin and end, and the probes that they are of."""
    raw, found = code.co_code, []
    name = code.co_names.index(NAME)
    for load, shift in LOADS.items():
        wanted = name << shift
        for argument in (wanted, wanted | shift):
            word = bytes((load, argument & 255))
            at = raw.find(word)
            while at >= 0:
                if at % 2 == 0 and high(raw, at) == argument >> 8:
                    place = store(code, raw, at)
                    found += [place] if place else []
                at = raw.find(word, at + 1)
            if shift == 0:
                break
    return found


def store(code, raw, at):
    """The store whose array is loaded at a place; nothing if it looks otherwise."""
    start = before(raw, at) - 2
    if start < 0 or raw[start] != CONSTANT or constant(code, raw, start) != 1:
        return None
    index = following(raw, at)
    while raw[index] == EXTENDED:
        index += 2
    end = following(raw, index)
    if raw[index] != CONSTANT or raw[end] != STORE:
        return None
    probe = constant(code, raw, index)
    start, end = before(raw, start), following(raw, end)
    return (start, end, probe) if type(probe) is int and end - start < 128 else None


def before(raw, at):
    """Where an instruction begins with what extends its argument."""
    while at >= 2 and raw[at - 2] == EXTENDED:
        at -= 2
    return at


def high(raw, at):
    """What extends the argument of an instruction."""
    value, place = 0, before(raw, at)
    while place < at:
        value, place = value << 8 | raw[place + 1], place + 2
    return value


def constant(code, raw, at):
    return code.co_consts[high(raw, at) << 8 | raw[at + 1]]


def following(raw, at):
    """The next instruction: newer versions keep notes of their own between two."""
    at += 2
    while NEW and at < len(raw) and raw[at] == 0:
        at += 2
    return at
