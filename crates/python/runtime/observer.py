"""Calls functions, constructors, methods and setters once with stand-ins, to learn what they do with parameters that nobody annotated.

What is annotated is given a plain value where one is at hand. Methods are called on an object that their class makes of such values: if
it makes none at once, they are not called. All calls together have a bounded time.
"""

import enum
import inspect
import time
import typing

from . import recorder
from .uses import Use

_MOST_SECONDS = 2.0
_PLAIN = {
    int: 1, str: "a", float: 1.0, bool: True, bytes: b"a", complex: 1j, object: 1, list: [], dict: {}, set: set(), tuple: (),
    frozenset: frozenset(), type(None): None,
}


class Observer:
    """Observes calls. `guarded` runs code of the module with limits; `patterns` takes the regular expressions that are met."""

    def __init__(self, annotations, guarded, patterns):
        self.annotations, self.guarded, self.patterns = annotations, guarded, patterns
        self.spent = 0.0
        self.unmade = set()

    def function(self, call, given, hints, uses, pure=True):
        """Calls what takes the parameters `given`, and adds what the stand-ins note to `uses`; not `pure` if others are around."""
        required = needed(given)
        seen = {one.name: Use() for one in required if one.name not in hints}
        if not seen or self.guarded is None or self.spent > _MOST_SECONDS:
            return
        others = {one.name: plain(hints[one.name]) for one in required if one.name in hints}
        positional = [one.name for one in required if one.kind is not one.KEYWORD_ONLY]
        begin = time.process_time()
        with recorder.patterns(self.patterns):
            self.guarded(lambda: recorder.observe(call, seen, others, positional, pure))
        self.spent += time.process_time() - begin
        for name, use in seen.items():
            if name in uses.uses:
                uses.uses[name].merge(use)

    def method(self, cls, function, given, hints, uses):
        """The same for a function that is called on an object of a class."""
        if all(one.name in hints for one in needed(given)) or self.guarded is None or self.spent > _MOST_SECONDS:
            return
        made = self._object(cls)
        if made is not None:
            value, pure = made
            self.function(lambda *positional, **named: function(value, *positional, **named), given, hints, uses, pure)

    def _object(self, cls):
        """An object of a class, and whether no stand-in is in it; nothing if it cannot be made at once."""
        if cls in self.unmade or inspect.isabstract(cls):
            return None
        if issubclass(cls, enum.Enum):
            return next(((member, True) for member in cls), None)
        try:
            required = needed(inspect.signature(cls).parameters.values())
        except (ValueError, TypeError):
            return None
        hints = self.annotations.of_callable(cls.__init__)
        values = {one.name: plain(hints[one.name]) if one.name in hints else recorder.unread() for one in required}
        positional = [values[one.name] for one in required if one.kind is not one.KEYWORD_ONLY]
        named = {one.name: values[one.name] for one in required if one.kind is one.KEYWORD_ONLY}
        made, begin = [], time.process_time()
        self.guarded(lambda: made.append(cls(*positional, **named)))
        self.spent += time.process_time() - begin
        if not made or not isinstance(made[0], cls):
            self.unmade.add(cls)
            return None
        return made[0], not any(isinstance(one, recorder.StandIn) for one in values.values())


def needed(given):
    """The parameters that a call must give."""
    return [one for one in given if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]


def plain(hint):
    """A value of an annotated type, or a stand-in that nobody reads where none is at hand."""
    for kind in (hint, typing.get_origin(hint)):
        if isinstance(kind, type) and kind in _PLAIN:
            value = _PLAIN[kind]
            return value.copy() if isinstance(value, (list, dict, set)) else value
    return recorder.unread()
