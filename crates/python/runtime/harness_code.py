"""Makes Python functions of a harness: one per action class, with slots and values as arguments, whatever their number.

Text keeps the form that TSTL gives it (`self.p_NAME[k]`), so that patterns of `reference:` and `compare:` see what they saw there.
A value that does not stand where an expression can, such as half a name, makes variants that are compiled when first chosen.
"""

import ast
import re

from . import harness_places
from .harness_draw import LISTED


class BadHarness(Exception):
    """Python in a harness that does not compile; carries its line and column."""

    def __init__(self, line, column, cause):
        super().__init__(cause)
        self.place = (line, column, cause)


def render(template, filler):
    """The text of a template; `filler(kind, what)` gives the text of a hole, a reference or an earlier value."""
    text = []
    for part in template["parts"] if template else ():
        (kind, what), = part.items()
        text.append(what if kind == "text" else filler(kind, what))
    return "".join(text)


def constant(text):
    """The value of a literal that cannot change, in a tuple; nothing for all else."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ()
    return (value,) if isinstance(value, (int, float, complex, str, bytes, bool, type(None))) else ()


def count(hole, pools):
    """How many fillings a hole has."""
    if "slot" in hole:
        return pools[hole["slot"]["pool"]]["size"]
    (kind, values), = hole["value"].items()
    if kind == "texts":
        return len(values)
    low, high = values if kind == "ints" else map(ord, values)
    return high - low + 1


def value_text(hole, index):
    """What TSTL writes for a value."""
    (kind, values), = hole["value"].items()
    if kind == "ints":
        return str(values[0] + index)
    if kind == "chars":
        return "'" + chr(ord(values[0]) + index) + "'"
    return values[index]


def at_line(tree, line):
    """Puts everything in a tree on one line."""
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line
    return tree


class Code:
    """Compiles pieces of a harness into its namespace."""

    def __init__(self, model, file, namespace):
        self.model, self.file, self.namespace = model, file, namespace
        self.pools = model["pools"]
        self.made = 0
        # Classes and exceptions that are warned of, of the test that is running.
        self.warnings = set()
        self.room = LISTED

    def parse(self, source, item, pieces):
        """The tree of generated source. `item` is what it was made of; `pieces` gives its Python with places, if something is wrong."""
        try:
            return at_line(ast.parse(source), item["line"])
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise self.wrong(error, item, pieces) from None

    def wrong(self, error, item, pieces):
        """What is wrong with a piece of a harness, as exactly as can be told."""
        message = getattr(error, "msg", str(error))
        found = harness_places.find(pieces()) or (item["line"], item["column"], message)
        return BadHarness(found[0], found[1], "`%s` is not Python: %s" % (item["text"], found[2]))

    def function(self, source, item, pieces=lambda: []):
        """Compiles the source of one function, called `made`, with all its code on a line of the harness."""
        try:
            code = compile(self.parse(source, item, pieces), self.file, "exec")
        except SyntaxError as error:
            raise self.wrong(error, item, pieces) from None
        return self.made_by(code)

    def made_by(self, code):
        """The function that code defines. The harness may have something of the same name."""
        scope = {}
        exec(code, self.namespace, scope)
        return scope["made"]

    def exceptions(self, names, item):
        """The exceptions of these names, as a tuple."""
        if not names:
            return ()
        text = "(" + ",".join(names) + ",)"
        try:
            return tuple(eval(compile(text, self.file, "eval"), self.namespace))
        except Exception as error:
            raise BadHarness(item["line"], item["column"], "the exceptions `%s` are not there: %s" % (", ".join(names), error)) from None

    def slot(self, hole, number, mirrored=False):
        pool = self.pools[hole["slot"]["pool"]]["name"]
        return "self.p_%s%s[_h%d]" % (pool, "_REF" if mirrored else "", number)

    def value(self, hole, number):
        """An expression for the value in a hole."""
        (kind, values), = hole["value"].items()
        if kind == "ints":
            return "(_h%d + %d)" % (number, values[0])
        if kind == "chars":
            return "__chr(_h%d + %d)" % (number, ord(values[0]))
        literals = [constant(text) for text in values]
        if all(literals):
            name = "__values%d" % self.made
            self.made += 1
            self.namespace[name] = tuple(value for value, in literals)
            return "%s[_h%d]" % (name, number)
        chain = ["(%s) if _h%d == %d else " % (text.strip(), number, index) for index, text in enumerate(values[:-1])]
        return "(" + "".join(chain) + "(" + values[-1].strip() + "))"

    def loops(self, check, checked):
        """Loops over all fillings of a check's holes: the lines, the indentation inside, the text of the check, and a filler.

        What is checked leaves slots as they are, so that loops can go over what they hold. Only mirrors need their numbers.
        """
        lines, indent = [], "    "
        holes, mirrored = check["holes"], set()

        def fill(kind, what):
            if kind == "before":
                return render(what, fill)
            hole = holes[what]
            if "slot" not in hole:
                return self.value(hole, what)
            if kind == "reference":
                mirrored.add(what)
            return "_s%d" % what if checked and kind != "reference" else self.slot(hole, what, kind == "reference")

        text = render(check["template"], fill)
        for number, hole in enumerate(holes):
            if "slot" in hole and checked:
                pool = "self.p_" + self.pools[hole["slot"]["pool"]]["name"]
                each = "_h%d, _s%d in enumerate(%s)" % (number, number, pool) if number in mirrored else "_s%d in %s" % (number, pool)
                lines += ["%sfor %s:" % (indent, each), "%s if _s%d is not None:" % (indent, number)]
                indent += "  "
            else:
                lines.append("%sfor _h%d in range(%d):" % (indent, number, count(hole, self.pools)))
                indent += " "
        return lines, indent, text, fill

    def block(self, checks, inside, checked=True, before=""):
        """A function of all checks in order; `inside(check, text, indent)` gives the lines for one filling.

        `before` makes a statement of the text of a check.
        """
        if not checks:
            return None
        whole = ast.parse("def made(self): pass")
        body = []
        for check in checks:
            lines, indent, text, fill = self.loops(check, checked)
            lines += inside(check, text, indent)
            source = "def made(self):\n" + "\n".join(lines) + "\n"
            pieces = lambda: [(before, harness_places.spread(check["template"], fill))]
            body += self.parse(source, check, pieces).body[0].body
        whole.body[0].body = body
        at_line(whole.body[0].args, 1)
        whole.body[0].lineno = whole.body[0].end_lineno = checks[0]["line"]
        return self.made_by(compile(whole, self.file, "exec"))

    def check(self):
        """A function that raises where a property does not hold; nothing if there is none."""
        shared = self.model["exceptions"]

        def inside(check, text, indent):
            expected = check["expected"] + shared
            if not expected:
                return ["%sassert %s" % (indent, text)]
            name = "__expected%d" % self.made
            self.made += 1
            self.namespace[name] = self.exceptions(expected, check)
            return ["%stry: assert %s" % (indent, text), "%sexcept %s: pass" % (indent, name)]

        return self.block(self.checks(), inside, before="assert ")

    def checks(self):
        """What must hold after every step: types of pools, then properties."""
        typed = []
        for number, pool in enumerate(self.pools):
            if pool["type"]:
                hole = {"slot": {"pool": number, "how": "peek"}}
                parts = [{"text": "type("}, {"hole": 0}, {"text": ") == "}, {"text": pool["type"]}]
                place = {"line": pool["line"], "column": pool["column"]}
                template = {"parts": parts, "places": [list(place.values())] * len(parts)}
                typed.append(dict(place, text="pool: " + pool["name"], holes=[hole], template=template, expected=[]))
        return typed + self.model["properties"]

    def assume(self):
        """A function that gives false where an assumption does not hold."""

        def inside(check, text, indent):
            wrong = "%stry:\n%s if not (%s): return False\n%sexcept Exception: pass"
            return [wrong % (indent, indent, text, indent)]

        made = self.block(self.model["assumptions"], inside, checked=False, before="return ")
        return made and (lambda self: made(self) is None)

    def init(self):
        """A function that begins a test."""
        return self.block(self.model["inits"], lambda check, text, indent: [indent + text], checked=False)

    def finish(self):
        """A function that ends a test, on the subject and on the reference."""

        def inside(check, text, indent):
            texts = [text, self.mirrored(text)]
            texts = texts[:1] if texts[0] == texts[1] else texts
            return [line for one in texts for line in (indent + "try: " + one, indent + "except BaseException: pass")]

        return self.block(self.model["finallys"], inside, checked=False)

    def mirrored(self, text):
        """What an action is on the reference."""
        for pool in self.pools:
            if pool["reference"]:
                text = text.replace("self.p_%s[" % pool["name"], "self.p_%s_REF[" % pool["name"])
        rules = {rule["pattern"]: rule for rule in self.model["references"]}
        for pattern, rule in rules.items():
            try:
                text = re.sub(pattern, rule["replacement"], text)
            except re.error as error:
                raise BadHarness(rule["line"], rule["column"], "`%s` is not a pattern: %s" % (pattern, error)) from None
        return text

    def compared(self, text):
        for compare in self.model["compares"]:
            try:
                if re.match(".*" + compare["pattern"] + ".*", text):
                    return True
            except re.error as error:
                cause = "`%s` is not a pattern: %s" % (compare["pattern"], error)
                raise BadHarness(compare["line"], compare["column"], cause) from None
        return False
