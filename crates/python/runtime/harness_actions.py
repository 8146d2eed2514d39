"""Action classes of a harness as functions: draw arguments, ask the guard, act."""

import ast
import re

from .harness_code import count, render, value_text


class Action:
    """An action class. `draw(sut, random)` gives arguments or nothing, `enabled(sut, arguments)` asks for given ones."""

    def __init__(self, code, number, model):
        self.code, self.number, self.model = code, number, model
        self.holes = model["holes"]
        self.line, self.text = model["line"], model["text"]
        self.sizes = [count(hole, code.pools) for hole in self.holes]
        self.total = 1
        for size in self.sizes:
            self.total *= size
        self.uses, self.assigns, self.peeks = [], [], []
        for index, hole in enumerate(self.holes):
            if "slot" in hole:
                how = {"use": self.uses, "assign": self.assigns, "peek": self.peeks}[hole["slot"]["how"]]
                how.append((hole["slot"]["pool"], index))
        self.expected = code.exceptions(model["expected"] + code.model["exceptions"], self.line)
        self.warned = code.exceptions(model["warned"], self.line)
        self.parameters = "".join(", _h%d" % index for index in range(len(self.holes)))
        self.textual = self.find_textual()
        self.variants = {}
        if self.textual:
            self.act, self.guard = self.act_variant, self.guard_variant
            self.variant((0,) * len(self.holes))
        else:
            self.act, self.guard = self.make(None)
        self.guarded = self.guard is not None
        self.draw = self.make_draw(relaxed=False)
        self.enabled = self.make_enabled(relaxed=False)
        self.enabled_relaxed = self.make_enabled(relaxed=True)

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
        for part in template or ():
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
        function = self.code.function
        act = function(self.source(body, fill), self.line, self.text)
        if not guard:
            return act, None
        return act, function("def made(self%s):\n return (%s)" % (self.parameters, guard), self.line, self.text)

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

    def source(self, body, fill):
        """The source of the action."""
        return "def made(self%s):\n" % self.parameters + "".join(" " + line + "\n" for line in self.block(body, fill))

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

    def conditions(self, index, hole, relaxed):
        slot = self.code.slot(hole, index)
        if hole["slot"]["how"] != "assign":
            return " if %s is None: return None\n" % slot
        if relaxed:
            return ""
        return " if not (%s or %s is None): return None\n" % (slot.replace("[", "_used[", 1), slot)

    def make_draw(self, relaxed):
        """A function that draws all arguments evenly, and gives nothing if that action is not enabled."""
        source = "def made(self, _random):\n"
        for index, hole in enumerate(self.holes):
            size = self.sizes[index]
            source += " _h%d = " % index + ("0\n" if size == 1 else "__int(_random() * %d)\n" % size)
            if "slot" in hole:
                source += self.conditions(index, hole, relaxed)
        return self.code.function(source + self.ask_guard(), self.line, self.text)

    def ask_guard(self):
        arguments = "".join("_h%d, " % index for index in range(len(self.holes)))
        if not self.guarded:
            return " return (%s)\n" % arguments
        name = "__guard%d" % self.number
        self.code.namespace[name] = self.guard
        source = " try:\n  if not %s(self, %s): return None\n" % (name, arguments)
        return source + " except Exception: return None\n return (%s)\n" % arguments

    def make_enabled(self, relaxed):
        source = "def made(self%s):\n" % self.parameters
        for index, hole in enumerate(self.holes):
            if "slot" in hole:
                source += self.conditions(index, hole, relaxed)
        return self.code.function(source + self.ask_guard(), self.line, self.text)

    def eligible(self, sut):
        """For every hole, the fillings that its slot allows; values are given as their number."""
        lists = []
        for index, hole in enumerate(self.holes):
            if "value" in hole:
                lists.append(range(self.sizes[index]))
                continue
            slots, used = sut.pools[hole["slot"]["pool"]], sut.used[hole["slot"]["pool"]]
            if hole["slot"]["how"] == "assign":
                lists.append([k for k, value in enumerate(slots) if used[k] or value is None])
            else:
                lists.append([k for k, value in enumerate(slots) if value is not None])
        return lists

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
