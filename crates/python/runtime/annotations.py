"""Annotations as plain data: lists whose first element says what follows.

    ["any"]  ["none"]  ["class", NAME]  ["union", T...]  ["literal", VALUE...]  ["list", T]  ["set", T]  ["frozenset", T]
    ["dict", K, V]  ["tuple", T...]  ["tuple-of", T]  ["iterator", T]  ["callable", ARITY or -1, T]  ["type", T]
    ["record", [KEY, T, REQUIRED]...]  ["made", CLASS, MODULE, SOURCE, T]  (see `makers`)

What cannot be understood or made is ["any"]: a wrong guess is worse than none. Nothing here raises on any annotation.
"""

import collections.abc as abc
import inspect
import sys
import types
import typing

from . import makers, modern

ANY = ["any"]
NONE = ["none"]
_INT, _STR, _BYTES = (["class", "builtins." + name] for name in ("int", "str", "bytes"))
NUMBER = ["union", _INT, ["class", "builtins.float"]]

_LISTS = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Reversible, abc.Container, abc.Sized)
_SETS = (set, abc.Set, abc.MutableSet)
_DICTS = (dict, abc.Mapping, abc.MutableMapping)
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))
# What only says something about the type inside.
_TRANSPARENT = ("Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly")
_SPECIAL = {
    "SupportsInt": NUMBER, "SupportsFloat": NUMBER, "SupportsIndex": _INT, "SupportsAbs": NUMBER, "SupportsRound": NUMBER,
    "Number": NUMBER, "Real": NUMBER, "Complex": NUMBER, "Integral": _INT, "Hashable": ["union", _STR, _INT],
    "Text": _STR, "LiteralString": _STR, "ByteString": _BYTES, "Buffer": _BYTES,
    "TextIO": ["class", "io.StringIO"], "BinaryIO": ["class", "io.BytesIO"], "PathLike": ["class", "pathlib.PurePosixPath"],
}
_SPECIAL_MODULES = ("typing", "typing_extensions", "collections.abc", "numbers", "os")


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


def is_protocol(cls):
    """Whether a class only says what others must have."""
    return bool(getattr(cls, "_is_protocol", False))


def _name(form):
    return getattr(form, "__name__", None) or getattr(form, "_name", None) or ""


class Annotations:
    """Reads annotations; `note` is told every class that it meets.

    `own` holds the classes of the module: class, names of its attributes, whether tests may make objects of it.
    """

    def __init__(self, note, encode):
        self.note = note
        self.encode = encode
        self.own = []
        self.owner = None
        self.bound = {}
        self.open = []

    def of_callable(self, function):
        """The annotations of a function by parameter name, or of a class, evaluated as far as possible."""
        try:
            return typing.get_type_hints(function)
        except Exception:
            raw = getattr(function, "__annotations__", None)
            names = getattr(sys.modules.get(getattr(function, "__module__", None)), "__dict__", {})
            return {name: modern.evaluated(kind, names) for name, kind in raw.items()} if isinstance(raw, dict) else {}

    def read(self, kind, scope=None, owner=None):
        """The type that an annotation means; in methods of `owner`, if that is given."""
        self.owner, self.bound, self.open = owner, {}, []
        try:
            return self._read(kind, scope or {}, 0)
        except Exception:
            return ANY

    def unpacked(self, kind, scope, owner):
        """The type inside of `Unpack[...]`; anything where there is none."""
        kind = modern.evaluated(kind, dict(vars(typing), **scope))
        return self.read(typing.get_args(kind)[0], scope, owner) if _name(typing.get_origin(kind)) == "Unpack" else ANY

    def _read(self, kind, scope, depth):
        if depth > 6 or kind is typing.Any or kind is object or kind is inspect.Parameter.empty:
            return ANY
        if kind is None or kind is type(None):
            return NONE
        if isinstance(kind, typing.ForwardRef):
            kind = kind.__forward_arg__
        if isinstance(kind, str):
            return self._read(modern.evaluate(kind, dict(vars(typing), **scope)), scope, depth + 1)
        if isinstance(kind, typing.TypeVar):
            bounds = kind.__constraints__ or ((kind.__bound__,) if kind.__bound__ else ())
            bounds = (self.bound[kind],) if kind in self.bound else bounds
            return union([self._read(one, scope, depth + 1) for one in bounds]) if bounds else ANY
        if hasattr(kind, "__supertype__"):
            return self._read(kind.__supertype__, scope, depth + 1)
        origin = typing.get_origin(kind)
        if origin is not None:
            return self._generic(origin, kind, scope, depth)
        if type(kind).__name__ == "TypeAliasType":
            return self._read(kind.__value__, scope, depth + 1)
        if getattr(kind, "__module__", "") in ("typing", "typing_extensions") and _name(kind) == "Self":
            return self._class(self.owner, scope, depth) if self.owner else ANY
        if getattr(kind, "__module__", "") in _SPECIAL_MODULES and _name(kind) in _SPECIAL:
            return _SPECIAL[_name(kind)]
        if class_name(type(kind)) == "dataclasses.InitVar":
            return self._read(kind.type, scope, depth + 1)
        return self._class(kind, scope, depth) if isinstance(kind, type) else ANY

    def _generic(self, origin, kind, scope, depth):
        arguments = typing.get_args(kind)
        read = lambda index: self._read(arguments[index], scope, depth + 1) if len(arguments) > index else ANY
        if origin in _UNIONS:
            return union([self._read(one, scope, depth + 1) for one in arguments])
        if _name(origin) == "Literal":
            return self._literal(arguments)
        if _name(origin) in _TRANSPARENT or "Annotated" in str(type(kind)):
            return read(0)
        if origin is abc.Callable:
            given = arguments[0] if arguments else ...
            arity = len(given) if isinstance(given, (list, tuple)) else -1
            return ["callable", arity, self._read(arguments[-1], scope, depth + 1) if arguments else ANY]
        if origin is tuple and kind is not typing.Tuple:
            return self._tuple(arguments, read)
        if origin is type:
            return ["type", read(0)]
        if "IO" in (_name(origin), _name(kind)):
            return _SPECIAL["BinaryIO" if bytes in arguments else "TextIO"]
        parameters = getattr(origin, "__type_params__", None) or getattr(origin, "__parameters__", ())
        self.bound.update((one, given) for one, given in zip(parameters, arguments) if one is not given)
        if type(origin).__name__ == "TypeAliasType":
            return self._read(origin.__value__, scope, depth + 1)
        return self._class(origin, scope, depth, read) if isinstance(origin, type) else ANY

    def _literal(self, values):
        """One of these values. What cannot be written down, such as a member of an enumeration, could not be told from others."""
        encoded = [self.encode(one) for one in values if one is not None]
        if None in encoded:
            return ANY
        return union(([["literal"] + encoded] if encoded else []) + ([NONE] if None in values else []))

    def _tuple(self, arguments, read):
        if len(arguments) == 2 and arguments[1] is ...:
            return ["tuple-of", read(0)]
        if any(_name(typing.get_origin(one)) == "Unpack" or hasattr(one, "__typing_is_unpacked_typevartuple__")
               or getattr(one, "__unpacked__", False) for one in arguments):
            return ANY
        return ["tuple"] + [read(index) for index in range(len(arguments)) if arguments[index] != ()]

    def _class(self, cls, scope, depth, read=lambda index: ANY):
        """The type of a class; `read` gives the types of its arguments."""
        for classes, word in ((_LISTS, "list"), (_SETS, "set"), ((frozenset,), "frozenset"), ((abc.Iterator,), "iterator")):
            if cls in classes:
                return [word, read(0)]
        if cls in _DICTS:
            return ["dict", read(0), read(1)]
        if cls in (tuple, type):
            return ["tuple-of" if cls is tuple else "type", ANY]
        if cls in (abc.Callable, types.FunctionType):
            return ["callable", -1, ANY]
        if cls.__module__ in _SPECIAL_MODULES and cls.__name__ in _SPECIAL:
            return _SPECIAL[cls.__name__]
        made = makers.of_container(cls, read)
        if made is not None:
            if made[0]:
                self.note(cls)
            return ["made", class_name(cls)] + made
        if issubclass(cls, dict) and hasattr(cls, "__total__"):
            return self._record(cls, scope, depth)
        if is_protocol(cls) or inspect.isabstract(cls) and class_name(cls) not in makers.EXPRESSIONS:
            return self._satisfied(cls)
        self.note(cls)
        return ["class", class_name(cls)]

    def _record(self, cls, scope, depth):
        """A dictionary with these keys. One that holds itself ends somewhere."""
        if cls in self.open:
            return ANY
        self.open.append(cls)
        hints = self.of_callable(cls)
        optional = getattr(cls, "__optional_keys__", () if cls.__total__ else hints)
        keys = [[key, self._read(hint, scope, depth + 1), key not in optional] for key, hint in hints.items()]
        self.open.pop()
        return ["record"] + keys

    def _satisfied(self, cls):
        """The classes of the module that stand for one of which there are no objects."""
        members = set(typing._get_protocol_attrs(cls)) if is_protocol(cls) else None
        kinds = []
        for own, attributes, offered in self.own:
            if is_protocol(own) or inspect.isabstract(own):
                continue
            alike = issubclass(own, cls) if members is None else members <= attributes
            if cls in own.__mro__ or offered and alike:
                self.note(own)
                kinds.append(["class", class_name(own)])
        if not kinds and members == {"__call__"}:
            return ["callable", -1, ANY]
        return union(kinds)
