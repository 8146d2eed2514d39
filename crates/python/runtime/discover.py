"""What a module offers to tests, as plain data: functions, classes, methods, properties, constants, types and literals.

Imports the module, so it runs inside a worker only. Everything that cannot be called is listed with a reason.
"""

import ast
import enum
import importlib
import inspect
import os
import types

from . import analysis, constants, makers, observer
from .annotations import ANY, Annotations, class_name, is_protocol, union
from .docstrings import docstring_types
from .guess import INT, STR, guess, of_example
from .uses import FunctionUses, Use

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
        with open(self.file, "rb") as file:
            self.tree = ast.parse(file.read())
        self.classes = {}
        self.operations = []
        self.left_out = []
        self.helpers = []
        self.annotations = Annotations(self.note, constants.encode)
        self.observer = observer.Observer(self.annotations, guarded, self.patterns)
        self.examples = {}
        self.named = constants.named(self.tree)
        self.functions = {}
        self.fields = {}
        self._read_tree()

    def _read_tree(self):
        def walk(body, prefix):
            for node in body:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.functions[prefix + node.name] = (node, FunctionUses(node, self.named))
                elif isinstance(node, ast.ClassDef):
                    walk(node.body, prefix + node.name + ".")
                elif isinstance(node, (ast.If, ast.Try, ast.With)):
                    walk(list(ast.iter_child_nodes(node)), prefix)
        walk(self.tree.body, "")
        for path, (node, uses) in self.functions.items():
            owner = path.rpartition(".")[0]
            for attribute, use in uses.own.items():
                self.fields.setdefault(owner, {}).setdefault(attribute, Use()).merge(use)
            constants.examples(ast.get_docstring(node), self.examples)
        constants.examples(ast.get_docstring(self.tree), self.examples)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                constants.examples(ast.get_docstring(node), self.examples)
        for path, (node, uses) in self.functions.items():
            owned = self.fields.get(path.rpartition(".")[0], {})
            for attribute, parameter in uses.stored:
                if attribute in owned:
                    uses.uses[parameter].merge(owned[attribute])
            for attribute, parameter in uses.collected:
                if attribute in owned and owned[attribute].element is not None:
                    uses.uses[parameter].merge(owned[attribute].element)
        for _ in range(2):
            for path, (node, uses) in self.functions.items():
                self._propagate(path, uses)

    def _propagate(self, path, uses):
        """Adds what callees in the same module do with what they are handed."""
        for use in uses.uses.values():
            for name, place in use.passed:
                callee = name.replace("self.", path.rpartition(".")[0] + ".") if name.startswith("self.") else name
                for known, skip in ((callee, int(callee != name)), (callee + ".__init__", 1)):
                    if known in self.functions and known != path:
                        other = self.functions[known][1]
                        names = other.names[skip:]
                        target = place if isinstance(place, str) else names[place] if place < len(names) else None
                        if target in other.uses:
                            use.merge(other.uses[target])

    def note(self, cls):
        """Remembers a class, to be made somehow."""
        name = class_name(cls)
        if name in self.classes:
            return
        own = cls.__module__ == self.name
        info = {"mro": [class_name(one) for one in cls.__mro__[1:] if one is not object], "own": own, "members": []}
        self.classes[name] = info
        if isinstance(cls, type) and issubclass(cls, enum.Enum):
            info["members"] = [member.name for member in cls][:30]
            for member in info["members"]:
                self._constant(cls.__module__, "%s.%s" % (cls.__qualname__, member), member, ["class", name])
        elif not own:
            self.helpers.append(cls)

    def _constant(self, module, path, name, kind):
        self.operations.append({
            "kind": "constant", "module": module, "path": path, "name": name, "parameters": [], "result": kind, "tested": False,
        })

    def _skips(self, name):
        return name.startswith("_") and not self.private and name not in SPECIAL

    def discover(self):
        """Everything, as data."""
        members = [(name, value) for name, value in vars(self.module).items() if self._is_own(value)]
        classes = [value for name, value in members if isinstance(value, type)]
        for cls in classes:
            self.note(cls)
        self.owned = [(["class", class_name(cls)], self._attributes(cls)) for cls in classes]
        self.annotations.own = [(cls, self._has(cls), not self._skips(cls.__name__)) for cls in classes]
        seen = set()
        for name, value in members:
            if self._skips(name) or id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, type):
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
            "functions": analysis.functions({path: node for path, (node, _) in self.functions.items()}),
        }

    def _texts(self):
        """Texts that the regular expressions of the module match, and some that are put together from these."""
        texts = constants.patterns(self.tree) + constants.compiled(self.module, self.tree)
        texts += constants.of_patterns(self.patterns, self.tree)
        texts = list(dict.fromkeys(texts))[:_MOST_TEXTS]
        return texts + constants.combined(texts, _MOST_TEXTS // 2)

    def _shadowed(self):
        """Whether the package has something else under the name of the module, so that it cannot be imported from there."""
        package, _, name = self.name.rpartition(".")
        return bool(package) and getattr(importlib.import_module(package), name, None) is not self.module

    def _is_own(self, value):
        if isinstance(value, type):
            return value.__module__ == self.name
        return callable(value) and getattr(value, "__module__", None) == self.name and hasattr(value, "__name__")

    def _attributes(self, cls):
        path = cls.__qualname__
        return set(dir(cls)) | set(self.fields.get(path, {}))

    def _has(self, cls):
        """The names that all objects of a class have, also those that its source only assigns or annotates."""
        annotated = [vars(base).get("__annotations__") for base in cls.__mro__]
        # That of `type` itself is no dictionary.
        names = set(dir(cls)).union(*(one for one in annotated if isinstance(one, dict)))
        for base in cls.__mro__:
            node = self.functions.get(base.__qualname__ + ".__init__", (None,))[0]
            if node is not None and base.__module__ == self.name:
                stored = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
                names.update(one.attr for one in stored)
        return names

    def _values(self):
        """Objects that the module has by name: instances of its classes, and such."""
        for name, value in list(vars(self.module).items()):
            if self._skips(name) or isinstance(value, (type, types.ModuleType) + _FUNCTIONS) or name.startswith("__"):
                continue
            if type(value).__module__ == self.name and type(value).__name__ in vars(self.module):
                self._constant(self.name, name, name, ["class", class_name(type(value))])

    def _examples(self):
        """Containers and functions that doctests give to calls."""
        found = {}
        for node in [one for values in self.examples.values() for one in values]:
            kind = of_example(node)
            if kind is not None and 0 < len(node.written) <= constants.LONGEST:
                found.setdefault(node.written, kind)
        for source, kind in list(found.items())[:_MOST_EXAMPLES]:
            self.operations.append({
                "kind": "expression", "module": "", "path": source, "name": "example", "parameters": [], "result": kind,
                "tested": False,
            })

    def _class(self, cls):
        path = cls.__qualname__
        if not issubclass(cls, enum.Enum):
            if inspect.isabstract(cls) or is_protocol(cls):
                self.left_out.append([path, "is a protocol" if is_protocol(cls) else "is abstract"])
            else:
                self._callable("constructor", path, cls.__name__, cls, cls)
        for name, member in list(vars(cls).items()):
            if self._skips(name) or name in ("__init__", "__new__") or (name.startswith("__") and name not in SPECIAL):
                continue
            where = "%s.%s" % (path, name)
            if isinstance(member, property) or type(member).__name__ == "cached_property":
                getter = getattr(member, "fget", None) or getattr(member, "func", None)
                self._getter(cls, name, where, getter)
                if getattr(member, "fset", None) is not None:
                    self._setter(cls, name, where, member.fset)
            elif isinstance(member, (staticmethod, classmethod)):
                self._callable("function", where, name, getattr(cls, name), cls)
            elif isinstance(member, type):
                if member.__module__ == self.name and member.__qualname__.startswith(path + "."):
                    self.note(member)
                    self._class(member)
            elif callable(member) and self._in_source(member):
                self._callable("method", where, name, member, cls)

    def _in_source(self, member):
        """Whether a method was written down, not generated for a data class."""
        code = getattr(inspect.unwrap(member), "__code__", None)
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
        uses, hints = self.functions.get(path, (None, None))[1], self.annotations.of_callable(setter)
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
        node = self.functions.get(path, (None,))[0]
        return node.end_lineno - node.lineno + 1 if node is not None else None

    def _callable(self, kind, path, name, value, cls, tested=True):
        try:
            signature = inspect.signature(value)
        except (ValueError, TypeError):
            if kind != "constructor":
                self.left_out.append([path, "has no signature"])
                return
            signature = inspect.Signature()
        code_path = path + ".__init__" if kind == "constructor" else path
        function = value
        if kind == "constructor":
            init = value.__init__ if "__init__" in vars(value) or value.__init__ is not object.__init__ else value.__new__
            function = value if not hasattr(init, "__code__") else init
        hints = self.annotations.of_callable(function)
        uses = self.functions.get(code_path, (None, None))[1] if tested else None
        documented = docstring_types(inspect.getdoc(value)) if tested else {}
        if kind == "constructor" and tested:
            documented = dict(docstring_types(inspect.getdoc(function)), **documented)
        parameters = [self._receiver(cls)] if kind == "method" else []
        given = list(signature.parameters.values())[1 if kind == "method" else 0:]
        if uses is not None and kind == "method":
            self.observer.method(cls, value, given, hints, uses)
        elif uses is not None:
            self.observer.function(value, given, hints, uses)
        for place, parameter in enumerate(given):
            described = self._parameter(parameter, place, name, hints, uses, documented, cls)
            if described is not None:
                parameters.append(described)
            elif parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                self.left_out.append([path, "takes `%s`, which cannot be given" % parameter.name])
                return
        if uses is not None and any(one.kind is one.VAR_KEYWORD for one in given):
            parameters += self._looked_up(uses, name, cls, {one["name"] for one in parameters})
        plain = inspect.unwrap(value) if callable(value) else value
        result = self._result(plain, hints, cls)
        if kind == "constructor":
            result = ["class", class_name(value)]
        self.operations.append({
            "kind": kind, "module": value.__module__ if not tested else self.name, "path": path, "name": name,
            "parameters": parameters, "result": result, "tested": tested, "lines": self._lines(code_path),
            "awaits": inspect.iscoroutinefunction(plain), "yields": inspect.isgeneratorfunction(plain),
        })

    def _result(self, function, hints, cls):
        """The type of what a call gives. Generators are drained, so theirs is a list."""
        if "return" not in hints:
            return None
        kind = self.annotations.read(hints["return"], vars(self.module), cls)
        if not inspect.isgeneratorfunction(function):
            return kind
        inner = kind[4] if kind[0] == "made" else kind
        return ["list", inner[1]] if inner[0] in ("iterator", "list") else ["list", ANY]

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
            for node in self.examples.get(key, []):
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
            if made or cls.__module__ == "builtins" or inspect.isabstract(cls) or "<locals>" in cls.__qualname__:
                continue
            if getattr(importlib.import_module(cls.__module__), cls.__name__, None) is cls:
                self._callable("constructor", cls.__qualname__, cls.__name__, cls, cls, tested=False)


def discover(name, private=False, guarded=None):
    """The model of a module. `guarded` runs code of the module with limits; without it none is called."""
    return Discovery(name, private, guarded).discover()
