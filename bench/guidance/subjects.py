"""The subjects of Ma et al., "GRT: Program-Analysis-Guided Random Testing" (ASE 2015), as far as Maven has them, and the paper's numbers.

Table II has 32 programs. Not to be had: A4J, ClassViewer, Dcparseargs, Fixsuite, Java View Control, Mango, Nekomud, Pmd-dcd,
SCCH collection, Tiny Sql. Of jcommander, 1.35 stands for 1.36, which was never published there.
"""

import collections

# Coordinates, and of Table II: classes, instructions, branches, mutants of PIT.
Subject = collections.namedtuple("Subject", "group name version classes instructions branches mutants")

SUBJECTS = [
    Subject("commons-cli", "commons-cli", "1.2", 20, 3588, 490, 512),
    Subject("commons-codec", "commons-codec", "1.9", 76, 24960, 1835, 2747),
    Subject("org.apache.commons", "commons-collections4", "4.0", 390, 47324, 5499, 7401),
    Subject("org.apache.commons", "commons-compress", "1.8", 181, 57083, 4634, 7605),
    Subject("org.apache.commons", "commons-lang3", "3.0", 141, 47773, 7179, 9057),
    Subject("org.apache.commons", "commons-math3", "3.2", 845, 288250, 18576, 41023),
    Subject("commons-primitives", "commons-primitives", "1.0", 231, 18462, 1446, 3290),
    Subject("org.apache.shiro", "shiro-core", "1.2.3", 217, 27964, 3291, 3770),
    Subject("org.ow2.asm", "asm", "5.0.1", 176, 65146, 7475, 9765),
    Subject("org.apache.bcel", "bcel", "5.2", 338, 65719, 5133, 7209),
    Subject("org.easymock", "easymock", "3.2", 79, 9449, 915, 1382),
    Subject("com.google.guava", "guava", "16.0.1", 1546, 136321, 11247, 20709),
    Subject("org.hamcrest", "hamcrest-core", "1.3", 40, 2199, 155, 314),
    Subject("com.beust", "jcommander", "1.35", 34, 5688, 640, 686),
    Subject("com.martiansoftware", "jsap", "2.1", 69, 8623, 714, 969),
    Subject("org.javassist", "javassist", "3.19.0-GA", 367, 87381, 8830, None),
    Subject("com.sun.mail", "javax.mail", "1.5.1", 284, 79599, 9523, 11070),
    Subject("jaxen", "jaxen", "1.1.6", 175, 20352, 3323, 4338),
    Subject("jdom", "jdom", "1.0", 70, 20970, 3196, 4116),
    Subject("joda-time", "joda-time", "2.3", 208, 62627, 6172, 9838),
    Subject("org.ow2.sat4j", "org.ow2.sat4j.core", "2.3.5", 213, 41840, 3815, 6140),
    Subject("org.slf4j", "slf4j-api", "1.7.12", 18, 2581, 271, 265),
]

# The twelve that the bars name.
TWELVE = [
    "commons-cli", "commons-codec", "commons-collections4", "commons-compress", "commons-lang3", "commons-math3",
    "joda-time", "jaxen", "jdom", "guava", "asm", "org.ow2.sat4j.core",
]
FOUR = ["commons-cli", "commons-codec", "jaxen", "jdom"]
SIX = FOUR + ["commons-compress", "joda-time"]
TWO = ["commons-cli", "commons-codec"]

# Table III: seconds per class -> tool -> instructions, branches, mutation score, means over 32 programs.
PAPER = {
    2: {"Randoop": (47.4, 35.1, 34.5), "GRT": (60.6, 49.5, 47.3), "EvoSuite": (43.8, 32.6, 36.8)},
    10: {"Randoop": (51.1, 39.3, 39.3), "GRT": (66.3, 56.7, 54.7), "EvoSuite": (52.0, 42.5, 46.1)},
    30: {"Randoop": (52.9, 41.3, 41.9), "GRT": (68.2, 59.2, 57.8), "EvoSuite": (57.8, 49.4, 51.9)},
    60: {"Randoop": (53.6, 42.6, 43.9), "GRT": (68.9, 60.3, 59.2), "EvoSuite": (60.8, 53.3, 54.5)},
}

PARTS = ["constants", "impurity", "elephant", "detective", "orienteering", "bloodhound"]


def chosen(names):
    """The subjects of a list of names; an unknown one ends the program."""
    known = {subject.name: subject for subject in SUBJECTS}
    for name in names:
        if name not in known:
            raise SystemExit(f"error: unknown subject `{name}`\nhint: the subjects are {', '.join(known)}")
    return [known[name] for name in names]
