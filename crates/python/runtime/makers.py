"""Expressions for values of classes that constructors alone make badly: dates, paths, patterns, streams, numbers, and what is
made of a built-in container.

A type of the latter kind is `["made", CLASS, MODULE, SOURCE, T]`: the source, which needs the module, has a hole `{}` for a value of
type T.
"""

import collections
import collections.abc as abc
import contextlib
import types

_INT, _STR = ["class", "builtins.int"], ["class", "builtins.str"]
_FACTORIES = {"list": "list", "dict": "dict", "set": "set", "tuple-of": "tuple", "frozenset": "frozenset"}

EXPRESSIONS = {
    "builtins.complex": ["complex(1, 2)", "0j"],
    "builtins.bytearray": ["bytearray(b'abc')", "bytearray()"],
    "builtins.memoryview": ["memoryview(b'abc')"],
    "builtins.range": ["range(3)", "range(0)", "range(1, 10, 2)"],
    "builtins.slice": ["slice(1, 3)", "slice(None)", "slice(None, None, -1)"],
    "builtins.BaseException": ["ValueError('a')"],
    "builtins.Exception": ["ValueError('a')", "KeyError('a')"],
    "collections.deque": ["collections.deque([1, 2, 3])", "collections.deque()"],
    "collections.OrderedDict": ["collections.OrderedDict([('a', 1)])"],
    "collections.Counter": ["collections.Counter('abca')"],
    "collections.defaultdict": ["collections.defaultdict(list, {'a': [1]})"],
    "datetime.date": ["datetime.date(2020, 2, 29)", "datetime.date(1999, 12, 31)", "datetime.date.min"],
    "datetime.datetime": [
        "datetime.datetime(2020, 1, 2, 3, 4, 5)", "datetime.datetime(1999, 12, 31, 23, 59, 59, 999999)",
        "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)",
    ],
    "datetime.time": ["datetime.time(1, 2, 3)", "datetime.time()"],
    "datetime.timedelta": ["datetime.timedelta(days=1, seconds=2)", "datetime.timedelta()", "datetime.timedelta(seconds=-5)"],
    "datetime.timezone": ["datetime.timezone.utc"],
    "datetime.tzinfo": ["datetime.timezone.utc", "datetime.timezone(datetime.timedelta(hours=2))"],
    "decimal.Decimal": ["decimal.Decimal('1.5')", "decimal.Decimal('0')", "decimal.Decimal('-3e10')", "decimal.Decimal('NaN')"],
    "fractions.Fraction": ["fractions.Fraction(1, 3)", "fractions.Fraction(0)", "fractions.Fraction(-5, 2)"],
    "io.StringIO": ["io.StringIO('a b\\nc\\n')", "io.StringIO()", "io.StringIO('x = 1\\n# y\\n[z]\\n')"],
    "io.BytesIO": ["io.BytesIO(b'abc\\n')", "io.BytesIO()"],
    "io.TextIOWrapper": ["io.TextIOWrapper(io.BytesIO(b'abc\\n'))"],
    "pathlib.Path": ["pathlib.Path('a/b.txt')", "pathlib.Path('.')"],
    "pathlib.PurePath": ["pathlib.PurePath('a/b.txt')"],
    "pathlib.PurePosixPath": ["pathlib.PurePosixPath('a/b.txt')"],
    "random.Random": ["random.Random(1)"],
    "re.Pattern": ["re.compile('a+')", "re.compile('(?P<x>\\\\w+)=(\\\\d*)')"],
    "re.Match": ["re.match('(a)(b)?', 'ab')"],
    "types.ModuleType": ["types.ModuleType('a')"],
    "types.SimpleNamespace": ["types.SimpleNamespace(a=1)"],
    "uuid.UUID": ["uuid.UUID(int=1)"],
    "logging.Logger": ["logging.getLogger('a')"],
    "argparse.Namespace": ["argparse.Namespace(a=1)"],
    "ast.AST": ["ast.parse('x = 1 + f(y)')", "ast.parse('a.b[c]', mode='eval').body"],
}


def _list(read):
    return ["list", read(0)]


def _dict(read):
    return ["dict", read(0), read(1)]


def _keys(read):
    return ["dict", read(0), _INT]


_CONTAINERS = {
    collections.deque: ("collections", "collections.deque({})", _list),
    collections.OrderedDict: ("collections", "collections.OrderedDict({})", _dict),
    collections.Counter: ("collections", "collections.Counter({})", _keys),
    collections.ChainMap: ("collections", "collections.ChainMap({})", _dict),
    types.MappingProxyType: ("types", "types.MappingProxyType({})", _dict),
    abc.MappingView: ("", "{}.keys()", _keys),
    abc.KeysView: ("", "{}.keys()", _keys),
    abc.ItemsView: ("", "{}.items()", _dict),
    abc.ValuesView: ("", "{}.values()", lambda read: ["dict", _STR, read(0)]),
    contextlib.AbstractContextManager: ("contextlib", "contextlib.nullcontext({})", lambda read: read(0)),
}


def _factory(kind):
    """What a `defaultdict` makes missing values with."""
    if kind[0] == "class" and kind[1] in ("builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.bytes"):
        return kind[1].split(".")[1]
    return _FACTORIES.get(kind[0], "None")


def of_container(cls, read):
    """Module, source and type of what goes into it for a class that is made of a container; None for other classes.

    `read` gives the types of the arguments of the class.
    """
    if cls is collections.defaultdict:
        return ["collections", "collections.defaultdict(%s, {})" % _factory(read(1)), _dict(read)]
    if cls is abc.Generator:
        # What an expression makes gives nothing in the end.
        ends = read(2) in (["any"], ["none"])
        return ["", "(one for one in {})", _list(read) if ends else ["list", ["any"]]]
    if cls not in _CONTAINERS:
        return None
    module, source, inner = _CONTAINERS[cls]
    return [module, source, inner(read)]


def operations(name):
    """The operations that make values of a class by expressions."""
    module = name.rsplit(".", 1)[0]
    for source in EXPRESSIONS.get(name, []):
        yield {
            "kind": "expression",
            "module": "" if module == "builtins" else module,
            "path": source,
            "name": name.rsplit(".", 1)[-1].lower(),
            "parameters": [],
            "result": ["class", name],
            "tested": False,
        }
