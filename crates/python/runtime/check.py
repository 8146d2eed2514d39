"""The runner that checks written test files: runs their test functions in a fresh process and tells which did not pass, and where.

Uses the user's pytest. Where there is none, a stand-in gives `raises` and `approx`, which is all that written tests use.
"""

import math
import os
import socket
import sys
import threading
import time
import types


def load(arguments, host):
    """A runner that has pytest or its stand-in. `shift` moves the clock by so many seconds, and the process elsewhere, where they are asked by name."""
    if arguments["shift"]:
        shift_clock(arguments["shift"])
        move_elsewhere()
    provide_pytest()
    return Checker(host)


def provide_pytest():
    """Has tests find the user's pytest, or a stand-in."""
    try:
        import pytest  # noqa: F401
    except ImportError:
        sys.modules["pytest"] = stand_in()


def shift_clock(seconds):
    """Makes the clock of this process run ahead, so that what depends on it shows."""
    plain, precise = time.time, time.time_ns
    time.time = lambda: plain() + seconds
    time.time_ns = lambda: precise() + seconds * 1000000000


def move_elsewhere():
    """Gives the process other numbers, another user and another machine: in a sandbox, those of all processes are the same."""
    for name in ("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "cpu_count"):
        plus_one(os, name)
    plus_one(threading, "get_native_id")
    system, name = os.uname(), "elsewhere"
    os.uname = lambda: os.uname_result((system[0], name) + tuple(system[2:]))
    socket.gethostname = lambda: name
    os.getlogin = lambda: name


def plus_one(module, name):
    plain = getattr(module, name, None)
    if plain is not None:
        setattr(module, name, lambda: (plain() or 0) + 1)


class Checker:
    """Runs test files."""

    def __init__(self, host):
        self.host = host

    def ask_check(self, request):
        """Runs the tests of a file: `path` for messages, `source`, `reverse` for the other order."""
        path = request["path"]
        module = types.ModuleType("checked")
        module.__file__ = path
        guard = self.host.watch
        guard.step += 1
        guard.on = True
        try:
            exec(compile(request["source"], path, "exec"), vars(module))
        except BaseException as error:
            guard.on = False
            return {"broken": problem(error), "tests": []}
        guard.on = False
        tests = [(name, value) for name, value in vars(module).items() if name.startswith("test_") and callable(value)]
        if request["reverse"]:
            tests.reverse()
        return {"broken": "", "tests": [self.test(name, function, path) for name, function in tests]}

    def test(self, name, function, path):
        """Runs one test: its name, the problem or nothing, the line where it arose, and its goals."""
        probes, guard = self.host.probes, self.host.watch
        if probes is not None:
            probes.clear()
        guard.step += 1
        guard.on = True
        found, line = "", 0
        try:
            function()
        except BaseException as error:
            guard.on = False
            found, line = problem(error), place(error, path)
        guard.on = False
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
