"""Action classes of a harness: all steps that they have, and functions that ask the guard and act."""

import ast
import itertools
import re

from .harness_code import count, render, value_text
from .harness_places import spread, statement
from .harness_draw import Steps


class Action:
    """An action class. A step of it is a tuple of its number and what fills its holes, one number each."""

    def __init__(self, code, number, model):
        self.code, self.number, self.model = code, number, model
        self.holes = model["holes"]
        self.line, self.text, self.weight = model["line"], model["text"], model["weight"]
        self.sizes = [count(hole, code.pools) for hole in self.holes]
        self.total = 1
        for size in self.sizes:
            self.total *= size
        self.uses, self.assigns, self.peeks = [], [], []
        for index, hole in enumerate(self.holes):
            if "slot" in hole:
                how = {"use": self.uses, "assign": self.assigns, "peek": self.peeks}[hole["slot"]["how"]]
                how.append((hole["slot"]["pool"], index))
        self.expected = code.exceptions(model["expected"] + code.model["exceptions"], model)
        self.warned = code.exceptions(model["warned"], model)
        self.parameters = "".join(", _h%d" % index for index in range(len(self.holes)))
        self.textual = self.find_textual()
        self.variants, self.lines = {}, None
        if self.textual:
            self.act, self.guard = self.act_variant, self.guard_variant
            self.variant((0,) * len(self.holes))
        else:
            self.act, self.guard = self.make(None)
        self.guarded = self.guard is not None
        self.fillings = [self.filling(index, hole) for index, hole in enumerate(self.holes)]
        self.steps = self.lay_out()

    def filling(self, index, hole):
        """What may fill a hole: the pool, whether its slot is assigned, or all values by number."""
        if "slot" in hole:
            return hole["slot"]["pool"], hole["slot"]["how"] == "assign", None
        return None, False, range(self.sizes[index])

    def lay_out(self):
        """All steps of this class, in a list as long as there is room."""
        if self.total > self.code.room:
            return Steps(self.number, self.sizes)
        self.code.room -= self.total
        return list(itertools.product((self.number,), *map(range, self.sizes)))

    def find_textual(self):
        """The holes for values that cannot be arguments, because they do not stand where an expression can."""
        textual = set()
        templates = [self.model[name] for name in ("guard", "body", "post", "expect") if self.model[name]]
        for index, hole in enumerate(self.holes):
            if "value" in hole and not all(self.is_expression(template, index, hole) for template in templates):
                textual.add(index)
        return textual

    def is_expression(self, template, index, hole):
        def text(filling):
            def fill(kind, what):
                if kind == "before":
                    return render(what, fill)
                if what == index:
                    return filling
                other = self.holes[what]
                return "_slot" if "slot" in other else value_text(other, 0)

            return render(template, fill).replace(":=", "=").strip()

        try:
            tree = ast.parse(text("_here"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "_here"]
        if len(names) != text("_here").count("_here") or any(not isinstance(node.ctx, ast.Load) for node in names):
            return False
        # A value that is more than an atom may bind differently than in parentheses.
        (kind, values), = hole["value"].items()
        if kind == "ints":
            probes = ["-1"] if values[0] < 0 else []
        else:
            probes = [one.strip() for one in values if not one.strip().isalnum()][:50] if kind == "texts" else []
        for probe in probes:
            try:
                if ast.dump(ast.parse(text(probe))) != ast.dump(ast.parse(text("(" + probe + ")"))):
                    return False
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return False
        return True

    def filler(self, key):
        def fill(kind, what):
            if kind == "before":
                return "__pre[%r]" % render(what, fill)
            hole = self.holes[what]
            if "slot" in hole:
                return self.code.slot(hole, what, kind == "reference")
            if key is not None and what in self.textual:
                return value_text(hole, key[what])
            return self.code.value(hole, what)

        return fill

    def earlier(self, template, fill):
        """The texts of all expressions whose earlier values are asked for."""
        found = []
        for part in template["parts"] if template else ():
            if "before" in part:
                found.append(render(part["before"], fill))
        return found

    def make(self, key):
        """Compiles the action and its guard."""
        fill = self.filler(key)
        body = render(self.model["body"], fill).replace(":=", "=").strip()
        guard = render(self.model["guard"], fill).strip() if self.model["guard"] else ""
        if body.startswith("guarded"):
            call = body.split("#")[0].rstrip()
            asked = call[:-1] + ("True)" if call.endswith("()") else ", True)")
            guard = "(%s) and (%s)" % (guard, asked) if guard else asked
        function, pieces = self.code.function, lambda: self.pieces(fill)
        lines = self.block(body, fill)
        act = function(self.source(lines), self.model, pieces)
        if key is None:
            self.lines = lines
        if not guard:
            return act, None
        return act, function("def made(self%s):\n return (%s)" % (self.parameters, guard), self.model, pieces)

    def pieces(self, fill):
        """The Python of this class with its places, piece by piece."""
        model = self.model
        pieces = [("return ", spread(model["guard"], fill))] if model["guard"] else []
        pieces.append(("", statement(model["body"], fill)))
        for part in model["post"]["parts"] if model["post"] else ():
            if "before" in part:
                pieces.append(("return ", spread(part["before"], fill)))
        for name in ("post", "expect"):
            if model[name]:
                pieces.append(("return ", spread(model[name], fill)))
        return pieces

    def warn(self, raised):
        """Notes an exception that the harness wants to know of."""
        if isinstance(raised, self.warned):
            self.code.warnings.add((self.number, type(raised).__name__))

    def block(self, body, fill):
        """The lines of the action: its statement, and where there is more to it, what TSTL puts around it."""
        post = render(self.model["post"], fill).strip() if self.model["post"] else None
        mirrored = self.code.mirrored(body)
        differs = mirrored != body
        late = post is not None and "raised" in post.lower()
        comparing = differs and self.code.compared(body)
        if comparing:
            body, mirrored = with_result(body, "result"), with_result(mirrored, "result_REF")
        earlier = self.earlier(self.model["post"], fill)
        lines = ["__pre = {}"] if earlier else []
        lines += ["__pre[%r] = %s" % (text, text) for text in earlier]
        lines += self.framed(body, fill)
        if post is not None and not late:
            lines.append("assert " + post)
        if not late and not differs:
            return lines
        expected = "__expected_of%d" % self.number
        self.code.namespace[expected] = self.expected + self.warned
        lines = ["raised = refRaised = None", "try:"] + [" " + line for line in lines]
        lines.append("except %s as __error: raised = __error" % expected)
        lines += ["except Exception as __error:", " raised = __error", " raise"]
        if late and "refRaised" not in post:
            lines += ["finally:", " assert " + post]
        if differs:
            lines += ["try:", " " + mirrored, "except Exception as __error: refRaised = __error"]
        if late and "refRaised" in post:
            lines.append("assert " + post)
        if comparing:
            lines.append("assert (raised is None) == (refRaised is None), '%r here, %r in the reference' % (raised, refRaised)")
            lines.append("try: assert result == result_REF, '%r here, %r in the reference' % (result, result_REF)")
            lines.append("except UnboundLocalError: pass")
        return lines + ["return raised"]

    def framed(self, body, fill):
        """The statement with what is looked at before and after it."""
        if not self.model["expect"]:
            return [body]
        name, _, rest = render(self.model["expect"], fill).strip().partition("(")
        comma = "" if rest.startswith(")") else ", "
        return [
            "__before = %s_before(%s" % (name, rest),
            body,
            "__after = %s_after(%s" % (name, rest),
            "assert %s_check(__before, __after%s%s == True" % (name, comma, rest),
        ]

    def source(self, lines):
        """The source of the action."""
        return "def made(self%s):\n" % self.parameters + "".join(" " + line + "\n" for line in lines)

    def concrete(self, arguments):
        """The lines of the action with these arguments, as they would stand in a function."""

        def fill(kind, what):
            if kind == "before":
                return "__pre[%r]" % render(what, fill)
            hole = self.holes[what]
            if "slot" in hole:
                pool = self.code.pools[hole["slot"]["pool"]]["name"] + ("_REF" if kind == "reference" else "")
                return "self.p_%s[%d]" % (pool, arguments[what])
            return value_text(hole, arguments[what]).strip()

        body = render(self.model["body"], fill).replace(":=", "=").strip()
        return self.block(body, fill)

    def variant(self, arguments):
        key = tuple(value if index in self.textual else 0 for index, value in enumerate(arguments))
        made = self.variants.get(key)
        if made is None:
            made = self.variants[key] = self.make(key)
        return made

    def act_variant(self, sut, *arguments):
        return self.variant(arguments)[0](sut, *arguments)

    def guard_variant(self, sut, *arguments):
        guard = self.variant(arguments)[1]
        return guard is None or guard(sut, *arguments)

    def find(self, name):
        """The step that TSTL calls so, if it is one of this class."""
        holes, pattern = [], []

        def fill(kind, what):
            holes.append(what)
            hole = self.holes[what]
            if "slot" not in hole:
                return "\0(.+?)\0"
            pool = self.code.pools[hole["slot"]["pool"]]["name"]
            return "\0self\\.p_%s%s\\[(\\d+)\\]\0" % (pool, "_REF" if kind == "reference" else "")

        text = render(self.model["body"], fill).replace(":=", "=").strip()
        for number, piece in enumerate(text.split("\0")):
            pattern.append(piece if number % 2 else re.escape(piece))
        name = name.strip()
        if " ; result = " in name:
            name = name.split(" ; result = ")[0]
        found = re.fullmatch("(?:result = )?" + "".join(pattern), name)
        if found is None:
            return None
        arguments = [0] * len(self.holes)
        for what, group in zip(holes, found.groups()):
            hole = self.holes[what]
            filling = int(group) if "slot" in hole else self.index(hole, group)
            if filling is None or filling >= self.sizes[what]:
                return None
            arguments[what] = filling
        return [self.number] + arguments

    def index(self, hole, text):
        """Which value TSTL writes so."""
        (kind, values), = hole["value"].items()
        try:
            if kind == "ints":
                found = int(text) - values[0]
            elif kind == "chars":
                found = ord(ast.literal_eval(text)) - ord(values[0])
            else:
                found = [one.strip() for one in values].index(text.strip())
        except (ValueError, TypeError, SyntaxError):
            return None
        return found if found >= 0 else None

    def name(self, arguments):
        """What TSTL calls this action."""

        def fill(kind, what):
            hole = self.holes[what]
            if "slot" in hole:
                pool = self.code.pools[hole["slot"]["pool"]]["name"]
                return "self.p_%s%s[%d]" % (pool, "_REF" if kind == "reference" else "", arguments[what])
            return value_text(hole, arguments[what])

        return render(self.model["body"], fill).replace(":=", "=")


def with_result(text, name):
    if " = " not in text:
        return "%s = %s" % (name, text)
    return "%s; %s = %s" % (text, name, text.split(" = ")[0])
