"""Patterns whose texts would fill the memory, or take for ever to be put together from nothing, beside one of short texts."""

import re

LONG = re.compile("(?:a{1000}){1000}")
LONGER = re.compile("((b{60000}){60000})|c{4000000000}")
EMPTY = re.compile("(?:(?:(?:x??|){9000}){9000}){9000}")
SHORT = re.compile("ab-[0-9]{3}-(?:x|y){2}")


def kind(text: str) -> str:
    if SHORT.fullmatch(text):
        return "short"
    return "other"
