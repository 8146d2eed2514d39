"""Runs the user's pytest suite in this process: what every test covers, and which tests notice mutants of the modules under test.

The user's own pytest collects and runs the tests, with its fixtures, marks and plugins. Before every test a mark is set, so that one that
takes the process with it is known from outside. For a mutant, the modules under test and those of the tests are imported anew. Every run of
pytest is given the same arguments, as the names of tests, the settings and the `conftest.py` that count all depend on them; files in which no
test is wanted are not looked into.
"""

import ast
import contextlib
import importlib.machinery
import io
import os
import re
import struct
import sys
import time

from . import mutants
from .watch import StepTimeout

QUIET = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", "--maxfail=0", "-q"]
# What pytest does when it ends without having run all tests, by its exit code.
UNFINISHED = {2: "is interrupted", 3: "fails by itself", 4: "refuses its arguments"}
# How pytest tells that a `conftest.py` cannot be imported.
CONFTEST = ("while loading conftest", "ConftestImportFailure")


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
        plugin = self.pytest(Plugin(self.host, left_out=request["left_out"]))
        told = {"tests": plugin.told, "problems": plugin.problems, "refusal": plugin.refusal}
        return dict(told, rest=plugin.rest, modules=self.found())

    def ask_collect(self, _):
        """The names of all tests, in order."""
        return self.pytest(Plugin(self.host), "--collect-only").names

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
        with self.finder.giving(test["module"], code):
            plugin = self.pytest(Plugin(self.host, wanted=test["tests"], marking=False), "-x")
        return self.fate(test["tests"], plugin)

    def fate(self, tests, plugin):
        """What became of a mutant; nothing if it survived. What was not run on it has not let it pass."""
        bad = [one for one in plugin.told if one["outcome"] not in ("passed", "skipped")]
        if bad:
            return {"by": bad[0]["name"], "outcome": bad[0]["outcome"]}
        if plugin.running:
            return {"by": plugin.running["name"], "outcome": "failed"}
        if plugin.problems:
            return {"by": tests[0], "outcome": "failed"}
        if plugin.refusal:
            return {"refused": plugin.refusal}
        if not plugin.told:
            return {"refused": "pytest no longer finds `%s`" % tests[0]}
        if not self.finder.given:
            return {"refused": "the tests import the module in a way that does not let it be changed"}
        return {}

    def pytest(self, plugin, *more):
        import pytest

        said = io.StringIO()
        self.host.watch.on = False
        try:
            with contextlib.redirect_stderr(said):
                code = pytest.main(QUIET + list(more) + list(self.tests), plugins=[plugin])
        except BaseException as error:
            # What a `conftest.py` raises to end the interpreter is not caught by pytest.
            hung = isinstance(error, StepTimeout)
            text = "%s: %s" % (type(error).__name__, error)
            plugin.problems.append("it took too long" if hung else text.splitlines()[0][:300])
        else:
            plugin.ended(int(code), said.getvalue())
        finally:
            self.host.watch.on = False
        return plugin

    def found(self):
        """The modules under test that were imported, with their files as probes name them: links are not followed."""
        found = []
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if self.covers(name) and file and file.endswith(".py"):
                found.append((name, os.path.abspath(file)))
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
        self.name = self.code = None
        self.given = False

    @contextlib.contextmanager
    def giving(self, name, code):
        """Meanwhile a module has this code; `given` tells whether it was asked for."""
        self.name, self.code, self.given = name, code, False
        try:
            yield
        finally:
            self.name = self.code = None

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None:
                if isinstance(spec.loader, importlib.machinery.SourceFileLoader):
                    spec.loader = Loader(spec.loader.name, spec.loader.path)
                    spec.loader.code = self.code
                    self.given = True
                return spec
        return None


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from code that is there already."""

    code = None

    def get_code(self, name):
        return self.code


class Plugin:
    """Watches a run of pytest; `wanted` are the names of the tests that are to run, if not all are."""

    def __init__(self, host, left_out=(), wanted=None, marking=True):
        self.host, self.left_out, self.marking = host, set(left_out), marking
        self.wanted = None if wanted is None else set(wanted)
        self.leading = leading(wanted or ())
        self.names, self.told, self.problems = [], [], []
        self.refusal = self.reason = ""
        self.rest = {}
        self.running = None

    def pytest_addoption(self, parser):
        """The plugins that are switched off leave their options and settings behind, which do nothing."""
        from _pytest import cacheprovider, faulthandler, stepwise

        for one in (cacheprovider, faulthandler, stepwise):
            one.pytest_addoption(parser)

    def pytest_load_initial_conftests(self, early_config, args):
        """Processes of xdist would be out of our sight. The last `-n` counts."""
        if hasattr(early_config.known_args_namespace, "numprocesses"):
            args.append("-n0")

    def pytest_make_collect_report(self, collector):
        """Nothing is found in files and folders that no wanted test is in."""
        from _pytest.reports import CollectReport

        if self.wanted is None or collector.nodeid in self.leading or not spared(collector):
            return None
        return CollectReport(collector.nodeid, "passed", None, [])

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.left_out]
        if self.wanted is not None:
            items[:] = [item for item in items if item.nodeid in self.wanted]

    def pytest_collection_finish(self, session):
        self.names = [item.nodeid for item in session.items]
        self.rest = self.hits()

    def pytest_internalerror(self, excinfo):
        # Whether that is the fault of the test that is running is not known.
        self.reason, self.running = excinfo.exconly().splitlines()[0][:300], None

    def pytest_keyboard_interrupt(self, excinfo):
        self.reason = excinfo.exconly() + (" in `%s`" % self.running["name"] if self.running else "")

    def ended(self, code, said):
        """Tells why not all tests were run, if they were not."""
        done = self.names and len(self.told) >= len(self.names)
        if code not in UNFINISHED or done or self.problems:
            return
        reason = self.reason or complaint(said)
        if any(one in said or one in reason for one in CONFTEST):
            self.problems.append(reason)
        else:
            self.refusal = "pytest %s: %s" % (UNFINISHED[code], reason)

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


def leading(names):
    """The names of all files and folders that tests are in."""
    found = {"", "."}
    for name in names:
        found.update(name[:at] for at, letter in enumerate(name) if letter == "/" or name.startswith("::", at))
    return found


def spared(collector):
    """Whether a collector is a file, or a folder that leads to no argument of pytest's."""
    import pytest

    folder = getattr(pytest, "Directory", None)
    if folder is not None and isinstance(collector, folder):
        return not collector.session.isinitpath(collector.path, with_parents=True)
    # Before pytest 8, packages were files.
    return isinstance(collector, pytest.File) and not isinstance(collector, pytest.Package)


def complaint(text):
    """What pytest says of its arguments in one line: what is wrong, and why or where."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and "usage:" not in line]
    wrong = [line for line in lines if "error" in line.lower() and "Warning:" not in line] or lines or ["it does not say why"]
    more = [line[1:].strip() for line in lines if line.startswith("E ")] or [line for line in lines if line.startswith("inifile:")]
    return ", ".join([re.split(r"(?i)\berror: ", wrong[0].rstrip("."), maxsplit=1)[-1]] + more[-1:])[:300]


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
