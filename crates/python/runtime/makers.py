"""Expressions for values of classes that constructors alone make badly: dates, paths, patterns, streams, numbers."""

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
