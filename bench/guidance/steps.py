"""The steps: which runs each needs, and what is done for one. What has a result file is not done again."""

import collections
import json
import statistics
import sys
import tempfile
import time

from . import files, measure
from .subjects import FOUR, PARTS, SIX, TWELVE, TWO, chosen

Job = collections.namedtuple("Job", "step subject guide seconds seed classes")

# Seconds that a job takes besides its search where nothing has been measured yet, per class of the sample.
GUESSES = {"cover": 8, "longer": 8, "ablation": 3, "mutants": 10, "pit": 10, "fresh": 4}


def key(job):
    return f"{job.subject.name}-{job.classes or 'all'}-{job.guide}-{job.seconds:g}-{job.seed}"


def path(job):
    return files.results() / job.step / f"{key(job)}.json"


def read(job):
    """The result of a job, if there is one."""
    try:
        return json.loads(path(job).read_text())
    except (FileNotFoundError, ValueError):
        return None


def jobs(step, options):
    """All jobs of a step."""
    defaults = {"longer": FOUR, "ablation": SIX, "pit": TWO}
    subjects = chosen(options.subjects or defaults.get(step, TWELVE))
    guides = {"longer": ["random"], "pit": ["grt"], "ablation": ["random", *PARTS, *(f"grt-{part}" for part in PARTS), "grt"]}
    guides = options.guides or guides.get(step, ["random", "grt"])
    seconds = [10 * one for one in options.seconds] if step == "longer" else options.seconds
    return [
        Job(step, subject, guide, one, seed, options.classes)
        for subject in subjects for one in seconds for seed in options.seeds for guide in guides
    ]


def run(step, options):
    """Does what is open of a step."""
    open_jobs = [job for job in jobs(step, options) if read(job) is None]
    print(f"{step}: {len(open_jobs)} results to make, about {shown(estimate(step, open_jobs))}", file=sys.stderr)
    for number, job in enumerate(open_jobs):
        begun = time.monotonic()
        try:
            result = STEPS[step](job)
        except (RuntimeError, OSError, measure.subprocess.SubprocessError) as error:
            print(f"{key(job)}: {error}", file=sys.stderr)
            continue
        result["took"] = time.monotonic() - begun
        path(job).parent.mkdir(parents=True, exist_ok=True)
        part = path(job).with_suffix(".part")
        part.write_text(json.dumps(result))
        part.rename(path(job))
        left = estimate(step, open_jobs[number + 1:])
        print(f"{step}: {key(job)} in {shown(result['took'])}; about {shown(left)} left", file=sys.stderr)


def estimate(step, open_jobs):
    """Seconds that jobs will take: their searches, and what the finished ones took besides."""
    searches = step in ("cover", "longer", "ablation")
    known = []
    for done in (files.results() / step).glob("*.json"):
        result = json.loads(done.read_text())
        known.append((result["took"] - result.get("search", 0)) / max(1, result["classes"]))
    other = statistics.mean(known) if known else GUESSES[step]
    return sum(len(sampled(job)) * ((job.seconds if searches else 0) + other) for job in open_jobs)


def shown(seconds):
    return f"{seconds / 3600:.1f} h" if seconds > 5400 else f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def sampled(job):
    return files.sample(files.jar(job.subject)[0], job.classes)


def folder(job, step=None):
    """Where the suite of a run is."""
    return files.suites() / (step or job.step) / key(job)


def cover(job, mutants=1000):
    """A run, and what its suite covers."""
    classes = sampled(job)
    result = measure.generate(job.subject, classes, job.guide, job.seconds, job.seed, mutants, folder(job))
    result["jacoco"] = measure.jacoco(job.subject, classes, folder(job))
    return result


def ablation(job):
    """A run without choosing assertions: only coverage is compared."""
    return cover(job, mutants=0)


def covered_suite(job):
    """The suite of the run of step `cover`."""
    suite = folder(job, "cover")
    if read(job._replace(step="cover")) is None:
        raise RuntimeError("the step `cover` has not made its suite yet")
    return suite


def mutants(job):
    """Our mutants of PIT's default group under the suite."""
    classes = sampled(job)
    found = measure.own_mutants(job.subject, classes, covered_suite(job))
    return {"classes": len(classes), "killed": sum(one["fate"] == "killed" for one in found), "all": len(found)}


def pit(job):
    """Real PIT and our mutants on the same suite, by operator."""
    classes = sampled(job)
    suite = covered_suite(job)
    ours = measure.own_mutants(job.subject, classes, suite)
    theirs = measure.pit(job.subject, classes, suite)
    result = {"classes": len(classes), "ours": {}, "pit": {}}
    for one in ours:
        count(result["ours"], one["operator"], one["fate"] == "killed")
    for one in theirs:
        count(result["pit"], one["mutator"].rsplit(".", 1)[-1], one["status"] in ("KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"))
    (files.suites() / "pit").mkdir(parents=True, exist_ok=True)
    (files.suites() / "pit" / f"{key(job)}.json").write_text(json.dumps({"ours": ours, "pit": theirs}, indent=1))
    return result


def count(table, name, killed):
    entry = table.setdefault(name, [0, 0])
    entry[0] += killed
    entry[1] += 1


def fresh(job):
    """Compiles the suite with every JDK of this machine and runs it three times in fresh JVMs; only tests of failures may fail."""
    jar, needs = files.jar(job.subject)
    jars = [jar, *needs, *files.fetch("tools/console", files.CONSOLE)]
    suite = covered_suite(job)
    result = {"classes": len(sampled(job)), "jdks": {}}
    for version, java in files.jdks().items():
        with tempfile.TemporaryDirectory() as here:
            here = files.pathlib.Path(here)
            broken = measure.compile_suite(suite, jars, java, here / "tests")
            entry = result["jdks"][version] = {"broken": broken.splitlines()[:1], "run": 0, "wrong": []}
            if broken:
                continue
            (here / "tests").mkdir(exist_ok=True)
            for turn in range(3):
                passed, failed = measure.run_suite(here / "tests", jars, java, here / f"reports{turn}")
                entry["run"] += len(passed) + len(failed)
                meant = lambda name: "ErrorTest." in name
                entry["wrong"] += sorted({one for one in failed if not meant(one)} | {one for one in passed if meant(one)})
    return result


STEPS = {"cover": cover, "longer": cover, "ablation": ablation, "mutants": mutants, "pit": pit, "fresh": fresh}
