"""Another place and another time for the second of two processes that check written tests.

In a sandbox, all processes have the same numbers, names, folder, arguments and limits, and they run one after the other. What tests
assert of these holds here and nowhere else, so here they are others, wherever they are asked by name.
"""

import datetime
import io
import os
import socket
import sys
import threading
import time

_NAME = "elsewhere"
_NANO = 1000000000


def move(seconds):
    """Makes this process one of another place, so many seconds later."""
    move_clock(seconds)
    move_process()
    move_folder()
    move_streams()


def move_clock(seconds):
    """Makes clocks run ahead."""
    for name in ("time", "monotonic", "perf_counter"):
        plus(time, name, seconds)
        plus(time, name + "_ns", seconds * _NANO)
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _of_now(getattr(time, name)))
    local, plain_asctime, plain_strftime = time.localtime, time.asctime, time.strftime
    time.asctime = lambda *given: plain_asctime(*(given or (local(),)))
    time.strftime = lambda format, *given: plain_strftime(format, *(given or (local(),)))
    datetime.datetime = _later_datetime(datetime.datetime)


def _of_now(plain):
    """A function of a time that takes that of the moved clock where none is given."""
    return lambda seconds=None: plain(time.time() if seconds is None else seconds)


def _later_datetime(plain):
    """The class of dates and times with a clock that asks `time.time`, which the interpreter's own does not."""

    class Meta(type):
        def __instancecheck__(cls, one):
            return isinstance(one, plain) if cls is later else type.__instancecheck__(cls, one)

        def __subclasscheck__(cls, one):
            return issubclass(one, plain) if cls is later else type.__subclasscheck__(cls, one)

    class later(plain, metaclass=Meta):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)

    later.__module__, later.__name__, later.__qualname__ = "datetime", "datetime", "datetime"
    return later


def move_process():
    """Gives the process other numbers, another user, another machine and other limits."""
    for name in ("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "cpu_count"):
        plus(os, name, 1)
    plus(threading, "get_native_id", 1)
    system = os.uname()
    os.uname = lambda: os.uname_result((system[0], _NAME) + tuple(system[2:]))
    socket.gethostname = lambda: _NAME
    os.getlogin = lambda: _NAME
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 24, hard))
    except (ImportError, ValueError, OSError):
        pass


def move_folder():
    """Goes to another folder, which is not empty, and to other variables of the environment."""
    try:
        os.mkdir(_NAME)
        os.chdir(_NAME)
        with open("README", "w") as file:
            file.write(_NAME)
    except OSError:
        pass
    os.environ.update(LANG="C", HOME=os.getcwd(), USER=_NAME, PATH=os.environ.get("PATH", "") + os.pathsep + os.getcwd())


def move_streams():
    """Other arguments, and streams such as pytest has: what is written can be asked for its descriptor, nothing can be read."""
    sys.argv[:] = [_NAME, "--" + _NAME]
    try:
        sys.stdout = open(os.devnull, "w")
        sys.stderr = open(os.devnull, "w")
    except OSError:
        pass
    sys.stdin = _Closed()


class _Closed(io.TextIOBase):
    """A stream from which nothing can be read."""

    def _refuse(self, *_):
        raise OSError("nothing can be read while tests run")

    read = readline = readlines = __next__ = fileno = _refuse


def plus(module, name, more):
    """Makes a function give so much more."""
    plain = getattr(module, name, None)
    if plain is not None:
        setattr(module, name, lambda: (plain() or 0) + more)
