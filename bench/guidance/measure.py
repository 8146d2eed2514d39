"""Runs `testhound generate`, and other people's tools on the suites it wrote: JaCoCo, JUnit's console, PIT."""

import csv
import json
import shutil
import subprocess
import tempfile
import time
import xml.etree.ElementTree

from . import files


def classpath(paths):
    return ":".join(str(path) for path in paths)


def generate(subject, classes, guide, seconds, seed, mutants, suite):
    """One run: its record's numbers. The suite stays in its folder."""
    jar, needs = files.jar(subject)
    words = [files.PROGRAM, "generate", jar, "--guide", guide, "--seed", str(seed), "--json", "--force", "--out", suite]
    words += ["--time", f"{len(classes) * seconds}s", "--mutants", str(mutants), "--jobs", "1", "--deprecated"]
    for name in classes:
        words += ["--class", name]
    if needs:
        words += ["--classpath", classpath(needs)]
    begun = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True)
    whole = time.monotonic() - begun
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it ended without saying why")
    record = json.loads(done.stdout)
    mutation = record.get("mutation")
    return {
        "classes": len(classes),
        "search": record["elapsed-seconds"],
        "other": whole - record["elapsed-seconds"],
        "executions": record["executions"],
        "tests": record["suite-tests"],
        "dropped": len(record["dropped-tests"]),
        "failures": len(record["failures"]),
        "own-mutants": mutation and [mutation["killed"], mutation["mutants"]],
    }


def compile_suite(suite, jars, java, folder):
    """Compiles the written tests; gives what the compiler says where it fails."""
    if not (suite / "suite").is_dir():
        raise RuntimeError(f"there is no suite in {suite}")
    sources = sorted(str(path) for path in (suite / "suite").rglob("*.java"))
    words = [java / "bin" / "javac", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-cp", classpath(jars), "-d", folder]
    if not sources:
        return ""
    done = subprocess.run(words + sources, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or "the compiler failed"


def run_suite(classes, jars, java, reports, options=()):
    """Runs compiled tests by JUnit's console in a fresh JVM: the names of those that passed and of those that did not."""
    words = [java / "bin" / "java", *options, "-cp", classpath([classes, *jars]), "org.junit.platform.console.ConsoleLauncher"]
    words += ["execute", "--scan-class-path", str(classes), "--include-classname", ".*", "--disable-banner", "--details", "none"]
    subprocess.run([*words, "--reports-dir", str(reports)], capture_output=True, text=True, timeout=900)
    passed, failed = set(), set()
    for path in reports.glob("*jupiter*.xml"):
        for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            bad = case.find("failure") is not None or case.find("error") is not None
            (failed if bad else passed).add(name)
    return passed, failed


def jacoco(subject, classes, suite):
    """What the written suite covers as JaCoCo counts it: per class [instructions covered, all, branches covered, all]."""
    jar, needs = files.jar(subject)
    tools = {path.name.split("-")[0]: path for path in files.fetch("tools/jacoco", files.JACOCO) if "-nodeps" in path.name or "-runtime" in path.name}
    console = files.fetch("tools/console", files.CONSOLE)
    java = default_java()
    with tempfile.TemporaryDirectory() as folder:
        folder = files.pathlib.Path(folder)
        jars = [jar, *needs, *console]
        problem = compile_suite(suite, jars, java, folder / "tests")
        if problem:
            raise RuntimeError(f"the suite does not compile: {problem.splitlines()[0]}")
        (folder / "tests").mkdir(exist_ok=True)
        files.unpack(jar, classes, folder / "classes")
        agent = f"-javaagent:{tools['org.jacoco.agent']}=destfile={folder}/hits.exec"
        run_suite(folder / "tests", jars, java, folder / "reports", [agent])
        words = [java / "bin" / "java", "-jar", tools["org.jacoco.cli"], "report"]
        words += [folder / "hits.exec"] if (folder / "hits.exec").exists() else []
        words += ["--classfiles", folder / "classes", "--csv", folder / "covered.csv"]
        subprocess.run(words, check=True, capture_output=True)
        found = {}
        for row in csv.DictReader((folder / "covered.csv").open()):
            name = f"{row['PACKAGE']}.{row['CLASS'].split('.')[0]}"
            counts = [int(row[f"{what}_{how}"]) for what in ("INSTRUCTION", "BRANCH") for how in ("COVERED", "MISSED")]
            counts = [counts[0], counts[0] + counts[1], counts[2], counts[2] + counts[3]]
            found[name] = [one + other for one, other in zip(found.get(name, [0] * 4), counts)]
        return found


def own_mutants(subject, classes, suite):
    """Our mutants of PIT's default group under the written suite, as `testhound mutate` records them."""
    jar, needs = files.jar(subject)
    words = [files.PROGRAM, "mutate", jar, "--tests", suite / "suite", "--operators", "pit", "--json"]
    for name in classes:
        words += ["--class", name]
    if needs:
        words += ["--classpath", classpath(needs)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    mutants = [one for one in json.loads(done.stdout)["mutants"] if one["fate"] != "refused"]
    return mutants


def pit(subject, classes, suite):
    """PIT's mutants under the written suite: dictionaries of its CSV report. Tests that fail by intent are left out, and
    PIT leaves out those that do not pass in its own order, as we do in ours."""
    jar, needs = files.jar(subject)
    tools = files.fetch("tools/pit", files.PIT)
    java = default_java()
    with tempfile.TemporaryDirectory() as folder:
        folder = files.pathlib.Path(folder)
        problem = compile_suite(suite, [jar, *needs, *tools], java, folder / "tests")
        if problem:
            raise RuntimeError(f"the suite does not compile: {problem.splitlines()[0]}")
        tests = [path.relative_to(folder / "tests") for path in (folder / "tests").rglob("*Test.class")]
        tests = [".".join(path.with_suffix("").parts) for path in tests if not path.name.endswith("ErrorTest.class")]
        words = [java / "bin" / "java", "-cp", classpath(tools), "org.pitest.mutationtest.commandline.MutationCoverageReport"]
        words += ["--reportDir", folder / "report", "--sourceDirs", folder, "--outputFormats", "CSV"]
        words += ["--timestampedReports=false", "--skipFailingTests=true"]
        words += ["--targetClasses", ",".join(f"{name},{name}$*" for name in classes), "--targetTests", ",".join(tests)]
        # PIT mutates no classes of jars.
        files.unpack(jar, classes, folder / "classes")
        places = [folder / "classes", folder / "tests", jar, *needs, *tools]
        words += ["--classPath", ",".join(map(str, places)), "--mutableCodePaths", folder / "classes", "--threads", "2"]
        done = subprocess.run(words, capture_output=True, text=True)
        report = folder / "report" / "mutations.csv"
        if not report.exists():
            said = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip() and not line.startswith("\tat ")]
            raise RuntimeError("PIT failed: " + " / ".join(said[-6:]))
        keys = ["file", "class", "mutator", "method", "line", "status", "test"]
        return [dict(zip(keys, row)) for row in csv.reader(report.open())]


def default_java():
    """The JDK that `generate` uses, too: the one of `javac` in PATH."""
    return files.pathlib.Path(shutil.which("javac")).resolve().parents[1]
