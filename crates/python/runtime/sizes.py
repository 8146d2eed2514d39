"""Measures the size of actions: the source lines of every function that an action enters, each counted once.

Groce et al., "Using Relative Lines of Code to Guide Automated Test Generation for Python", Figure 2: functions are known by name
and file, those of the harness do not count, comments and blank lines do.

Differences: functions without source, such as those that libraries make by `exec`, count nothing; there they ended the run.
"""

import inspect
import os
import sys

OURS = os.path.dirname(os.path.abspath(__file__))


class Sizes:
    """Counts lines while an action runs."""

    def __init__(self, harness):
        self.harness = harness
        self.lines = {}
        self.raised = None
        self.seen = set()
        self.total = 0

    def enter(self, frame, event, argument):
        code = frame.f_code
        key = (code.co_name, code.co_filename)
        if key not in self.seen:
            self.seen.add(key)
            self.total += self.size(key, code)
        return None

    def size(self, key, code):
        known = self.lines.get(key)
        if known is None:
            known = 0
            if key[1] != self.harness and not key[1].startswith(OURS):
                try:
                    known = len(inspect.getsourcelines(code)[0])
                except (OSError, TypeError, IndexError, SyntaxError):
                    pass
            self.lines[key] = known
        return known

    def measure(self, act, sut, arguments):
        """Runs an action; gives its size, and keeps what it raised."""
        self.seen, self.total, self.raised = set(), 0, None
        sys.settrace(self.enter)
        try:
            self.raised = act(sut, *arguments)
        except Exception as error:
            self.raised = error
        finally:
            sys.settrace(None)
        return self.total
