"""Runs the user's pytest suite in this process: what every test covers, and which tests notice mutants of the modules under test.

The user's own pytest collects and runs the tests, with its fixtures, marks and plugins. Before every test a mark is set, so that one that
takes the process with it is known from outside. For a mutant, the modules under test and those of the tests are imported anew.
"""

import ast
import importlib.machinery
import os
import struct
import sys
import time

from . import mutants
from .watch import StepTimeout

QUIET = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", "-q"]


def load(arguments, host):
    """A runner of the tests in `tests` on the modules in `modules`, seen from `folder`."""
    try:
        import pytest  # noqa: F401
    except ImportError:
        raise NoPytest("this interpreter has no pytest") from None
    os.chdir(arguments["folder"])
    return Runner(arguments, host)


class NoPytest(Exception):
    """There is nothing to run tests with."""


class Runner:
    """Runs a suite."""

    def __init__(self, arguments, host):
        self.host, self.tests = host, arguments["tests"]
        self.modules = tuple(arguments["modules"])
        self.finder = Finder()
        sys.meta_path.insert(0, self.finder)
        self.sources = {}

    def covers(self, name):
        """Whether a module is under test."""
        return any(name == module or name.startswith(module + ".") for module in self.modules)

    def ask_suite(self, request):
        """Runs all tests but those to be left out."""
        plugin = self.pytest(self.tests, Plugin(self.host, left_out=request["left_out"]))
        return {"tests": plugin.told, "problems": plugin.problems, "rest": plugin.rest, "modules": self.found()}

    def ask_collect(self, _):
        """The names of all tests, in order."""
        return self.pytest(self.tests, Plugin(self.host), "--collect-only").names

    def ask_mutants(self, modules):
        """All mutants of these modules, as plain data."""
        told = []
        for name, file in modules:
            tree = self.tree(name, file)
            places = functions(tree)
            for mutant in mutants.mutants(tree):
                line = mutant.line
                inside = [one for first, last, one in places if first <= line <= last]
                told.append(dict(mutant.told(), module=name, function=inside[-1] if inside else ""))
        return told

    def tree(self, name, file):
        if name not in self.sources:
            with open(file, "rb") as source:
                tree = ast.parse(source.read())
            self.sources[name] = (tree, file, mutants.mutants(tree))
        return self.sources[name][0]

    def run(self, test):
        """Runs tests on a mutant: the one that notices it first, and how."""
        self.tree(test["module"], test["file"])
        tree, file, found = self.sources[test["module"]]
        try:
            with found[test["number"]].applied():
                code = compile(tree, file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return {"refused": str(error)}
        self.forget()
        self.finder.mutated = {test["module"]: code}
        try:
            plugin = self.pytest(test["tests"], Plugin(self.host, marking=False), "-x")
        finally:
            self.finder.mutated = {}
        bad = [one for one in plugin.told if one["outcome"] not in ("passed", "skipped")]
        if bad:
            return {"by": bad[0]["name"], "outcome": bad[0]["outcome"]}
        return {"by": test["tests"][0], "outcome": "failed"} if plugin.problems else {}

    def pytest(self, tests, plugin, *more):
        import pytest

        self.host.watch.on = False
        try:
            pytest.main(QUIET + list(more) + list(tests), plugins=[plugin])
        except StepTimeout:
            plugin.problems.append("it took too long")
        finally:
            self.host.watch.on = False
        return plugin

    def found(self):
        """The modules under test that were imported, with their files."""
        found = []
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if self.covers(name) and file and file.endswith(".py"):
                found.append((name, os.path.realpath(file)))
        return sorted(found)

    def forget(self):
        """Has the modules under test, what is in their packages, and those of the tests imported anew."""
        packages = {name.split(".")[0] for name in self.modules}
        folders = tuple(path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, self.tests))
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if name.split(".")[0] in packages or file.startswith(folders) and "-packages" not in file:
                del sys.modules[name]


class Finder:
    """Finds mutated modules before all others."""

    def __init__(self):
        self.mutated = {}

    def find_spec(self, name, path=None, target=None):
        code = self.mutated.get(name)
        if code is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None:
            spec.loader = Loader(spec.loader.name, spec.loader.path)
            spec.loader.code = code
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from code that is there already."""

    code = None

    def get_code(self, name):
        return self.code


class Plugin:
    """Watches a run of pytest."""

    def __init__(self, host, left_out=(), marking=True):
        self.host, self.left_out, self.marking = host, set(left_out), marking
        self.names, self.told, self.problems = [], [], []
        self.rest = {}
        self.running = None

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.left_out]
        self.names = [item.nodeid for item in items]

    def pytest_collection_finish(self):
        self.rest = self.hits()

    def pytest_collectreport(self, report):
        if report.failed:
            self.problems.append("%s: %s" % (report.nodeid, last_line(str(report.longrepr))))

    def pytest_runtest_logstart(self, nodeid):
        host = self.host
        if self.marking:
            struct.pack_into(">Ii", host.mark, 0, host.number, len(self.told))
        if host.probes is not None:
            host.probes.clear()
        self.running = {"name": nodeid, "outcome": "passed", "message": "", "hits": {}, "seconds": time.process_time()}
        host.watch.step += 1
        host.watch.on = True

    def pytest_runtest_logreport(self, report):
        one = self.running
        if report.skipped:
            one["outcome"] = "skipped"
        elif report.failed and one["outcome"] != "failed":
            text = last_line(getattr(report, "longreprtext", "") or str(report.longrepr))
            hung = "StepTimeout" in text
            one["outcome"], one["message"] = "hung" if hung else "failed", text

    def pytest_runtest_logfinish(self, nodeid):
        self.host.watch.on = False
        one, self.running = self.running, None
        one["hits"], one["seconds"] = self.hits(), time.process_time() - one["seconds"]
        self.told.append(one)

    def hits(self):
        return self.host.probes.hits() if self.host.probes is not None else {}


def last_line(text):
    """The line that says what was raised: the last one of pytest's that begins with `E`, else the last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    raised = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (raised or lines or [""])[-1 if not raised else 0][:300]


def functions(tree):
    """First and last lines of functions with their names, outer ones first."""
    found = []

    def walk(node, prefix):
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = prefix + child.name
                if not isinstance(child, ast.ClassDef):
                    found.append((child.lineno, child.end_lineno, inner))
                inner += "."
            walk(child, inner)

    walk(tree, "")
    return found
