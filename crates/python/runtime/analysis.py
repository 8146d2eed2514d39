"""What the source of a module tells without running it: what calls what, what a call may change, which constants stand where.

Names are resolved inside the module only. A method of an unknown object counts for every method of the module with that name.
What is handed to code outside of the module counts as unchanged, but for functions and methods that are known to change things.
"""

import ast
import builtins
import io
import re

from . import constants
from .uses import dotted

_PURE = set()
for _cls in (str, bytes, int, float, tuple, frozenset, re.Pattern, type(re.match("", ""))):
    _PURE.update(dir(_cls))
_PURE.update("copy items keys values get count index union intersection difference issubset issuperset isdisjoint".split())
_PURE.update(dir(builtins))
_CONTAINERS = {name for cls in (list, dict, set, bytearray, io.StringIO) for name in dir(cls)} - _PURE
# Functions that change what is given first.
_CHANGERS = {
    "next", "setattr", "delattr", "heapq.heappush", "heapq.heappop", "heapq.heapify", "heappush", "heappop", "heapify",
    "heapreplace", "heappushpop", "insort", "insort_left", "insort_right", "random.shuffle", "shuffle", "object.__setattr__",
    "dict.update", "dict.__setitem__", "list.append", "list.__init__", "dict.__init__",
}


class Function:
    """What one function does: calls, as (path, argument names by place of the callee), and parameters that it changes."""

    def __init__(self, path, node, functions):
        arguments = node.args
        every = getattr(arguments, "posonlyargs", []) + arguments.args + arguments.kwonlyargs
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        self.path, self.node, self.functions = path, node, functions
        self.names = [one.arg for one in every]
        self.owner = path.rpartition(".")[0]
        self.roots = {name: name for name in self.names}
        self.changes = set()
        self.calls = set()
        self.handed = []  # (callee, name of its parameter, own parameter)
        for statement in node.body:
            for one in ast.walk(statement):
                self.read(one)

    def root(self, node):
        """The parameter that an expression is, or is a part of."""
        while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        return self.roots.get(node.id) if isinstance(node, ast.Name) else None

    def change(self, node):
        root = self.root(node)
        if root is not None:
            self.changes.add(root)

    def read(self, node):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.store(target)
                if isinstance(target, ast.Name) and self.root(node.value) is not None:
                    self.roots[target.id] = self.root(node.value)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            self.store(node.target)
            if isinstance(node, ast.AugAssign):
                self.change(node.target)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                self.store(target)
        elif isinstance(node, ast.Call):
            self.call(node)
        elif isinstance(node, ast.Attribute) and dotted(node.value) == "self":
            # A property runs code, too.
            if self.owner + "." + node.attr in self.functions:
                self.reach(self.owner + "." + node.attr, [node.value], [])

    def store(self, target):
        if isinstance(target, (ast.Tuple, ast.List)):
            for one in target.elts:
                self.store(one)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            self.change(target)

    def call(self, node):
        name = dotted(node.func) or ""
        if name in _CHANGERS and node.args:
            self.change(node.args[0])
        if isinstance(node.func, ast.Name):
            for path, skipped in ((name, 0), (name + ".__init__", 1)):
                if path in self.functions:
                    self.reach(path, [None] * skipped + node.args, node.keywords)
        elif isinstance(node.func, ast.Attribute):
            self.method(node, node.func.value, node.func.attr)

    def method(self, node, receiver, name):
        head = dotted(receiver)
        own = self.owner + "." + name
        if head in ("self", "cls") and own in self.functions:
            return self.reach(own, [receiver] + node.args, node.keywords)
        if head is not None and head + "." + name in self.functions:
            return self.reach(head + "." + name, node.args, node.keywords)
        if name in _PURE:
            return None
        found = [path for path in self.functions if path.endswith("." + name)]
        for path in found:
            self.reach(path, [receiver] + node.args, node.keywords)
        if not found or name in _CONTAINERS:
            self.change(receiver)
        return None

    def reach(self, path, arguments, keywords):
        self.calls.add(path)
        names = [one.arg for one in self.functions[path].args.args]
        given = list(zip(names, arguments)) + [(one.arg, one.value) for one in keywords]
        for name, argument in given:
            root = self.root(argument) if argument is not None else None
            if root is not None:
                self.handed.append((path, name, root))


def functions(nodes):
    """All functions of a module as plain data; `nodes` are their syntax trees by path."""
    every = {path: Function(path, node, nodes) for path, node in nodes.items()}
    grown = True
    while grown:
        grown = False
        for function in every.values():
            for callee, name, root in function.handed:
                if name in every[callee].changes and root not in function.changes:
                    function.changes.add(root)
                    grown = True
    return {
        path: {
            "first": min([one.node.lineno] + [decorator.lineno for decorator in one.node.decorator_list]), "last": one.node.end_lineno, "calls": sorted(one.calls), "changes": sorted(one.changes),
        }
        for path, one in every.items()
    }


def documents(tree):
    """The constants of every function and class at the top of a module, and of the rest under no name, with their counts."""
    found = {"": {}}
    skipped = set(map(id, constants.docstrings(tree)))
    for statement in tree.body:
        terms = found.setdefault(getattr(statement, "name", ""), {})
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and id(node) not in skipped and type(node.value) in (int, float, str, bytes):
                value = constants.encode(node.value)
                if value is not None:
                    terms.setdefault(repr(value), [value, 0])[1] += 1
    return [[name, list(terms.values())] for name, terms in found.items() if terms]
