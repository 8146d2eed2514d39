"""Makes the functions that try a step of an action class: they say no if it is not enabled, and else note it.

There is one per class and way, made of source for that class alone, because most of a test's time outside of its subject goes here.
`enabled` only notes, `relaxed` too and lets slots be assigned that were not used since, `play` also takes the step: an expected
exception is forgotten, any other goes to the caller.
"""

import ast

from .watch import StepTimeout

# With one of these, the text of an action could tell whether it stands in a function of its own.
TELLING = {"locals", "vars", "eval", "exec", "dir", "super"}
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete, ast.Assert)


def attempts(actions, way):
    """The functions of all classes."""
    return [make_attempt(action, way) for action in actions]


def make_attempt(action, way):
    source = "def made(self, __step, __note):\n"
    if action.holes:
        source += " __number%s = __step\n" % action.parameters
    for index, hole in enumerate(action.holes):
        if "slot" in hole:
            source += condition(action.code.slot(hole, index), hole["slot"]["how"], way)
    # Whoever finds this process dead knows by the mark what it did last.
    source += " __mark[0] = %d\n" % action.number + ask_guard(action) + " __note(__step)\n"
    if way == "play":
        source += take(action)
    return action.code.function(source + " return True\n", action.model)


def condition(slot, how, way):
    if how != "assign":
        return " if %s is None: return False\n" % slot
    if way == "relaxed":
        return ""
    return " if not (%s or %s is None): return False\n" % (used(slot), slot)


def used(slot):
    return slot.replace("[", "_used[", 1)


def given(action):
    return "".join(", _h%d" % index for index in range(len(action.holes)))


def ask_guard(action):
    """The guard is a function of its own: what the action assigns is no variable of it."""
    if not action.guarded:
        return ""
    name = "__guard%d" % action.number
    action.code.namespace[name] = action.guard
    return " try:\n  if not %s(self%s): return False\n except Exception: return False\n" % (name, given(action))


def take(action):
    """Acts, and marks the slots."""
    inline = action.lines is not None and not action.warned and stands_anywhere(action.lines)
    lines = action.lines if inline else None
    if lines is None:
        name = "__act%d" % action.number
        action.code.namespace[name] = action.act
        lines = ["%s%s(self%s)" % ("__raised = " if action.warned else "", name, given(action))]
    caught = action.expected + action.warned
    if caught:
        name = "__caught%d" % action.number
        action.code.namespace.update({name: caught, "__timeout": StepTimeout})
        lines = ["try:"] + [" " + line for line in lines]
        lines += ["except __timeout: raise", "except %s%s" % (name, " as __error: __raised = __error" if action.warned else ": pass")]
    if action.warned:
        name = "__warn%d" % action.number
        action.code.namespace[name] = action.warn
        lines.append("%s(__raised)" % name)
    for holes, value in ((action.uses, True), (action.assigns, False)):
        lines += ["%s = %s" % (used(action.code.slot(action.holes[index], index)), value) for _, index in holes]
    return "".join(" " + line + "\n" for line in lines)


def stands_anywhere(lines):
    """Whether these lines do the same among others as in a function of their own: they return nothing and bind no names."""
    tree = ast.parse("\n".join(lines))
    if not all(isinstance(statement, SIMPLE) for statement in tree.body):
        return False
    inner = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)):
            return False
        if isinstance(node, ast.comprehension):
            inner.update(id(one) for one in ast.walk(node.target))
        elif isinstance(node, ast.Name):
            bound = not isinstance(node.ctx, ast.Load) and id(node) not in inner
            if bound and node.id != "__pre" or node.id in TELLING:
                return False
    return True
