"""What the parameter `x` is shows only when code elsewhere uses it: beside each function stands what it is given."""

import calendar
import fractions
import json
import textwrap


def mixed(width: int, x):  # untyped str
    return textwrap.dedent(x) + " " * width


def last(first: fractions.Fraction, *, x):  # untyped int
    return [first] * calendar.isleap(x)


class Plain:
    def parse(self, x):  # untyped str
        return json.loads(x)

    @property
    def level(self):
        return 1

    @level.setter
    def level(self, x):  # untyped int
        self.kept = calendar.isleap(x)


class Held:
    def __init__(self, size, name: str):
        self.size = size
        self.name = name

    def take(self, count: int, x):  # untyped int
        return [self.size] * calendar.isleap(x)


class Refusing:
    def __init__(self):
        raise ValueError("nobody makes me")

    def take(self, x):
        return calendar.isleap(x)
