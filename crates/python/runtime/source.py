"""The functions of a module as its source has them: how they use their parameters, and what overloads of them say.

Reads the syntax tree only.
"""

import ast
import importlib.util
import typing

from . import constants
from .uses import FunctionUses, Use, dotted


class Source:
    """The source of one module."""

    def __init__(self, file):
        with open(file, "rb") as opened:
            source = opened.read()
        self.text = importlib.util.decode_source(source)
        self.tree = ast.parse(source)
        self.named = constants.named(self.tree)
        self.functions = {}  # nodes and uses by path
        self.overloads = {}  # nodes by path
        self.fields = {}  # uses of attributes by class
        self.examples = {}
        self._find(self.tree.body, "")
        self._collect_examples()
        self._share()

    def _find(self, body, prefix):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if any((dotted(one) or "").split(".")[-1] == "overload" for one in node.decorator_list):
                    self.overloads.setdefault(prefix + node.name, []).append(node)
                else:
                    self.functions[prefix + node.name] = (node, FunctionUses(node, self.named))
            elif isinstance(node, ast.ClassDef):
                self._find(node.body, prefix + node.name + ".")
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                self._find(list(ast.iter_child_nodes(node)), prefix)

    def _collect_examples(self):
        every = [node for node, _ in self.functions.values()] + [self.tree]
        every += [node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]
        for node in every:
            constants.examples(ast.get_docstring(node), self.examples)

    def _share(self):
        """Adds what is done with parameters elsewhere: in other methods, after they were stored, and in callees."""
        for path, (_, uses) in self.functions.items():
            owner = path.rpartition(".")[0]
            for attribute, use in uses.own.items():
                self.fields.setdefault(owner, {}).setdefault(attribute, Use()).merge(use)
        for path, (_, uses) in self.functions.items():
            owned = self.fields.get(path.rpartition(".")[0], {})
            for attribute, parameter in uses.stored:
                if attribute in owned:
                    uses.uses[parameter].merge(owned[attribute])
            for attribute, parameter in uses.collected:
                if attribute in owned and owned[attribute].element is not None:
                    uses.uses[parameter].merge(owned[attribute].element)
        for _ in range(2):
            for path, (_, uses) in self.functions.items():
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

    def node(self, path):
        """The definition of a function, or None."""
        return self.functions.get(path, (None, None))[0]

    def uses(self, path):
        """The uses of the parameters of a function, or None."""
        return self.functions.get(path, (None, None))[1]

    def overloaded(self, path):
        """What the overloads of a function annotate its parameters with, where none of them leaves that open."""
        texts = {}
        for node in self.overloads.get(path, ()):
            for one in getattr(node.args, "posonlyargs", []) + node.args.args + node.args.kwonlyargs:
                text = one.annotation and "(%s)" % ast.get_source_segment(self.text, one.annotation)
                texts.setdefault(one.arg, []).append(text)
        return {name: typing.Union[tuple(given)] for name, given in texts.items() if None not in given}
