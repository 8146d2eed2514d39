"""Prints what `bench/grt` has measured: one row per subject, seconds per class and guide, averages over seeds, then over subjects."""

import json
import pathlib
import re
import sys

PAPER = {2.0: (60.6, 49.5, 47.3), 60.0: (68.9, 60.3, None)}


def measured(path):
    record = json.loads(path.read_text())
    suites = [one["suite"] for one in record["classes"] if one.get("suite")]
    branch = [one["branch"] for one in suites]
    instructions = [
        method["instructions"]
        for one in record["classes"]
        for method in one["methods"]
        if method.get("instructions")
    ]
    share = lambda counters: 100 * sum(c["covered"] for c in counters) / max(1, sum(c["total"] for c in counters))
    mutation = record.get("mutation")
    return {
        "branch": share(branch),
        "instructions": share(instructions),
        "zero": sum(1 for one in branch if one["total"] and not one["covered"]),
        "mutants": 100 * mutation["killed"] / max(1, mutation["mutants"]) if mutation else None,
        "testing": record["elapsed-seconds"],
        "everything": float(pathlib.Path(f"{path}.whole").read_text()),
    }


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def shown(value):
    return "-" if value is None else f"{value:.1f}"


def main(folder):
    rows = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        name, guide, seconds, _ = re.fullmatch(r"(.+?)-((?:random|grt|auto|constants|impurity|elephant|detective|orienteering|bloodhound|loc)[a-z,-]*)-([\d.]+)-(\d+)", path.stem).groups()
        rows.setdefault((float(seconds), guide), {}).setdefault(name, []).append(measured(path))
    keys = ["instructions", "branch", "mutants", "zero", "testing", "everything"]
    print(f"{'subject':24} {'s/class':>7} {'guide':20} " + " ".join(f"{key:>12}" for key in keys))
    for (seconds, guide), subjects in sorted(rows.items()):
        means = {name: {key: mean([run[key] for run in runs]) for key in keys} for name, runs in subjects.items()}
        for name, values in sorted(means.items()):
            print(f"{name:24} {seconds:7g} {guide:20} " + " ".join(f"{shown(values[key]):>12}" for key in keys))
        total = {key: mean([values[key] for values in means.values()]) for key in keys}
        print(f"{'average':24} {seconds:7g} {guide:20} " + " ".join(f"{shown(total[key]):>12}" for key in keys))
        if seconds in PAPER:
            cells = [shown(value) for value in PAPER[seconds]]
            print(f"{'GRT in the paper':24} {seconds:7g} {'':20} " + " ".join(f"{cell:>12}" for cell in cells))


main(sys.argv[1])
