"""Annotations and types in docstrings as plain data: lists whose first element says what follows.

    ["any"]  ["none"]  ["class", NAME]  ["union", T...]  ["literal", VALUE...]  ["list", T]  ["set", T]  ["frozenset", T]
    ["dict", K, V]  ["tuple", T...]  ["tuple-of", T]  ["iterator", T]  ["callable", ARITY or -1, T]  ["type", T]

What cannot be understood is ["any"]: a wrong guess is worse than none. Nothing here raises on any annotation.
"""

import collections
import collections.abc as abc
import inspect
import re
import types
import typing

ANY = ["any"]
NONE = ["none"]

_LISTS = (
    list, collections.deque, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Reversible,
    abc.Container, abc.ValuesView,
)
_SETS = (set, abc.Set, abc.MutableSet, abc.KeysView)
_DICTS = (dict, collections.OrderedDict, collections.defaultdict, abc.Mapping, abc.MutableMapping)
_ITERATORS = (abc.Iterator, abc.Generator)
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
_SPECIAL = {
    "SupportsInt": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "SupportsFloat": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "SupportsIndex": ["class", "builtins.int"],
    "SupportsAbs": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "SupportsRound": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "Hashable": ["union", ["class", "builtins.str"], ["class", "builtins.int"]],
    "Sized": ["list", ANY],
    "Text": ["class", "builtins.str"],
    "TextIO": ["class", "io.StringIO"],
    "BinaryIO": ["class", "io.BytesIO"],
    "Number": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "Real": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "Complex": ["union", ["class", "builtins.int"], ["class", "builtins.float"]],
    "Integral": ["class", "builtins.int"],
    "PathLike": ["class", "pathlib.PurePosixPath"],
}


def class_name(cls):
    """The name that a class has in the model."""
    return "%s.%s" % (cls.__module__, cls.__qualname__)


def union(members):
    """A union without nesting and repetition."""
    flat = []
    for member in members:
        for one in member[1:] if member[0] == "union" else [member]:
            if one not in flat:
                flat.append(one)
    if ANY in flat:
        return ANY
    return flat[0] if len(flat) == 1 else ["union"] + flat if flat else ANY


class Annotations:
    """Reads annotations; `note` is told every class that it meets."""

    def __init__(self, note, encode):
        self.note = note
        self.encode = encode

    def of_callable(self, function):
        """The annotations of a function by parameter name, evaluated as far as possible."""
        try:
            return typing.get_type_hints(function)
        except Exception:
            raw = getattr(function, "__annotations__", None)
            return dict(raw) if isinstance(raw, dict) else {}

    def read(self, kind, scope=None, depth=0):
        """The type that an annotation means."""
        try:
            return self._read(kind, scope or {}, depth)
        except Exception:
            return ANY

    def _read(self, kind, scope, depth):
        if depth > 6 or kind is typing.Any or kind is object or kind is inspect.Parameter.empty:
            return ANY
        if kind is None or kind is type(None):
            return NONE
        if isinstance(kind, typing.ForwardRef):
            kind = kind.__forward_arg__
        if isinstance(kind, str):
            return self._read(eval(kind, dict(vars(typing), **scope)), scope, depth + 1)
        if isinstance(kind, typing.TypeVar):
            bounds = kind.__constraints__ or ((kind.__bound__,) if kind.__bound__ else ())
            return union([self._read(one, scope, depth + 1) for one in bounds]) if bounds else ANY
        if hasattr(kind, "__supertype__"):
            return self._read(kind.__supertype__, scope, depth + 1)
        origin = typing.get_origin(kind)
        if origin is not None:
            return self._generic(origin, kind, scope, depth)
        name = getattr(kind, "__name__", None) or getattr(kind, "_name", "")
        if getattr(kind, "__module__", "") in ("typing", "numbers", "os") and name in _SPECIAL:
            return _SPECIAL[name]
        if isinstance(kind, type):
            return self._class(kind)
        return ANY

    def _generic(self, origin, kind, scope, depth):
        arguments = typing.get_args(kind)
        read = lambda index: self._read(arguments[index], scope, depth + 1) if len(arguments) > index else ANY
        if origin in _UNIONS:
            return union([self._read(one, scope, depth + 1) for one in arguments])
        if origin is getattr(typing, "Literal", None):
            return ["literal"] + [self.encode(one) for one in arguments]
        if origin in (typing.ClassVar, getattr(typing, "Final", None)) or "Annotated" in str(type(kind)):
            return read(0)
        if origin is abc.Callable:
            given = arguments[0] if arguments else ...
            arity = len(given) if isinstance(given, (list, tuple)) else -1
            return ["callable", arity, self._read(arguments[-1], scope, depth + 1) if arguments else ANY]
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is ...:
                return ["tuple-of", read(0)]
            return ["tuple"] + [read(index) for index in range(len(arguments)) if arguments[index] != ()]
        if origin is type:
            return ["type", read(0)]
        if origin is frozenset:
            return ["frozenset", read(0)]
        if origin is re.Pattern:
            return self._class(re.Pattern)
        for origins, word in ((_LISTS, "list"), (_SETS, "set"), (_ITERATORS, "iterator")):
            if origin in origins:
                return [word, read(0)]
        if origin in _DICTS:
            return ["dict", read(0), read(1)]
        if getattr(origin, "__name__", "") == "IO" or "IO[" in str(kind):
            return _SPECIAL["BinaryIO" if bytes in arguments else "TextIO"]
        return self._class(origin) if isinstance(origin, type) else ANY

    def _class(self, cls):
        for classes, word in ((_LISTS, "list"), (_SETS, "set"), (_ITERATORS, "iterator")):
            if cls in classes and cls is not collections.deque:
                return [word, ANY]
        if cls in _DICTS and cls in (dict, abc.Mapping, abc.MutableMapping):
            return ["dict", ANY, ANY]
        if cls is tuple:
            return ["tuple-of", ANY]
        if cls is frozenset:
            return ["frozenset", ANY]
        if cls is type:
            return ["type", ANY]
        if cls in (abc.Callable, types.FunctionType):
            return ["callable", -1, ANY]
        if cls is abc.Hashable:
            return _SPECIAL["Hashable"]
        if cls is abc.Sized:
            return _SPECIAL["Sized"]
        self.note(cls)
        return ["class", class_name(cls)]


_WORDS = {
    "str": "str", "string": "str", "text": "str", "unicode": "str", "int": "int", "integer": "int", "float": "float",
    "bool": "bool", "boolean": "bool", "bytes": "bytes", "complex": "complex", "bytearray": "bytearray",
}
_CONTAINERS = {
    "list": ["list", ANY], "sequence": ["list", ANY], "iterable": ["list", ANY], "array": ["list", ANY],
    "dict": ["dict", ANY, ANY], "dictionary": ["dict", ANY, ANY], "mapping": ["dict", ANY, ANY], "set": ["set", ANY],
    "tuple": ["tuple-of", ANY], "callable": ["callable", -1, ANY], "function": ["callable", -1, ANY],
    "iterator": ["iterator", ANY], "generator": ["iterator", ANY],
}
_PARAMETER = [
    re.compile(r"^\s*:param\s+(?P<type>[^:]+?)\s+\*{0,2}(?P<name>\w+)\s*:", re.M),
    re.compile(r"^\s*:type\s+(?P<name>\w+)\s*:\s*(?P<type>[^\n]+)", re.M),
    re.compile(r"^\s+\*{0,2}(?P<name>\w+)\s*\((?P<type>[^)\n]+)\)\s*:", re.M),
    re.compile(r"^\s*(?P<name>\w+)\s+:\s+(?P<type>[^\n]+)$", re.M),
]


def word_type(text):
    """The type that a phrase of a docstring names; None where that is not clear."""
    text = re.sub(r"[`~]|:class:|:obj:", "", text.strip().lower()).rstrip(".")
    text = re.sub(r",?\s*(optional|default\b.*)$", "", text).strip()
    parts = [part for part in re.split(r"\s+or\s+|\s*\|\s*|,\s*", text) if part]
    if len(parts) > 1:
        known = [word_type(part) for part in parts]
        return None if None in known else union(known)
    if text in ("none",):
        return NONE
    if text in _WORDS:
        return ["class", "builtins." + _WORDS[text]]
    match = re.match(r"^(list|sequence|iterable|set|tuple|iterator)s?\s*(?:of|\[)\s*(\w+?)s?\]?$", text)
    if match:
        inner = word_type(match.group(2))
        word = {"sequence": "list", "iterable": "list", "tuple": "tuple-of"}.get(match.group(1), match.group(1))
        return [word, inner or ANY]
    if text in ("number", "numeric"):
        return _SPECIAL["Number"]
    return _CONTAINERS.get(text)


def docstring_types(text):
    """The types of parameters that a docstring names clearly: Sphinx, Google and numpy style."""
    found = {}
    for pattern in _PARAMETER:
        for match in pattern.finditer(text or ""):
            kind = word_type(match.group("type"))
            if kind is not None:
                found.setdefault(match.group("name"), kind)
    return found
