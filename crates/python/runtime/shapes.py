"""What has to be done with what a call gives: it is awaited, drained or entered.

The outermost function decides that: a wrapper may await or drain what the function inside of it gives, or give something else.
"""

import contextlib
import inspect
import typing

from .annotations import ANY

# The code of all functions that `contextmanager` makes.
_MANAGER = contextlib.contextmanager(lambda: None).__code__


def shape(function):
    """What has to be done. What is both awaited and drained is asynchronous."""
    streams = inspect.isasyncgenfunction(function)
    return {
        "awaits": streams or inspect.iscoroutinefunction(function),
        "yields": streams or inspect.isgeneratorfunction(function),
        "enters": getattr(function, "__code__", None) is _MANAGER,
    }


def result(function, hint, read):
    """The type of what a call gives in the end; None where that shows only at run time. `read` reads annotations."""
    done = shape(function)
    if not done["enters"] and shape(_unwrapped(function)) != done:
        return None
    if not done["enters"] and not done["yields"]:
        return read(hint)
    if done["awaits"]:
        arguments = typing.get_args(hint)
        return ["list", read(arguments[0]) if arguments else ANY]
    kind = read(hint)
    inner = kind[4] if kind[0] == "made" else kind
    given = inner[1] if inner[0] in ("iterator", "list") else ANY
    return given if done["enters"] else ["list", given]


def _unwrapped(function):
    """The function inside of wrappers, where it can be told."""
    try:
        return inspect.unwrap(function)
    except Exception:
        return function
