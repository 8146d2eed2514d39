"""As `annotated`, in the form of Python 3.10, which older versions import but do not evaluate."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import contextlib
import os
import re
import typing
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable as Calling, Generator, Iterator, Mapping, Sequence, Set
from typing import Generic, List, Literal, NamedTuple, Optional, TypedDict, TypeVar, Union

Free = TypeVar("Free")
Bounded = TypeVar("Bounded", bound="int | str")
# Texts inside of what is evaluated at once.
Nested = Optional["list[int] | str"]
Deep = List[Union["Box | None", "dict[str, int]"]]


class Box:
    def join(self, x: Box | None): ...  # annotated_future.Box
    def join_all(self, x: list[Box]): ...  # list[annotated_future.Box]


class Film(TypedDict):
    title: str | None
    years: list[int]
    box: Box


class Row(NamedTuple):
    left: int | None


class Meta(type):
    """A class of classes, of which other versions say something else about annotations."""

    def made(cls, x: int | None): ...  # int


# Classes with the names of others.
class frozenset(Generic[Free]):
    pass


class deque(collections.deque):
    pass


# Unions.
def optional(x: int | None): ...  # int
def either(x: int | None | str): ...  # int | str
def containers(x: list[int] | dict[str, int | None]): ...  # list[int] | dict[str, int | None]
def with_typing(x: Optional[str] | List[int]): ...  # str | list[int]
def literal(x: Literal["a|b", "int | str"] | None): ...  # Literal[["a|b"], ["int | str"]]
def unknown(x: NoSuchThing | None): ...  # untyped Any


# Containers that are built in.
def lists(x: list[int]): ...  # list[int]
def bare_list(x: list): ...  # untyped list[Any]
def sets(x: set[str]): ...  # set[str]
def bare_set(x: set | None): ...  # untyped set[Any]
def frozen(x: builtins.frozenset[int]): ...  # frozenset[int]
def bare_frozen(x: builtins.frozenset): ...  # untyped frozenset[Any]
def dicts(x: dict[str, list[int]]): ...  # dict[str, list[int]]
def pair(x: tuple[int, str]): ...  # tuple[int, str]
def many(x: tuple[int, ...]): ...  # tuple[int, ...]
def empty(x: tuple[()]): ...  # tuple[]
def kind(x: type[Box]): ...  # type[annotated_future.Box]


# Those of `collections`, by any name.
def counted(x: Counter[str]): ...  # collections.Counter(dict[str, int])
def ordered(x: OrderedDict[str, int]): ...  # collections.OrderedDict(dict[str, int])
def default(x: defaultdict[str, int]): ...  # collections.defaultdict(int, dict[str, int])
def queue(x: collections.deque[int]): ...  # collections.deque(list[int])
def chain(x: collections.ChainMap[str, int]): ...  # collections.ChainMap(dict[str, int])
def sequence(x: Sequence[int | str]): ...  # list[int | str]
def sequence_by_path(x: collections.abc.Sequence[int]): ...  # list[int]
def mapping(x: Mapping[str, float] | None): ...  # dict[str, float]
def abstract_set(x: Set[int]): ...  # set[int]
def iterator(x: Iterator[int]): ...  # Iterator[int]
def generator(x: Generator[int, None, None]): ...  # (one for one in list[int])
def function(x: Calling[[int, str | None], bool] | None): ...  # Callable[2, bool]
def any_function(x: collections.abc.Callable[..., str]): ...  # Callable[..., str]


# Others that take arguments since Python 3.9.
def path(x: str | os.PathLike[str]): ...  # str | pathlib.PurePosixPath
def pattern(x: re.Pattern[str]): ...  # re.Pattern
def manager(x: contextlib.AbstractContextManager[str]): ...  # contextlib.nullcontext(str)


# Classes that look like others.
def own_frozen(x: frozenset[int]): ...  # annotated_future.frozenset
def own_deque(x: deque[int] | None): ...  # annotated_future.deque


# Texts in texts.
def quoted(x: "int | None"): ...  # int
def quoted_inside(x: Optional["Box | list[str]"]): ...  # annotated_future.Box | list[str]
def quoted_in_list(x: list["int | str"]): ...  # list[int | str]
def nested(x: Nested): ...  # list[int] | str
def deep(x: Deep): ...  # list[annotated_future.Box | None | dict[str, int]]
def bounded(x: Bounded): ...  # int | str
def by_path(x: typing.Optional["typing.List[int | None]"]): ...  # list[int | None]


# Overloads.
@typing.overload
def overloaded(x: int | None) -> int: ...
@typing.overload
def overloaded(x: list[Box]) -> str: ...
def overloaded(x): ...  # int | list[annotated_future.Box]


# Records.
def film(x: Film | None): ...  # {title: str | None, years: list[int], box: annotated_future.Box}
def row(x: Row): ...  # annotated_future.Row


# One that cannot be evaluated does not spoil the others.
def beside(x: list[int] | None, y: NoSuchThing): ...  # untyped list[int]
