"""Texts that a regular expression matches, and some that it just does not: seeds for parameters that are parsed.

Draws from the parsed pattern. Look-around and back-references are passed over, so not every text matches; the caller keeps
what is useful. No pattern makes it raise.
"""

import random
import re
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        from re import _constants as _c, _parser
    except ImportError:
        import sre_constants as _c
        import sre_parse as _parser

_CATEGORIES = {
    _c.CATEGORY_DIGIT: "0123456789",
    _c.CATEGORY_SPACE: " \t",
    _c.CATEGORY_WORD: "abcXYZ019_",
    _c.CATEGORY_NOT_DIGIT: "ab- ",
    _c.CATEGORY_NOT_SPACE: "a1-",
    _c.CATEGORY_NOT_WORD: " -.",
}
_PLAIN = "ab1 -_."
_LONGEST = 60
# Enough for any text that is short enough.
_MOST_STEPS = 1000


def samples(pattern, count, flags=0):
    """At most so many different short texts for a pattern of text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(pattern, flags)
    except Exception:
        return []
    chance = random.Random(len(pattern))
    found = []
    for _ in range(count * 3):
        try:
            text = _Drawing(chance).text(parsed, 0)
        except _TooLong:
            continue
        except Exception:
            return found
        if text and text not in found:
            found.append(text)
        if len(found) >= count:
            break
    return found


def with_constants(pattern, texts, constants, count, flags=0):
    """Texts in which a group is replaced by a constant that the group takes, too."""
    found = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern, flags)
    except Exception:
        return found
    for text in texts:
        match = compiled.search(text)
        for group in range(1, compiled.groups + 1) if match else ():
            start, end = match.span(group)
            for constant in constants if start >= 0 else ():
                candidate = text[:start] + constant + text[end:]
                again = compiled.search(candidate)
                if again and again.group(group) == constant and candidate not in found:
                    found.append(candidate)
                if len(found) >= count:
                    return found
    return found


class _TooLong(Exception):
    """A text is longer than any that is used, or takes too many steps."""


class _Drawing:
    """Draws one text."""

    def __init__(self, chance):
        self.chance = chance
        self.groups = {}
        self.steps = 0

    def step(self):
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _TooLong

    def text(self, parsed, depth):
        """A text for a part of a pattern."""
        pieces, length = [], 0
        for piece in self.pieces(parsed, depth):
            pieces.append(piece)
            length += len(piece)
            if length > _LONGEST:
                raise _TooLong
        return "".join(pieces)

    def pieces(self, parsed, depth):
        for word, what in parsed:
            self.step()
            if word is _c.LITERAL:
                yield chr(what)
            elif word is _c.NOT_LITERAL:
                yield self.chance.choice([c for c in _PLAIN if ord(c) != what])
            elif word is _c.ANY:
                yield self.chance.choice(_PLAIN)
            elif word is _c.IN:
                yield _member(what, self.chance)
            elif word in (_c.MAX_REPEAT, _c.MIN_REPEAT) or str(word) == "POSSESSIVE_REPEAT":
                low, high, inner = what
                most = min(int(high), low + (3 if depth < 4 else 0))
                for _ in range(self.chance.randint(low, max(low, most))):
                    # What is repeated may be empty.
                    self.step()
                    yield self.text(inner, depth + 1)
            elif word is _c.SUBPATTERN:
                text = self.text(what[-1], depth + 1)
                self.groups[what[0]] = text
                yield text
            elif word is _c.BRANCH:
                yield self.text(self.chance.choice(what[1]), depth + 1)
            elif word is _c.GROUPREF:
                yield self.groups.get(what, "")
            elif str(word) == "ATOMIC_GROUP":
                yield self.text(what, depth + 1)


def _member(what, chance):
    if what and what[0][0] is _c.NEGATE:
        taken = set()
        for one in what[1:]:
            taken.update(_range(one))
        left = [c for c in _PLAIN + "xyzXYZ0!\"'<" if c not in taken]
        return chance.choice(left or [" "])
    members = _range(chance.choice(what))
    return chance.choice(members)


def _range(one):
    word, what = one
    if word is _c.LITERAL:
        return chr(what)
    if word is _c.RANGE:
        low, high = what
        return [chr(c) for c in range(low, min(high, low + 25) + 1)]
    return _CATEGORIES.get(what, "a1 ")
