"""Test actions per CPU-second of whole programs as their users start them, without coverage, in tests of 100 actions.

`python whole.py ours TESTHOUND HARNESS OUT PYTHON` starts `generate` with the guide `random` and one worker. When it says for the first time
how far it is (after ten seconds of generating), the processor time of it and all its children is read and it is interrupted. Prints its
actions over that time, to which starting up and the engine belong, but not what follows the end: reducing failures and writing tests.

`python whole.py tstl TSTL_RT FOLDER` runs TSTL's random tester for ten seconds in the folder where `tstl` made `sut.py`, and prints its
operations over its processor time without that of a run of no seconds: TSTL's starting up does not count.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile


def processor_seconds(root):
    """What a process and all below it have used."""
    parents, used = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        # Those that ended count for who waited for them.
        parents[int(name)], used[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    below = lambda one: one == root or one in parents and below(parents[one])
    return sum(ticks for one, ticks in used.items() if below(one)) / os.sysconf("SC_CLK_TCK")


def ours(program, harness, out, python):
    words = ["generate", harness, "--guide", "random", "--jobs", "1", "--no-coverage", "--time", "1000s", "--force"]
    run = subprocess.Popen(
        [program] + words + ["--out", out, "--python", python], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    spent = None
    for line in run.stderr:
        sys.stderr.write(line)
        if spent is None and line.startswith("tests: "):
            spent = processor_seconds(run.pid)
            run.send_signal(signal.SIGINT)
    run.wait()
    with open(os.path.join(out, "record.json")) as file:
        return json.load(file)["actions"] / spent


def tstl(program, folder):
    (operations, spent), (_, starting) = (tstl_for(seconds, program, folder) for seconds in (10, 0))
    return operations / (spent - starting)


def tstl_for(seconds, program, folder):
    """What TSTL's random tester does in so many seconds, and the processor time that it takes."""
    # Its defaults are 100 actions a test, every enabled action equally likely; `--multiple --full` goes on after failures without reducing them, as
    # we do while tests are generated.
    words = [program, "--noCover", "--multiple", "--full", "--seed", "1", "--timeout", str(seconds)]
    with tempfile.TemporaryFile("w+") as said:
        run = subprocess.Popen(words, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, _, used = os.wait4(run.pid, 0)
        said.seek(0)
        operations = re.search(r"(\d+) TOTAL TEST OPERATIONS", said.read())
    return int(operations[1]), used.ru_utime + used.ru_stime


print(round({"ours": ours, "tstl": tstl}[sys.argv[1]](*sys.argv[2:])))
