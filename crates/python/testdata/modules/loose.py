"""Nothing is annotated: types show only when it runs."""

import itertools
import math


def skip(count, things):
    """Hands everything on."""
    return list(itertools.islice(things, count, None))


def apply(thing, number):
    return math.floor(_each(thing, number))


def _each(thing, number):
    return thing(number)


def merge(*parts, **options):
    """Looks for its options by name.

    >>> merge([3, 1], [2], key=lambda one: -one)
    [3, 2, 1]
    """
    key = options.get("key")
    if key is None:
        return sorted(itertools.chain(*parts))
    return sorted(itertools.chain(*parts), key=key)
