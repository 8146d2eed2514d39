"""Records tests with TSTL 1.2.39: `python record.py SUT_FOLDER TESTS STEPS > everything.json`, where the folder holds `sut.py`
(for `prefixes.json`, made with `--noReload`: 6 tests of 60 steps).

Every step is its name, what it raised, whether it and the properties held, and how the pools look that changed.
"""

import contextlib
import io
import json
import random
import sys

sys.path.insert(0, sys.argv[1])
import sut as generated  # noqa: E402


def pools(sut):
    shown = {}
    for name, slots in sut.shallowState():
        shown[name.replace("self.p_", "")] = [repr(slots[key]) for key in sorted(slots)]
    return shown


def record(seed, length):
    stream = random.Random(seed)
    sut = generated.sut()
    sut.restart()
    steps, before = [], pools(sut)
    for _ in range(length):
        action = sut.randomEnabled(stream)
        if action is None:
            break
        good = sut.safely(action)
        raised = sut.raised()
        holds = good and sut.check()
        after = pools(sut)
        changed = {name: shown for name, shown in after.items() if shown != before[name]}
        steps.append([action[0], None if raised is None else type(raised).__name__, bool(good), bool(holds), changed])
        before = after
        if not holds:
            break
    return steps


with contextlib.redirect_stdout(io.StringIO()):
    tests = [record(seed, int(sys.argv[3])) for seed in range(int(sys.argv[2]))]
print("[\n" + ",\n".join(json.dumps(test, separators=(",", ":")) for test in tests) + "\n]")
