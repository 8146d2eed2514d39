"""Coverage by probes in the source: modules under test are compiled from a syntax tree with stores into a byte array.

A probe stands at the entry of every function, on both sides of every `if`, `while`, `for`, on every `case` and every
`except`, and, if lines are measured, before every statement. It costs a store, on every version of Python, and knows no
tracing. What it does not see: conditional expressions, `and`, `or`, comprehensions, and modules without a source file.
The same source gives the same probes in the same order, whether or not lines are measured.
"""

import ast
import builtins
import contextlib
import importlib.machinery
import os
import sys
import sysconfig

from .probed import Probed

NAME = "__testhound_probes__"
PIECE = 512


def install(measure, modules, imports=()):
    """Gives probes to modules that are imported from now on; nothing if nothing is measured.

    `imports` are lists of modules of which only those outside of the standard library are meant, the first list that has one.
    One of `modules` that is the path of a folder stands for all modules in it.
    """
    if measure == "nothing":
        return None
    outside = [[name.split(".")[0] for name in names if not is_standard(name.split(".")[0])] for names in imports]
    modules = list(modules) + next((names for names in outside if names), [])
    probes = Probes(measure == "lines", modules)
    # Functions that are given other globals still find it there.
    setattr(builtins, NAME, probes.hit)
    for name in [name for name in sys.modules if probes.covers(name)]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(probes))
    return probes


def is_standard(name):
    """Whether a module belongs to Python itself."""
    names = getattr(sys, "stdlib_module_names", None)
    if names is not None:
        return name in names
    if name in sys.builtin_module_names:
        return True
    try:
        origin = importlib.machinery.PathFinder.find_spec(name).origin or ""
    except (AttributeError, ImportError, ValueError):
        return False
    return origin.startswith(sysconfig.get_paths()["stdlib"]) and "-packages" not in origin


class Probes:
    """The array of all probes, and which file each belongs to."""

    def __init__(self, lines, modules):
        self.lines = lines
        self.modules = tuple(name for name in modules if not os.path.isabs(name))
        self.folders = tuple(os.path.join(name, "") for name in modules if os.path.isabs(name))
        self.hit = bytearray()
        self.seen = bytearray()
        self.unseen = {}
        self.bases = {}
        self.files = {}
        self.kept = Probed()
        # Within this, time is ours and not that of the step that imports something.
        self.pause = contextlib.ExitStack

    def covers(self, name):
        """Whether a module is under test."""
        return any(name == module or name.startswith(module + ".") for module in self.modules)

    def covers_file(self, spec):
        """Whether a module that was found is in a folder under test."""
        return bool(self.folders) and (spec.origin or "").startswith(self.folders)

    def instrument(self, source, file):
        """The code of a source file, with probes."""
        known = self.bases.get(file)
        base = len(self.hit) if known is None else known
        entry = self.kept.path(source, file, base, self.lines)
        placed, code = self.kept.get(entry) or (None, None)
        if code is None:
            tree = compile(source, file, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            placed = Placer(base, self.lines).place(tree)
            code = compile(tree, file, "exec", dont_inherit=True)
            self.kept.put(entry, placed, code)
        if known is None:
            self.bases[file] = base
            self.files[file] = placed
            self.hit.extend(bytes(len(placed)))
            self.seen.extend(bytes(len(placed)))
            self.unseen.clear()
        return code

    def take_files(self):
        """The files that got probes since the last call."""
        files, self.files = self.files, {}
        return files

    def clear(self):
        """Forgets what was hit."""
        self.hit[:] = bytes(len(self.hit))

    def hits(self):
        """All probes that were hit since `clear`, by file."""
        return self._by_file(indices(self.hit))

    def fresh(self, before=b""):
        """The probes that were hit and not given by this method before, by file; `None` if there are none.

        Only pieces of the array that differ from `before` are looked at: a step changes few of the many probes of a large subject. Of
        those, only pieces with something fresh are gone through: as numbers, they are compared at once.
        """
        if self.hit == self.seen:
            return None
        fresh, hit, seen, number = [], self.hit, self.seen, int.from_bytes
        for start in range(0, len(hit), PIECE):
            piece = hit[start : start + PIECE]
            if piece != before[start : start + PIECE] and number(piece, "little") & self._unseen(start):
                fresh += [start + index for index in indices(piece) if not seen[start + index]]
                del self.unseen[start]
        for index in fresh:
            self.seen[index] = 1
        return self._by_file(fresh) if fresh else None

    def _unseen(self, start):
        """The probes of a piece that were not seen yet, as a number."""
        unseen = self.unseen.get(start)
        if unseen is None:
            seen = self.seen[start : start + PIECE]
            unseen = self.unseen[start] = int.from_bytes(bytes(1 - one for one in seen), "little")
        return unseen

    def _by_file(self, hit):
        bases = sorted((base, file) for file, base in self.bases.items())
        result, position = {}, 0
        for number, (base, file) in enumerate(bases):
            end = bases[number + 1][0] if number + 1 < len(bases) else len(self.hit)
            first = position
            while position < len(hit) and hit[position] < end:
                position += 1
            if position > first:
                result[file] = [index - base for index in hit[first:position]]
        return result


def indices(hit):
    """Where an array is not zero."""
    found, index = [], hit.find(1)
    while index >= 0:
        found.append(index)
        index = hit.find(1, index + 1)
    return found


class Placer:
    """Puts probes into a syntax tree."""

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
        return self.store(ast.Constant(value=self.base + len(self.kinds) - 1), at)

    def line_probe(self, at):
        number = ast.Constant(value=self.base + len(self.line_kinds))
        self.line_kinds.append({"line": at.lineno})
        self.line_numbers.append(number)
        return self.store(number, at)

    def store(self, number, at):
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


def index(number):
    """A subscript, as this version's trees have it."""
    return number if sys.version_info >= (3, 9) else ast.Index(value=number)


def is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)


def is_future(statement):
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class Finder:
    """Finds modules as Python does, and gives those under test a loader that places probes."""

    def __init__(self, probes):
        self.probes = probes

    def find_spec(self, name, path=None, target=None):
        covered = self.probes.covers(name)
        if not covered and not self.probes.folders:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None:
                if not covered and not self.probes.covers_file(spec):
                    return None
                if type(spec.loader) is importlib.machinery.SourceFileLoader:
                    spec.loader = Loader(spec.loader.name, spec.loader.path, self.probes)
                return spec
        return None


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a source file with probes in it."""

    def __init__(self, name, path, probes):
        super().__init__(name, path)
        self.probes = probes

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        try:
            with self.probes.pause():
                return self.probes.instrument(self.get_data(path), path)
        except (RecursionError, ValueError):
            return super().get_code(fullname)
