"""Standard streams of workers: as those of a program whose output is thrown away and whose input is empty, whatever the subject does to them.

They are buffered text over bytes, as real ones are, so that `sys.stdout.buffer` and `reconfigure` work. Closing or detaching them does
nothing: tests that come later have them, too. They have no descriptor, and those of the worker cannot be reached by them.
"""

import io


class _Bytes(io.RawIOBase):
    """Forgets what is written, has nothing to read, and stays open."""

    def __init__(self, name):
        self.name = name

    def readable(self):
        return True

    def writable(self):
        return True

    def readinto(self, buffer):
        return 0

    def write(self, data):
        return len(memoryview(data).cast("B"))

    def close(self):
        pass


def stays_open(kind):
    """A kind of stream that cannot be closed or detached."""
    return type(kind.__name__, (kind,), {"close": lambda self: None, "detach": lambda self: getattr(self, "buffer", self)})


_Text, _Writer, _Reader = map(stays_open, (io.TextIOWrapper, io.BufferedWriter, io.BufferedReader))


def output(name, errors="strict"):
    """A stream that forgets."""
    made = _Text(_Writer(_Bytes(name)), encoding="utf-8", errors=errors)
    made.mode = "w"
    return made


def empty():
    """A stream with nothing to read."""
    made = _Text(_Reader(_Bytes("<stdin>")), encoding="utf-8")
    made.mode = "r"
    return made
