"""One annotation per function, and what it means to tests; `untyped` where exceptions are no failures."""

import abc
import collections
import contextlib
import enum
import os
import re
import types
from typing import (
    IO, AbstractSet, Any, AnyStr, AsyncIterator, Awaitable, BinaryIO, Callable, ChainMap, ClassVar, Collection, ContextManager,
    Counter, DefaultDict, Deque, Dict, Final, FrozenSet, Generator, Generic, Hashable, ItemsView, Iterable, Iterator, KeysView,
    List, Literal, Mapping, MutableMapping, NamedTuple, NewType, Optional, OrderedDict, Pattern, Protocol, Sequence, Set, Sized,
    SupportsInt, Text, Tuple, Type, TypedDict, TypeVar, Union, ValuesView,
)

Small = TypeVar("Small", bound=int)
Free = TypeVar("Free")
UserId = NewType("UserId", int)


class Colour(enum.Enum):
    RED = 1


class Film(TypedDict):
    title: str
    year: int


class Draft(TypedDict, total=False):
    scenes: List[str]


class Tree(TypedDict):
    inner: "Tree"


class Named(Protocol):
    name: str

    def rename(self, name: str) -> None: ...


class Flying(Protocol):
    def fly(self) -> None: ...


class Handler(Protocol):
    def __call__(self, one: int) -> int: ...


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...


class Square(Shape):
    def __init__(self, side: int):
        self.name, self.side = "", side

    def rename(self, name: str) -> None:
        self.name = name

    def area(self) -> int:
        return self.side ** 2


class Ghost(abc.ABC):
    @abc.abstractmethod
    def haunt(self) -> int: ...


class Pair(NamedTuple):
    left: int


class Box(Generic[Free]):
    pass


# Containers that are not built in.
def deque(x: Deque[int]): ...  # collections.deque(list[int])
def bare_deque(x: collections.deque): ...  # untyped collections.deque(list[Any])
def ordered(x: OrderedDict[str, int]): ...  # collections.OrderedDict(dict[str, int])
def default(x: DefaultDict[str, List[int]]): ...  # collections.defaultdict(list, dict[str, list[int]])
def default_own(x: DefaultDict[str, Square]): ...  # collections.defaultdict(None, dict[str, annotated.Square])
def counter(x: Counter[str]): ...  # collections.Counter(dict[str, int])
def chain(x: ChainMap[str, int]): ...  # collections.ChainMap(dict[str, int])
def proxy(x: types.MappingProxyType): ...  # untyped types.MappingProxyType(dict[Any, Any])
def keys(x: KeysView[str]): ...  # dict[str, int].keys()
def values(x: ValuesView[str]): ...  # dict[str, str].values()
def items(x: ItemsView[str, bool]): ...  # dict[str, bool].items()
def generator(x: Generator[int, None, None]): ...  # (one for one in list[int])
def returning(x: Generator[int, None, str]): ...  # untyped (one for one in list[Any])
def manager(x: ContextManager[str]): ...  # contextlib.nullcontext(str)
def inner(x: List[Deque[str]]): ...  # list[collections.deque(list[str])]


# Containers that are.
def iterable(x: Iterable[str]): ...  # list[str]
def sequence(x: Sequence[int]): ...  # list[int]
def collection(x: Collection[int]): ...  # list[int]
def sized(x: Sized): ...  # untyped list[Any]
def abstract_set(x: AbstractSet[int]): ...  # set[int]
def sets(x: Set[int]): ...  # set[int]
def frozen(x: FrozenSet[str]): ...  # frozenset[str]
def mapping(x: Mapping[str, float]): ...  # dict[str, float]
def mutable(x: MutableMapping[str, float]): ...  # dict[str, float]
def bare(x: dict): ...  # untyped dict[Any, Any]
def iterator(x: Iterator[int]): ...  # Iterator[int]
def pair(x: Tuple[int, str]): ...  # tuple[int, str]
def many(x: Tuple[int, ...]): ...  # tuple[int, ...]
def empty(x: Tuple[()]): ...  # tuple[]


# Records, protocols, classes that have no objects.
def film(x: Film): ...  # {title: str, year: int}
def draft(x: Draft): ...  # {scenes?: list[str]}
def tree(x: Tree): ...  # untyped {inner: Any}
def named(x: Named): ...  # annotated.Square
def flying(x: Flying): ...  # untyped Any
def handler(x: Handler): ...  # untyped Callable[..., Any]
def shape(x: Shape): ...  # annotated.Square
def ghost(x: Ghost): ...  # untyped Any
def tupled(x: Pair): ...  # annotated.Pair
def box(x: Box[int]): ...  # annotated.Box
def awaitable(x: Awaitable[int]): ...  # untyped Any
def stream(x: AsyncIterator[int]): ...  # untyped Any


# Functions and classes as values.
def function(x: Callable[[int, str], bool]): ...  # Callable[2, bool]
def of_any(x: Callable[[int], Any]): ...  # untyped Callable[1, Any]
def of_own(x: Callable[..., Square]): ...  # untyped Callable[..., annotated.Square]
def kind(x: Type[Square]): ...  # type[annotated.Square]
def any_kind(x: type): ...  # untyped type[Any]


# Forms that say something about other types.
def optional(x: Optional[int]): ...  # int
def either(x: Union[int, List[str]]): ...  # int | list[str]
def literal(x: Literal["a", 1]): ...  # Literal[["a"], [1]]
def literal_bytes(x: Literal[b"a"]): ...  # Literal[["b","a"]]
def literal_none(x: Literal["a", None]): ...  # Literal[["a"]]
def literal_member(x: Literal[Colour.RED]): ...  # untyped Any
def new(x: UserId): ...  # int
def bounded(x: Small): ...  # int
def free(x: Free): ...  # untyped Any
def constrained(x: AnyStr): ...  # bytes | str
def final(x: "Final[int]"): ...  # int
def class_variable(x: "ClassVar[int]"): ...  # int
def forward(x: "List[Square]"): ...  # list[annotated.Square]
def unknown(x: "NoSuchThing"): ...  # untyped Any


# Others of `typing` and its neighbours.
def supports(x: SupportsInt): ...  # int | float
def hashable(x: Hashable): ...  # str | int
def text(x: Text): ...  # str
def text_file(x: IO[str]): ...  # io.StringIO
def binary_file(x: BinaryIO): ...  # io.BytesIO
def path(x: os.PathLike): ...  # pathlib.PurePosixPath
def pattern(x: Pattern[str]): ...  # re.Pattern
def colour(x: Colour): ...  # annotated.Colour
