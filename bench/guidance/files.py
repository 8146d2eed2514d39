"""Where everything is, what Maven fetches, and which classes are in a sample."""

import functools
import os
import pathlib
import subprocess
import xml.sax.saxutils
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "bench" / "work" / "grt"
PROGRAM = pathlib.Path(os.environ.get("PROGRAM", ROOT / "target" / "release" / "testhound"))

# What measures suites; no part of Testhound.
JACOCO = [("org.jacoco", "org.jacoco.cli", "0.8.14", "nodeps"), ("org.jacoco", "org.jacoco.agent", "0.8.14", "runtime")]
CONSOLE = [("org.junit.platform", "junit-platform-console-standalone", "1.10.2", None)]
PIT = [
    ("org.pitest", "pitest-command-line", "1.20.3", None),
    ("org.pitest", "pitest-junit5-plugin", "1.2.3", None),
    ("org.junit.jupiter", "junit-jupiter-engine", "5.10.2", None),
    ("org.junit.platform", "junit-platform-launcher", "1.10.2", None),
]


@functools.cache
def commit():
    """The commit that results belong to: the one at the start, whatever is committed meanwhile."""
    words = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def results():
    """The folder of results of this commit."""
    return ROOT / "bench" / "results" / commit() / "grt"


def suites():
    """The folder of suites of this commit."""
    return WORK / "suites" / commit()


def fetch(folder, artifacts):
    """Fetches artifacts with what they need into a folder, once; gives the jars."""
    folder = WORK / folder
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        dependency = "".join(
            "<dependency>" + "".join(
                f"<{tag}>{xml.sax.saxutils.escape(text)}</{tag}>"
                for tag, text in zip(("groupId", "artifactId", "version", "classifier"), artifact) if text
            ) + "</dependency>"
            for artifact in artifacts
        )
        (folder / "pom.xml").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId>"
            f"<version>1</version><dependencies>{dependency}</dependencies></project>"
        )
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
        subprocess.run(["mvn", "-q", "-f", folder / "pom.xml", goal, "-DoutputDirectory=jars"], check=True)
        (folder / "done").touch()
    return sorted((folder / "jars").glob("*.jar"))


def jar(subject):
    """The jar of a subject, and those that it needs."""
    jars = fetch(f"jars/{subject.name}", [(subject.group, subject.name, subject.version, None)])
    own = next(one for one in jars if one.name == f"{subject.name}-{subject.version}.jar")
    return own, [one for one in jars if one != own]


def sample(path, count):
    """The classes that are tested: those with the lowest checksums of their names; nested ones belong to their outermost one."""
    names = [name[:-6].replace("/", ".") for name in zipfile.ZipFile(path).namelist() if name.endswith(".class")]
    names = [name for name in names if "$" not in name and "-" not in name and not name.startswith("META-INF")]
    return sorted(names, key=lambda name: (zlib.crc32(name.encode()), name))[:count]


def unpack(path, classes, folder):
    """Writes the classes of a sample, with those nested in them, into a folder."""
    archive = zipfile.ZipFile(path)
    wanted = {name.replace(".", "/") for name in classes}
    for name in archive.namelist():
        if name.endswith(".class") and name[:-6].split("$")[0] in wanted:
            archive.extract(name, folder)


def jdks():
    """The JDKs of this machine, by version."""
    given = os.environ.get("JDKS")
    places = given.split(",") if given else sorted(str(one) for one in pathlib.Path("/usr/lib/jvm").glob("*"))
    found = {}
    for place in places:
        release = pathlib.Path(place) / "release"
        if (pathlib.Path(place) / "bin" / "javac").exists() and release.exists():
            version = next(line for line in release.read_text().splitlines() if line.startswith("JAVA_VERSION="))
            found.setdefault(version.split('"')[1].split(".")[0], pathlib.Path(place))
    return found
