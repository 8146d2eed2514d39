"""Keeps the code of modules with probes, so that only the first worker of a run that loads a file has to place them.

Entries are files in a folder beside this package, which lives as long as the run: nothing is written near the user's files, and an
entry was made by the same version of this package. An entry that is not whole is as good as none.
"""

import hashlib
import importlib.util
import marshal
import os
import sys
import types

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "probed")
DIGEST = 16


def digest(*parts):
    made = hashlib.blake2b(digest_size=DIGEST)
    for part in parts:
        made.update(b"%d:" % len(part))
        made.update(part)
    return made


class Probed:
    """The entries of a folder; without one, nothing is kept."""

    def __init__(self, folder=FOLDER):
        self.folder = folder if os.path.isdir(folder) else None
        self.python = importlib.util.MAGIC_NUMBER + repr((sys.version, sys.flags.optimize)).encode()

    def path(self, source, file, base, lines, placer):
        """Where the entry of a source is whose first probe has the number `base`."""
        if self.folder is None:
            return None
        about = repr((file, base, lines, placer)).encode("utf-8", "surrogateescape")
        return os.path.join(self.folder, digest(self.python, about, source).hexdigest())

    def get(self, path):
        """What the probes of an entry show, and its code; nothing if there is no such entry."""
        if path is None:
            return None
        try:
            with open(path, "rb") as file:
                entry = file.read()
            if digest(entry[DIGEST:]).digest() != entry[:DIGEST]:
                return None
            placed, code = marshal.loads(entry[DIGEST:])
        except (OSError, EOFError, ValueError, TypeError):
            return None
        return (placed, code) if isinstance(placed, list) and isinstance(code, types.CodeType) else None

    def put(self, path, placed, code):
        """Keeps an entry; who reads it meanwhile sees all of it or nothing."""
        if path is None:
            return
        content = marshal.dumps((placed, code))
        partial = "%s.%d" % (path, os.getpid())
        try:
            with open(partial, "wb") as file:
                file.write(digest(content).digest() + content)
            os.replace(partial, path)
        except OSError:
            pass
