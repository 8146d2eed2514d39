"""The runner that tells which mutants of a module the tests of a file kill, and by which of their assertions.

For every mutant the module is executed anew under its name, then the file of tests, then the tests that were asked for. Assertions that stand
directly in a test are all tried, also after one that failed. Other modules keep what they imported from the unchanged module.
"""

import ast
import importlib
import importlib.util
import inspect
import sys
import types

from . import check, mutants
from .watch import StepTimeout

_FAILED = "__testhound_failed__"


def load(arguments, host):
    """A runner for the module that `arguments` name, and the tests in `source`, if there are any."""
    check.provide_pytest()
    return Runner(importlib.import_module(arguments["module"]), arguments, host.watch)


class Runner:
    """Runs tests against mutants of one module."""

    def __init__(self, module, arguments, watch):
        self.module, self.watch = module, watch
        self.file = inspect.getsourcefile(module)
        with open(self.file, "rb") as file:
            self.tree = ast.parse(file.read())
        self.mutants = mutants.mutants(self.tree)
        self.path = arguments.get("path", "")
        self.tests = compile(tried(ast.parse(arguments.get("source", ""))), self.path, "exec")
        self.failed = []

    def ask_mutants(self, _):
        """All mutants, as plain data. Each one compiles."""
        for mutant in self.mutants:
            with mutant.applied():
                compile(self.tree, self.file, "exec")
        return [mutant.told() for mutant in self.mutants]

    def ask_kills(self, request):
        """What becomes of tests, by mutants: the number of a mutant, -1 for none, and names of tests."""
        return [self.kills(number, names) for number, names in request]

    def kills(self, number, names):
        """Whether the mutant cannot be loaded; per test its name, whether it was left early, and the lines of failed assertions."""
        if number < 0:
            code = compile(self.tree, self.file, "exec")
        else:
            with self.mutants[number].applied():
                code = compile(self.tree, self.file, "exec")
        scope = {"__name__": "mutated", _FAILED: self.note}
        loaded = self.guarded(lambda: self.load(code, scope))
        told = []
        for name in names if loaded else ():
            self.failed = []
            ended = self.guarded(scope[name])
            told.append([name, not ended, self.failed])
        self.install(self.module)
        return {"loaded": loaded, "tests": told}

    def load(self, code, scope):
        module = importlib.util.module_from_spec(self.module.__spec__)
        self.install(module)
        exec(code, vars(module))
        exec(self.tests, scope)

    def install(self, module):
        """Has a module found under the name of the one under test."""
        name = self.module.__name__
        sys.modules[name] = module
        package, _, last = name.rpartition(".")
        # A package may have something else under the name of its module.
        if package and isinstance(getattr(sys.modules[package], last, None), types.ModuleType):
            setattr(sys.modules[package], last, module)

    def guarded(self, call):
        """Whether a call ends by itself without an exception."""
        self.watch.step += 1
        self.watch.on = True
        try:
            call()
            return True
        except BaseException:
            return False
        finally:
            self.watch.on = False

    def note(self, line):
        """An assertion failed."""
        if isinstance(sys.exc_info()[1], StepTimeout):
            raise
        self.failed.append(line)


def tried(tree):
    """A file of tests whose assertions are noted when they fail, and passed over."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            function.body[:] = [_tried(one) if isinstance(one, ast.Assert) else one for one in function.body]
    return tree


def _tried(assertion):
    call = ast.Call(func=ast.Name(id=_FAILED, ctx=ast.Load()), args=[ast.Constant(value=assertion.lineno, kind=None)], keywords=[])
    handler = ast.ExceptHandler(type=ast.Name(id="BaseException", ctx=ast.Load()), name=None, body=[ast.Expr(value=call)])
    attempt = ast.Try(body=[assertion], handlers=[handler], orelse=[], finalbody=[])
    for node in ast.walk(attempt):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, assertion)
    return attempt
