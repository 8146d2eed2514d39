"""Answers requests over standard input and output: frames of a length and JSON.

The first request names a runner: a module with `load(arguments, host)`, which gives an object with
`run(test)` and any `ask_NAME(argument)`. What the subject prints goes nowhere, and it cannot reach the real streams by name.
"""

import faulthandler
import importlib
import json
import mmap
import os
import struct
import sys
import traceback

from . import nowhere, probes, watch


class Host:
    """What runners may use: `probes`, `watch`, and `retire` to end this worker after the test that is running."""

    def __init__(self, marker):
        # The subject writes to descriptor 1 only by its number; ours are out of its way.
        self.input = os.fdopen(os.dup(0), "rb")
        self.output = os.fdopen(os.dup(1), "wb")
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.close(null)
        # Runners may leave files here for those who find the worker dead.
        self.shared = os.path.dirname(marker)
        with open(marker, "r+b") as file:
            self.mark = mmap.mmap(file.fileno(), 8)
        # The number of the request that is answered; runners that mark their progress name it.
        self.number = 0
        self.probes = None
        self.watch = watch.Watch()
        self.runner = None
        self.retired = None
        sys.stdin = sys.__stdin__ = nowhere.empty()
        sys.stdout = sys.__stdout__ = nowhere.output("<stdout>")
        sys.stderr = sys.__stderr__ = nowhere.output("<stderr>", "backslashreplace")

    def retire(self, reason):
        """No test after this one runs in this worker."""
        self.retired = reason

    def load(self, request):
        sys.path[:0] = request["paths"]
        sys.argv = [""]
        self.probes = probes.install(**request["probes"])
        if self.probes is not None:
            self.probes.pause = self.watch.pause
        self.watch.limit(request["limits"]["cpu"], request["limits"]["wall"])
        module = importlib.import_module(request["runner"])
        self.runner = module.load(request["arguments"], self)
        return []

    def run(self, number, tests):
        pack, mark, run = struct.Struct(">Ii").pack_into, self.mark, self.runner.run
        replies = []
        for index, test in enumerate(tests):
            pack(mark, 0, number, index)
            replies.append(run(test))
            if self.retired is not None:
                break
        pack(mark, 0, number, -1)
        return replies

    def answer(self, request):
        what, self.number = request["do"], request["number"]
        if what == "load":
            replies = self.load(request["with"])
        elif what == "run":
            replies = self.run(request["number"], request["with"])
        else:
            struct.pack_into(">Ii", self.mark, 0, request["number"], 0)
            replies = [getattr(self.runner, "ask_" + what)(request["with"])]
        reply = {"replies": replies}
        if self.retired is not None:
            reply["retired"] = self.retired
        if self.probes is not None:
            files = self.probes.take_files()
            if files:
                reply["files"] = files
            unmeasured = self.probes.take_unmeasured()
            if unmeasured:
                reply["unmeasured"] = unmeasured
        return reply

    def serve(self):
        while True:
            length = self.input.read(4)
            if len(length) < 4:
                return
            request = json.loads(self.input.read(int.from_bytes(length, "big")))
            try:
                reply = self.answer(request)
                text = json.dumps(reply, separators=(",", ":")).encode()
            except BaseException as error:
                text = json.dumps({"error": problem(error)}).encode()
            self.output.write(len(text).to_bytes(4, "big"))
            self.output.write(text)
            self.output.flush()


def problem(error):
    """What went wrong, without the lines of ours above it."""
    ours = os.path.dirname(os.path.abspath(__file__))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(ours)]
    frames = [frame for frame in frames if not frame.filename.startswith("<frozen importlib")]
    lines = traceback.format_list(frames) + traceback.format_exception_only(type(error), error)
    return "".join(lines).strip()


def main(marker):
    faulthandler.enable(file=2)
    Host(marker).serve()
    # Threads of the subject must not keep the worker alive.
    os._exit(0)
