"""Runs tests of a harness: first the steps it is given, then steps drawn from weights and the test's own random stream.

Drawing is lazy: a class first, then slots and values, then the guard is asked; what is not enabled is drawn again. Without weights
every enabled action is equally likely, as in TSTL; with weights, classes are drawn by weight among those that have an enabled
action, and the action evenly among the enabled ones of its class.
"""

import bisect
import gc
import itertools
import json
import os
import random
import sys
import time
import traceback

from .harness_actions import Action
from .harness_code import BadHarness, Code, count
from .harness_render import Writer, pretty
from .probes import is_standard
from .sizes import Sizes
from .watch import StepTimeout

# Draws before the enabled actions are listed.
QUICK = 24
# Draws of an action whose guard says no before its class counts as not enabled.
PATIENT = 200


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


class Runner:
    """Runs tests of one harness."""

    def __init__(self, arguments, host):
        self.host, self.file = host, arguments["file"]
        self.model = arguments["model"]
        self.sizes = Sizes(self.file, **arguments.get("sizing", {}))
        self.reload = arguments.get("reload", False)
        self.prepare()
        # What is loaded by now stays; the collector need not look at it again.
        gc.collect()
        if hasattr(gc, "freeze"):
            gc.freeze()

    def prepare(self):
        """Runs the raw Python of the harness and makes functions of the rest."""
        model = self.model
        self.namespace = {"__name__": "harness", "__file__": self.file, "__int": int, "__chr": chr}
        try:
            raw = compile(model["raw"], self.file, "exec", dont_inherit=True)
        except SyntaxError as error:
            column = (error.offset or 1) + (error.lineno in model["marked"])
            raise BadHarness(error.lineno or 1, column, "this is not Python: %s" % error.msg) from None
        exec(raw, self.namespace)
        code = self.code = Code(model, self.file, self.namespace)
        self.sut = Sut(model["pools"])
        self.actions = [Action(code, number, one) for number, one in enumerate(model["classes"])]
        self.check, self.assume, self.init, self.finish = code.check(), code.assume(), code.init(), code.finish()
        hook = self.namespace.get
        self.before_each, self.after_each = hook("test_before_each"), hook("test_after_each")
        self.before_restart, self.after_restart = hook("test_before_restart"), hook("test_after_restart")
        self.call_hook(hook("test_before_all"))
        self.choices = {}
        # What loading hit is covered by no test.
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

    def call_hook(self, hook):
        if hook is not None:
            try:
                hook(self.sut)
            except Exception:
                pass

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
        watch.step += 1
        watch.on = True
        try:
            run.execute()
        except StepTimeout as error:
            run.end, run.failure = "timeout", {"kind": "timeout", "message": str(error)}
            self.host.retire("a step took too long")
        finally:
            watch.on = False
        reply = run.reply(probes)
        reply["cpu"] = round((time.process_time() - begin) * 1e6)
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
        return [pretty(name).strip() for name in self.ask_names(steps)]

    def ask_find(self, names):
        """The steps that TSTL calls so; nothing for those that no class has."""
        return [next((step for step in (action.find(name) for action in self.actions) if step), None) for name in names]

    def ask_facts(self, _):
        """How many actions every class has."""
        return {"totals": [action.total for action in self.actions]}

    def ask_static_sizes(self, _):
        """Sizes of all classes by the names in their texts alone."""
        return self.sizes.static([action["text"] for action in self.model["classes"]], self.under_test())

    def ask_write(self, test):
        """A test as plain Python statements."""
        return Writer(self, test["asserts"]).write(test["steps"], test["failing"])

    def count(self, hole):
        return count(hole, self.model["pools"])


class Execution:
    """One test as it runs."""

    def __init__(self, runner, test):
        self.runner, self.test = runner, test
        self.all_hits = test.get("hits") == "all"
        self.sampling = test.get("sample")
        self.trace = test.get("trace", False)
        self.steps, self.sizes, self.news, self.outcomes = [], [], [], []
        self.end, self.failure = "passed", None
        self.last = b""
        self.log = None
        self.states, self.shown = [], {}
        if test.get("log", False):
            self.log = open(os.path.join(runner.host.shared, "left"), "w")

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
            relaxed = self.test.get("relaxed", False)
            actions = runner.actions
            for step in self.test["prefix"]:
                action = actions[step[0]]
                arguments = (action.enabled_relaxed if relaxed else action.enabled)(sut, *step[1:])
                if arguments is not None and not self.step(action, arguments):
                    return
            if self.test.get("length", 0) > len(self.steps):
                self.draw_steps()
        except StepTimeout:
            raise
        except BaseException as error:
            self.fail(error)
        finally:
            if runner.finish is not None:
                runner.finish(sut)

    def draw_steps(self):
        """Draws steps until the test is long enough, ends, or nothing is enabled."""
        runner, sut = self.runner, self.runner.sut
        stream = random.Random(self.test["seed"]).random
        choice = runner.choice(self.test)
        draw, step, steps = choice.draw, self.step, self.steps
        if self.sampling is not None:
            draw = choice.draw_wanted(self.sampling)
        length = self.test["length"]
        while len(steps) < length:
            drawn = draw(sut, stream)
            if drawn is None or not step(*drawn):
                return

    def step(self, action, arguments):
        """Takes a step; false ends the test."""
        runner = self.runner
        sut = runner.sut
        self.steps.append((action.number,) + arguments)
        runner.host.watch.step += 1
        if self.log is not None:
            self.log.seek(0)
            json.dump(self.steps, self.log)
            self.log.flush()
        if runner.before_each is not None:
            runner.call_hook(runner.before_each)
        raised, good = None, True
        try:
            if self.sampling is not None:
                self.sizes.append((action.number, runner.sizes.measure(action.act, sut, arguments)))
                raised = runner.sizes.raised
                if raised is not None and not isinstance(raised, action.expected + action.warned):
                    raise raised
            else:
                raised = action.act(sut, *arguments)
        except StepTimeout:
            raise
        except BaseException as error:
            raised = error
            if not isinstance(error, action.expected) and not isinstance(error, action.warned):
                self.fail(error)
                good = False
        used = sut.used
        for pool, index in action.uses:
            used[pool][arguments[index]] = True
        for pool, index in action.assigns:
            used[pool][arguments[index]] = False
        if runner.after_each is not None:
            runner.call_hook(runner.after_each)
        if self.trace:
            self.outcomes.append(outcome(raised))
            self.note_state()
        if good and runner.assume is not None and not runner.assume(sut):
            self.end, good = "assumption", False
        if good and runner.check is not None:
            try:
                runner.check(sut)
            except StepTimeout:
                raise
            except BaseException as error:
                self.fail(error)
                good = False
        if self.all_hits:
            self.note_news()
        return good

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
        if self.trace:
            reply["outcomes"] = self.outcomes
            reply["states"] = self.states
        if probes is not None:
            if self.all_hits:
                reply["hits"] = probes.hits()
                if self.news:
                    reply["news"] = self.news
            else:
                fresh = probes.fresh()
                if fresh is not None:
                    reply["hits"] = fresh
        if self.failure is not None or "hits" in reply or self.test.get("steps", False):
            reply["steps"] = self.steps
        return reply


class Choice:
    """Draws actions by weights among the classes that are allowed."""

    def __init__(self, actions, weights, allowed):
        chosen = [action for action in actions if allowed is None or allowed[action.number] == "1"]
        self.actions = chosen
        if weights is None:
            weighed = [action.total * action.model["weight"] for action in chosen]
            self.draw = self.draw_evenly
        else:
            given = [float(weight) for weight in weights.split(" ")]
            weighed = [given[action.number] for action in chosen]
            self.draw = self.draw_by_class
        self.weights = weighed
        self.sums = list(itertools.accumulate(weighed))
        self.total = self.sums[-1] if self.sums else 0.0

    def draw_evenly(self, sut, stream):
        """Every enabled action is equally likely: what is not enabled is drawn again."""
        actions, sums, total = self.actions, self.sums, self.total
        if not actions:
            return None
        find = bisect.bisect_right
        for _ in range(QUICK):
            action = actions[find(sums, stream() * total)]
            arguments = action.draw(sut, stream)
            if arguments is not None:
                return action, arguments
        return self.draw_eligible(sut, stream)

    def draw_eligible(self, sut, stream):
        """The same, after counting what the slots allow."""
        counts, lists = [], []
        for action in self.actions:
            eligible = action.eligible(sut)
            number = action.model["weight"]
            for one in eligible:
                number *= len(one)
            counts.append(number)
            lists.append(eligible)
        tries = [0] * len(counts)
        while True:
            sums = list(itertools.accumulate(counts))
            if not sums or sums[-1] == 0:
                return None
            index = bisect.bisect_right(sums, stream() * sums[-1])
            action = self.actions[index]
            drawn = [one[int(stream() * len(one))] for one in lists[index]]
            arguments = action.enabled(sut, *drawn)
            if arguments is not None:
                return action, arguments
            tries[index] += 1
            if tries[index] >= PATIENT:
                counts[index] = 0

    def draw_by_class(self, sut, stream):
        """A class by its weight, then one of its enabled actions; classes without one are left out."""
        actions, sums, total = self.actions, self.sums, self.total
        left = None
        while actions:
            index = bisect.bisect_right(sums, stream() * total)
            index = min(index, len(actions) - 1)
            arguments = within(actions[index], sut, stream)
            if arguments is not None:
                return actions[index], arguments
            left = list(zip(self.actions, self.weights)) if left is None else left
            del left[index]
            actions = [action for action, _ in left]
            sums = list(itertools.accumulate(weight for _, weight in left))
            total = sums[-1] if sums else 0.0
            if not total > 0.0:
                return None
        return None

    def draw_wanted(self, wanted):
        """Draws classes that are wanted first, each once, where one is enabled."""
        waiting = [action for action in self.actions if wanted[action.number] == "1"]

        def draw(sut, stream):
            for action in waiting:
                arguments = within(action, sut, stream)
                if arguments is not None:
                    waiting.remove(action)
                    return action, arguments
            return self.draw(sut, stream)

        return draw


def within(action, sut, stream):
    """One of the enabled actions of a class, evenly; nothing if there is none."""
    for _ in range(3):
        arguments = action.draw(sut, stream)
        if arguments is not None:
            return arguments
    eligible = action.eligible(sut)
    number = 1
    for one in eligible:
        number *= len(one)
    if number == 0:
        return None
    if not action.guarded:
        return tuple(one[int(stream() * len(one))] for one in eligible)
    if number <= PATIENT:
        fillings = list(itertools.product(*eligible))
        while fillings:
            index = int(stream() * len(fillings))
            arguments = action.enabled(sut, *fillings[index])
            if arguments is not None:
                return arguments
            fillings[index] = fillings[-1]
            fillings.pop()
        return None
    for _ in range(PATIENT):
        arguments = action.enabled(sut, *[one[int(stream() * len(one))] for one in eligible])
        if arguments is not None:
            return arguments
    return None


OURS = os.path.dirname(os.path.abspath(__file__))


def describe(error, harness):
    """What identifies a failure: the exception and its place."""
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if not frame.filename.startswith(OURS)]
    frame = frames[-1] if frames else None
    if isinstance(error, RecursionError):
        # Where the stack ends is chance; where the recursion was entered is not.
        outside = [one for one in frames if one.filename != harness]
        frame = outside[0] if outside else frame
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


def outcome(raised):
    return None if raised is None else type(raised).__name__


def load(arguments, host):
    try:
        runner = Runner(arguments, host)
    except BadHarness as bad:
        raise LoadError("%d:%d:%s" % bad.place) from None
    sys.setswitchinterval(0.05)
    return runner


class LoadError(Exception):
    """A harness that is not right."""
