"""A small library shelf: annotated and not, with classes, defaults, an enumeration, and planted faults."""

import enum
import re
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Optional, Union

_ISBN = re.compile(r"^(\d{3})-(\d{2,5})$")


class Genre(enum.Enum):
    NOVEL = "novel"
    POETRY = "poetry"


@dataclass
class Book:
    title: str
    genre: Genre = Genre.NOVEL
    pages: int = 100
    tags: List[str] = field(default_factory=list)

    def summary(self, width: int = 20) -> str:
        if width < 3:
            raise ValueError("too narrow")
        if len(self.title) > width:
            return self.title[: width - 3] + "..."
        return self.title

    @property
    def is_long(self) -> bool:
        return self.pages > 300


class Shelf:
    def __init__(self, limit=3):
        self.limit = limit
        self.books = []

    def add(self, book):
        if len(self.books) >= self.limit:
            raise OverflowError("full")
        self.books.append(book)

    def titles(self):
        return [book.title for book in self.books]

    def __len__(self):
        return len(self.books)

    def __contains__(self, title):
        return title in self.titles()

    def longest(self) -> Optional[Book]:
        best = None
        for book in self.books:
            if best is None or book.pages > best.pages:
                best = book
        if len(self.books) == 2:
            return bset  # a planted fault: a name that nobody defined
        return best


class Point:
    """Equal points have different hashes: a planted fault."""

    def __init__(self, x: int):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Point) and abs(self.x) == abs(other.x)

    def __hash__(self):
        return self.x * 7 + 1


def parse_isbn(text: str) -> Union[int, str]:
    match = _ISBN.match(text)
    if match is None:
        return "none"
    if match.group(1) == "978":
        return int(match.group(2))
    return match.group(2)


def encode(text: str) -> str:
    return text.replace("a", "b")


def decode(text: str) -> str:
    return text.replace("b", "a")


def count(words: Iterable[str], normalise: Callable[[str], str] = str.lower) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for word in words:
        key = normalise(word)
        counts[key] = counts.get(key, 0) + 1
    return counts


def describe(mode, size=None):
    if mode == "short":
        return "s"
    elif mode == "long" and size is not None:
        return "l" * size
    raise KeyError(mode)


def mean(numbers: List[float]) -> float:
    return sum(numbers) / len(numbers)


async def later(value: int) -> int:
    return value + 1


def evens(limit: int):
    for number in range(limit):
        if number % 2 == 0:
            yield number
