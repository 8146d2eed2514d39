"""What every object must keep to, and what pairs of functions promise by their names.

A violation is `[contract, class or functions, detail, steps]`. Nothing here raises; a contract whose own check raises something
that the contract does not speak of is not violated.
"""

import collections
import itertools
import operator

# Functions that undo each other, by the words in their names.
INVERSES = [
    ("encode", "decode"), ("dumps", "loads"), ("dump", "load"), ("serialize", "deserialize"), ("compress", "decompress"),
    ("escape", "unescape"), ("quote", "unquote"), ("pack", "unpack"), ("encrypt", "decrypt"), ("marshal", "unmarshal"),
    ("to_bytes", "from_bytes"), ("to_dict", "from_dict"), ("to_json", "from_json"), ("b64encode", "b64decode"), ("hexlify", "unhexlify"),
]
# Functions that go there and back, but may lose something on the first way: a second round changes nothing.
LOSSY = [("int_to", "to_int"), ("format", "parse"), ("stringify", "parse"), ("to", "from")]
# Functions that change nothing when applied to what they gave.
IDEMPOTENT = ("normalize", "normalise", "canonicalize", "canonicalise", "canonical", "normpath", "dedent", "simplify")
# Of so many things that an object holds it is asked whether they are equal to themselves.
_LOOKED_AT = 50
# What round trips are looked at for.
_PLAIN = (str, bytes, int, bool, type(None))


def inverse_names(name):
    """The names of functions that would undo a function of this name, each with its contract."""
    for contract, pairs in (("round-trip", INVERSES), ("second-trip", LOSSY)):
        for there, back in pairs:
            if name == there or name.startswith(there + "_"):
                yield contract, back + name[len(there):]
            elif name.endswith("_" + there):
                yield contract, name[:-len(there)] + back


def _raises(function):
    try:
        function()
    except (RecursionError, MemoryError):
        return None
    except Exception as error:
        # Since Python 3.11 the interpreter itself refuses to write huge numbers.
        refused = isinstance(error, ValueError) and "integer string conversion" in str(error)
        return None if refused else "%s: %s" % (type(error).__name__, str(error)[:100])
    return None


def of_object(value, step):
    """The contracts of one object of a class under test."""
    cls = type(value)
    name = "%s.%s" % (cls.__module__, cls.__qualname__)
    for contract, function in (("repr-returns", repr), ("str-returns", str)):
        problem = _raises(lambda: function(value))
        if problem:
            yield [contract, name, problem, [step]]
            break
    if "__eq__" in _written(cls):
        try:
            if (value == value) is False and not _may_hold_nan(value):
                yield ["eq-reflexive", name, "", [step]]
            if (value == None) is True:  # noqa: E711
                yield ["eq-none", name, "", [step]]
        except Exception as error:
            # An object may refuse others, but not itself.
            if type(error).__name__ not in ("RecursionError", "NotImplementedError"):
                yield ["eq-returns", name, "%s: %s" % (type(error).__name__, str(error)[:100]), [step]]


def _may_hold_nan(value, depth=0):
    """Whether an object may hold a number that is not equal to itself: then it cannot be, either."""
    if isinstance(value, float):
        return value != value
    if depth > 3 or isinstance(value, (str, bytes, int, type(None))):
        return False
    inside = itertools.chain(_attributes(value), _elements(value))
    return any(_may_hold_nan(one, depth + 1) for one in itertools.islice(inside, _LOOKED_AT))


def _attributes(value):
    """What an object holds in attributes."""
    yield from list(getattr(value, "__dict__", {}).values())
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            yield getattr(value, name, None)


def _elements(value):
    """What a container of Python's own holds."""
    if isinstance(value, dict):
        yield from list(value.values())
        yield from list(value)
    elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        yield from list(value)


def _written(cls):
    """The methods that a class or one of its bases of the same module defines."""
    names = set()
    for base in cls.__mro__:
        if base.__module__ == cls.__module__:
            names.update(vars(base))
    return names


def of_pair(one, other, steps):
    """The contracts of two objects of the same class."""
    cls = type(one)
    name = "%s.%s" % (cls.__module__, cls.__qualname__)
    has = _written(cls)
    try:
        if "__eq__" in has:
            equal = one == other
            if equal in (True, False) and (other == one) is (not equal):
                yield ["eq-symmetric", name, "", steps]
            if equal in (True, False) and _truth(operator.ne, one, other) is equal:
                yield ["ne-negates-eq", name, "", steps]
            if equal is True and cls.__hash__ is not None and hash(one) != hash(other):
                yield ["hash-consistent", name, "", steps]
    except Exception:
        return


def _truth(compare, one, other):
    """What a comparison says; None if it says something else than yes or no, or raises."""
    try:
        said = compare(one, other)
    except Exception:
        return None
    return said if said is True or said is False else None


def of_equality(cls, objects):
    """Whether `==` is transitive on a few objects of a class: pairs of a step and its value."""
    if "__eq__" not in _written(cls) or len(objects) < 3:
        return
    places = range(len(objects))
    equal = {(i, j): _truth(operator.eq, objects[i][1], objects[j][1]) for i, j in itertools.permutations(places, 2)}
    for i, j, k in itertools.permutations(places, 3):
        # Equalities that hold one way only are told elsewhere; of both directions of a chain one is enough.
        both = all(equal[pair] and equal[pair[::-1]] for pair in ((i, j), (j, k)))
        if i < k and both and equal[i, k] is False and not any(_may_hold_nan(objects[place][1]) for place in (i, j, k)):
            name = "%s.%s" % (cls.__module__, cls.__qualname__)
            yield ["eq-transitive", name, "", [objects[place][0] for place in (i, j, k)]]


def of_order(cls, objects):
    """The contracts of `<` and `<=` on a few objects of a class: pairs of a step and its value.

    An order may leave pairs open, and objects that it does not tell apart may be unequal: only what is said counts.
    """
    has = _written(cls)
    if "__lt__" not in has or len(objects) < 2:
        return
    name = "%s.%s" % (cls.__module__, cls.__qualname__)
    places = range(len(objects))
    truths = lambda compare: {
        (i, j): _truth(compare, objects[i][1], objects[j][1]) for i, j in itertools.permutations(places, 2)
    }
    less = truths(operator.lt)
    equal = truths(operator.eq) if "__eq__" in has else {}
    at_most = truths(operator.le) if "__le__" in has else {}
    for contract, involved in _broken_orders(places, less, equal, at_most):
        if not any(_may_hold_nan(objects[place][1]) for place in involved):
            yield [contract, name, "", [objects[place][0] for place in involved]]


def _broken_orders(places, less, equal, at_most):
    """Contracts that comparisons break, with the places of the objects."""
    for pair in itertools.permutations(places, 2):
        if less[pair] and less[pair[::-1]]:
            if pair[0] < pair[1]:
                yield "order-antisymmetric", pair
        elif less[pair] and equal.get(pair):
            yield "order-excludes-eq", pair
        elif less[pair] and at_most.get(pair) is False:
            yield "order-lt-le", pair
        elif equal.get(pair) and at_most.get(pair) is False:
            yield "order-eq-le", pair
    # Pairs that are less both ways are told above.
    below = {pair for pair, is_less in less.items() if is_less and not less[pair[::-1]]}
    for i, j, k in itertools.permutations(places, 3):
        if (i, j) in below and (j, k) in below and less[i, k] is False:
            yield "order-transitive", (i, j, k)


def _plain(value, depth=0):
    """Whether a value is a text, bytes or a number, or a list or dictionary of such with texts as keys: what comes back should be the same."""
    if type(value) is list:
        return depth < 3 and all(_plain(one, depth + 1) for one in value)
    if type(value) is dict:
        return depth < 3 and all(type(key) is str and _plain(one, depth + 1) for key, one in value.items())
    return type(value) in _PLAIN


def has_equality(value):
    """Whether the class of an object, none of Python's own, says when two are equal."""
    return type(value).__module__ != "builtins" and "__eq__" in _written(type(value))


def of_round_trip(back, given, gave, names, steps):
    """`back(there(x)) == x` for texts, bytes, numbers, lists and dictionaries of them, and objects that can be compared."""
    if gave is None or not _plain(gave) or not _plain(given) and not has_equality(given):
        return
    try:
        again = back(gave)
    except Exception as error:
        if type(error).__name__ in ("TypeError", "RecursionError"):
            return
        yield ["round-trip", names, "`%s` raises %s" % (names.split(" and ")[-1], type(error).__name__), steps]
        return
    if type(again) is type(given) and (again == given) is False and not _may_hold_nan(given):
        yield ["round-trip", names, "", steps]


def of_second_trip(there, back, gave, names, steps):
    """`there(back(y)) == y` for what `there` gave, texts, bytes or numbers."""
    if type(gave) not in (str, bytes, int):
        return
    try:
        again = there(back(gave))
    except Exception:
        return
    if type(again) is type(gave) and again != gave:
        yield ["second-trip", names, "", steps]


def of_idempotence(function, gave, name, steps):
    """`f(f(x)) == f(x)` for texts and lists of plain things."""
    if type(gave) not in (str, list) or not _plain(gave):
        return
    try:
        again = function(list(gave) if type(gave) is list else gave)
    except Exception:
        return
    if type(again) is type(gave) and again != gave:
        yield ["idempotent", name, "", steps]
