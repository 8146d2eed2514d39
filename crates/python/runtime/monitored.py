"""Coverage by `sys.monitoring` (Python 3.12 and newer), for runs where only the first hit of each probe counts.

A probe is an empty statement on a line of its own past the end of the file. The interpreter tells of a line when it is reached, and
no more after the first time: from then on the probe costs nothing. Telling hits again means asking for all events again, which makes the
interpreter prepare all code anew; who needs the hits of every test is better served by stores.
"""

import contextlib
import sys

from .placing import PAST, LinePlacer
from .probes import Probes

# The numbers of tools that are nobody's by custom, and that of coverage.
TOOLS = (3, 4, 1)


def is_free():
    """Whether there is a number of a tool left for us."""
    return free() is not None


def free():
    return next((tool for tool in TOOLS if sys.monitoring.get_tool(tool) is None), None)


class Monitored(Probes):
    """Probes whose hits the interpreter tells once."""

    placer = LinePlacer

    def __init__(self, lines, modules):
        super().__init__(lines, modules)
        self.muted = False
        self.tool = free()
        monitoring, hit = sys.monitoring, self.hit
        disable, past = monitoring.DISABLE, PAST

        def line(code, number):
            if number >= past:
                if self.muted:
                    # Whoever reaches it next is told.
                    return None
                hit[number - past] = 1
            return disable

        monitoring.use_tool_id(self.tool, "testhound")
        monitoring.register_callback(self.tool, monitoring.events.LINE, line)

    def watch(self, code):
        """Asks for the lines of code and of all that is in it."""
        sys.monitoring.set_local_events(self.tool, code, sys.monitoring.events.LINE)
        for constant in code.co_consts:
            if isinstance(constant, type(code)):
                self.watch(constant)

    def clear(self):
        super().clear()
        sys.monitoring.restart_events()

    def restore(self):
        if self.hit != self.seen:
            hit, seen = int.from_bytes(self.hit, "little"), int.from_bytes(self.seen, "little")
            super().restore()
            if hit & ~seen:
                # What is forgotten has to be told again.
                sys.monitoring.restart_events()

    @contextlib.contextmanager
    def apart(self):
        self.muted = True
        try:
            yield
        finally:
            self.muted = False
            # Probes were silent, tracing was not.
            super().restore()
