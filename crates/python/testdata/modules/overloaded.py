"""What stands elsewhere than at the parameter `x`: in overloads, and around the type."""

import dataclasses
from dataclasses import InitVar
from typing import List, Literal, overload


@dataclasses.dataclass
class Scaled:
    x: InitVar[int]
    factor: int = 2

    def __post_init__(self, x):
        self.size = x * self.factor


@overload
def either(x: int) -> int: ...
@overload
def either(x: str) -> str: ...
def either(x): ...  # int | str


@overload
def later(x: "Scaled") -> int: ...
@overload
def later(x: "List[Scaled]", *, many: Literal[True]) -> int: ...
def later(x, many=False): ...  # overloaded.Scaled | list[overloaded.Scaled]


@overload
def partly(x: int) -> int: ...
@overload
def partly(x) -> str: ...
def partly(x): ...  # untyped int | float


@overload
def own_word(x: int) -> int: ...
@overload
def own_word(x: str) -> str: ...
def own_word(x: bytes): ...  # bytes


class Reader:
    @overload
    def read(self, x: Literal["a"]) -> int: ...
    @overload
    def read(self, x: Literal[
        "b", "c",
    ]) -> str: ...
    def read(self, x): ...  # Literal[["a"]] | Literal[["b"], ["c"]]


def initial(x: InitVar[int]): ...  # int
def initial_list(x: "InitVar[List[str]]"): ...  # list[str]
