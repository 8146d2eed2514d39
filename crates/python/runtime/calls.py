"""The runner of call tests: steps that call what a module offers, each with literals and results of earlier steps.

A test is a list of steps, a step a list: the operation's number and its arguments. An argument is a number (the result of that
step), `[]` (left out), `[VALUE]` (a JSON value), or `["b" | "f" | "i", TEXT]` (bytes, a float, a large integer).

A reply has `end` (`normal`, `threw`, `timed-out`), `steps` (per step: null, a type, or a type with a fingerprint), and, where there
are any, `hits`, `thrown` and `violations`.
"""

import contextlib
import dis
import importlib
import itertools
import os
import sys
import time

from . import contracts, describe, discover, operations, placing, watch
from .operations import OMITTED

_HERE = os.path.dirname(os.path.abspath(__file__))
_RAISE = dis.opmap["RAISE_VARARGS"]
_BASIC = (str, int, float, bytes, bool)
_CONTAINERS = (list, dict, set, tuple, frozenset)
_LOOKED_AT = 8
_COMPARED = 4
_SUSPICIOUS = (AssertionError, RecursionError, AttributeError, NameError, SystemError)


def load(arguments, host):
    """A runner for the module that `arguments` name."""
    module = importlib.import_module(arguments["module"])
    return Runner(module, arguments, host)


class Runner:
    """Runs tests of one module."""

    def __init__(self, module, arguments, host):
        self.module = module
        self.file = getattr(module, "__file__", None)
        self.host = host
        self.watch = host.watch
        self.specs = arguments.get("operations", [])
        self.calls = [operations.function_of(one) for one in self.specs]
        self.kinds = arguments.get("types", {})
        self.any = self.kinds.get("any", 0)
        self.known = {}
        self.trips = [self._trip(one) for one in self.specs]
        # What importing hits belongs to no test.
        self.imported = host.probes.fresh() if host.probes else None

    def ask_discover(self, arguments):
        """The model of the module."""
        guarded = self.guarded if arguments["observed"] else None
        return discover.discover(self.module.__name__, arguments["private"], guarded)

    def guarded(self, call):
        """Runs a call with the limits of a step; what it raises is its own affair."""
        self.watch.step += 1
        self.watch.on = True
        try:
            call()
        except BaseException:
            pass
        finally:
            self.watch.on = False

    def ask_imported(self, _):
        """The probes that importing the module hit, by file."""
        return self.imported or {}

    def _trip(self, spec):
        """What contracts by name say of an operation: (contract, name of the other function, names for people)."""
        method = spec["kind"] == "method"
        if not spec["tested"] or not method and (spec["kind"] != "function" or "." in spec["path"]):
            return None
        name = spec["name"]
        owner = self._owner(spec["path"]) if method else self.module
        for contract, back in contracts.inverse_names(name):
            if callable(getattr(owner, back, None)) and back != name:
                return (contract, back, "%s and %s" % (name, back))
        if any(word in name.lower().split("_") for word in contracts.IDEMPOTENT) and not method:
            return ("idempotent", name, name)
        return None

    def _owner(self, path):
        """The class that a method is of."""
        owner = self.module
        for name in path.split(".")[:-1]:
            owner = getattr(owner, name, None)
        return owner

    # Running.

    def execute(self, test):
        """Runs the steps; gives their values and what was raised, if anything was."""
        values, calls, guard = [], self.calls, self.watch
        random = sys.modules.get("random")
        if random is not None:
            random.seed(0)
        try:
            for step in test:
                arguments = [values[a] if type(a) is int else decode(a) for a in step[1:]]
                guard.step += 1
                guard.on = True
                value = calls[step[0]](arguments)
                guard.on = False
                values.append(value)
        except BaseException as error:
            guard.on = False
            return values, error
        return values, None

    def run(self, test):
        """Runs a test; tells its goals only if one of them is new to this worker."""
        probes = self.host.probes
        started = time.perf_counter()
        values, error = self.execute(test)
        ticks = int((time.perf_counter() - started) * 1e6)
        reply = {"end": self.end(error), "steps": [self.step(value) for value in values], "ticks": ticks}
        if probes is not None:
            fresh = probes.fresh()
            if fresh is not None:
                reply["hits"] = self.all_hits(test, fresh) if reply["end"] != "timed-out" else fresh
        if error is None:
            violations = self.violations(test, values)
            if violations:
                reply["violations"] = violations
        elif isinstance(error, _SUSPICIOUS):
            thrown = self.thrown(test, values, error)
            if thrown["suspicious"]:
                reply["thrown"] = thrown
        if isinstance(error, MemoryError):
            self.host.retire("a test ran out of memory")
        return reply

    def all_hits(self, test, fresh):
        """All goals of a test, those that showed when it ran first among them."""
        probes = self.host.probes
        probes.clear()
        self.execute(test)
        hits = probes.hits()
        probes.restore()
        for file, numbers in fresh.items():
            hits[file] = sorted(set(hits.get(file, ())).union(numbers))
        return hits

    def end(self, error):
        """How a test ended."""
        if error is None:
            return "normal"
        return "timed-out" if isinstance(error, watch.StepTimeout) else "threw"

    def step(self, value):
        """What a step gave: its type, and a fingerprint of values that cannot change."""
        if value is None:
            return None
        cls = type(value)
        if cls in _CONTAINERS:
            return self.container(value)
        kind = self.known.get(cls)
        if kind is None:
            kind = self.known[cls] = self.kind_of(cls)
        if cls in _BASIC:
            return [kind, hash((cls.__name__, value)) & 0xFFFFFFFFFFFFF | 1]
        return kind

    def container(self, value):
        """The number of the type of a container by what is in it."""
        name = self.container_name(value, 0)
        kind = self.kinds.get(name) if name else None
        return self.kinds.get("builtins." + type(value).__name__, self.any) if kind is None else kind

    def container_name(self, value, depth):
        """`list[builtins.int]` and such; nothing where the first elements differ, or there are none."""
        cls = type(value)
        if cls not in _CONTAINERS:
            return "%s.%s" % (cls.__module__, cls.__qualname__)
        if not value or depth > 2:
            return None
        sides = [value.keys(), value.values()] if cls is dict else [value]
        names = []
        for side in sides:
            inner = {self.container_name(one, depth + 1) for one in itertools.islice(side, _LOOKED_AT)}
            if len(inner) > 1 or None in inner:
                return None
            names.extend(inner)
        return "%s[%s]" % (cls.__name__, ", ".join(names))

    def kind_of(self, cls):
        """The number of the most precise known type of a class."""
        for base in cls.__mro__:
            kind = self.kinds.get("%s.%s" % (base.__module__, base.__qualname__))
            if kind is not None:
                return kind
        iterates = hasattr(cls, "__next__") and hasattr(cls, "__iter__")
        return self.kinds.get("builtins.generator", self.any) if iterates else self.any

    # Judging.

    def frames(self, error):
        """The frames below ours, outermost first: (function, line, file), and whether the last one has a `raise`."""
        frames, explicit = [], False
        traceback = error.__traceback__
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if not code.co_filename.startswith(_HERE):
                name = getattr(code, "co_qualname", code.co_name)
                line = traceback.tb_lineno
                frames.append((name, line if line < placing.PAST else code.co_firstlineno, code.co_filename))
                position = traceback.tb_lasti
                explicit = 0 <= position < len(code.co_code) and code.co_code[position] == _RAISE
            traceback = traceback.tb_next
        return frames, explicit

    def thrown(self, test, values, error):
        """What was raised and where, and which oracle calls it a failure."""
        frames, explicit = self.frames(error)
        own = [frame for frame in frames if frame[2] == self.file]
        cls = type(error)
        try:
            message = str(error)[:300]
        except Exception:
            message = ""
        return {
            "class": "%s.%s" % (cls.__module__, cls.__qualname__), "message": message,
            "explicit": explicit and bool(frames) and frames[-1][2] == self.file,
            "place": "%s:%d" % own[-1][:2] if own else "",
            "frames": [[name, line, file] for name, line, file in frames[-20:]],
            "suspicious": self.suspicious(test, values, error, frames, own, explicit),
        }

    def suspicious(self, test, values, error, frames, own, explicit):
        """The oracle that an exception fails; empty if inputs may be to blame."""
        if not own or frames[-1][2] != self.file and not isinstance(error, RecursionError):
            return ""
        typed = all(self.specs[step[0]].get("typed", True) for step in test[:len(values) + 1])
        if isinstance(error, AssertionError):
            # A function that checks what it is given says nothing about itself.
            return "assertion" if typed or len(own) > 1 else ""
        if isinstance(error, RecursionError):
            return "recursion" if typed else ""
        if isinstance(error, (NameError, SystemError)) and not explicit:
            return "internal-error"
        if isinstance(error, AttributeError) and typed and not explicit and not self.asked_for(test[len(values)], values, error, own):
            return "internal-error"
        return ""

    def asked_for(self, step, values, error, own):
        """Whether the attribute that is missing was asked for by its name: by the test, or of an object that answers for others."""
        if any(name.rsplit(".", 1)[-1] in ("__getattr__", "__getattribute__") for name, _, _ in own):
            return True
        texts = [values[a] if type(a) is int else decode(a) for a in step[1:]]
        # The interpreter writes the name as it is, whatever is in it.
        return any(type(text) is str and str(error).endswith("attribute '%s'" % text) for text in texts)

    def violations(self, test, values):
        """The contracts that the objects and the last call of a test break."""
        found = []
        last = len(values) - 1
        used = [last] + [a for a in test[last][1:] if type(a) is int]
        own = [step for step in sorted(set(used)) if type(values[step]).__module__ == self.module.__name__]
        trip = self.trips[test[last][0]]
        if not own and trip is None:
            return found
        # What contracts call is not what the test covers.
        with self.host.probes.apart() if self.host.probes is not None else contextlib.ExitStack():
            guard = self.watch
            guard.step += 1
            guard.on = True
            try:
                for place, step in enumerate(own):
                    found.extend(contracts.of_object(values[step], step))
                    for other in own[:place]:
                        if type(values[other]) is type(values[step]) and values[other] is not values[step]:
                            found.extend(contracts.of_pair(values[other], values[step], [other, step]))
                for cls in dict.fromkeys(type(values[step]) for step in own):
                    alike = self.alike(cls, values)
                    found.extend(contracts.of_equality(cls, alike))
                    found.extend(contracts.of_order(cls, alike))
                if trip is not None:
                    found.extend(self.by_name(trip, test[last], values, last))
            except BaseException:
                pass
            guard.on = False
        return found

    def alike(self, cls, values):
        """The latest objects of a class, each once, with their steps."""
        steps = {id(value): (step, value) for step, value in enumerate(values) if type(value) is cls}
        return list(steps.values())[-_COMPARED:]

    def by_name(self, trip, step, values, last):
        """The contracts by name that the last step breaks. A method is undone by another one of the same object."""
        contract, back, names = trip
        spec = self.specs[step[0]]
        given = [(a, values[a] if type(a) is int else decode(a)) for a in step[1:]]
        given = [one for one in given if one[1] is not OMITTED]
        is_method = spec["kind"] == "method" and bool(given)
        owner = given[0][1] if is_method else self.module
        rest = given[1:] if is_method else given
        if not rest and is_method and contracts.has_equality(owner):
            # An object that turns into something else comes back as an equal one.
            rest = given
        if len(rest) != 1:
            return
        steps = [a for a, _ in given if type(a) is int] + [last]
        there, back, gave = getattr(owner, spec["name"]), getattr(owner, back), values[last]
        if contract == "round-trip":
            yield from contracts.of_round_trip(back, rest[0][1], gave, names, steps)
        elif contract == "second-trip":
            yield from contracts.of_second_trip(there, back, gave, names, steps)
        else:
            yield from contracts.of_idempotence(there, gave, names, steps)

    def ask_look(self, test):
        """Runs a test and tells all: every goal, what the values are in the end, what was raised."""
        probes = self.host.probes
        if probes is not None:
            probes.clear()
        values, error = self.execute(test)
        reply = {"end": self.end(error), "steps": [self.step(value) for value in values]}
        if probes is not None:
            reply["hits"] = probes.hits()
        reply["violations"] = self.violations(test, values) if error is None else []
        if error is not None and reply["end"] == "threw":
            reply["thrown"] = self.thrown(test, values, error)
        self.watch.step += 1
        self.watch.on = True
        try:
            reply["values"] = [describe.described(value) for value in values]
        except BaseException:
            reply["values"] = []
        self.watch.on = False
        if probes is not None:
            probes.restore()
        return reply


def decode(argument):
    """A literal of the protocol."""
    if not argument:
        return OMITTED
    if len(argument) == 1:
        return argument[0]
    tag, text = argument
    if tag == "b":
        return text.encode("latin-1")
    return float(text) if tag == "f" else int(text)
