"""Test actions per CPU-second of whole runs, engine, transport and workers together: `python whole.py TESTHOUND HARNESS OUT PYTHON`.

Starts `generate` with the guide `random`, one worker and no coverage. When it says for the first time how far it is (after ten seconds of
generating), the processor time of it and all its children is read and it is interrupted. Prints its actions over that time, to which
starting up belongs, but not what follows the end: reducing failures and writing tests.
"""

import json
import os
import signal
import subprocess
import sys


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


program, harness, out, python = sys.argv[1:]
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
    actions = json.load(file)["actions"]
print(round(actions / spent))
