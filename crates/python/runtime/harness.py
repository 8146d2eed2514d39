"""Runs tests of a harness: first the steps it is given, then steps drawn from weights and the test's own random stream.

A test of which nothing is asked but how it ended takes a short way: trying a step takes it at once, and only properties come after it.
"""

import gc
import json
import mmap
import os
import random
import sys
import time
import traceback

from .harness_actions import Action
from .harness_attempts import attempts
from .harness_code import BadHarness, Code, count
from .harness_draw import Choice
from .harness_render import Variables, Writer
from .probes import is_standard
from .sizes import Sizes
from .watch import StepTimeout

# How many times as long steps may take while sizes are measured.
SLOWED = 5


class Sut:
    """What the code of a harness calls `self`: the pools."""

    def __init__(self, pools):
        self.pools, self.used, self.mirrors = [], [], []
        for pool in pools:
            slots, used = [None] * pool["size"], [True] * pool["size"]
            setattr(self, "p_" + pool["name"], slots)
            setattr(self, "p_" + pool["name"] + "_used", used)
            self.pools.append(slots)
            self.used.append(used)
            if pool["reference"]:
                mirror = [None] * pool["size"]
                setattr(self, "p_" + pool["name"] + "_REF", mirror)
                self.mirrors.append(mirror)

    def shown(self):
        """How all pools look."""
        return {name[2:]: [show(value) for value in slots] for name, slots in vars(self).items() if is_pool(name)}

    def empty(self):
        for slots in self.pools:
            slots[:] = [None] * len(slots)
        for used in self.used:
            used[:] = [True] * len(used)
        for mirror in self.mirrors:
            mirror[:] = [None] * len(mirror)


def is_pool(name):
    return name.startswith("p_") and not name.endswith("_used")


def show(value):
    try:
        return repr(value)[:500]
    except Exception:
        return "?"


def mark(file):
    """A number in a file that is still there when this process is not."""
    with open(file, "w+b") as opened:
        opened.write(b"\xff" * 4)
        opened.flush()
        return memoryview(mmap.mmap(opened.fileno(), 4)).cast("i")


class Runner:
    """Runs tests of one harness."""

    def __init__(self, arguments, host):
        self.host, self.file = host, arguments["file"]
        self.model = arguments["model"]
        self.sizes = Sizes(self.file, **arguments.get("sizing", {}))
        self.reload = arguments.get("reload", False)
        self.mark = mark(os.path.join(host.shared, "doing"))
        self.sut = Sut(self.model["pools"])
        self.prepare()
        self.variables = Variables([pool["name"] for pool in self.model["pools"]], self.namespace)
        self.bound = self.begin()
        # What is loaded by now stays; the collector need not look at it again.
        gc.collect()
        if host.probes is not None and not self.reload:
            host.probes.gather()
        if hasattr(gc, "freeze"):
            gc.freeze()
        self.replied = time.process_time()

    def prepare(self):
        """Runs the raw Python of the harness and makes functions of the rest."""
        model = self.model
        self.namespace = {"__name__": "harness", "__file__": self.file, "__chr": chr, "__mark": self.mark}
        try:
            raw = compile(model["raw"], self.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            column = (error.offset or 1) + (error.lineno in model["marked"])
            raise BadHarness(error.lineno or 1, column, "this is not Python: %s" % error.msg) from None
        exec(raw, self.namespace)
        code = self.code = Code(model, self.file, self.namespace)
        self.actions = [Action(code, number, one) for number, one in enumerate(model["classes"])]
        self.check, self.assume, self.init, self.finish = code.check(), code.assume(), code.init(), code.finish()
        hook = self.namespace.get
        self.before_each, self.after_each = hook("test_before_each"), hook("test_after_each")
        self.before_restart, self.after_restart = hook("test_before_restart"), hook("test_after_restart")
        self.choices, self.made = {}, {}
        self.forget_hits()

    def begin(self):
        """Calls the hook that comes before all tests; gives the names that it bound."""
        before = dict(self.namespace)
        self.call_hook(self.namespace.get("test_before_all"))
        self.forget_hits()
        return {name: value for name, value in self.namespace.items() if before.get(name, before) is not value}

    def forget_hits(self):
        """What loading hit is covered by no test."""
        if self.host.probes is not None:
            self.host.probes.clear()

    def under_test(self):
        """The packages that the harness imports from outside of the standard library."""
        names = self.model["modules"] + self.model["imported_from"]
        return {name.split(".")[0] for name in names if not is_standard(name.split(".")[0])}

    def prepare_anew(self):
        """Loads the modules under test again, and with them everything that knows their classes."""
        packages = self.under_test()
        for name in [name for name in sys.modules if name.split(".")[0] in packages]:
            del sys.modules[name]
        self.prepare()
        self.namespace.update(self.bound)

    def call_hook(self, hook):
        if hook is not None:
            try:
                hook(self.sut)
            except Exception:
                pass

    def attempts(self, way):
        """Functions that try steps, by class."""
        if way not in self.made:
            self.made[way] = attempts(self.actions, way)
        return self.made[way]

    def choice(self, test):
        """How the steps of a test are drawn."""
        key = (test.get("weights"), test.get("allowed"))
        made = self.choices.get(key)
        if made is None:
            if len(self.choices) > 1000:
                self.choices.clear()
            made = self.choices[key] = Choice(self.actions, *key)
        return made

    def run(self, test):
        """Runs a test; tells how it ended, and more where there is something new."""
        begin = time.process_time()
        if self.reload:
            self.prepare_anew()
        run = self.execution(test)
        probes, watch = self.host.probes, self.host.watch
        if probes is not None and run.all_hits:
            probes.clear()
        self.mark[0] = -1
        self.code.warnings.clear()
        watch.step += 1
        watch.steps = run.steps
        watch.slack = 1 if run.sampling is None else SLOWED
        watch.on = True
        try:
            run.execute()
        except StepTimeout as error:
            run.end, run.failure = "timeout", describe_timeout(error, self.file)
            self.host.retire("a step took too long")
        finally:
            watch.on = False
            watch.steps, watch.slack = (), 1
        reply = run.reply(probes)
        if self.code.warnings:
            reply["warned"] = sorted(self.code.warnings)
        if probes is not None:
            probes.rest()
        end = time.process_time()
        reply["cpu"], reply["busy"] = round((end - begin) * 1e6), round((end - self.replied) * 1e6)
        self.replied = end
        return reply

    def execution(self, test):
        """A test that is about to run; one that shows logs is of another class, so that others pay nothing for it."""
        if "level" not in test:
            return Execution(self, test)
        from .harness_log import LoggedExecution

        return LoggedExecution(self, test)

    def ask_names(self, steps):
        """What TSTL calls these steps."""
        return [self.actions[step[0]].name(step[1:]) for step in steps]

    def ask_shown(self, steps):
        """The same with slots as variables."""
        return [self.variables.pretty(name).strip() for name in self.ask_names(steps)]

    def ask_find(self, names):
        """The steps that TSTL calls so; nothing for those that no class has."""
        return [next((step for step in (action.find(name) for action in self.actions) if step), None) for name in names]

    def ask_hook(self, name):
        """Calls a hook that is not called while tests run, such as `test_before_reduce`, if there is one."""
        self.call_hook(self.namespace.get(name))

    def ask_facts(self, _):
        """How many actions every class has."""
        return {"totals": [action.total for action in self.actions]}

    def ask_state(self, _):
        """What the modules under test keep."""
        from .leaks import state

        return state(self.under_test())

    def ask_static_sizes(self, _):
        """Sizes of all classes by the names in their texts alone."""
        return self.sizes.static([action["text"] for action in self.model["classes"]], self.under_test())

    def ask_write(self, test):
        """A test as plain Python statements."""
        if self.reload:
            self.prepare_anew()
        return Writer(self, test["asserts"]).write(test["steps"], test["failing"], test["comment"])

    def count(self, hole):
        return count(hole, self.model["pools"])


class Execution:
    """One test as it runs."""

    def __init__(self, runner, test):
        self.runner, self.test = runner, test
        self.all_hits = test.get("hits") == "all"
        self.sampling = test.get("sample")
        # How the pools look is for tests of this file: it calls `__repr__` of the subject, which a run does not.
        self.trace = test.get("trace", False)
        self.noting = self.trace or test.get("outcomes", False)
        self.steps, self.sizes, self.news, self.outcomes = [], [], [], []
        self.end, self.failure = "passed", None
        self.last = b""
        self.log = None
        self.states, self.shown = [], {}
        if test.get("log", False):
            self.log = open(os.path.join(runner.host.shared, "left"), "w")

    def is_watched(self):
        """Whether something is asked for, or a hook called, between the parts of a step."""
        runner = self.runner
        hooked = runner.before_each is not None or runner.after_each is not None
        return hooked or self.noting or self.all_hits or self.sampling is not None or self.log is not None

    def execute(self):
        runner, sut = self.runner, self.runner.sut
        runner.call_hook(runner.before_restart)
        sut.empty()
        try:
            if runner.init is not None:
                runner.init(sut)
            runner.call_hook(runner.after_restart)
            if self.trace:
                self.shown = sut.shown()
            self.take_steps()
        except StepTimeout:
            raise
        except BaseException as error:
            self.fail(error)
        finally:
            if runner.finish is not None:
                runner.finish(sut)

    def take_steps(self):
        """Takes the given steps, then draws steps until the test is long enough, ends, or nothing is enabled."""
        runner, test, steps, sut = self.runner, self.test, self.steps, self.runner.sut
        # What ends a test after a step was tried, or nothing.
        settle = self.settle if runner.assume is not None else runner.check
        way = "play"
        if test.get("relaxed", False) or self.is_watched():
            way, settle = "relaxed" if test.get("relaxed", False) else "enabled", self.take
        attempts, note = runner.attempts(way), steps.append
        for step in test["prefix"]:
            if attempts[step[0]](sut, step, note) and settle is not None and settle(sut):
                return
        length = test.get("length", 0)
        if length <= len(steps):
            return
        choice, stream = runner.choice(test), random.Random(test["seed"]).random
        draw = choice.draw if self.sampling is None else choice.wanted_first(self.sampling)
        while len(steps) < length:
            if not draw(sut, stream, attempts, note) or settle is not None and settle(sut):
                return

    def settle(self, sut):
        """Whether the test ends after a step; raises what a property raises."""
        runner = self.runner
        if not runner.assume(sut):
            self.end = "assumption"
            return True
        return runner.check is not None and runner.check(sut)

    def take(self, sut):
        """Takes the step that was noted last; gives whether it ends the test."""
        runner = self.runner
        action, arguments = runner.actions[self.steps[-1][0]], self.steps[-1][1:]
        if self.log is not None:
            self.log.seek(0)
            json.dump(self.steps, self.log)
            self.log.flush()
        if runner.before_each is not None:
            runner.call_hook(runner.before_each)
        raised, ends = None, False
        try:
            raised = self.act(action, arguments)
        except StepTimeout:
            raise
        except BaseException as error:
            raised = error
            if not isinstance(error, action.expected) and not isinstance(error, action.warned):
                self.fail(error)
                ends = True
        if action.warned:
            action.warn(raised)
        used = sut.used
        for pool, index in action.uses:
            used[pool][arguments[index]] = True
        for pool, index in action.assigns:
            used[pool][arguments[index]] = False
        if runner.after_each is not None:
            runner.call_hook(runner.after_each)
        if self.noting:
            self.outcomes.append(outcome(raised))
            if self.trace:
                self.note_state()
        ends = ends or self.settle_safely(sut)
        if self.all_hits:
            self.note_news()
        return ends

    def act(self, action, arguments):
        runner = self.runner
        if self.sampling is None:
            return action.act(runner.sut, *arguments)
        self.sizes.append((action.number, runner.sizes.measure(action.act, runner.sut, arguments)))
        raised = runner.sizes.raised
        if raised is not None and not isinstance(raised, action.expected + action.warned):
            raise raised
        return raised

    def settle_safely(self, sut):
        """Whether the test ends after a step; notes what a property raises."""
        try:
            if self.runner.assume is not None:
                return self.settle(sut)
            return self.runner.check is not None and self.runner.check(sut)
        except StepTimeout:
            raise
        except BaseException as error:
            self.fail(error)
            return True

    def note_state(self):
        """Notes how the pools look that changed in this step."""
        after = self.runner.sut.shown()
        self.states.append({name: shown for name, shown in after.items() if shown != self.shown.get(name)})
        self.shown = after

    def note_news(self):
        """Notes the steps that hit what no test before had hit."""
        probes = self.runner.host.probes
        if probes is not None and probes.hit != self.last:
            fresh = probes.fresh(self.last)
            self.last = bytes(probes.hit)
            if fresh is not None:
                self.news.append((len(self.steps), fresh))

    def fail(self, error):
        self.end = "failed"
        self.failure = describe(error, self.runner.file)

    def reply(self, probes):
        reply = {"end": self.end, "count": len(self.steps)}
        if self.failure is not None:
            reply["failure"] = self.failure
        if self.sizes:
            reply["sizes"] = self.sizes
        if self.noting:
            reply["outcomes"] = self.outcomes
            if self.trace:
                reply["states"] = self.states
        if probes is not None:
            if self.all_hits:
                reply["hits"], reply["all"] = probes.hits(), True
                if self.news:
                    reply["news"] = self.news
            else:
                fresh = probes.fresh()
                if fresh is not None:
                    reply["hits"] = fresh
        if self.failure is not None or "hits" in reply or self.test.get("steps", False):
            reply["steps"] = self.steps
        return reply


OURS = os.path.dirname(os.path.abspath(__file__))
STANDARD = os.path.join(os.path.dirname(os.__file__), "")


def is_standard_file(name):
    """Whether a source file belongs to Python itself; packages may be installed below its folder."""
    return name.startswith("<frozen ") or name.startswith(STANDARD) and "-packages" not in name[len(STANDARD) :]


def blamed(files, harness):
    """Which of these nested places, innermost last, a failure is at: the innermost, but no function of Python's own.

    Different faults may show in one of those; who called it tells them apart. `files` are those of the places.
    """
    callers = [place for place, file in enumerate(files) if file != harness and not is_standard_file(file)]
    return callers[-1] if callers and is_standard_file(files[-1]) else -1


def describe(error, harness):
    """What identifies a failure: the exception and its place."""
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if not frame.filename.startswith(OURS)]
    frame = frames[blamed([one.filename for one in frames], harness)] if frames else None
    if isinstance(error, RecursionError):
        # Where the stack ends is chance; where the recursion was entered is not.
        outside = [one for one in frames if one.filename != harness]
        frame = outside[0] if outside else frames[-1] if frames else None
    kind = type(error).__name__
    module = type(error).__module__
    if module not in ("builtins", "harness", "__main__"):
        kind = module + "." + kind
    try:
        message = str(error)[:500]
    except Exception:
        message = ""
    place = [frame.filename, frame.lineno, frame.name] if frame is not None else None
    return {"kind": kind, "message": message, "place": place, "property": frame is not None and frame.filename == harness}


def describe_timeout(error, harness):
    """The same for a step that took too long: the innermost function that ran all the while. Where in it is chance."""
    failure = {"kind": "timeout", "message": str(error)}
    running = [one for one in error.running if not one[0].startswith((OURS, "<"))]
    if running:
        file, first, line, name = running[blamed([one[0] for one in running], harness)]
        # The functions of actions and properties have no names of their own, but a line each.
        nameless = file == harness and (name == "made" or name.startswith("<"))
        failure["place"] = [file, line if nameless else first, name]
        failure["within"] = None if nameless else name
    return failure


def outcome(raised):
    return None if raised is None else type(raised).__name__


def load(arguments, host):
    try:
        runner = Runner(arguments, host)
    except BadHarness as bad:
        raise LoadError("%d:%d: %s" % bad.place) from None
    sys.setswitchinterval(0.05)
    return runner


class LoadError(Exception):
    """A harness that is not right."""
