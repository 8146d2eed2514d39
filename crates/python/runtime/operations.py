"""Operations of a module's model as functions of a list of arguments.

An argument that is `OMITTED` is not given at all, so that the default of its parameter counts.
"""

import ast
import asyncio
import importlib
import itertools
import operator

from .watch import StepTimeout

OMITTED = type("Omitted", (), {"__slots__": ()})()
MOST_YIELDED = 1000

_BINARY = {
    "__eq__": operator.eq, "__ne__": operator.ne, "__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt,
    "__ge__": operator.ge, "__add__": operator.add, "__sub__": operator.sub, "__mul__": operator.mul,
    "__truediv__": operator.truediv, "__floordiv__": operator.floordiv, "__mod__": operator.mod, "__and__": operator.and_,
    "__or__": operator.or_, "__xor__": operator.xor, "__lshift__": operator.lshift, "__rshift__": operator.rshift,
    "__matmul__": operator.matmul, "__divmod__": divmod, "__contains__": operator.contains,
    "__getitem__": operator.getitem, "__delitem__": operator.delitem, "__iadd__": operator.iadd,
    "__isub__": operator.isub, "__imul__": operator.imul, "__iand__": operator.iand, "__ior__": operator.ior,
    "__ixor__": operator.ixor, "__getattr__": getattr,
}
_UNARY = {
    "__hash__": hash, "__len__": len, "__iter__": lambda value: drained(value), "__next__": next,
    "__neg__": operator.neg, "__pos__": operator.pos, "__abs__": abs, "__invert__": operator.invert, "__bool__": bool,
    "__int__": int, "__float__": float, "__complex__": complex, "__index__": operator.index, "__str__": str,
    "__repr__": repr, "__bytes__": bytes, "__reversed__": lambda value: list(reversed(value)),
}


def special(name, count):
    """What a special method with so many parameters does, or None if it is called by its name."""
    if count == 1 and name in _UNARY:
        unary = _UNARY[name]
        return lambda a: unary(a[0])
    if count == 2 and name in _BINARY:
        binary = _BINARY[name]
        return lambda a: binary(a[0], a[1])
    reflected = "__" + name[3:]
    if count == 2 and name.startswith("__r") and reflected in _BINARY and name != "__reversed__":
        binary = _BINARY[reflected]
        return lambda a: binary(a[1], a[0])
    if name == "__setitem__" and count == 3:
        return lambda a: operator.setitem(a[0], a[1], a[2])
    if name == "__pow__" and count == 2:
        return lambda a: a[0] ** a[1]
    if name == "__rpow__" and count == 2:
        return lambda a: a[1] ** a[0]
    return None


def pairs(arguments):
    """A dictionary of keys and values in turn."""
    return dict(zip(arguments[::2], arguments[1::2]))


_BUILDERS = {
    "list": list, "set": set, "frozenset": frozenset, "tuple": tuple, "dict": pairs, "iterator": iter,
    "value": operator.itemgetter(0), "concatenation": "".join, "drain": lambda arguments: drained(arguments[0]),
}


def resolve(module, path):
    """What a dotted path in a module names. In the end may stand the name of a member of an enumeration in brackets."""
    path, _, member = path.partition("[")
    value = importlib.import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value[ast.literal_eval(member[:-1])] if member else value


def named(call, names):
    """A call whose parameters have these names, None for those that are given by position. All after them are, too."""
    count = len(names)

    def apply(arguments):
        positional, keywords = [], {}
        for name, value in zip(names, arguments):
            if value is OMITTED:
                continue
            if name is None:
                positional.append(value)
            else:
                keywords[name] = value
        positional.extend(arguments[count:])
        return call(*positional, **keywords)

    return apply


def drained(iterator):
    """What an iterator gives, as a list. One that does not end in time counts as running forever."""
    items = list(itertools.islice(iterator, MOST_YIELDED + 1))
    if len(items) > MOST_YIELDED:
        raise StepTimeout("an iterator gives more than %d items" % MOST_YIELDED)
    return items


def consumed(call):
    """A call whose result is drained."""
    return lambda arguments: drained(call(arguments))


def awaited(call):
    """A call whose result is awaited."""
    return lambda arguments: asyncio.run(call(arguments))


def collected(call):
    """A call that gives an asynchronous iterator, which is drained."""

    async def collect(arguments):
        items = []
        async for item in call(arguments):
            items.append(item)
            if len(items) > MOST_YIELDED:
                raise StepTimeout("an iterator gives more than %d items" % MOST_YIELDED)
        return items

    return lambda arguments: asyncio.run(collect(arguments))


def entered(call):
    """A call that gives a context manager, which is entered and left."""

    def enter(arguments):
        with call(arguments) as value:
            return value

    return enter


def expression(module, source):
    """The value of an expression, which is computed anew each time."""
    code = compile(source, "<expression>", "eval")
    scope = {}
    if module:
        importlib.import_module(module)
        scope[module.split(".")[0]] = importlib.import_module(module.split(".")[0])
    return lambda arguments: eval(code, scope)


def wrapping(module, source):
    """What an expression with a hole makes of its argument."""
    make = expression(module, "lambda value: " + source.replace("{}", "value"))([])
    return lambda arguments: make(arguments[0])


def function_of(operation):
    """The function that does an operation."""
    kind, name = operation["kind"], operation["name"]
    if kind in _BUILDERS:
        return _BUILDERS[kind]
    if kind == "expression":
        return expression(operation["module"], operation["path"])
    if kind == "wrap":
        return wrapping(operation["module"], operation["path"])
    if kind == "constant":
        value = resolve(operation["module"], operation["path"])
        return lambda arguments: value
    if kind == "getter":
        return lambda a: getattr(a[0], name)
    if kind == "setter":
        return lambda a: setattr(a[0], name, a[1])
    names = operation["names"]
    if kind == "method":
        call = special(name, len(names)) if not any(names) else None
        if call is None:
            plain = lambda a: getattr(a[0], name)(*a[1:])
            call = named(lambda receiver, *a, **k: getattr(receiver, name)(*a, **k), names) if any(names) else plain
    else:
        target = resolve(operation["module"], operation["path"])
        call = named(target, names) if any(names) else (lambda a: target(*a))
    awaits, yields = operation.get("awaits"), operation.get("yields")
    if operation.get("enters"):
        return entered(call)
    if awaits and yields:
        return collected(call)
    return awaited(call) if awaits else consumed(call) if yields else call
