"""What modules keep: a fingerprint of every variable of modules and classes that holds data, to tell which of them tests changed.

Fingerprints are of what is reachable in a few steps, and name no address: two interpreters that did the same give the same.
"""

import sys
import types

# Items of a container, and steps from a variable, that are looked at.
ITEMS = 100
DEPTH = 3

PLAIN = (int, float, complex, str, bytes, bool, type(None))
CODE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, property, classmethod, staticmethod)


def fingerprint(value, depth=DEPTH):
    """What identifies a value, as text."""
    kind = type(value)
    if kind in PLAIN:
        return repr(value)[:200]
    if isinstance(value, (type,) + CODE):
        return getattr(value, "__qualname__", kind.__name__)
    try:
        if isinstance(value, dict):
            parts = [entry for pair in list(value.items())[:ITEMS] for entry in pair]
        elif isinstance(value, (list, tuple, set, frozenset)):
            parts = list(value)[:ITEMS]
        else:
            parts = list(vars(value).items())[:ITEMS]
        size = len(value) if hasattr(value, "__len__") else len(parts)
    except Exception:
        return kind.__name__
    if depth == 0:
        return "%s %d" % (kind.__name__, size)
    inner = [fingerprint(part, depth - 1) for part in parts]
    if isinstance(value, (set, frozenset)):
        inner.sort()
    return "%s %d (%s)" % (kind.__name__, size, ", ".join(inner))


def variables(space, prefix):
    """The variables of a module or a class that hold data, with their names."""
    for name, value in list(vars(space).items()):
        if name.startswith("__") or isinstance(value, CODE):
            continue
        if isinstance(value, type):
            if value.__module__ == getattr(space, "__name__", None):
                yield from variables(value, prefix + name + ".")
        else:
            yield prefix + name, value


def state(packages):
    """The fingerprints of all variables of loaded modules in these packages."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in packages and isinstance(module, types.ModuleType):
            for variable, value in variables(module, name + "."):
                found[variable] = fingerprint(value)
    return found
