"""Starts a worker: `python -u FOLDER MARKER`. Our folder is on the search path only while our own modules are imported."""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from testhound_runtime import host  # noqa: E402

del sys.path[0]
host.main(sys.argv[1])
