"""Stops steps that run too long: a timer ticks, and raises in a step that was running for longer than its limit.

A step costs nothing but a changed number. A step that catches the exception gets it again at the next tick. Code that does not
return to the interpreter is stopped by killing the worker, from outside. What this package does for a step, such as placing probes in a
module that the step imports, takes none of the step's time.
"""

import contextlib
import itertools
import signal
import time

TICK = 0.05


class StepTimeout(BaseException):
    """Raised inside a step that has used up its time.

    `running` are the functions that ran all the while, innermost last: file, first line, present line, name.
    """

    running = ()


class Watch:
    """Runners add 1 to `step` or a member to `steps` when a step begins, and set `on` while the subject runs."""

    def __init__(self):
        self.step, self.steps = 0, ()
        self.on = False
        self._ours = False
        self._seen = self._frames = None
        self._since = (0.0, 0.0)
        self._cpu = self._wall = 0.0
        # How many times as long steps may take while something slows them down that is not theirs.
        self.slack = 1

    def limit(self, cpu, wall):
        """Sets the limits in seconds and starts the timers."""
        self._cpu, self._wall = cpu, wall
        signal.signal(signal.SIGPROF, self._tick)
        signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_PROF, min(TICK, cpu / 2), min(TICK, cpu / 2))
        # Waiting uses no processor time; it is looked at less often.
        signal.setitimer(signal.ITIMER_REAL, wall / 4, wall / 4)

    @contextlib.contextmanager
    def pause(self):
        """What is done meanwhile is not the step's work."""
        before = (time.process_time(), time.monotonic())
        self._ours = True
        try:
            yield
        finally:
            self._ours = False
            spent = (time.process_time() - before[0], time.monotonic() - before[1])
            self._since = (self._since[0] + spent[0], self._since[1] + spent[1])

    def _tick(self, number, frame):
        if self._ours:
            return
        if not self.on:
            self._seen = self._frames = None
            return
        now = (time.process_time(), time.monotonic())
        step = (self.step, len(self.steps))
        if step != self._seen:
            self._seen, self._since, self._frames = step, now, None
            return
        cpu, wall = (now[0] - self._since[0]) / self.slack, (now[1] - self._since[1]) / self.slack
        # Frames that are kept keep what their variables hold, so only those of slow steps are.
        if 3 * cpu >= self._cpu or 3 * wall >= self._wall:
            self._sample(frame)
        if cpu >= self._cpu or wall >= self._wall:
            # Whoever catches it needs a moment before it comes again.
            self._since = (now[0] - self._cpu * self.slack + 2 * TICK, now[1] - self._wall * self.slack + 20 * TICK)
            timeout = StepTimeout("a step took more than %g s" % (self._cpu if cpu >= self._cpu else self._wall))
            codes = [(one.f_code, one.f_lineno) for one in self._frames]
            timeout.running = [(code.co_filename, code.co_firstlineno, line, code.co_name) for code, line in codes]
            self._frames = None
            raise timeout

    def _sample(self, frame):
        """Keeps the outer functions that were already running: what they call may be another function at every tick."""
        stack = []
        while frame is not None:
            stack.append(frame)
            frame = frame.f_back
        stack.reverse()
        if self._frames is not None:
            both = itertools.takewhile(lambda pair: pair[0] is pair[1], zip(stack, self._frames))
            stack = [one for one, _ in both]
        self._frames = stack
