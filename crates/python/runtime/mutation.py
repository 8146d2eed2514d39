"""The runner that lists the mutants of a module."""

import ast
import importlib
import inspect

from . import mutants


def load(arguments, host):
    """A runner for the module that `arguments` name."""
    return Runner(importlib.import_module(arguments["module"]))


class Runner:
    """Knows the mutants of one module."""

    def __init__(self, module):
        self.file = inspect.getsourcefile(module)
        with open(self.file, "rb") as file:
            self.tree = ast.parse(file.read())
        self.mutants = mutants.mutants(self.tree)

    def ask_mutants(self, _):
        """All mutants, as plain data. Each one compiles."""
        for mutant in self.mutants:
            with mutant.applied():
                compile(self.tree, self.file, "exec")
        return [mutant.told() for mutant in self.mutants]
