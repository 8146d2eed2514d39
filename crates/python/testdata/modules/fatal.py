"""A function that takes the interpreter with it, and one that does not."""

import os


def leave(code: int) -> int:
    if code < 0:
        os._exit(3)
    return code


def stay(word: str) -> str:
    return word.upper()
