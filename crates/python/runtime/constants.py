"""Constants of a module's source: what it writes down, what its doctests give, what its regular expressions match.

Only values that can be written down again are taken, and none that are longer than a screen line or two.
"""

import ast
import doctest
import random
import re

from . import regexes
from .places import is_class
from .uses import constant, dotted

LONGEST = 200


def encode(value):
    """A literal as the protocol has it; None for a value that is none."""
    if value is None or isinstance(value, bool):
        return [value]
    if type(value) is int:
        return [value] if -(1 << 53) < value < 1 << 53 else ["i", str(value)]
    if type(value) is float:
        return ["f", repr(value)]
    if type(value) is str:
        return [value] if len(value) <= LONGEST and _encodable(value) else None
    if type(value) is bytes:
        return ["b", value.decode("latin-1")] if len(value) <= LONGEST else None
    return None


def _encodable(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def docstrings(tree):
    """The nodes of all docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                yield first.value


def mined(tree):
    """All constants of the source but docstrings, each once, in the order of their places."""
    skipped = set(map(id, docstrings(tree)))
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in skipped:
            if isinstance(node.value, (str, bytes, int, float)) and not isinstance(node.value, bool):
                value = encode(node.value)
                if value is not None:
                    found.setdefault(repr(value), (value, node.lineno))
    return [[value, line] for value, line in found.values()]


def named(tree):
    """The constants that names of the module and of its classes stand for: `KINDS = ("a", "b")`, keys of a dictionary."""
    found = {}
    scopes = [("", tree.body)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            scopes += [("self.", node.body), (node.name + ".", node.body)]
    for prefix, body in scopes:
        for node in body:
            if isinstance(node, ast.Assign) and constant(node.value):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found[prefix + target.id] = constant(node.value)[:40]
    return found


def patterns(tree):
    """Texts for the regular expressions that the source writes down."""
    found = []
    short = _short(tree)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and node.args):
            continue
        name = dotted(node.func) or ""
        first = node.args[0]
        if name.split(".")[0] == "re" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.extend(_texts(first.value, 0, short))
    return found


def _short(tree):
    """The short texts among the constants."""
    return [value[0] for value, _ in mined(tree) if len(value) == 1 and isinstance(value[0], str) and 0 < len(value[0]) <= 12]


def _texts(pattern, flags, short):
    drawn = regexes.samples(pattern, 6, flags)
    return drawn + regexes.with_constants(pattern, drawn, short, 10, flags)


def of_patterns(patterns, tree):
    """Texts for regular expressions by their flags."""
    short = _short(tree)
    return [text for pattern, flags in patterns.items() for text in _texts(pattern, flags & re.X, short)]


def combined(texts, count):
    """Texts of two or three others: what is read line by line or word by word."""
    chance = random.Random(len(texts))
    found = []
    for _ in range(count if len(texts) > 1 else 0):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 2)):
            text += chance.choice(["\n    ", "\n", ": ", " "]) + chance.choice(texts)
        if len(text) <= LONGEST and text not in found:
            found.append(text)
    return found


def compiled(module, tree):
    """Texts for the compiled regular expressions that a module has."""
    found = []
    short = _short(tree)
    holders = [module] + [one for one in vars(module).values() if is_class(one)]
    for holder in holders:
        for value in list(vars(holder).values()):
            if type(value) is re.Pattern and isinstance(value.pattern, str):
                found.extend(_texts(value.pattern, value.flags & re.X, short))
    return found


def _one_line(source, node):
    """The source of an argument in one line."""
    text = ast.get_source_segment(source, node) or ""
    if "\n" not in text:
        return text
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, SyntaxError, TypeError):
        return ""


def examples(text, calls):
    """Adds the literal arguments of the calls in doctests to `calls`: a list of values by (last name, place)."""
    if not text or ">>>" not in text:
        return
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for example in parsed:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = (dotted(node.func) or "").rsplit(".", 1)[-1]
                places = list(enumerate(node.args)) + [(one.arg, one.value) for one in node.keywords if one.arg]
                for place, argument in places:
                    argument.written = _one_line(example.source, argument)
                    calls.setdefault((name, place), []).append(argument)
