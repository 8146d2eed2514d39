"""Runs a test with the lines of `log:`, as TSTL does: before every step, those with POST after it, for all slots and values.

A line is shown up to a level; one without a level has 0. A line whose expression raises is not shown.
"""

from .harness import Execution
from .harness_render import Writer

# Longer values say more than people read.
LONGEST = 300


class LoggedExecution(Execution):
    """A test whose log lines are noted: of every step, those before and those after it."""

    def __init__(self, runner, test):
        super().__init__(runner, test)
        self.level = test["level"]
        self.logs = []
        self.writer = Writer(runner, asserts=False)

    def noted(self, after):
        """What the lines before or after a step show now."""
        runner, shown = self.runner, []
        names = dict(runner.namespace, self=runner.sut)
        for line in runner.model["logs"]:
            level, post = line["level"]
            if post != after or level > self.level:
                continue
            for text in self.writer.fillings(line, alive=False):
                for one in dict.fromkeys([text, runner.code.mirrored(text)]):
                    try:
                        shown.append((runner.variables.pretty(one), str(eval(one, names))[:LONGEST]))
                    except Exception:
                        pass
        return shown

    def is_watched(self):
        return True

    def take(self, sut):
        before = self.noted(after=False)
        ends = super().take(sut)
        self.logs.append((before, self.noted(after=True)))
        return ends

    def reply(self, probes):
        return dict(super().reply(probes), logs=self.logs)
