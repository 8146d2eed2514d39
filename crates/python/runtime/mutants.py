"""Mutants of Python source: small changes of its syntax tree, each of which a good test notices.

Operators: `arithmetic` and `comparison` replace an operator, `logic` swaps `and` and `or`, `condition` negates the test of an `if`, a
`while`, a conditional expression, a filter or an `assert`, `negation` takes a `not` or a minus away, `constant` changes a number, a text or a
truth value, `return` gives `None`, `call` removes a call whose result nobody uses, `loop` swaps `break` and `continue`.

Left alone: docstrings, annotations, decorators, texts in `raise`, what only type checkers or scripts run, `__all__` and such names.
The same source gives the same mutants in the same order on one version of Python. Nothing here runs the source.

    for mutant in mutants(ast.parse(source)): print(mutant.number, mutant.line, mutant.operator, mutant.what)
    mutated(source, 3)  # the text of the fourth one, for a file of its own; needs Python 3.9
    with mutants(tree)[3].applied(): compile(tree, ...)
"""

import ast
import contextlib

_ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_COMPARISON = {
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Lt: [ast.LtE, ast.GtE], ast.LtE: [ast.Lt, ast.Gt], ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt], ast.Is: [ast.IsNot], ast.IsNot: [ast.Is], ast.In: [ast.NotIn], ast.NotIn: [ast.In],
}
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}
_TESTED = (ast.If, ast.While, ast.IfExp, ast.Assert)
# Fields that say something about the code and do nothing.
_SKIPPED = {"annotation", "returns", "decorator_list", "type_comment", "type_params", "format_spec"}
_NAMED = {"__all__", "__slots__", "__version__", "__author__", "__license__"}


class Mutant:
    """One change: `number`, `line`, `column`, `operator`, and in words `what` becomes what."""

    def __init__(self, operator, at, what, parent, field, index, new):
        self.number = 0
        self.operator, self.what = operator, what
        self.line, self.column = at.lineno, at.col_offset
        self._parent, self._field, self._index, self._new = parent, field, index, new

    def _put(self, node):
        if self._index is None:
            old = getattr(self._parent, self._field)
            setattr(self._parent, self._field, node)
            return old
        siblings = getattr(self._parent, self._field)
        old, siblings[self._index] = siblings[self._index], node
        return old

    @contextlib.contextmanager
    def applied(self):
        """Inside, the tree is the mutant's; afterwards it is the old one again."""
        old = self._put(self._new)
        try:
            yield self
        finally:
            self._put(old)

    def told(self):
        """As plain data."""
        return {"number": self.number, "line": self.line, "column": self.column, "operator": self.operator, "what": self.what}


def mutants(tree):
    """All mutants of a syntax tree, in the order of their places."""
    finder = _Finder()
    finder.walk(tree, raising=False)
    finder.found.sort(key=lambda mutant: (mutant.line, mutant.column))
    for number, mutant in enumerate(finder.found):
        mutant.number = number
    return finder.found


def mutated(source, number):
    """The text of one mutant."""
    tree = ast.parse(source)
    with mutants(tree)[number].applied():
        return ast.unparse(tree) + "\n"


def _skips(node):
    """Whether a statement is nothing that tests of the code could run."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If):
        names = {getattr(one, "id", None) or getattr(one, "attr", None) for one in ast.walk(node.test)}
        return bool(names & {"TYPE_CHECKING", "__name__"})
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(isinstance(one, ast.Name) and one.id in _NAMED for one in targets)


class _Finder:
    def __init__(self):
        self.found = []

    def walk(self, node, raising):
        raising = raising or isinstance(node, ast.Raise)
        for field, value in ast.iter_fields(node):
            if field in _SKIPPED:
                continue
            children = enumerate(value) if isinstance(value, list) else [(None, value)]
            for index, child in children:
                if isinstance(child, ast.AST) and not (isinstance(child, ast.stmt) and _skips(child)):
                    self.mutate(node, field, index, child, raising)
                    self.walk(child, raising)

    def add(self, operator, at, what, parent, field, index, new):
        for node in ast.walk(new):
            if "lineno" in node._attributes and not hasattr(node, "lineno"):
                ast.copy_location(node, at)
        self.found.append(Mutant(operator, at, what, parent, field, index, new))

    def mutate(self, parent, field, index, node, raising):
        """Adds the mutants that change a child of a node."""
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
            self.arithmetic(node)
        elif isinstance(node, ast.Compare):
            self.comparison(node)
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            self.add("logic", node, _swap(node.op, other), node, "op", None, other)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            sign = "not" if isinstance(node.op, ast.Not) else "-"
            self.add("negation", node, "`%s` removed" % sign, parent, field, index, node.operand)
        elif isinstance(node, ast.Constant) and not (raising and isinstance(node.value, str)):
            self.constant(parent, field, index, node)
        elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
            self.add("return", node, "gives `None`", node, "value", None, ast.Constant(value=None, kind=None))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self.add("call", node, "call removed", parent, field, index, ast.Pass())
        elif isinstance(node, (ast.Break, ast.Continue)):
            new = ast.Continue() if isinstance(node, ast.Break) else ast.Break()
            words = ("break", "continue") if isinstance(node, ast.Break) else ("continue", "break")
            self.add("loop", node, "`%s` becomes `%s`" % words, parent, field, index, new)
        if isinstance(node, _TESTED) and not isinstance(node.test, ast.Constant):
            self.negate(node, "test", None, node.test)
        for number, test in enumerate(getattr(node, "ifs", ())):
            self.negate(node, "ifs", number, test)

    def negate(self, parent, field, index, test):
        # Of a comparison or a `not`, that is another mutant already.
        same = isinstance(test, ast.Compare) and len(test.ops) == 1 or isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if not same:
            new = ast.UnaryOp(op=ast.Not(), operand=test)
            self.add("condition", test, "condition negated", parent, field, index, new)

    def arithmetic(self, node):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
            return
        new = _ARITHMETIC[type(node.op)]()
        self.add("arithmetic", node, _swap(node.op, new), node, "op", None, new)

    def comparison(self, node):
        for index, operator in enumerate(node.ops):
            for other in _COMPARISON[type(operator)]:
                new = other()
                self.add("comparison", node, _swap(operator, new), node, "ops", index, new)

    def constant(self, parent, field, index, node):
        value = node.value
        if isinstance(value, bool):
            others = [not value]
        elif isinstance(value, (int, float)):
            others = [value + 1]
        elif isinstance(value, (str, bytes)):
            empty, mark = ("", "x") if isinstance(value, str) else (b"", b"x")
            others = [empty if value else mark]
        else:
            return
        for other in others:
            what = "`%s` becomes `%s`" % (_short(value), _short(other))
            self.add("constant", node, what, parent, field, index, ast.Constant(value=other, kind=None))


def _swap(old, new):
    return "`%s` becomes `%s`" % (_SIGNS[type(old)], _SIGNS[type(new)])


def _short(value):
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)) or isinstance(node, ast.JoinedStr)
