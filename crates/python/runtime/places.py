"""Where the classes of a module are: the names by which workers and written tests find them.

Its `__qualname__` does not say that of a class that a function made, or that was made by a call with another name.
"""

import keyword
import sys


def is_class(value):
    """Whether a value is a class. `isinstance` would ask the value itself, which may do anything."""
    return issubclass(type(value), type)


def writable(name):
    """Whether a name can stand after a dot."""
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)


class Places:
    """The places of classes, seen from one module."""

    def __init__(self, module):
        self.name = module.__name__
        self.paths = {}
        self._find(vars(module), "")

    def _find(self, names, prefix):
        for name, value in list(names.items()):
            if is_class(value) and writable(name) and id(value) not in self.paths:
                self.paths[id(value)] = prefix + name
                if value.__module__ == self.name:
                    self._find(vars(value), prefix + name + ".")

    def of(self, cls):
        """The module and the path there of a class; None if no name leads to it."""
        found = sys.modules.get(cls.__module__) if isinstance(cls.__module__, str) else None
        parts = cls.__qualname__.split(".")
        for name in parts:
            found = vars(found).get(name) if hasattr(found, "__dict__") else None
        if found is cls and all(map(writable, parts)):
            return cls.__module__, cls.__qualname__
        path = self.paths.get(id(cls))
        return (self.name, path) if path is not None else None
