"""Writes tests of a harness as plain Python: statements over variables such as `avl0`, with what they gave.

A test is run while it is written, so that values and exceptions can be asserted. What is written needs nothing of ours.
"""

import ast
import dis
import itertools
import re

from .harness_code import constant, render, value_text

SLOT = re.compile(r"self\.p_(\w+?)\[(\d+)\]")
# Assertions on longer values say more than people read.
LONGEST = 200
# Properties that are written at the end of a test.
MOST_PROPERTIES = 12
# What a file calls when it is loaded, when a test begins, and around every step.
HOOKS = ("test_before_all", "test_before_restart", "test_after_restart", "test_before_each", "test_after_each")


class Variables:
    """Slots as variables: `n3` is slot 3 of the pool `n`, or `n_3` where something else may be called so."""

    def __init__(self, pools, names):
        names = set(pools).union(names)
        self.clashing = {pool for pool in pools if any(one != pool and is_numbered(one, pool) for one in names)}

    def pretty(self, text):
        return plain(SLOT.sub(lambda found: ("%s_%s" if found[1] in self.clashing else "%s%s") % found.groups(), text))


def is_numbered(name, pool):
    return name.startswith(pool) and name[len(pool) :].isdigit()


def plain(text):
    """Our own names as people would choose them."""
    return text.replace("__pre[", "before[").replace("__pre =", "before =").replace("__error", "error").replace("__before", "before").replace("__after", "after")


class Writer:
    """Writes one test: `lines` are its statements."""

    def __init__(self, runner, asserts):
        self.runner, self.sut, self.asserts = runner, runner.sut, asserts
        self.lines = []
        # Whether the last step raised something that nobody expects.
        self.failed = False
        # Hooks that look at pools need them; else slots are variables.
        self.pooled = any(looks_at_pools(runner.namespace.get(name)) for name in HOOKS)

    def write(self, steps, failing, comment):
        """Runs and writes the steps. `failing` is nothing, `raised`, or `fatal` where the last step must not be taken again.

        The comment goes before what fails.
        """
        runner = self.runner
        if self.pooled:
            self.lines.append("self = Pools()")
        self.hook("test_before_restart")
        self.sut.empty()
        for check in runner.model["inits"]:
            self.lines += [self.pretty(text) for text in self.fillings(check, alive=False)]
        self.begin()
        if not self.failed:
            self.hook("test_after_restart")
        blamed = 0
        for number, step in enumerate(steps):
            last = failing == "fatal" and number == len(steps) - 1
            self.hook("test_before_each")
            blamed = len(self.lines)
            self.step(runner.actions[step[0]], tuple(step[1:]), last)
            if not last and not self.failed:
                self.hook("test_after_each")
        if not self.failed:
            checks = self.properties(failing == "raised")
            blamed = len(self.lines) if failing == "raised" and checks else blamed
            self.lines += checks
        if comment:
            self.lines.insert(blamed, comment)
        if runner.finish is not None:
            ends = [self.pretty(text) for check in runner.model["finallys"] for text in self.fillings(check, alive=True)]
            body = ["    " + line for line in self.lines]
            self.lines = ["try:"] + body + ["finally:"] + ["    " + line for line in ends or ["pass"]]
            runner.finish(self.sut)
        return self.lines

    def pretty(self, text):
        return plain(text) if self.pooled else self.runner.variables.pretty(text)

    def hook(self, name):
        """Calls a hook as runs do, and writes the call."""
        hook = self.runner.namespace.get(name)
        if hook is None:
            return
        line = "%s(%s)" % (name, "self" if self.pooled else "None")
        try:
            hook(self.sut)
            self.lines.append(line)
        except Exception:
            self.lines += tolerant(line, ["Exception"])

    def begin(self):
        """Does what begins a test; one that fails there is written all the same."""
        try:
            if self.runner.init is not None:
                self.runner.init(self.sut)
        except BaseException:
            self.failed = True

    def fillings(self, check, alive):
        """The texts of a check for all fillings of its holes; only those of live slots, if asked."""
        holes, pools = check["holes"], self.runner.model["pools"]
        ranges = []
        for hole in holes:
            if "slot" in hole:
                slots = self.sut.pools[hole["slot"]["pool"]]
                ranges.append([k for k in range(len(slots)) if not alive or slots[k] is not None])
            else:
                ranges.append(range(self.runner.count(hole)))
        for filling in itertools.product(*ranges):

            def fill(kind, what, filling=filling):
                if kind == "before":
                    return render(what, fill)
                hole = holes[what]
                if "slot" not in hole:
                    return value_text(hole, filling[what]).strip()
                name = pools[hole["slot"]["pool"]]["name"] + ("_REF" if kind == "reference" else "")
                return "self.p_%s[%d]" % (name, filling[what])

            yield render(check["template"], fill).strip()

    def step(self, action, arguments, last):
        block = action.concrete(arguments)
        if block[-1] == "return raised":
            expected = ", ".join(action.model["expected"] + self.runner.model["exceptions"] + action.model["warned"])
            named = "(%s)" % (expected + "," if expected else "")
            self.lines += [self.pretty(indented(line).replace("__expected_of%d" % action.number, named)) for line in block[:-1]]
            if not last:
                self.act(action, arguments)
            return
        text = block[0] if len(block) == 1 else None
        value, raised = self.act(action, arguments, text) if not last else (None, None)
        lines = [self.pretty(line) for line in block]
        if raised is not None and isinstance(raised, action.expected + action.warned):
            self.lines += ["with pytest.raises(%s):" % self.expected_name(action, raised)]
            self.lines += ["    " + line for line in lines]
        elif text is not None and raised is None:
            self.lines.append(self.asserted(lines[0], value))
        else:
            self.lines += lines

    def act(self, action, arguments, text=None):
        """Takes the step; gives its value, where it is an expression, and what it raised."""
        sut, value, raised = self.sut, None, None
        try:
            expression = as_expression(text) if text is not None else None
            if expression is None:
                raised = action.act(sut, *arguments)
            else:
                value = eval(expression, self.runner.namespace)(sut)
        except BaseException as error:
            raised = error
        self.failed = raised is not None and not isinstance(raised, action.expected + action.warned)
        for pool, index in action.uses:
            sut.used[pool][arguments[index]] = True
        for pool, index in action.assigns:
            sut.used[pool][arguments[index]] = False
        return value, raised

    def expected_name(self, action, raised):
        """How the harness calls an exception."""
        for name in action.model["expected"] + self.runner.model["exceptions"] + action.model["warned"]:
            for one in name.split(","):
                try:
                    if isinstance(raised, eval(one, self.runner.namespace)):
                        return one.strip()
                except Exception:
                    pass
        return type(raised).__name__

    def asserted(self, text, value):
        """A statement with an assertion on its value, where that can be written down."""
        if not self.asserts or value is None:
            return text
        if isinstance(value, bool):
            return "assert %s is %r" % (in_brackets(text), value)
        try:
            shown = repr(value)
            same = len(shown) <= LONGEST and ast.literal_eval(shown) == value
        except Exception:
            same = False
        if not same or (constant(shown) and shown in ("nan", "inf")):
            return text
        if isinstance(value, float):
            return "assert %s == pytest.approx(%s)" % (in_brackets(text), shown)
        return "assert %s == %s" % (in_brackets(text), shown)

    def properties(self, failing):
        """Lines with what must hold in the end; of a failing test only the first thing that does not."""
        lines, left = [], 1 if failing else MOST_PROPERTIES
        for check in self.runner.code.checks():
            expected = check["expected"] + self.runner.model["exceptions"]
            for text in self.fillings(check, alive=True):
                if left > 0 and self.holds(check, expected, text) is (not failing):
                    lines += tolerant("assert " + self.pretty(text), expected)
                    left -= 1
        return lines

    def holds(self, check, expected, text):
        """Whether a check holds now; `None` where it raises what is expected."""
        code = self.runner.code
        made = code.function("def made(self):\n assert %s\n" % text, check)
        try:
            made(self.sut)
        except code.exceptions(expected, check):
            return None
        except BaseException:
            return False
        return True


def looks_at_pools(hook):
    """Whether a hook uses what it is given."""
    code = getattr(hook, "__code__", None)
    if code is None or not code.co_varnames:
        return hook is not None
    given = code.co_varnames[0]
    # Some instructions of newer versions load two variables.
    values = [one.argval for one in dis.get_instructions(code)]
    return any(given in value if isinstance(value, tuple) else value == given for value in values)


def tolerant(line, expected):
    """A statement that may raise these."""
    if not expected:
        return [line]
    names = ", ".join(name.strip() for name in expected)
    return ["try:", "    " + line, "except %s:" % ("(%s)" % names if "," in names else names), "    pass"]


def indented(line):
    """A line with four spaces where ours has one."""
    body = line.lstrip(" ")
    return "    " * (len(line) - len(body)) + body


def in_brackets(text):
    """An expression that can stand beside a comparison."""
    tree = ast.parse(text, mode="eval").body
    plain = (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant)
    return text if isinstance(tree, plain) else "(%s)" % text


def as_expression(text):
    """Code for a function that gives the value of a text; nothing if it is no expression."""
    try:
        # Comprehensions see the variables of a function, and not those that are given to `eval`.
        return compile("lambda self: (\n%s\n)" % text, "<step>", "eval")
    except (SyntaxError, ValueError):
        return None
