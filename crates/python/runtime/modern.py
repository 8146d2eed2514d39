"""Annotations that are texts, where the interpreter is older than their form: `int | None` before Python 3.10, `list[int]` before 3.9.

Such modules import and run there, for `from __future__ import annotations` evaluates nothing. No name is trusted for its spelling:
operators become calls of functions that see values, so that somebody's own class `list` is what it is. Newer syntax is not understood,
and names that an older standard library lacks are not made up.
"""

import ast
import sys
import typing

_OLD_UNIONS = sys.version_info < (3, 10)
_OLD_GENERICS = sys.version_info < (3, 9)
# Names that no source can have.
_EITHER, _OF = "|", "[]"


def evaluate(text, names):
    """What a text means where names mean this. Raises whatever comes of it."""
    if not _OLD_UNIONS:
        return eval(text, dict(names))
    tree = _Rewritten().visit(ast.parse(text.lstrip(" \t"), mode="eval"))
    code = compile(ast.fix_missing_locations(tree), "<annotation>", "eval")
    return eval(code, dict(names, **{_EITHER: _either, _OF: _of}))


def evaluated(kind, names):
    """What an annotation means if it is a text that can be evaluated, and else itself."""
    text = kind.__forward_arg__ if isinstance(kind, typing.ForwardRef) else kind
    try:
        return evaluate(text, names) if isinstance(text, str) else kind
    except Exception:
        return kind


class _Rewritten(ast.NodeTransformer):
    """Calls of functions in place of operators that the interpreter may lack for types."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return _call(_EITHER, node, node.left, node.right) if isinstance(node.op, ast.BitOr) else node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        plain = _OLD_GENERICS and isinstance(node.slice, ast.Index)
        return _call(_OF, node, node.value, node.slice.value) if plain else node


def _call(name, node, *arguments):
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)


def _either(left, right):
    try:
        return left | right
    except TypeError:
        return typing.Union[left, right]


def _of(generic, arguments):
    if not isinstance(generic, type):
        return generic[arguments]
    for alias in vars(typing).values():
        if typing.get_origin(alias) is generic:
            return alias[arguments]
    # Classes such as `os.PathLike` and heirs of `list` take arguments since 3.9 only. They are understood without.
    takes = hasattr(generic, "__class_getitem__") or hasattr(type(generic), "__getitem__")
    return generic[arguments] if takes else generic
