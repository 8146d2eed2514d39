"""What every object must keep to, and what pairs of functions promise by their names.

A violation is `[contract, class or functions, detail, steps]`. Nothing here raises; a contract whose own check raises something
that the contract does not speak of is not violated.
"""

import itertools
import operator

# Functions that undo each other, by the words in their names.
INVERSES = [
    ("encode", "decode"), ("dumps", "loads"), ("dump", "load"), ("serialize", "deserialize"), ("compress", "decompress"),
    ("escape", "unescape"), ("quote", "unquote"), ("pack", "unpack"), ("encrypt", "decrypt"), ("marshal", "unmarshal"),
    ("to_bytes", "from_bytes"), ("to_string", "from_string"), ("to_dict", "from_dict"), ("to_json", "from_json"),
    ("to_int", "from_int"), ("int_to", "to_int"), ("format", "parse"), ("stringify", "parse"), ("b64encode", "b64decode"),
    ("hexlify", "unhexlify"), ("to_roman", "from_roman"),
]
# Functions that change nothing when applied to what they gave.
IDEMPOTENT = ("normalize", "normalise", "canonicalize", "canonicalise", "canonical", "sanitize", "sanitise", "normpath", "dedent", "simplify")


def inverse_names(name):
    """The names of functions that would undo a function of this name."""
    for there, back in INVERSES:
        if there in name.split("_") or name == there or name.endswith("_" + there) or name.startswith(there + "_"):
            yield name.replace(there, back)
            yield back
        elif name.startswith("to_") and there == "to_bytes":
            yield "from_" + name[3:]


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


def _may_hold_nan(value):
    """Whether an object may hold a number that is not equal to itself: then it cannot be, either."""
    try:
        return "nan" in repr(value).lower()
    except Exception:
        return False


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


def of_round_trip(there, back, given, gave, names, step):
    """`back(there(x)) == x` for texts, bytes and numbers."""
    if type(given) not in (str, bytes, int) or type(gave) not in (str, bytes, int):
        return
    try:
        again = back(gave)
    except Exception as error:
        if type(error).__name__ in ("TypeError", "RecursionError"):
            return
        yield ["round-trip", names, "`%s` raises %s" % (names.split(" and ")[-1], type(error).__name__), [step]]
        return
    if type(again) is type(given) and again != given:
        yield ["round-trip", names, "", [step]]


def of_idempotence(function, gave, name, step):
    """`f(f(x)) == f(x)` for texts."""
    if type(gave) is not str:
        return
    try:
        again = function(gave)
    except Exception:
        return
    if type(again) is str and again != gave:
        yield ["idempotent", name, "", [step]]
