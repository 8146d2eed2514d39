"""How the code of a module uses its parameters: attributes, operators, calls, comparisons with constants.

Reads the syntax tree only. What is assigned to an attribute of `self` in one method and used in another counts as a use of
the parameter, and so does what a function of the same module does with what it is handed.
"""

import ast


class Use:
    """What is done with one value."""

    def __init__(self):
        self.attributes = set()
        self.constants = []  # compared with, contained in, keys
        self.parts = []  # constants that elements or parts of it are compared with
        self.kinds = set()  # int, float, str, iterable, indexed, mapping, callable, bool
        self.arity = None
        self.instances = []  # dotted names in isinstance
        self.passed = []  # (callee, position or keyword)
        self.nullable = False
        self.element = None  # what is done with its elements

    def elements(self):
        """The record of what is done with its elements."""
        if self.element is None:
            self.element = Use()
        return self.element

    def merge(self, other):
        """Adds what is known of another value that this one becomes."""
        if other is self:
            return
        self.attributes |= other.attributes
        self.kinds |= other.kinds
        for mine, theirs in (
            (self.constants, other.constants), (self.parts, other.parts), (self.instances, other.instances),
        ):
            mine.extend(one for one in theirs if one not in mine)
        self.arity = other.arity if self.arity is None else self.arity
        self.nullable |= other.nullable
        # Elements of elements may be the whole again.
        self.element = self.element or other.element


_INT_CALLS = {"range", "chr", "hex", "oct", "bin"}
_STR_CALLS = {"ord", "open"}
_ITER_CALLS = {
    "list", "tuple", "set", "sorted", "sum", "max", "min", "any", "all", "enumerate", "zip", "map", "filter", "iter", "len",
    "reversed", "frozenset", "dict", "join",
}
_FLOAT_MODULES = {"math", "cmath"}
_TEXT_CALLS = {"match", "search", "fullmatch", "sub", "findall", "finditer", "split", "subn"}


def constant(node):
    """The constants that an expression writes down, as a list; empty if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes, int, float)):
        return [node.value]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return [-value] if isinstance(value, (int, float)) else []
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [value for element in node.elts for value in constant(element)]
    if isinstance(node, ast.Dict):
        return [value for key in node.keys if key is not None for value in constant(key)]
    return []


def dotted(node):
    """`a.b.c` of an expression; None if it is no such name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return None if head is None else "%s.%s" % (head, node.attr)
    return None


class FunctionUses(ast.NodeVisitor):
    """The uses of the parameters of one function, and of the attributes of its first one.

    A function that cannot be understood has none.
    """

    def __init__(self, function, constants):
        self.begin(function, constants)
        try:
            self.read(function)
        except Exception:
            self.begin(function, constants)

    def begin(self, function, constants):
        """Knows the parameters, and nothing of them yet."""
        arguments = function.args
        every = getattr(arguments, "posonlyargs", []) + arguments.args + arguments.kwonlyargs
        self.names = [one.arg for one in every]
        self.uses = {name: Use() for name in self.names}
        self.aliases = {name: name for name in self.names}
        self.elements = {}
        self.constants = constants  # names of the module that stand for constants
        self.me = self.names[0] if self.names and self.names[0] in ("self", "cls") else None
        self.own = {}  # uses of attributes of self
        self.stored = []  # (attribute of self, parameter)
        self.collected = []  # (attribute of self that holds it as an element, parameter)
        self.locals = {}  # uses of local names that stand for elements
        self.rest = arguments.kwarg.arg if arguments.kwarg is not None else None
        self.keywords = {}  # defaults by the names that are looked up in `**kwargs`

    def read(self, function):
        """Reads the body."""
        for node in ast.walk(function) if self.rest else ():
            self.looked_up(node)
        for statement in function.body:
            self.visit(statement)

    def looked_up(self, node):
        """Notes a name that is taken from `**kwargs`; gives it."""
        key, default = None, None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and dotted(node.func.value) == self.rest:
            if node.func.attr in ("get", "pop", "setdefault") and node.args:
                key, default = node.args[0], node.args[1] if len(node.args) > 1 else None
        elif isinstance(node, ast.Subscript) and dotted(node.value) == self.rest:
            key = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)) and dotted(node.comparators[0]) == self.rest:
            key = node.left
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()):
            return None
        known = constant(default) if default is not None else []
        self.keywords.setdefault(key.value, known[0] if known else None)
        self.uses.setdefault(key.value, Use())
        return key.value

    def use(self, node):
        """The record for an expression that is a parameter or an attribute of self."""
        if isinstance(node, ast.Name):
            name = self.aliases.get(node.id)
            return self.uses.get(name) or self.locals.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.me and self.me:
            return self.own.setdefault(node.attr, Use())
        return None

    def part(self, node):
        """The record for an expression that is an element, a slice or a changed copy of such a value."""
        if isinstance(node, ast.Name):
            return self.elements.get(node.id)
        if isinstance(node, ast.Subscript):
            return self.use(node.value) or self.part(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self.use(node.func.value) or self.part(node.func.value)
        return None

    def values(self, node):
        known = constant(node)
        return known or self.constants.get(dotted(node) or "", [])

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            self.assign(target, node.value)

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if node.value is not None:
            self.assign(node.target, node.value)

    def assign(self, target, value):
        if isinstance(value, ast.BoolOp):
            value = value.values[0]
        if isinstance(value, ast.IfExp):
            value = value.body
        use = self.use(value)
        if self.rest and isinstance(target, ast.Name) and self.looked_up(value):
            self.aliases[target.id] = self.looked_up(value)
        elif isinstance(target, ast.Name):
            if isinstance(value, ast.Name) and value.id in self.aliases:
                self.aliases[target.id] = self.aliases[value.id]
            elif self.part(value) is not None:
                self.elements[target.id] = self.part(value)
        elif isinstance(target, ast.Attribute) and dotted(target.value) == self.me and self.me and use is not None:
            # Not all names that are known are parameters: elements of one have names, too.
            if isinstance(value, ast.Name) and value.id in self.aliases:
                self.stored.append((target.attr, self.aliases[value.id]))

    def visit_Attribute(self, node):
        use = self.use(node.value)
        if use is not None and dotted(node.value) != self.me:
            use.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        use = self.use(node.value)
        index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        if use is not None:
            text = isinstance(index, ast.Constant) and isinstance(index.value, str)
            use.kinds.add("mapping" if text else "indexed")
            if text:
                use.parts.append(index.value)
        inside = self.use(index)
        if inside is not None and self.use(node.value) is None:
            inside.kinds.add("key")
            inside.constants.extend(self.constants.get(dotted(node.value) or "", []))
        self.generic_visit(node)

    def iterated(self, target, iterable):
        use = self.use(iterable)
        if isinstance(iterable, ast.Call) and dotted(iterable.func) in ("enumerate", "reversed", "sorted", "list") and iterable.args:
            use = self.use(iterable.args[0])
            if isinstance(target, ast.Tuple) and len(target.elts) == 2:
                target = target.elts[1]
        if use is not None:
            use.kinds.add("iterable")
            if isinstance(target, ast.Name):
                self.elements[target.id] = use
                self.locals.setdefault(target.id, use.elements())

    def visit_For(self, node):
        self.iterated(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.iterated(node.target, node.iter)
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left] + node.comparators
        for (left, right), operator in zip(zip(sides, sides[1:]), node.ops):
            self.compared(left, operator, right)
            if not isinstance(operator, (ast.In, ast.NotIn)):
                self.compared(right, operator, left)
            elif self.use(right) is not None:
                self.use(right).parts.extend(self.values(left))
                self.use(right).kinds.add("iterable")
        self.generic_visit(node)

    def compared(self, one, operator, other):
        if isinstance(one, ast.Name) and one.id in self.elements:
            self.elements[one.id].parts.extend(self.values(other))
        if isinstance(one, ast.Call) and dotted(one.func) == "len" and one.args:
            return
        values = self.values(other)
        if isinstance(operator, (ast.Is, ast.IsNot)):
            use = self.use(one)
            if use is not None and isinstance(other, ast.Constant) and other.value is None:
                use.nullable = True
            return
        use = self.use(one)
        if use is not None:
            near = isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
            for value in values:
                use.constants.append(value)
                if near and isinstance(value, int) and not isinstance(value, bool):
                    use.constants.extend((value - 1, value + 1))
        elif self.part(one) is not None:
            self.part(one).parts.extend(values)

    def visit_BinOp(self, node):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            use = self.use(one)
            if use is None:
                continue
            known = constant(other)
            if isinstance(node.op, (ast.FloorDiv, ast.BitAnd, ast.LShift, ast.RShift)):
                use.kinds.add("int")
            elif isinstance(node.op, ast.Mod) and one is node.left:
                use.kinds.add("int")
            elif isinstance(node.op, (ast.Div, ast.Pow, ast.Sub)):
                use.kinds.update(("int", "float"))
            elif isinstance(node.op, ast.Mult) and known and isinstance(known[0], (str, bytes)):
                use.kinds.add("int")
            elif known:
                use.kinds.add(type(known[0]).__name__)
        self.generic_visit(node)

    def truth(self, node):
        use = self.use(node)
        if use is not None:
            use.kinds.add("bool")

    def visit_If(self, node):
        self.truth(node.test)
        self.generic_visit(node)

    visit_IfExp = visit_While = visit_If

    def visit_UnaryOp(self, node):
        use = self.use(node.operand)
        if use is not None:
            use.kinds.add("bool" if isinstance(node.op, ast.Not) else "int")
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        for value in node.values:
            self.truth(value)
        self.generic_visit(node)

    def visit_Call(self, node):
        called = self.use(node.func)
        if called is not None:
            called.kinds.add("callable")
            called.arity = len(node.args)
        name = dotted(node.func) or ""
        last = name.rsplit(".", 1)[-1]
        if isinstance(node.func, ast.Attribute):
            last = node.func.attr
            receiver = self.use(node.func.value) or self.part(node.func.value)
            if receiver is not None:
                for argument in node.args:
                    receiver.parts.extend(self.values(argument))
        if last == "isinstance" and len(node.args) == 2:
            use = self.use(node.args[0])
            given = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            if use is not None:
                use.instances.extend(one for one in map(dotted, given) if one)
        else:
            for position, argument in enumerate(node.args):
                self.passed(argument, name, last, position)
            for keyword in node.keywords:
                if keyword.arg:
                    self.passed(keyword.value, name, last, keyword.arg)
        self.generic_visit(node)

    def passed(self, argument, name, last, place):
        use = self.use(argument)
        if use is None:
            return
        if last in _INT_CALLS:
            use.kinds.add("int")
        elif last in _STR_CALLS:
            use.kinds.add("str")
        elif last in _ITER_CALLS and "." not in name:
            use.kinds.add("iterable" if name != "len" else "sized")
        elif last == "join" and place == 0:
            use.kinds.add("texts")
        elif name.split(".")[0] in _FLOAT_MODULES:
            use.kinds.update(("int", "float"))
        elif last in _TEXT_CALLS:
            use.kinds.add("str")
        elif last in ("int", "float", "Decimal", "Fraction"):
            use.kinds.update(("int", "str", "float"))
        elif last in ("append", "add", "appendleft", "insert", "push") and name.startswith("self.") and name.count(".") == 2:
            if isinstance(argument, ast.Name) and argument.id in self.aliases:
                self.collected.append((name.split(".")[1], self.aliases[argument.id]))
        elif last in ("get", "pop", "setdefault", "index") and place == 0:
            use.kinds.add("key")
        else:
            use.passed.append((name, place))
