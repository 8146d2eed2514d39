"""Test actions per CPU-second, one process, no transport: `python rate.py ours|tstl FOLDER MODEL-OR-SUT SECONDS MEASURE`.

`ours` loads the Python side from FOLDER and the model of a harness as the example `harness` prints it; `tstl` loads the `sut.py` that
`tstl` made in FOLDER, and drives it as its random tester does: restart, random enabled action, action, properties. Prints
actions per second and the seconds of loading. Both draw tests of 100 actions evenly among the enabled actions. MEASURE is `nothing`,
`branches` (every test tells all it hit) or `first` (only what no test told before it).
"""

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time

side, folder, what, seconds, measure = sys.argv[1:]
every = "all" if measure == "branches" else ""
sys.path.insert(0, folder)
scratch = tempfile.TemporaryDirectory()


class Host:
    """What a runner needs of its worker."""

    def __init__(self, model):
        from testhound_runtime import probes, watch

        self.watch, self.shared = watch.Watch(), scratch.name
        measured = "nothing" if measure == "nothing" else "branches"
        imports = [model["modules"], model["imported_from"]]
        self.probes = probes.install(measured, [], imports, "seldom" if measure == "first" else "always")
        self.watch.limit(1.0, 5.0)

    def retire(self, reason):
        pass


def ours():
    from testhound_runtime import harness

    with open(what) as file:
        model = json.load(file)
    runner = harness.load({"file": what, "model": model}, Host(model))

    def test(seed):
        return runner.run({"prefix": [], "length": 100, "seed": seed, "hits": every})["count"]

    return test


def tstl():
    import sut as generated

    sut = generated.sut()
    if measure == "nothing":
        with contextlib.suppress(Exception):
            sut.stopCoverage()

    def test(seed):
        stream, count = random.Random(seed), 0
        sut.restart()
        while count < 100:
            action = sut.randomEnabled(stream)
            if action is None:
                break
            count += 1
            if not sut.safely(action) or not sut.check():
                break
        return count

    return test


begin = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    test = ours() if side == "ours" else tstl()
    load = time.process_time() - begin
    begin, actions, seed = time.process_time(), 0, 0
    while time.process_time() - begin < float(seconds):
        actions += test(seed)
        seed += 1
    used = time.process_time() - begin
print("%d %.3f" % (round(actions / used), load))
# The timers that watch steps would end a slow farewell with an error.
sys.stdout.flush()
scratch.cleanup()
os._exit(0)
