"""Plants faults: `mutate.py list FILE-OR-PACKAGE…` prints all mutants as JSON, `mutate.py plant FOLDER FILE NUMBER FILE-OR-PACKAGE…` copies
the files and packages into FOLDER and plants one.

Mutants are those of `runtime/mutants.py`. Files are looked for beside this one, packages among those installed. The order of the list
depends on checksums of the mutants alone.
"""

import ast
import importlib.util
import json
import os
import shutil
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../crates/python/runtime"))

from mutants import mutants, mutated  # noqa: E402


def root(name):
    """The folder that a file or package lies in."""
    if name.endswith(".py"):
        return HERE
    return os.path.dirname(os.path.dirname(importlib.util.find_spec(name).origin))


def files(name):
    """The source files of a package, or the file itself, from that folder."""
    if name.endswith(".py"):
        return [name]
    base = root(name)
    found = []
    for top, _, names in os.walk(os.path.join(base, name)):
        found += [os.path.relpath(os.path.join(top, one), base) for one in names if one.endswith(".py")]
    return sorted(found)


def read(name, file):
    with open(os.path.join(root(name), file), encoding="utf-8") as source:
        return source.read()


def candidates(names):
    found = []
    for name in names:
        for file in files(name):
            for one in mutants(ast.parse(read(name, file))):
                what = "%s:%d: %s" % (file, one.line, one.what)
                found.append({"file": file, "line": one.line, "number": one.number, "what": what})
    return sorted(found, key=lambda one: (zlib.crc32(json.dumps(one).encode()), one["what"]))


def plant(folder, file, number, names):
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    for name in names:
        link(root(name), part, name, file)
        if file in files(name):
            with open(os.path.join(part, file), "w", encoding="utf-8") as out:
                out.write(mutated(read(name, file), number))
    os.rename(part, folder)


def link(source, target, path, file):
    """Links to what is below a path, without the file and what was compiled of it; folders above that are made."""
    here = os.path.join(source, path)
    stem = os.path.basename(file)[: -len(".py")]
    if path == file or path.startswith(os.path.join(os.path.dirname(file), "__pycache__", stem + ".")):
        return
    if not (file + "/").startswith(path + "/") and path != os.path.join(os.path.dirname(file), "__pycache__"):
        os.symlink(here, os.path.join(target, path))
        return
    os.makedirs(os.path.join(target, path))
    for one in os.listdir(here):
        link(source, target, os.path.join(path, one), file)


if sys.argv[1] == "list":
    print(json.dumps(candidates(sys.argv[2:])))
else:
    plant(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:])
