"""Every construct that is mutated, and some that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numbers

__all__ = ["area"]
LIMIT = 10


def area(width: "int", height: int = 2) -> "int":
    """No mutant here."""
    if width < 0 or not height:
        raise ValueError("too small")
    return width * height


def clip(values, most=LIMIT):
    kept = []
    for value in values:
        if value is None:
            continue
        if value > most:
            break
        kept.append(-value)
    kept.sort(key=lambda one: one % 3, reverse=True)
    total = sum(one for one in kept if one != 1)
    total += len(kept)
    return "many" if 1 <= total < 5 else "%d" % total


def nothing(flag):
    while flag and True:
        flag = False
    assert not flag
    return None
