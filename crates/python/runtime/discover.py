"""What a module offers to tests, as plain data: functions, classes, methods, properties, constants, types and literals.

Imports the module, so it runs inside a worker only. Everything that cannot be called is listed with a reason.
"""

import ast
import enum
import importlib
import inspect
import os
import types

from . import analysis, constants, makers, observer, shapes
from .annotations import ANY, Annotations, class_name, is_protocol, union
from .describe import text_source
from .docstrings import docstring_types
from .guess import INT, STR, guess, of_example
from .places import Places, is_class, writable
from .source import Source

# Special methods that are tested, written as operators or as calls.
SPECIAL = set(
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__ __next__ __contains__ __getitem__ __setitem__ "
    "__delitem__ __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __and__ __or__ __xor__ __lshift__ "
    "__rshift__ __matmul__ __divmod__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __rand__ __ror__ "
    "__rxor__ __iadd__ __isub__ __imul__ __iand__ __ior__ __ixor__ __neg__ __pos__ __abs__ __invert__ __bool__ __int__ "
    "__float__ __complex__ __index__ __str__ __repr__ __bytes__ __call__ __enter__ __exit__ __reversed__ __copy__ "
    "__deepcopy__ __format__ __round__ __trunc__ __floor__ __ceil__ __missing__ __getattr__ __getstate__ __dir__".split()
)
_MIXED = {"__%s__" % name for name in "eq ne lt le gt ge add sub mul truediv floordiv mod radd rsub rmul and or xor".split()}
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)
_MOST_HELPERS = 40
_MOST_EXAMPLES = 40
_MOST_TEXTS = 150


class Discovery:
    """Collects the model of one module."""

    def __init__(self, name, private, guarded):
        self.module = importlib.import_module(name)
        self.name = name
        self.private = private
        self.patterns = {}
        self.file = inspect.getsourcefile(self.module)
        if self.file is None:
            raise ImportError("`%s` has no Python source; compiled modules cannot be tested" % name)
        if not os.path.isfile(self.file):
            raise ImportError("`%s` is not a file of its own (%s); unpack its archive to test it" % (name, self.file))
        self.source = Source(self.file)
        self.tree = self.source.tree
        self.places = Places(self.module)
        self.classes = {}
        self.operations = []
        self.left_out = []
        self.helpers = []
        self.annotations = Annotations(self.note, constants.encode)
        self.observer = observer.Observer(self.annotations, guarded, self.patterns)

    def note(self, cls):
        """Remembers a class, to be made somehow."""
        name = class_name(cls)
        if name in self.classes:
            return
        own, place = cls.__module__ == self.name, self.places.of(cls)
        mro = [class_name(one) for one in cls.__mro__[1:] if one is not object]
        self.classes[name] = info = {"mro": mro, "own": own, "members": [], "place": place}
        if issubclass(cls, enum.Enum):
            names = [member._name_ for member in cls if isinstance(member._name_, str)]
            info["members"] = names[:30] if place is not None else []
            for member in info["members"]:
                path = place[1] + (".%s" % member if writable(member) else "[%s]" % text_source(member))
                self._constant(place[0], path, member, ["class", name])
        elif not own:
            self.helpers.append(cls)

    def _constant(self, module, path, name, kind):
        self.operations.append({
            "kind": "constant", "module": module, "path": path, "name": name, "parameters": [], "result": kind, "tested": False,
        })

    def _skips(self, name):
        return not writable(name) or name.startswith("_") and not self.private and name not in SPECIAL

    def discover(self):
        """Everything, as data."""
        members = [(name, value) for name, value in vars(self.module).items() if self._is_own(value)]
        classes = [value for name, value in members if is_class(value)]
        for cls in classes:
            self.note(cls)
        self.owned = [(["class", class_name(cls)], self._attributes(cls)) for cls in classes]
        offered = [(name, cls) for name, cls in members if is_class(cls)]
        self.annotations.own = [(cls, self._has(cls), not self._skips(name)) for name, cls in offered]
        seen = set()
        for name, value in members:
            if self._skips(name) or id(value) in seen:
                continue
            seen.add(id(value))
            if is_class(value):
                self._class(value)
            else:
                self._callable("function", name, name, value, None)
        self._values()
        self._examples()
        self._help()
        return {
            "module": self.name, "file": self.file, "classes": self.classes, "operations": self.operations,
            "constants": constants.mined(self.tree),
            "texts": self._texts(),
            "left-out": self.left_out, "shadowed": self._shadowed(), "documents": analysis.documents(self.tree),
            "functions": analysis.functions({path: node for path, (node, _) in self.source.functions.items()}),
        }

    def _texts(self):
        """Texts that the regular expressions of the module match, and some that are put together from these."""
        texts = constants.patterns(self.tree)
        try:
            texts += constants.compiled(self.module, self.tree)
        except Exception:
            # Some object of the module cannot be asked what it is.
            pass
        texts += constants.of_patterns(self.patterns, self.tree)
        texts = list(dict.fromkeys(texts))[:_MOST_TEXTS]
        return texts + constants.combined(texts, _MOST_TEXTS // 2)

    def _shadowed(self):
        """Whether the package has something else under the name of the module, so that it cannot be imported from there."""
        package, _, name = self.name.rpartition(".")
        return bool(package) and getattr(importlib.import_module(package), name, None) is not self.module

    def _is_own(self, value):
        if is_class(value):
            return value.__module__ == self.name
        try:
            return callable(value) and getattr(value, "__module__", None) == self.name and hasattr(value, "__name__")
        except Exception:
            # What stands for something else answers for that, which may not be there.
            return False

    def _attributes(self, cls):
        return set(dir(cls)) | set(self.source.fields.get(cls.__qualname__, {}))

    def _has(self, cls):
        """The names that all objects of a class have, also those that its source only assigns or annotates."""
        annotated = [vars(base).get("__annotations__") for base in cls.__mro__]
        # That of `type` itself is no dictionary.
        names = set(dir(cls)).union(*(one for one in annotated if isinstance(one, dict)))
        for base in cls.__mro__:
            node = self.source.node(base.__qualname__ + ".__init__")
            if node is not None and base.__module__ == self.name:
                stored = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
                names.update(one.attr for one in stored)
        return names

    def _values(self):
        """Objects that the module has by name: instances of its classes, and such."""
        for name, value in list(vars(self.module).items()):
            cls = type(value)
            if self._skips(name) or issubclass(cls, (type, types.ModuleType) + _FUNCTIONS) or name.startswith("__"):
                continue
            if cls.__module__ == self.name and id(cls) in self.places.paths:
                self._constant(self.name, name, name, ["class", class_name(cls)])

    def _examples(self):
        """Containers and functions that doctests give to calls."""
        found = {}
        for node in [one for values in self.source.examples.values() for one in values]:
            kind = of_example(node)
            if kind is not None and 0 < len(node.written) <= constants.LONGEST:
                found.setdefault(node.written, kind)
        for source, kind in list(found.items())[:_MOST_EXAMPLES]:
            self.operations.append({
                "kind": "expression", "module": "", "path": source, "name": "example", "parameters": [], "result": kind,
                "tested": False,
            })

    def _class(self, cls):
        place = self.places.of(cls)
        if place is None:
            self.left_out.append([cls.__qualname__, "is found under no name"])
            return
        path = place[1]
        if not issubclass(cls, enum.Enum):
            if inspect.isabstract(cls) or is_protocol(cls):
                self.left_out.append([path, "is a protocol" if is_protocol(cls) else "is abstract"])
            else:
                self._callable("constructor", path, path.rpartition(".")[2], cls, cls)
        for name, member in list(vars(cls).items()):
            if self._skips(name) or name in ("__init__", "__new__") or (name.startswith("__") and name not in SPECIAL):
                continue
            where = "%s.%s" % (path, name)
            kind = type(member)
            if issubclass(kind, property) or kind.__name__ == "cached_property":
                getter = getattr(member, "fget", None) or getattr(member, "func", None)
                self._getter(cls, name, where, getter)
                if getattr(member, "fset", None) is not None:
                    self._setter(cls, name, where, member.fset)
            elif issubclass(kind, (staticmethod, classmethod)):
                self._callable("function", where, name, getattr(cls, name), cls)
            elif is_class(member):
                if member.__module__ == self.name and member.__qualname__.startswith(cls.__qualname__ + "."):
                    self.note(member)
                    self._class(member)
            elif callable(member) and self._in_source(member):
                self._callable("method", where, name, member, cls)

    def _in_source(self, member):
        """Whether a method was written down, not generated for a data class."""
        try:
            code = getattr(inspect.unwrap(member), "__code__", None)
        except Exception:
            return False
        return code is None or code.co_filename == self.file or not code.co_filename.startswith("<")

    def _getter(self, cls, name, path, getter):
        hints = self.annotations.of_callable(getter) if getter else {}
        result = self.annotations.read(hints["return"], vars(self.module), cls) if "return" in hints else None
        self.operations.append({
            "kind": "getter", "module": self.name, "path": path, "name": name, "result": result, "tested": True,
            "parameters": [self._receiver(cls)], "lines": self._lines(path),
        })

    def _setter(self, cls, name, path, setter):
        try:
            value = list(inspect.signature(setter).parameters.values())[1]
        except (ValueError, TypeError, IndexError):
            return
        uses, hints = self.source.uses(path), self.annotations.of_callable(setter)
        if uses is not None:
            self.observer.method(cls, setter, [value], hints, uses)
        given = self._parameter(value, 0, name, hints, uses, {}, cls)
        if given is not None:
            self.operations.append({
                "kind": "setter", "module": self.name, "path": path, "name": name, "result": ["none"], "tested": True,
                "parameters": [self._receiver(cls), dict(given, way="positional", required=True)], "lines": self._lines(path),
            })

    def _receiver(self, cls):
        return {
            "name": "self", "way": "receiver", "type": ["class", class_name(cls)], "required": True, "nullable": False,
            "annotated": True, "literals": [],
        }

    def _lines(self, path):
        node = self.source.node(path)
        return node.end_lineno - node.lineno + 1 if node is not None else None

    def _callable(self, kind, path, name, value, cls, tested=True, module=None):
        try:
            signature = inspect.signature(value)
        except Exception:
            if kind != "constructor":
                self.left_out.append([path, "has no signature"])
                return
            signature = inspect.Signature()
        code_path = path + ".__init__" if kind == "constructor" else path
        function = initializer(value) if kind == "constructor" else value
        hints = self.annotations.of_callable(function)
        documented = {}
        if tested:
            hints = dict(self.source.overloaded(code_path), **hints)
            documented = dict(docstring_types(inspect.getdoc(function)), **docstring_types(inspect.getdoc(value)))
        uses = self.source.uses(code_path) if tested else None
        given = list(signature.parameters.values())[1 if kind == "method" else 0:]
        if uses is not None and kind == "method":
            self.observer.method(cls, value, given, hints, uses)
        elif uses is not None:
            self.observer.function(value, given, hints, uses)
        parameters = self._parameters(path, name, given, hints, uses, documented, cls)
        if parameters is None:
            return
        read = lambda hint: self.annotations.read(hint, vars(self.module), cls)
        result = shapes.result(value, hints["return"], read) if "return" in hints else None
        self.operations.append(dict(shapes.shape(value), **{
            "kind": kind, "module": module or self.name, "path": path, "name": name, "tested": tested,
            "result": ["class", class_name(value)] if kind == "constructor" else result,
            "parameters": ([self._receiver(cls)] if kind == "method" else []) + parameters, "lines": self._lines(code_path),
        }))

    def _parameters(self, path, function, given, hints, uses, documented, cls):
        """All that calls can give; None if they cannot give what they must."""
        parameters = []
        for place, parameter in enumerate(given):
            described = self._parameter(parameter, place, function, hints, uses, documented, cls)
            if described is not None:
                parameters.append(described)
            elif parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                self.left_out.append([path, "takes `%s`, which cannot be given" % parameter.name])
                return None
        for rest in (one.name for one in given if one.kind is one.VAR_KEYWORD):
            parameters += self._unpacked(hints.get(rest), uses, function, cls)
            if uses is not None:
                parameters += self._looked_up(uses, function, cls, {one["name"] for one in parameters})
        return parameters

    def _unpacked(self, hint, uses, function, cls):
        """Parameters by the keys of the dictionary that `**kwargs` are annotated as."""
        kind = self.annotations.unpacked(hint, vars(self.module), cls)
        for key, meant, required in kind[1:] if kind[0] == "record" else ():
            use = uses.uses.get(key) if uses is not None else None
            if writable(key):
                yield {
                    "name": key, "way": "keyword", "type": meant, "required": required, "nullable": False, "annotated": True,
                    "literals": self._literals(use, function, None, key, None),
                }

    def _looked_up(self, uses, function, cls, known):
        """Parameters by the names that a function looks up in its `**kwargs`."""
        for name, default in uses.keywords.items():
            if name not in known:
                plain = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                yield self._parameter(plain, name, function, {}, uses, {}, cls)

    def _parameter(self, parameter, place, function, hints, uses, documented, cls):
        name = parameter.name
        if parameter.kind is parameter.VAR_KEYWORD:
            return None
        ways = {parameter.VAR_POSITIONAL: "variadic", parameter.KEYWORD_ONLY: "keyword", parameter.POSITIONAL_ONLY: "positional"}
        has_default = parameter.default is not parameter.empty
        use = uses.uses.get(name) if uses is not None else None
        annotated = name in hints
        if annotated:
            kind = self.annotations.read(hints[name], vars(self.module), cls)
        else:
            default = parameter.default if has_default else None
            kind = guess(name, use, default, documented.get(name), self.owned, self._named_class)
            if name == "other" and cls is not None and kind == ANY:
                kind = ["union", ["class", class_name(cls)], ["class", "builtins.int"], ["class", "builtins.str"]]
            elif name == "other" and cls is not None and function in _MIXED | {"__iadd__", "__isub__"}:
                kind = union([["class", class_name(cls)], kind])
        if annotated and place == 0 and function in _MIXED:
            # What an operator does not take it should say, and not raise something else.
            kind, annotated = union([kind, INT, STR]), False
        nullable = (has_default and parameter.default is None) or (use is not None and use.nullable and not annotated)
        return {
            "name": name, "way": ways.get(parameter.kind, "either"), "type": kind, "required": not has_default,
            "nullable": nullable, "annotated": annotated, "literals": self._literals(use, function, place, name, parameter.default),
        }

    def _named_class(self, name):
        """The type that a name in an `isinstance` means."""
        value = self.module
        builtin = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
        for part in name.split("."):
            value = getattr(value, part, builtin.get(part))
        return self.annotations.read(value) if isinstance(value, type) and value is not type(None) else None

    def _literals(self, use, function, place, name, default):
        """Constants that this very parameter is compared with or given in examples, each once."""
        values = list(use.constants) + list(use.parts) if use is not None else []
        for key in ((function, place), (function, name)):
            for node in self.source.examples.get(key, []):
                try:
                    values.append(ast.literal_eval(node))
                except (ValueError, SyntaxError, TypeError):
                    continue
        values.append(default)
        encoded = []
        for value in values:
            one = constants.encode(value) if value is not None else None
            if one is not None and one not in encoded and not isinstance(value, bool):
                encoded.append(one)
        return encoded[:40]

    def _help(self):
        """Ways to make values of classes from elsewhere."""
        done = 0
        while self.helpers and done < _MOST_HELPERS:
            cls = self.helpers.pop()
            done += 1
            name = class_name(cls)
            made = list(makers.operations(name))
            self.operations.extend(made)
            place = self.places.of(cls)
            if not made and place is not None and cls.__module__ != "builtins" and not inspect.isabstract(cls):
                self._callable("constructor", place[1], cls.__name__, cls, cls, tested=False, module=place[0])


def initializer(cls):
    """The function that tells what a constructor takes, or the class itself if there is none."""
    init = cls.__init__ if "__init__" in vars(cls) or cls.__init__ is not object.__init__ else cls.__new__
    return init if hasattr(init, "__code__") else cls


def discover(name, private=False, guarded=None):
    """The model of a module. `guarded` runs code of the module with limits; without it none is called."""
    return Discovery(name, private, guarded).discover()
