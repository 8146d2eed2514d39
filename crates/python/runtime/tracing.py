"""Coverage of modules that have code but no source in which probes could be placed: by `sys.monitoring` or, as the last resort, by tracing.

Where the interpreter is older than Python 3.12 it tells of every instruction of such code, which is slow. Goals are read from the code: the entry of every function, both
sides of every conditional jump, and, if lines are measured, lines. Sides are counted along a line: 0 and 1 are those of its first jump,
of which 1 is the one that jumps; so `if` and `for` have the sides that probes give them. A subject that traces by itself is not measured.
"""

import dis
import inspect
import sys
import threading

from .monitored import free


def tracing(hit):
    """What traces code on this version of Python."""
    if sys.version_info >= (3, 12) and free() is not None:
        return Listening(hit)
    return Tracing(hit)


class Places:
    """Where a code object shows that it was reached: numbers of probes by the offsets of instructions."""

    def __init__(self, code):
        self.code = code
        self.entry = None
        # By offset; `numbers` has the same by line.
        self.lines = {}
        self.numbers = {}
        # The offset of the next instruction, and the probe of the side that goes there; whoever goes elsewhere shows the one after it.
        self.jumps = {}
        # Versions differ in what they tell of an instruction with a long argument: itself, or what extends its argument.
        self.extended = {}

    def moved(self, base):
        """The same with probes that count from `base`."""
        self.entry = None if self.entry is None else base + self.entry
        self.lines = {offset: base + probe for offset, probe in self.lines.items()}
        self.numbers = {line: base + probe for line, probe in self.numbers.items()}
        self.jumps = {offset: (following, base + probe) for offset, (following, probe) in self.jumps.items()}
        return self


def places(code, lines):
    """What the probes of this code and all code in it show, and where they are."""
    kinds, found, sides = [], [Places(one) for one in flattened(code)], {}
    for one in found:
        if one.code.co_flags & inspect.CO_OPTIMIZED and not one.code.co_name.startswith("<"):
            one.entry = len(kinds)
            kinds.append({"enter": one.code.co_firstlineno})
        place_jumps(one, kinds, sides)
    if lines:
        place_lines(found, kinds)
    return kinds, found


def place_jumps(place, kinds, sides):
    """Gives conditional jumps their probes; `sides` says how many each line has."""
    starts, line, instructions, extension = dict(dis.findlinestarts(place.code)), place.code.co_firstlineno, [], []
    for instruction in dis.get_instructions(place.code):
        line = starts.get(instruction.offset) or line
        if instruction.opcode == dis.EXTENDED_ARG:
            extension.append(instruction.offset)
            continue
        place.extended.update((offset, instruction.offset) for offset in extension)
        extension = []
        instructions.append((instruction.offset, instruction.opname, line))
    for (offset, name, line), (following, _, _) in zip(instructions, instructions[1:]):
        if "JUMP" in name and "IF_" in name or name == "FOR_ITER":
            side = sides.get(line, 0)
            sides[line] = side + 2
            place.jumps[offset] = (following, len(kinds))
            kinds += [{"branch": [line, side]}, {"branch": [line, side + 1]}]


def place_lines(found, kinds):
    """Gives every line one probe, whichever code reaches it."""
    numbers = {}
    for place in found:
        place.numbers = numbers
        for offset, line in dis.findlinestarts(place.code):
            if line and line not in numbers:
                numbers[line] = len(kinds)
                kinds.append({"line": line})
            if line:
                place.lines[place.extended.get(offset, offset)] = numbers[line]


def flattened(code):
    """Code and all code in it."""
    return [code] + [inner for one in code.co_consts if isinstance(one, type(code)) for inner in flattened(one)]


class Tracing:
    """Traces code that it was given, in all threads that begin later, too."""

    def __init__(self, hit):
        self.hit = hit
        # By the number of the code, which lives as long as it is known here.
        self.known = {}

    def add(self, found, base):
        """Traces this code from now on; its first probe has the number `base`."""
        for place in found:
            self.known[id(place.code)] = place.moved(base)
        sys.settrace(self.call)
        threading.settrace(self.call)

    def call(self, frame, event, argument):
        """Is called when a function is entered, and when a generator goes on."""
        place = self.known.get(id(frame.f_code))
        if place is None:
            return None
        hit, lines, jumps, extended = self.hit, place.lines, place.jumps, place.extended
        if place.entry is not None:
            hit[place.entry] = 1
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        last = None

        def instruction(frame, event, argument):
            nonlocal last
            if event == "opcode":
                offset = extended.get(frame.f_lasti, frame.f_lasti)
                if offset in lines:
                    hit[lines[offset]] = 1
                if last in jumps:
                    following, probe = jumps[last]
                    hit[probe if offset == following else probe + 1] = 1
                last = offset
            elif event == "exception":
                # What comes next is a handler, to which no jump leads.
                last = None
            return instruction

        return instruction


class Listening:
    """Is told by `sys.monitoring` what such code does."""

    def __init__(self, hit):
        self.known = {}
        monitoring, known = sys.monitoring, self.known
        self.tool, self.events = free(), monitoring.events

        def start(code, offset):
            entry = known[id(code)].entry
            if entry is not None:
                hit[entry] = 1

        def branch(code, offset, destination):
            place = known[id(code)]
            if offset in place.jumps:
                following, probe = place.jumps[offset]
                hit[probe if place.extended.get(destination, destination) == following else probe + 1] = 1

        def line(code, number):
            probe = known[id(code)].numbers.get(number)
            if probe is not None:
                hit[probe] = 1

        monitoring.use_tool_id(self.tool, "testhound's tracing")
        monitoring.register_callback(self.tool, self.events.PY_START, start)
        monitoring.register_callback(self.tool, self.events.BRANCH, branch)
        monitoring.register_callback(self.tool, self.events.LINE, line)

    def add(self, found, base):
        """Listens to this code from now on; its first probe has the number `base`."""
        events = self.events.PY_START | self.events.BRANCH
        for place in found:
            self.known[id(place.code)] = place.moved(base)
            lines = self.events.LINE if place.numbers else 0
            sys.monitoring.set_local_events(self.tool, place.code, events | lines)
