"""Classes under other names than their own, members of enumerations that are no names, and objects that cannot be asked anything."""

import collections
import enum

Colour = enum.Enum("Color", "RED GREEN")
Point = collections.namedtuple("_Point", "x y")
Key = enum.Enum("Key", {"a b": 1, "from": 2, "1.0": 3, "plain": 4})


def make():
    class Inner:
        class Deeper:
            def __init__(self, size: int):
                self.size = size

            def is_big(self) -> bool:
                return self.size > 10

        def __init__(self, text: str):
            self.text = text

        def is_long(self) -> bool:
            return len(self.text) > 2

    return Inner


Inner = make()


class Lazy:
    """Stands for what is not there yet."""

    def __call__(self):
        raise RuntimeError("not bound")

    def __getattr__(self, name):
        raise RuntimeError("not bound")

    @property
    def __class__(self):
        raise RuntimeError("not bound")


lazy = Lazy()


class Foreign:
    """Says that it is from nowhere."""


Foreign.__module__ = "no.such.module"


class Last:
    lazy = lazy

    def __init__(self):
        self.last = None

    def keep(self, items):
        # Only an element of a parameter is stored.
        for item in items:
            self.last = item
        return self.last is None


def is_red(colour: Colour) -> bool:
    if colour is Colour.RED:
        return True
    return False


def is_origin(point: Point) -> bool:
    if point.x == 0:
        return True
    return False


def number(key: Key) -> int:
    if key.name == "a b":
        return 10
    if key.name == "from":
        return 20
    if key.name == "1.0":
        return 30
    return 40


def is_inner(kind: "type[Inner]", one: Inner) -> bool:
    if one.is_long():
        return isinstance(one, kind)
    return False


def is_foreign(one: Foreign) -> bool:
    return isinstance(one, Foreign)


def key_of(number: int) -> Key:
    return Key["a b"] if number > 3 else Key["from"]
