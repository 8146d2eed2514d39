"""As `annotated`, with what Python 3.12 has."""

from typing import Protocol

type Number = int | float
type Couple[T] = tuple[T, T]
type Json = dict[str, Json] | str
type Broken = NoSuchThing


class Box[T]:
    pass


class Sized[T](Protocol):
    def size(self) -> T: ...


class Crate:
    def size(self) -> int:
        return 1


def number(x: Number): ...  # int | float
def couple(x: Couple[str]): ...  # tuple[str, str]
def json(x: Json): ...  # untyped dict[str, dict[str, Any] | str] | str
def broken(x: Broken): ...  # untyped Any
def bounded[T: int](x: T): ...  # int
def constrained[T: (int, str)](x: list[T]): ...  # list[int | str]
def box(x: Box[int]): ...  # annotated_3_12.Box
def sized(x: Sized[int]): ...  # annotated_3_12.Crate
