"""Coverage by probes in the source: modules under test are compiled from a syntax tree with stores into a byte array.

A probe (see `placing` for where they stand) costs a store, on every version of Python, and knows no tracing. Where only the first hit of
each counts, it costs nothing afterwards (see `monitored` for Python 3.12 and newer, and `skipping`). What probes do not see: conditional
expressions, `and`, `or` and comprehensions. Modules that have code but no source that probes can be placed in are traced (see `tracing`),
and those that have no code of Python are told.
"""

import ast
import builtins
import contextlib
import importlib.machinery
import os
import sys
import sysconfig
import zipimport

from .placing import NAME, Placer
from .probed import Probed

PIECE = 512


def install(measure, modules, imports=(), repeats="always"):
    """Gives probes to modules that are imported from now on; nothing if nothing is measured.

    `imports` are lists of modules of which only those outside of the standard library are meant, the first list that has one.
    One of `modules` that is the path of a folder stands for all modules in it. `repeats` tells
    when it is of interest that a probe is hit again: `always`, `later`, when tests were run without for a while, or `seldom`.
    """
    if measure == "nothing":
        # Where a module of ours has the name of one under test, that one is imported anew as where it is measured.
        forget(Probes(False, modules))
        return None
    outside = [[name.split(".")[0] for name in names if not is_standard(name.split(".")[0])] for names in imports]
    modules = list(modules) + next((names for names in outside if names), [])
    probes = kind(measure, repeats)(measure == "lines", modules)
    # Functions that are given other globals still find it there.
    setattr(builtins, NAME, probes.hit)
    forget(probes)
    sys.meta_path.insert(0, Finder(probes))
    return probes


def forget(probes):
    """Lets modules under test be imported anew."""
    for name in [name for name in sys.modules if probes.covers(name)]:
        del sys.modules[name]


def kind(measure, repeats):
    """The class of probes that costs least."""
    if repeats == "always":
        return Probes
    if repeats == "seldom" and measure == "branches" and sys.version_info >= (3, 12):
        from .monitored import Monitored, is_free

        if is_free():
            return Monitored
    from .skipping import Skipping

    return Skipping


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

    placer = Placer

    def __init__(self, lines, modules):
        self.lines = lines
        self.modules = tuple(name for name in modules if not os.path.isabs(name))
        self.folders = tuple(os.path.join(name, "") for name in modules if os.path.isabs(name))
        self.hit = bytearray()
        self.seen = bytearray()
        self.unseen = {}
        self.bases = {}
        self.files = {}
        self.unmeasured = {}
        self.kept = Probed()
        self.tracing = None
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
        base = self.bases.get(file, len(self.hit))
        entry = self.kept.path(source, file, base, self.lines, self.placer.__name__)
        placed, code = self.kept.get(entry) or (None, None)
        if code is None:
            tree = compile(source, file, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            placed = self.placer(base, self.lines).place(tree)
            code = compile(tree, file, "exec", dont_inherit=True)
            self.kept.put(entry, placed, code)
        self.add(file, placed)
        self.watch(code)
        return code

    def trace(self, code, file):
        """Traces code that was compiled without probes; gives it back."""
        from .tracing import places, tracing

        self.tracing = self.tracing or tracing(self.hit)
        placed, found = places(code, self.lines)
        self.add(file, placed)
        self.tracing.add(found, self.bases[file])
        return code

    def add(self, file, placed):
        """Makes room for the probes of a file, if it is a new one."""
        if file not in self.bases:
            self.bases[file] = len(self.hit)
            self.files[file] = placed
            self.hit.extend(bytes(len(placed)))
            self.seen.extend(bytes(len(placed)))
            self.unseen.clear()

    def watch(self, code):
        """Sees to it that the probes of new code are told; stores need nothing."""

    def take_files(self):
        """The files that got probes since the last call."""
        files, self.files = self.files, {}
        return files

    def take_unmeasured(self):
        """The modules under test that got no probes since the last call, with the reasons."""
        unmeasured, self.unmeasured = self.unmeasured, {}
        return unmeasured

    def gather(self):
        """Is called when everything is loaded."""

    def rest(self):
        """Is called between tests."""

    def clear(self):
        """Forgets what was hit."""
        self.hit[:] = bytes(len(self.hit))

    def restore(self):
        """Forgets what was hit since the last call of `fresh`."""
        self.hit[:] = self.seen

    @contextlib.contextmanager
    def apart(self):
        """What is hit meanwhile is not told."""
        try:
            yield
        finally:
            self.restore()

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
                elif has_code(spec.loader):
                    spec.loader = CodeLoader(spec.loader, self.probes)
                elif spec.has_location:
                    self.probes.unmeasured[name] = without_source(spec.loader)
                return spec
        return None


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a source file with probes in it."""

    def __init__(self, name, path, probes):
        super().__init__(name, path)
        self.probes = probes

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        with self.probes.pause():
            try:
                return self.probes.instrument(self.get_data(path), path)
            except (RecursionError, ValueError):
                return self.probes.trace(super().get_code(fullname), path)


class CodeLoader:
    """Loads what another loader finds in an archive, or as compiled code: with probes if that has the source, and traced if not."""

    def __init__(self, loader, probes):
        self.loader, self.probes = loader, probes

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__spec__.name), module.__dict__)

    def get_code(self, fullname):
        path = self.loader.get_filename(fullname)
        with self.probes.pause():
            if self.loader.get_source(fullname) is not None:
                path = path[:-1] if path.endswith(".pyc") else path
                try:
                    return self.probes.instrument(self.loader.get_data(path), path)
                except (RecursionError, ValueError):
                    pass
            return self.probes.trace(self.loader.get_code(fullname), path)


def has_code(loader):
    """Whether a loader that knows no source files gives code of Python."""
    return isinstance(loader, (importlib.machinery.SourcelessFileLoader, zipimport.zipimporter))


def without_source(loader):
    """Why a module that such a loader loads is not measured."""
    if isinstance(loader, importlib.machinery.ExtensionFileLoader):
        return "it is a compiled extension"
    return "its loader is `%s`, which is not known" % type(loader).__name__
