"""What calls give is awaited or drained by what the outermost function is, which stands beside each."""

import asyncio
import contextlib
import functools
from typing import AsyncIterator, Iterator


def _at_once(function):
    @functools.wraps(function)
    def run(*given):
        return asyncio.run(function(*given))
    return run


def _awaiting(function):
    @functools.wraps(function)
    async def run(*given):
        return function(*given)
    return run


def _at_last(function):
    @functools.wraps(function)
    def run(*given):
        return function(*given)
    return run


@contextlib.contextmanager
def entered(limit: int) -> Iterator[int]:  # enters
    if limit > 3:
        yield limit
    else:
        yield 0
    if limit < 0:
        raise ValueError("left too low")


def generator(limit: int) -> Iterator[int]:  # yields
    if limit > 3:
        yield limit


@_at_last
def handed_on(limit: int) -> Iterator[int]:  # plain
    if limit > 3:
        yield limit


async def coroutine(limit: int) -> int:  # awaits
    if limit > 3:
        return limit
    return 0


@_at_once
async def blocking(limit: int) -> int:  # plain
    if limit > 3:
        return limit
    return 0


@_awaiting
def thread(limit: int) -> int:  # awaits
    if limit > 3:
        return limit
    return 0


async def stream(limit: int) -> AsyncIterator[int]:  # awaits yields
    for number in range(limit % 5):
        await asyncio.sleep(0)
        yield number
    if limit < 0:
        raise ValueError("too low")


class Source:
    async def lines(self, limit: int):  # awaits yields
        if limit > 3:
            yield "line"
