"""As `annotated`, with what Python 3.11 has."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Generator
from typing import (
    Annotated, Concatenate, LiteralString, Never, NotRequired, ParamSpec, Required, Self, TypedDict, TypeVarTuple, Unpack,
)

Rest = ParamSpec("Rest")
Many = TypeVarTuple("Many")


class Film(TypedDict, total=False):
    title: Required[str]
    year: int


class Cut(TypedDict):
    title: str
    scenes: NotRequired[list[str]]


class Node:
    def join(self, x: Self): ...  # annotated_3_11.Node
    def join_all(self, x: list[Self]): ...  # list[annotated_3_11.Node]


class Options(TypedDict):
    x: int | None


def options(**rest: Unpack[Options]): ...  # int
def options_by_name(**rest: "Unpack[Options]"): ...  # int
def film(x: Film): ...  # {title: str, year?: int}
def cut(x: Cut): ...  # {title: str, scenes?: list[str]}
def annotated(x: Annotated[int, "positive"]): ...  # int
def annotated_inside(x: list[Annotated[str, "short"]]): ...  # list[str]
def literal_string(x: LiteralString): ...  # str
def never(x: Never): ...  # untyped Any
def either(x: int | None | str): ...  # int | str
def builtin_deque(x: deque[int]): ...  # collections.deque(list[int])
def ordered(x: OrderedDict[str, int]): ...  # collections.OrderedDict(dict[str, int])
def default(x: defaultdict[str, int]): ...  # collections.defaultdict(int, dict[str, int])
def generator(x: Generator[str, int, None]): ...  # (one for one in list[str])
def specified(x: Callable[Rest, int]): ...  # Callable[..., int]
def concatenated(x: Callable[Concatenate[int, Rest], int]): ...  # Callable[..., int]
def unpacked(x: tuple[int, Unpack[Many]]): ...  # untyped Any
def starred(x: tuple[int, *Many]): ...  # untyped Any
