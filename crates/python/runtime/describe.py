"""Values as a test file can write them down: as expressions that are equal to them, or by their class and parts."""

import enum
import math
import re
import types

from .places import writable

LONGEST = 160
MOST_FIELDS = 6
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}|object at ")


class Unwritable(Exception):
    """A value that no expression of ours is equal to."""


class Writer:
    """Writes one value; notes which modules the expression names and whether it holds numbers that are to be compared loosely."""

    def __init__(self):
        self.modules = set()
        self.loose = False
        self.deep = False
        self.size = 0

    def source(self, value, depth=0):
        """The expression; raises `Unwritable`."""
        text = self._source(value, depth)
        self.size += len(text)
        if self.size > LONGEST * 4 or len(text) > LONGEST:
            raise Unwritable
        return text

    def _source(self, value, depth):
        cls = type(value)
        if value is None or cls in (bool, int, str, bytes):
            if cls in (str, bytes) and len(value) > LONGEST or cls is int and abs(value) >> 256:
                raise Unwritable
            return text_source(value) if cls in (str, bytes) else repr(value)
        if cls is float:
            if math.isnan(value):
                raise Unwritable
            self.loose |= math.isfinite(value) and value != int(value)
            self.deep |= depth > 1
            return repr(value) if math.isfinite(value) else 'float("%r")' % value
        if depth > 4:
            raise Unwritable
        if cls in (list, tuple, set, frozenset, dict):
            return self._container(value, cls, depth)
        if isinstance(value, enum.Enum) and isinstance(value.name, str) and "|" not in value.name:
            member = "." + value.name if writable(value.name) else "[%s]" % text_source(value.name)
            return self._named(cls.__module__, cls.__qualname__, member)
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            return self._named(getattr(value, "__module__", None), value.__qualname__)
        raise Unwritable

    def _named(self, module, path, member=""):
        if not isinstance(module, str) or not all(map(writable, path.split("."))):
            raise Unwritable
        path += member
        if module == "builtins":
            return path
        if module == "__main__":
            raise Unwritable
        self.modules.add(module)
        # Marked, because the test file decides how it names modules.
        return "\x01%s\x02.%s" % (module, path)

    def _container(self, value, cls, depth):
        if len(value) > 40:
            raise Unwritable
        if cls is dict:
            parts = ["%s: %s" % (self.source(key, depth + 1), self.source(one, depth + 1)) for key, one in value.items()]
            return "{%s}" % ", ".join(parts)
        parts = [self.source(one, depth + 1) for one in value]
        if cls is list:
            return "[%s]" % ", ".join(parts)
        if cls is tuple:
            return "(%s)" % (", ".join(parts) + ("," if len(parts) == 1 else ""))
        if not parts:
            return "set()" if cls is set else "frozenset()"
        text = "{%s}" % ", ".join(sorted(parts))
        return text if cls is set else "frozenset(%s)" % text


def text_source(value):
    """A text or bytes in double quotes, where that needs no escapes."""
    source = repr(value)
    start = 1 if source[0] == "b" else 0
    if source[start] == "'" and '"' not in source:
        return '%s"%s"' % (source[:start], source[start + 1:-1])
    return source


def written(value):
    """`{"source", "loose", "modules"}` of a value that can be written down; None if it cannot."""
    writer = Writer()
    try:
        text = writer.source(value)
    except (Unwritable, RecursionError):
        return None
    # Numbers deep inside are compared exactly: `approx` does not look there.
    loose = writer.loose and not writer.deep and not isinstance(value, (set, frozenset))
    return {"source": text, "loose": loose and _numeric(value), "modules": sorted(writer.modules)}


def _numeric(value):
    """Whether it is a number or holds nothing else."""
    if isinstance(value, dict):
        value = list(value.values())
    return all(type(one) in (int, float) for one in value) if isinstance(value, (list, tuple)) else True


def described(value):
    """What is known of a value: its expression, or its class with its text and its simple parts."""
    simple = written(value)
    if simple is not None:
        return simple
    cls = type(value)
    found = {"class": "%s.%s" % (cls.__module__, cls.__qualname__), "fields": []}
    try:
        found["length"] = len(value) if hasattr(cls, "__len__") else None
    except Exception:
        found["length"] = None
    found["repr"] = _text(value, cls)
    for name in _fields(value, cls):
        try:
            part = written(getattr(value, name))
        except Exception:
            continue
        if part is not None:
            found["fields"].append(dict(part, name=name))
        if len(found["fields"]) >= MOST_FIELDS:
            break
    return found


def _text(value, cls):
    """What `repr` gives, if it says something that is the same the next time."""
    if cls.__repr__ is object.__repr__ or isinstance(value, (set, frozenset, types.FunctionType)):
        return None
    try:
        text = repr(value)
    except Exception:
        return None
    return text if isinstance(text, str) and len(text) <= LONGEST and not _ADDRESS.search(text) else None


def _fields(value, cls):
    """The names of public attributes, of the object itself first, then properties of its class."""
    own = getattr(value, "__dict__", None)
    names = [name for name in own if isinstance(name, str)] if isinstance(own, dict) else []
    for base in cls.__mro__:
        slots = vars(base).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    names += [name for name, member in sorted(vars(cls).items()) if isinstance(member, property)]
    seen = set()
    return [n for n in names if not n.startswith("_") and n.isidentifier() and not (n in seen or seen.add(n))]
