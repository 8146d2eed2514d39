"""Prints what has been measured, beside the paper's numbers, and the bars."""

import statistics

from . import files, plot, steps
from .subjects import PAPER, PARTS


def mean(values):
    values = [value for value in values if value is not None]
    return statistics.fmean(values) if values else None


def cell(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def share(pair):
    return 100 * pair[0] / pair[1] if pair and pair[1] else None


def table(rows, head):
    widths = [max(len(row[index]) for row in [head, *rows]) for index in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(text.ljust(width) if index < 2 else text.rjust(width) for index, (text, width) in enumerate(zip(row, widths))).rstrip())


def totals(result, first):
    """Covered and all of instructions (0) or branches (2), over the classes of a run."""
    counts = result["jacoco"].values()
    return sum(one[first] for one in counts), sum(one[first + 1] for one in counts)


def gather(step, options):
    """Results of a step: (seconds, guide) -> subject -> runs by seed."""
    found = {}
    for job in steps.jobs(step, options):
        result = steps.read(job)
        if result:
            found.setdefault((job.seconds, job.guide), {}).setdefault(job.subject, {})[job.seed] = result
    return found


def cover(options):
    """One row per subject, guide and budget; averages; the paper's rows."""
    found, scored = gather("cover", options), gather("mutants", options)
    head = ["subject", "guide", "s/class", "branches", "of paper's", "instr. %", "branch %", "mutants %", "pit-like %", "zero", "search s", "other s"]
    for (seconds, guide), subjects in sorted(found.items()):
        rows, means = [], []
        for subject, runs in subjects.items():
            scores = scored.get((seconds, guide), {}).get(subject, {})
            values = [
                mean(share(totals(run, 0)) for run in runs.values()),
                mean(share(totals(run, 2)) for run in runs.values()),
                mean(share(run["own-mutants"]) for run in runs.values()),
                mean(share((one["killed"], one["all"])) for one in scores.values()),
                mean(float(sum(1 for one in run["jacoco"].values() if one[3] and not one[2])) for run in runs.values()),
                mean(run["search"] for run in runs.values()),
                mean(run["other"] for run in runs.values()),
            ]
            means.append(values)
            branches = totals(next(iter(runs.values())), 2)[1]
            rows.append([subject.name, guide, f"{seconds:g}", str(branches), str(subject.branches), *map(cell, values)])
        average = [mean(column) for column in zip(*means)]
        rows.append([f"average of {len(rows)}", guide, f"{seconds:g}", "", "", *map(cell, average)])
        for tool, numbers in PAPER.get(seconds, {}).items():
            rows.append([f"paper, Table III: {tool}", "", f"{seconds:g}", "", "", cell(numbers[0]), cell(numbers[1]), "", cell(numbers[2]), "", "", ""])
        table(rows, head)
        print()
    print("search: inside the budget. other: discovery before it; choosing assertions, writing and verifying the suite after it, outside the budget.")
    print("mutants: a sample of at most 1,000 of all operators, by `generate`; pit-like: all of PIT's default group, by the step `mutants`.")


def pairs(found, seconds, guide, baseline, baseline_seconds=None):
    """Per subject the runs of a guide and of the baseline with the same seeds."""
    one, other = found.get((seconds, guide), {}), found.get((baseline_seconds or seconds, baseline), {})
    return {
        subject: [(runs[seed], other[subject][seed]) for seed in runs if seed in other[subject]]
        for subject, runs in one.items() if subject in other
    }


def a12(ones, others):
    """Vargha and Delaney's chance that one of the first is larger."""
    wins = sum((one > other) + (one == other) / 2 for one in ones for other in others)
    return wins / (len(ones) * len(others))


def bars(options):
    """The bars of the issue of GRT, as far as there are results."""
    found = gather("cover", options)
    for seconds in options.seconds:
        both = pairs(found, seconds, "grt", "random")
        both = {subject: runs for subject, runs in both.items() if runs}
        if not both:
            continue
        branch = lambda runs, side: mean(share(totals(run[side], 2)) for run in runs)
        grt, random = ([branch(runs, side) for runs in both.values()] for side in (0, 1))
        rest = [100 * (one - other) / (100 - other) for one, other in zip(grt, random) if other < 100]
        instructions = mean(mean(share(totals(run[0], 0)) for run in runs) for runs in both.values())
        print(f"{seconds:g} s per class, {len(both)} subjects")
        print(f"  bar 1: grt covers {mean(grt):.1f} % of branches (55), {instructions:.1f} % of instructions (66)")
        print(f"  bar 2: of the branches that random leaves, {mean(rest):.1f} % by counts (25); A12 over subjects {a12(grt, random):.2f} (0.65)")
        zero = lambda run: {name for name, one in run["jacoco"].items() if one[3] and not one[2]}
        lost = [(zero(run[1]), zero(run[0])) for runs in both.values() for run in runs]
        left, kept = sum(len(one) for one, _ in lost), sum(len(one & other) for one, other in lost)
        print(f"  bar 5: random leaves {left} classes at zero, grt {kept} of those (a third at most)")
        longer = gather("longer", options)
        for subject, runs in pairs({**found, **longer}, seconds, "grt", "random", 10 * seconds).items():
            if runs:
                print(f"  bar 2, random with ten times the time: {subject.name} grt {branch(runs, 0):.1f} %, random {branch(runs, 1):.1f} %")
    scored = gather("mutants", options)
    for (seconds, guide), subjects in sorted(scored.items()):
        scores = [mean(share((one["killed"], one["all"])) for one in runs.values()) for runs in subjects.values()]
        print(f"  bar 4: {guide} with {seconds:g} s per class kills {mean(scores):.1f} % of our PIT-like mutants (50; {len(scores)} subjects)")
    pit(options)
    fresh(options)


def pit(options):
    """Agreement with PIT."""
    for (seconds, guide), subjects in sorted(gather("pit", options).items()):
        for subject, runs in subjects.items():
            for seed, run in runs.items():
                sides = {side: [sum(one[index] for one in run[side].values()) for index in (0, 1)] for side in ("ours", "pit")}
                ours, theirs = share(sides["ours"]) or 0.0, share(sides["pit"]) or 0.0
                print(
                    f"  bar 4, real PIT: {subject.name}, {guide}, {seconds:g} s, seed {seed}: ours {ours:.1f} % of {sides['ours'][1]}, PIT {theirs:.1f} % of "
                    f"{sides['pit'][1]}, {abs(ours - theirs):.1f} points apart (5)"
                )
                for side in ("ours", "pit"):
                    texts = [f"{name} {one[0]}/{one[1]}" for name, one in sorted(run[side].items())]
                    print(f"    {side}: {', '.join(texts)}")


def fresh(options):
    """Tests that do not compile, or do not do the same every time."""
    for (seconds, guide), subjects in sorted(gather("fresh", options).items()):
        entries = [entry for runs in subjects.values() for run in runs.values() for entry in run["jdks"].values()]
        wrong = [name for entry in entries for name in entry["wrong"]]
        broken = sum(bool(entry["broken"]) for entry in entries)
        print(f"  bar 6: {guide}, {seconds:g} s: {broken} suites do not compile, {len(wrong)} of {sum(entry['run'] for entry in entries)} tests run wrong")
        for name in wrong[:5]:
            print(f"    {name}")


def ablation(options):
    """Figure 7: every part alone and every part removed, as a table and as box plots."""
    found = gather("ablation", options)
    for seconds in options.seconds:
        guides = [guide for guide in ["random", *PARTS, *(f"grt-{part}" for part in PARTS), "grt"] if (seconds, guide) in found]
        subjects = sorted({subject for guide in guides for subject in found[seconds, guide]})
        value = lambda guide, subject: mean(share(totals(run, 2)) for run in found[seconds, guide].get(subject, {}).values())
        rows = []
        for guide in guides:
            values = [value(guide, subject) for subject in subjects]
            rows.append([guide, f"{seconds:g}", *map(cell, values), cell(mean(values))])
        if rows:
            table(rows, ["guide", "s/class", *(subject.name for subject in subjects), "mean"])
            boxes = {guide: [value(guide, subject) for subject in subjects if value(guide, subject) is not None] for guide in guides}
            target = files.results() / f"ablation-{seconds:g}.svg"
            target.write_text(plot.boxes(boxes, "% of branches covered"))
            print(f"box plots: {target.relative_to(files.ROOT)}")
