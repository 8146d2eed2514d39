"""Types from use at run time: stand-ins are given for parameters that nobody annotated, and note what is done with them.

A stand-in takes part in nearly everything: attributes, calls, operators, iteration, comparison. What it gives are stand-ins for parts of
itself. Where a built-in function refuses it, the message of the `TypeError` says what was wanted. What is noted goes into the same
records as what reading the source tells (`uses`), so code in other modules that a value is handed to speaks, too.

Stand-ins cannot be told apart from others by `isinstance`, so code behind such checks stays unseen here; `uses` reads the checks.
"""

import contextlib
import re

from .uses import Use

_MOST_NOTES = 300
_MOST_PATTERNS = 40
_WANTED = [
    (re.compile(r"(must be|expected) (a )?(str|string)\b|expected string|must be str|can only join"), "str"),
    (re.compile(r"bytes-like object is required|(must be|expected) bytes"), "bytes"),
    (re.compile(r"(must be|expected|requires) (an? )?(int|integer)\b|cannot be interpreted as an integer|integer (argument|is required)"), "int"),
    (re.compile(r"must be real number|(must be|expected) (a )?(float|number)"), "float"),
    (re.compile(r"is not iterable|must be (an )?iterable"), "iterable"),
]


class Enough(BaseException):
    """Ends a call whose stand-ins have been asked too much."""


class Notes:
    """What all stand-ins of one call share."""

    def __init__(self):
        self.count = 0

    def take(self):
        self.count += 1
        if self.count > _MOST_NOTES:
            raise Enough


class StandIn:
    """Notes in a `Use` what is done with it."""

    def __init__(self, use, notes, depth=0):
        vars(self).update(_use=use, _notes=notes, _depth=depth)

    def _part(self, use=None):
        return StandIn(use if use is not None else Use(), self._notes, self._depth + 1)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._notes.take()
        self._use.attributes.add(name)
        return self._part()

    def __setattr__(self, name, value):
        self._use.attributes.add(name)

    def __call__(self, *arguments, **keywords):
        self._notes.take()
        if self._depth == 0:
            self._use.kinds.add("callable")
            self._use.arity = len(arguments)
        return self._part()

    def __iter__(self):
        self._notes.take()
        self._use.kinds.add("iterable")
        return iter([self._part(self._use.elements()) for _ in range(2 if self._depth < 3 else 0)])

    def __len__(self):
        self._use.kinds.add("sized")
        return 2

    def __getitem__(self, key):
        self._notes.take()
        self._use.kinds.add("mapping" if isinstance(key, str) else "indexed")
        if isinstance(key, str):
            self._use.parts.append(key)
        return self._part(self._use.elements() if not isinstance(key, (str, slice)) else None)

    def __setitem__(self, key, value):
        self._use.kinds.add("mapping" if isinstance(key, str) else "indexed")

    def __contains__(self, value):
        self._use.kinds.add("iterable")
        return False

    def __bool__(self):
        self._notes.take()
        return self._notes.count % 3 != 0

    def __index__(self):
        self._use.kinds.add("int")
        return 1

    def __int__(self):
        self._use.kinds.add("int")
        return 1

    def __float__(self):
        self._use.kinds.update(("int", "float"))
        return 1.0

    def __hash__(self):
        return 1

    def __str__(self):
        return "a"

    __repr__ = __str__


def _compare(self, other):
    self._notes.take()
    if isinstance(other, (str, bytes, int, float)) and not isinstance(other, bool) and other not in self._use.constants:
        self._use.constants.append(other)
    return self._notes.count % 2 == 0


def _arithmetic(kinds):
    def operate(self, other):
        self._notes.take()
        if isinstance(other, (str, bytes)):
            self._use.kinds.add(type(other).__name__)
        elif isinstance(other, (int, float)):
            self._use.kinds.update(kinds)
        return self._part()
    return operate


for _name in "eq ne lt le gt ge".split():
    setattr(StandIn, "__%s__" % _name, _compare)
for _name in "add sub mul truediv pow".split():
    for _way in ("", "r"):
        setattr(StandIn, "__%s%s__" % (_way, _name), _arithmetic(("int", "float")))
for _name in "floordiv mod lshift rshift and or xor".split():
    for _way in ("", "r"):
        setattr(StandIn, "__%s%s__" % (_way, _name), _arithmetic(("int",)))


@contextlib.contextmanager
def patterns(found):
    """Inside, regular expressions that are used for the first time are added to `found`, with their flags."""
    plain = getattr(re, "_compile", None)

    def compiling(pattern, flags):
        if isinstance(pattern, str) and len(found) < _MOST_PATTERNS:
            found.setdefault(pattern, int(flags))
        return plain(pattern, flags)

    if plain is not None:
        re._compile = compiling
    try:
        yield
    finally:
        if plain is not None:
            re._compile = plain


def unread():
    """A stand-in whose notes nobody reads."""
    return StandIn(Use(), Notes())


def observe(call, uses, others, positional, pure=True):
    """Calls with stand-ins: `uses` are the records of parameters by name, `others` the values of further ones. Those that are named in
    `positional` are given by position, in that order. Where the call is not `pure`, there are other stand-ins that it may mean."""
    notes = Notes()
    given = dict(others, **{name: StandIn(use, notes) for name, use in uses.items()})
    keywords = {name: one for name, one in given.items() if name not in positional}
    alone = pure and not any(isinstance(one, StandIn) for one in others.values())
    try:
        result = call(*[given[name] for name in positional], **keywords)
        if hasattr(type(result), "__next__"):
            for _, _ in zip(range(3), result):
                pass
    except TypeError as error:
        if alone:
            _refused(str(error), uses)
    except (Exception, Enough):
        pass


def _refused(message, uses):
    """A built-in function refused a stand-in: if there is only one, it is known what should have been there."""
    if len(uses) != 1 or "StandIn" not in message:
        return
    for pattern, kind in _WANTED:
        if pattern.search(message):
            for use in uses.values():
                use.kinds.add(kind)
