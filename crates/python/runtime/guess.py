"""Types of parameters that nobody annotated: from their default, their docstring, how they are used, and last their name.

A guess is a type as in `annotations`. Strong evidence (attributes, `isinstance`, defaults, docstrings) goes before weak evidence
(operators, iteration), and that before names.
"""

import ast
import builtins
import io
import re

from .annotations import ANY, NONE, union

INT, FLOAT, STR, BYTES, BOOL = (["class", "builtins." + name] for name in ("int", "float", "str", "bytes", "bool"))
LIST, DICT, SET, TUPLE = ["list", ANY], ["dict", ANY, ANY], ["set", ANY], ["tuple-of", ANY]
_BUILTIN = [
    (STR, set(dir(str))), (LIST, set(dir(list))), (DICT, set(dir(dict))), (SET, set(dir(set))), (BYTES, set(dir(bytes))),
    (INT, set(dir(int))), (FLOAT, set(dir(float))), (TUPLE, set(dir(tuple))), (["class", "io.StringIO"], set(dir(io.StringIO))),
]
_KINDS = {
    "int": [INT], "float": [FLOAT], "str": [STR], "bytes": [BYTES], "bool": [BOOL], "iterable": [LIST, STR, TUPLE, DICT, ["iterator", ANY]],
    "sized": [LIST, STR, DICT], "indexed": [LIST, STR, DICT, TUPLE], "mapping": [["dict", STR, ANY]], "key": [STR, INT],
    "texts": [["list", STR]],
}
_NAMES = [
    (re.compile(r"^(n|i|j|k|x|y|z|num\w*|count|size|index|idx|width|height|length|limit|maxsize|level|depth|start|stop|end|year|"
                r"month|day|hour|minute|second|port|age|step|offset|\w+_(count|size|index|length|limit|no|id))$"), [INT, FLOAT]),
    (re.compile(r"^(is|has|use|allow|ignore|include|skip|should|enable)_\w+$|^(flag|verbose|strict|reverse|recursive|force)$"), [BOOL]),
    (re.compile(r"^(s|c|ch|char|str\w*|text|\w*name|\w*string|msg|message|line|word|\w*pattern|prefix|suffix|encoding|fmt|\w*format|"
                r"path|\w*file|url|uri|html|xml|code|source|token|title|label|value|key|src|sep|\w*delimiter|lang|doc|tag)$"), [STR]),
    (re.compile(r"^(items|iterable\w*|seq\w*|values|lst|\w*list|elements|args|rows|lines|words|words|nums|numbers|\w+s)$"), [LIST]),
    (re.compile(r"^(d|mapping|\w*dict|kwargs|options|config|params|headers|env|attrs)$"), [DICT]),
    (re.compile(r"^(f|fn|func|function|callback|predicate|pred|handler|hook|factory|\w+_(func|fn|callback|hook))$"),
     [["callable", -1, ANY]]),
    (re.compile(r"^(data|buf\w*|payload|raw)$"), [STR, BYTES, LIST]),
]


def of_value(value):
    """The type of a value, as far as it says something."""
    if value is None:
        return None
    if isinstance(value, (bool, int, float, str, bytes)):
        return ["class", "builtins." + type(value).__name__]
    for cls, kind in ((list, LIST), (dict, DICT), (set, SET), (tuple, TUPLE)):
        if isinstance(value, cls):
            return kind
    return ["callable", -1, ANY] if callable(value) and not isinstance(value, type) else None


def of_example(node):
    """The type of a container or a function that an example writes down without names; None for all else."""
    if isinstance(node, ast.Lambda):
        bound = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        free = {one.id for one in ast.walk(node.body) if isinstance(one, ast.Name)} - bound - set(dir(builtins))
        return None if free else ["callable", len(node.args.args), ANY]
    try:
        return _of_elements(ast.literal_eval(node))
    except (ValueError, SyntaxError, TypeError, RecursionError):
        return None


def _of_elements(value):
    """The type of a container by its elements."""
    words = {list: "list", tuple: "tuple-of"}
    inner = lambda values: union([_of_elements(one) or of_value(one) or ANY for one in values]) if values else ANY
    if isinstance(value, dict):
        return ["dict", inner(list(value)), inner(list(value.values()))]
    return [words[type(value)], inner(list(value))] if type(value) in words else None


def _by_attributes(attributes, owned):
    """The classes that have all these attributes, or else the most of them."""
    wanted = {one for one in attributes if not (one.startswith("__") and one.endswith("__"))}
    if not wanted:
        return []
    known = _BUILTIN + owned
    for kind, has in known:
        if wanted <= has:
            # All that fit, but of the built-in ones not those that are mere relatives of a better one.
            fitting = [kind for kind, has in known if wanted <= has]
            return fitting[:4]
    most = max(len(wanted & has) for _, has in known)
    return [kind for kind, has in known if len(wanted & has) == most][:3] if most else []


def guess(name, use, default, documented, owned, resolve, depth=0):
    """The type of a parameter. `resolve` turns the name in an `isinstance` into a type or None."""
    strong = _by_class(name, owned)
    if documented is not None and documented != NONE:
        strong.append(documented)
    given = of_value(default)
    if given is not None:
        strong.append(given)
    if use is not None:
        by_attributes = _by_attributes(use.attributes, owned)
        inner = _container(use, owned, resolve, depth)
        strong += inner + [one for one in by_attributes if not (inner and one == LIST)] if by_attributes else []
        strong += [kind for kind in map(resolve, use.instances) if kind is not None and kind != ANY]
        if "callable" in use.kinds:
            strong.append(["callable", -1 if use.arity is None else use.arity, ANY])
    if strong:
        return union(strong[:6])
    weak = []
    if use is not None:
        weak += [kind for kind in (of_value(value) for value in use.constants) if kind is not None]
        inner = _container(use, owned, resolve, depth)
        weak += inner
        for word in sorted(use.kinds - {"bool", "callable"}):
            weak += [one for one in _KINDS.get(word, []) if not (inner and one == LIST)]
        if not weak and any(isinstance(value, str) for value in use.parts):
            weak.append(STR)
        if not weak and "bool" in use.kinds:
            by_name = _by_name(name)
            return union(by_name + [BOOL]) if by_name else ANY
    weak = weak or _by_name(name)
    return union(weak[:6]) if weak else ANY


def _by_class(name, owned):
    """The classes of the module that a parameter is named after."""
    plain = name.replace("_", "").lower()
    return [kind for kind, _ in owned if kind[1].rsplit(".", 1)[-1].lower() == plain]


def _container(use, owned, resolve, depth):
    """Lists of what the elements are used as."""
    if use is None or use.element is None or depth > 2:
        return []
    inner = guess("", use.element, None, None, owned, resolve, depth + 1)
    return [["list", inner]] if inner != ANY else []


def _by_name(name):
    for pattern, kinds in _NAMES:
        if pattern.match(name):
            return list(kinds)
    return []
