"""Puts probes into the syntax trees of modules under test.

A probe stands at the entry of every function, on both sides of every `if`, `while`, `for`, on every `case` and every `except`, and, if
lines are measured, before every statement. The same source gives the same probes in the same order, whether or not lines are measured,
and whatever a probe is: a store into a byte array, or an empty statement on a line of its own.
"""

import ast
import sys

# What code with probes calls the byte array.
NAME = "__testhound_probes__"
# Lines from here on are those of probes: no file is that long.
PAST = 1000000


class Placer:
    """Puts stores into a syntax tree."""

    def __init__(self, base, lines):
        self.base = base
        self.lines = lines
        self.kinds = []
        self.line_kinds = []
        self.line_numbers = []

    def place(self, tree):
        """Changes the tree; gives what its probes show."""
        self.block(tree.body, keep=True)
        for number in self.line_numbers:
            number.value += len(self.kinds)
        return self.kinds + self.line_kinds

    def probe(self, kind, at):
        self.kinds.append(kind)
        return self.statement_of(ast.Constant(value=self.base + len(self.kinds) - 1), at)

    def line_probe(self, at):
        number = ast.Constant(value=self.base + len(self.line_kinds))
        self.line_kinds.append({"line": at.lineno})
        self.line_numbers.append(number)
        return self.statement_of(number, at)

    def statement_of(self, number, at):
        target = ast.Subscript(value=ast.Name(id=NAME, ctx=ast.Load()), slice=index(number), ctx=ast.Store())
        statement = ast.Assign(targets=[target], value=ast.Constant(value=1))
        for node in ast.walk(statement):
            node.lineno, node.col_offset = at.lineno, at.col_offset
            node.end_lineno, node.end_col_offset = at.lineno, at.col_offset
        return statement

    def block(self, body, first=(), keep=False):
        """Walks over a block; the probes `first` come first, after what must stay there."""
        result = []
        for number, statement in enumerate(body):
            stays = keep and number == 0 and is_text(statement) or is_future(statement)
            if not stays and first:
                result.extend(first)
                first = ()
            if self.lines and not stays:
                result.append(self.line_probe(statement))
            self.statement(statement)
            result.append(statement)
        result.extend(first)
        body[:] = result

    def side(self, owner, name, number, at):
        """Puts a probe on a side of a branch, which is made if it is not there."""
        probe = self.probe({"branch": [owner.lineno, number]}, at)
        self.block(getattr(owner, name), [probe])

    def statement(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.block(node.body, [self.probe({"enter": node.lineno}, node.body[0])], keep=True)
        elif isinstance(node, ast.ClassDef):
            self.block(node.body, keep=True)
        elif isinstance(node, (ast.If, ast.While, ast.For, ast.AsyncFor)):
            self.side(node, "body", 0, node.body[0])
            if not (isinstance(node, ast.While) and isinstance(node.test, ast.Constant)):
                self.side(node, "orelse", 1, node.orelse[0] if node.orelse else node)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self.block(node.body)
        elif hasattr(node, "handlers"):
            self.block(node.body)
            for handler in node.handlers:
                self.side(handler, "body", 0, handler.body[0])
            self.block(node.orelse)
            self.block(node.finalbody)
        elif hasattr(node, "cases"):
            for number, case in enumerate(node.cases):
                probe = self.probe({"branch": [node.lineno, number]}, case.body[0])
                self.block(case.body, [probe])


class LinePlacer(Placer):
    """Puts empty statements into a syntax tree, each on a line of its own: its number is that of the probe, after `PAST`."""

    def statement_of(self, number, at):
        statement = ast.Pass()
        statement.lineno = statement.end_lineno = PAST + number.value
        statement.col_offset = statement.end_col_offset = 0
        return statement


def index(number):
    """A subscript, as this version's trees have it."""
    return number if sys.version_info >= (3, 9) else ast.Index(value=number)


def is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)


def is_future(statement):
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
