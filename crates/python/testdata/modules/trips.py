"""Pairs of functions whose names promise a way there and back: first those that lose something on it, then those that keep their promise."""

import json
from typing import Dict, List, Tuple


class Spaces:
    def encode(self, text: str) -> str:
        return text.replace(" ", "_")

    def decode(self, text: str) -> str:
        return text.replace("_", " ")


class Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def to_dict(self) -> Dict[str, int]:
        return {"x": self.x, "y": self.x}

    @classmethod
    def from_dict(cls, given: Dict[str, int]) -> "Point":
        return cls(given["x"], given["y"])


def dumps(numbers: List[int]) -> str:
    return " ".join(str(number) for number in numbers)


def loads(text: str) -> List[int]:
    return sorted(int(word) for word in text.split())


def format_code(number: int) -> str:
    return "#%d" % number


def parse_code(text: str) -> int:
    return int(text[1:]) + 1


# Nothing is wrong from here on, and no name stands above.


class Stars:
    def escape(self, text: str) -> str:
        return "*%s*" % text

    def unescape(self, text: str) -> str:
        return text[1:-1]


class Size:
    def __init__(self, width: float):
        self.width = width

    def __eq__(self, other):
        return isinstance(other, Size) and self.width == other.width

    def to_json(self) -> str:
        return repr(self.width)

    @classmethod
    def from_json(cls, text: str) -> "Size":
        return cls(float(text))


class Token:
    """Nobody can say whether two are equal."""

    def __init__(self, text: str):
        self.text = text

    def serialize(self) -> Dict[str, str]:
        return {"text": self.text.upper()}

    @classmethod
    def deserialize(cls, given: Dict[str, str]) -> "Token":
        return cls(given["text"])


def format_name(name: str) -> str:
    """What is lost stays lost, and nothing more is."""
    return name.strip().lower()


def parse_name(text: str) -> str:
    return text


def pack(pairs: List[Tuple[int, int]]) -> str:
    """Pairs come back as lists, as they do everywhere."""
    return json.dumps(pairs)


def unpack(text: str) -> List[List[int]]:
    return json.loads(text)
