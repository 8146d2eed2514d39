"""Measures the size of actions: of every function that an action enters, each counted once, the source lines or something else.

Groce et al., "Using Relative Lines of Code to Guide Automated Test Generation for Python", Figure 2: functions are known by name
and file, those of the harness do not count, comments and blank lines do. `static` is the estimate that the paper compares with:
the lines of all functions of the modules under test whose names stand in an action before a parenthesis.

Differences: functions without source, such as those that libraries make by `exec`, count nothing; there they ended the run. Modules
that an action imports count nothing either, nor what runs while they are found and loaded: it happens once. Branches, complexity and
changed lines are what the paper leaves to future work. What `inspect` gives for comprehensions and generator expressions depends on the
version of Python: the function around them before 3.13, then the statement that they stand in.
"""

import ast
import dis
import inspect
import linecache
import os
import re
import sys
import textwrap
import tokenize

from .placing import PAST

OURS = os.path.dirname(os.path.abspath(__file__))
DECISIONS = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension, ast.Assert)
DEFINITION = re.compile(r"\s*(async\s+def\s|def\s|@)")
# What `inspect` takes for the beginning of a function.
BEGINNING = re.compile(r"^(\s*def\s)|(\s*async\s+def\s)|(.*(?<!\w)lambda(:|\s))|^(\s*@)")


def first_line(code, lines):
    """The line in which `inspect` sees a function begin; 0 where there is no source."""
    first = code.co_firstlineno
    if not 0 < first <= len(lines):
        return 0
    if sys.version_info >= (3, 13) or BEGINNING.match(lines[first - 1]):
        return first
    # What is in a function, such as a comprehension, is taken for all of it.
    return next((one for one in range(first, 1, -1) if BEGINNING.match(lines[one - 1])), 1)


def block(code, lines, first):
    """The source lines of a function, as `inspect.getsourcelines` gives them.

    Taking the source apart into tokens, as `inspect` does, took most of the time of sampling. It is done only where what follows the last
    line that the code knows of may belong to the function.
    """
    if first == code.co_firstlineno and code.co_name[0] != "<" and DEFINITION.match(lines[first - 1]):
        last = clear_end(lines, min(last_line(code), len(lines)), indentation(lines[first - 1]))
        if last is not None:
            return lines[first - 1 : last]
    try:
        return inspect.getblock(lines[first - 1 :])
    except (SyntaxError, tokenize.TokenError):
        return []


def clear_end(lines, last, indent):
    """The last line of a function whose code knows of `last`; nothing if it takes a closer look."""
    known = lines[last - 1]
    if '"""' in known or "'''" in known or known.lstrip()[:1] == "@":
        return None
    for line in lines[last:]:
        column, rest = indentation(line), line.lstrip()
        if not rest or rest[0] == "#" and column <= indent:
            continue
        return last if column <= indent and rest[0] not in "#)]}" else None
    return last


def indentation(line):
    """The column of the first thing in a line."""
    return len(line) - len(line.lstrip())


def last_line(code):
    """The last line of a function that its code knows of, functions in it included."""
    if hasattr(code, "co_positions"):
        ends = [end for _, end, _, _ in code.co_positions() if end is not None and end < PAST]
    else:
        ends = [line for _, line in dis.findlinestarts(code)]
    ends += [last_line(one) for one in code.co_consts if isinstance(one, type(code))]
    return max(ends, default=code.co_firstlineno)


def decisions(lines):
    """How many places of a function decide where it goes on."""
    try:
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (SyntaxError, ValueError, RecursionError):
        return 0
    found = 0
    for node in ast.walk(tree):
        if isinstance(node, DECISIONS) or type(node).__name__ == "match_case":
            found += 1
        elif isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
    return found


class Sizes:
    """Counts while an action runs. `by` is `lines`, `branches` or `complexity`; `changed` are ranges of lines by path."""

    def __init__(self, harness, by="lines", changed=None):
        self.harness, self.by, self.changed = harness, by, changed
        self.known = {}
        self.raised = None
        self.seen = set()
        self.total = 0
        self.loading = 0

    def enter(self, frame, event, argument):
        code = frame.f_code
        if code.co_filename.startswith("<frozen importlib"):
            self.loading += 1
            frame.f_trace_lines = False
            return self.leave
        if self.loading:
            return None
        key = (code.co_name, code.co_filename)
        if key not in self.seen:
            self.seen.add(key)
            self.total += self.size(code, frame.f_globals)
        return None

    def leave(self, frame, event, argument):
        if event == "return":
            self.loading -= 1
        return self.leave

    def size(self, code, names):
        # Functions of one name are different ones; what begins in one line has the same source.
        file = code.co_filename
        known = self.known.get((file, code.co_firstlineno))
        if known is None:
            lines = [] if file == self.harness or file.startswith(OURS) else linecache.getlines(file, names)
            first = first_line(code, lines)
            known = self.known.get((file, first))
            if known is None:
                known = self.known[file, first] = self.of(file, block(code, lines, first) if first else [], first)
            self.known[file, code.co_firstlineno] = known
        return known

    def of(self, file, lines, first):
        """The size of a function with these lines."""
        if self.changed is not None:
            last = first + len(lines) - 1
            ranges = self.changed.get(os.path.realpath(file), ())
            touched = [(max(low, first), min(high, last)) for low, high in ranges]
            if self.by == "lines":
                return sum(high - low + 1 for low, high in touched if low <= high)
            if not any(low <= high for low, high in touched):
                return 0
        if self.by == "branches":
            return 2 * decisions(lines)
        if self.by == "complexity":
            return 1 + decisions(lines) if lines else 0
        return len(lines)

    def measure(self, act, sut, arguments):
        """Runs an action; gives its size, and keeps what it raised."""
        self.seen, self.total, self.loading, self.raised = set(), 0, 0, None
        before = sys.gettrace()
        sys.settrace(self.enter)
        try:
            self.raised = act(sut, *arguments)
        except Exception as error:
            self.raised = error
        finally:
            sys.settrace(before)
        return self.total

    def static(self, texts, modules):
        """The sizes of actions with these texts, by the names in them."""
        named = {}
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] in modules and module is not None:
                for holder in [module] + [one for one in vars(module).values() if isinstance(one, type)]:
                    self.list_functions(holder, name.split(".")[0], named)
        sizes = []
        for text in texts:
            called = set(re.findall(r"([A-Za-z_]\w*)\s*\(", text))
            sizes.append(sum(sum(named[one].values()) / len(named[one]) for one in called if one in named))
        return sizes

    def list_functions(self, holder, package, named):
        for name, value in list(vars(holder).items()):
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            made = name
            if isinstance(holder, type) and name == "__init__":
                made = holder.__name__
            code = getattr(value, "__code__", None)
            if code is not None and (getattr(value, "__module__", None) or "").split(".")[0] == package:
                named.setdefault(made, {})[code] = self.size(code, getattr(value, "__globals__", None))
