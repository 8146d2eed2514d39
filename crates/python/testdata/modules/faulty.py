"""One planted fault per class and function, each breaking one contract, and at the end some that break none."""

import functools


class Mute:
    def __repr__(self):
        raise ValueError("no words")


class Silent:
    def __str__(self):
        raise ValueError("no words")

    def __repr__(self):
        return "Silent()"


class Stubborn:
    def __eq__(self, other):
        raise ValueError("will not compare")


class Alien:
    def __eq__(self, other):
        return False


class Hollow:
    def __eq__(self, other):
        return other is None or self is other


class Lopsided:
    def __init__(self, size: int):
        self.size = size

    def __eq__(self, other):
        return isinstance(other, Lopsided) and self.size >= other.size


class Joker:
    def __init__(self, size: int):
        self.size = size

    def __eq__(self, other):
        return isinstance(other, Joker) and (self.size == other.size or self.size == 0 or other.size == 0)

    def is_between(self, low: "Joker", high: "Joker") -> bool:
        return low == self == high


class Vague:
    def __init__(self, size: int):
        self.size = size

    def __eq__(self, other):
        return isinstance(other, Vague) and self.size == other.size

    def __ne__(self, other):
        return isinstance(other, Vague) and self.size != other.size + 1


class Number:
    def __init__(self, value: int):
        self.value = value


class Rival(Number):
    def __lt__(self, other: "Rival") -> bool:
        return self.value != other.value


class Blurred(Number):
    def __eq__(self, other):
        return isinstance(other, Blurred) and self.value // 10 == other.value // 10

    def __lt__(self, other: "Blurred") -> bool:
        return self.value < other.value


class Far(Number):
    def __lt__(self, other: "Far") -> bool:
        return self.value < other.value

    def __le__(self, other: "Far") -> bool:
        return self.value + 100 < other.value


class Open(Number):
    def __eq__(self, other):
        return isinstance(other, Open) and self.value == other.value

    def __lt__(self, other: "Open") -> bool:
        return self.value < other.value

    def __le__(self, other: "Open") -> bool:
        return self.value < other.value


class Ring(Number):
    def __lt__(self, other: "Ring") -> bool:
        return (other.value - self.value) % 3 == 1

    def is_between(self, low: "Ring", high: "Ring") -> bool:
        return low < self < high


def normalize(text: str) -> str:
    return "/" + text


def half(number: int) -> int:
    assert number % 2 == 0
    return number // 2


def deep(number: int) -> int:
    return deep(number + 1)


# Nothing is wrong from here on.


class Column:
    """Its comparisons are expressions, not truths."""

    def __init__(self, name: str):
        self.name = name

    def __eq__(self, other):
        return (self.name, "=", other)

    def __lt__(self, other):
        return (self.name, "<", other)


class Bag:
    """An order that leaves many pairs open."""

    def __init__(self, text: str):
        self.letters = frozenset(text)

    def __eq__(self, other):
        return isinstance(other, Bag) and self.letters == other.letters

    def __hash__(self):
        return hash(self.letters)

    def __lt__(self, other: "Bag") -> bool:
        return self.letters < other.letters

    def __le__(self, other: "Bag") -> bool:
        return self.letters <= other.letters


@functools.total_ordering
class Weight:
    """Numbers that are none are in no order."""

    def __init__(self, grams: float):
        self.grams = grams

    def __repr__(self):
        return "Weight(%r)" % self.grams

    def __eq__(self, other):
        return isinstance(other, Weight) and self.grams == other.grams

    def __lt__(self, other: "Weight") -> bool:
        return self.grams < other.grams


class Huge:
    """Its number is too long to be written."""

    def __init__(self):
        self.number = 10 ** 5000

    def __repr__(self):
        return "Huge(%d)" % self.number
