"""Coverage by `sys.monitoring` (Python 3.12 and newer) in place of probes that store, for comparison: the same goals, another cost.

A probe becomes an empty statement on a line of its own past the end of the file. The interpreter tells of a line when it is reached, and
no more after the first time until events are asked for again, which is when hits are cleared.
"""

import ast
import sys

# No file is that long.
PAST = 1000000
TOOL = 1


def change(probes):
    """Makes the module `probes` of the Python side measure so."""
    monitoring = sys.monitoring
    monitoring.use_tool_id(TOOL, "testhound")
    instrument, clear = probes.Probes.instrument, probes.Probes.clear

    def empty(placer, number, at):
        statement = ast.Pass()
        statement.lineno = statement.end_lineno = PAST + number.value
        statement.col_offset = statement.end_col_offset = 0
        return statement

    def instrument_and_watch(self, source, file):
        def line(code, number):
            if number >= PAST:
                self.hit[number - PAST] = 1
            return monitoring.DISABLE

        monitoring.register_callback(TOOL, monitoring.events.LINE, line)
        code = instrument(self, source, file)
        watch(code)
        return code

    def clear_and_ask_again(self):
        clear(self)
        monitoring.restart_events()

    probes.Placer.store = empty
    probes.Probes.instrument, probes.Probes.clear = instrument_and_watch, clear_and_ask_again


def watch(code):
    """Asks for the lines of a module's code and of all that is in it."""
    sys.monitoring.set_local_events(TOOL, code, sys.monitoring.events.LINE)
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            watch(constant)
