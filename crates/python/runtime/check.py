"""The runner that checks written test files: runs their test functions in a fresh process and tells which did not pass, and where.

Uses the user's pytest. Where there is none, a stand-in gives `raises` and `approx`, which is all that written tests use.
"""

import math
import struct
import sys
import types

from . import acts, elsewhere


def load(arguments, host):
    """A runner that has pytest or its stand-in. `shift` moves the clock by so many seconds, and the process elsewhere. With `acts`, tests that act on the world outside fail."""
    if arguments["shift"]:
        elsewhere.move(arguments["shift"])
    provide_pytest()
    return Checker(host, arguments["acts"])


def provide_pytest():
    """Has tests find the user's pytest, or a stand-in."""
    try:
        import pytest  # noqa: F401
    except ImportError:
        sys.modules["pytest"] = stand_in()


class Checker:
    """Runs test files."""

    def __init__(self, host, watched):
        self.host = host
        self.acts = acts.Acts() if watched else None

    def ask_check(self, request):
        """Runs the tests of a file: `path` for messages, `source`, `reverse` for the other order, without those whose numbers are in `skip`.

        Tests are marked from 1 on; 0 means that the file is loaded, which may take as long as importing the subject does.
        """
        path = request["path"]
        module = types.ModuleType("checked")
        module.__file__ = path
        try:
            exec(compile(request["source"], path, "exec"), vars(module))
        except BaseException as error:
            return {"broken": problem(error), "tests": []}
        tests = [(name, value) for name, value in vars(module).items() if name.startswith("test_") and callable(value)]
        tests = [one for one in enumerate(tests) if one[0] not in request["skip"]]
        if request["reverse"]:
            tests.reverse()
        checked = []
        for number, (name, function) in tests:
            struct.pack_into(">Ii", self.host.mark, 0, self.host.number, 1 + number)
            checked.append(self.test(name, function, path))
        return {"broken": "", "tests": checked}

    def test(self, name, function, path):
        """Runs one test: its name, the problem or nothing, the line where it arose, and its goals."""
        probes, guard = self.host.probes, self.host.watch
        if probes is not None:
            probes.clear()
        guard.step += 1
        guard.on = True
        found, line = "", 0
        if self.acts:
            self.acts.begin()
        try:
            function()
        except BaseException as error:
            guard.on = False
            found, line = problem(error), place(error, path)
        guard.on = False
        act = self.acts.end() if self.acts else ""
        if act:
            found, line = "it acts on the world outside: %s" % act, 0
        hits = probes.hits() if probes is not None else {}
        return {"name": name, "problem": found, "line": line, "hits": hits}


def problem(error):
    """What was raised, in one line."""
    try:
        text = str(error)
    except Exception:
        text = ""
    lines = text.splitlines()
    return "%s: %s" % (type(error).__name__, lines[0][:200] if lines else "")


def place(error, path):
    """The innermost line of the test file."""
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def stand_in():
    """A module that does what written tests need of pytest."""
    module = types.ModuleType("pytest")
    module.raises = Raises
    module.approx = Approx
    return module


class Raises:
    """Expects an exception."""

    def __init__(self, expected):
        self.expected = expected
        self.value = None

    def __enter__(self):
        return self

    def __exit__(self, cls, value, traceback):
        if cls is None:
            raise AssertionError("DID NOT RAISE %r" % (self.expected,))
        self.value = value
        return issubclass(cls, self.expected)


class Approx:
    """Equal to numbers, and to lists, tuples and dictionaries of them, that are almost the same."""

    def __init__(self, expected):
        self.expected = expected

    def __eq__(self, actual):
        return same(actual, self.expected)


def same(actual, expected):
    """Whether two values are almost the same."""
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return math.isclose(actual, expected, rel_tol=1e-6, abs_tol=1e-12)
    if isinstance(expected, dict):
        return isinstance(actual, dict) and actual.keys() == expected.keys() and all(same(actual[k], expected[k]) for k in expected)
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(map(same, actual, expected))
    return bool(actual == expected)
