"""Types that docstrings name: in Sphinx, Google and numpy style, where they are clear. They are written as in `annotations`."""

import re

from .annotations import ANY, NONE, NUMBER, union

_WORDS = {
    "str": "str", "string": "str", "text": "str", "unicode": "str", "int": "int", "integer": "int", "float": "float",
    "bool": "bool", "boolean": "bool", "bytes": "bytes", "complex": "complex", "bytearray": "bytearray",
}
_CONTAINERS = {
    "list": ["list", ANY], "sequence": ["list", ANY], "iterable": ["list", ANY], "array": ["list", ANY],
    "dict": ["dict", ANY, ANY], "dictionary": ["dict", ANY, ANY], "mapping": ["dict", ANY, ANY], "set": ["set", ANY],
    "tuple": ["tuple-of", ANY], "callable": ["callable", -1, ANY], "function": ["callable", -1, ANY],
    "iterator": ["iterator", ANY], "generator": ["iterator", ANY],
}
_PARAMETER = [
    re.compile(r"^\s*:param\s+(?P<type>[^:]+?)\s+\*{0,2}(?P<name>\w+)\s*:", re.M),
    re.compile(r"^\s*:type\s+(?P<name>\w+)\s*:\s*(?P<type>[^\n]+)", re.M),
    re.compile(r"^\s+\*{0,2}(?P<name>\w+)\s*\((?P<type>[^)\n]+)\)\s*:", re.M),
    re.compile(r"^\s*(?P<name>\w+)\s+:\s+(?P<type>[^\n]+)$", re.M),
]


def word_type(text):
    """The type that a phrase of a docstring names; None where that is not clear."""
    text = re.sub(r"[`~]|:class:|:obj:", "", text.strip().lower()).rstrip(".")
    text = re.sub(r",?\s*(optional|default\b.*)$", "", text).strip()
    parts = [part for part in re.split(r"\s+or\s+|\s*\|\s*|,\s*", text) if part]
    if len(parts) > 1:
        known = [word_type(part) for part in parts]
        return None if None in known else union(known)
    if text in ("none",):
        return NONE
    if text in _WORDS:
        return ["class", "builtins." + _WORDS[text]]
    match = re.match(r"^(list|sequence|iterable|set|tuple|iterator)s?\s*(?:of|\[)\s*(\w+?)s?\]?$", text)
    if match:
        inner = word_type(match.group(2))
        word = {"sequence": "list", "iterable": "list", "tuple": "tuple-of"}.get(match.group(1), match.group(1))
        return [word, inner or ANY]
    if text in ("number", "numeric"):
        return NUMBER
    return _CONTAINERS.get(text)


def docstring_types(text):
    """The types of parameters that a docstring names clearly: Sphinx, Google and numpy style."""
    found = {}
    for pattern in _PARAMETER:
        for match in pattern.finditer(text or ""):
            kind = word_type(match.group("type"))
            if kind is not None:
                found.setdefault(match.group("name"), kind)
    return found
