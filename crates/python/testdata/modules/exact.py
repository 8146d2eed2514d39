"""Nothing is wrong here: every function uses what only a value of the annotated class has."""

from collections import Counter, OrderedDict
from typing import (
    Callable, ContextManager, DefaultDict, Deque, Dict, Generator, ItemsView, KeysView, List, Literal, Protocol, Type, TypedDict, ValuesView,
)
from typing import Counter as Counted
from typing import OrderedDict as Ordered


class Film(TypedDict):
    title: str
    years: List[int]


class Draft(TypedDict, total=False):
    note: str


class Speaking(Protocol):
    def speak(self) -> str: ...


class Dog:
    def __init__(self, name: str):
        self.name = name

    def speak(self) -> str:
        return self.name.lower()


def push(numbers: Deque[int]) -> Deque[int]:
    numbers.appendleft(1)
    return numbers


def rotate(numbers: List[Deque[str]]) -> int:
    for one in numbers:
        one.rotate(1)
    return len(numbers)


def last(ages: Ordered[str, int]) -> Ordered[str, int]:
    if ages:
        ages.move_to_end(sorted(ages)[0])
    return ages


def missing(names: DefaultDict[str, List[int]]) -> int:
    names["new"].append(1)
    return names.default_factory().__len__()


def common(words: Counted[str]) -> str:
    return ", ".join(word.upper() for word, _ in words.most_common(1))


def shared(keys: KeysView[str]) -> bool:
    return keys.isdisjoint({"a"})


def total(values: ValuesView[int], items: ItemsView[str, int]) -> int:
    return sum(one.bit_length() for one in values) + sum(len(key.upper()) for key, _ in items)


def close(numbers: Generator[int, None, None]) -> bool:
    numbers.close()
    return numbers.gi_frame is None


def counting(limit: int) -> Generator[int, None, None]:
    for number in range(min(limit, 5)):
        yield number


def enter(text: ContextManager[str]) -> str:
    with text as given:
        return given.upper()


def headline(film: Film, draft: Draft) -> str:
    first = film["years"][0].bit_length() if film["years"] else 0
    if "note" in draft:
        return film["title"].upper() + draft["note"].lower()
    return "%s %d" % (film["title"], first)


def hear(one: Speaking) -> str:
    return one.speak().upper()


def asked(make: Callable[[str], Dog]) -> str:
    return make("a").speak()


def named(kind: Type[Dog]) -> str:
    return kind("Rex").speak()


def filled(ages: Dict[str, int]) -> int:
    return len(OrderedDict(ages)) + len(Counter(ages))


def opened(mode: Literal["read", "write"], times: Literal[1, 2]) -> int:
    assert mode in ("read", "write")
    assert times in (1, 2)
    return len(mode) * times
