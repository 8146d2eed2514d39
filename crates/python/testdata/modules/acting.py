"""Functions that act on the world outside their process, each in another way, and some that do not."""

import os
import socket
import subprocess
import tempfile


def note() -> int:
    with open("note.txt", "w") as file:
        return file.write("a note")


def tidy() -> bool:
    try:
        os.remove("note.txt")
    except OSError:
        return False
    return True


def start() -> bool:
    try:
        return subprocess.call(["true"]) == 0
    except OSError:
        return False


def call() -> bool:
    try:
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", 9)) == 0
    except OSError:
        return False


async def later() -> int:
    return 1


def local() -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as line:
            return line.connect_ex("/run/nobody") == 0
    except OSError:
        return False


def keep() -> int:
    path = os.path.join(tempfile.gettempdir(), "kept.txt")
    with open(path, "w") as file:
        written = file.write("kept")
    os.remove(path)
    return written


def read() -> str:
    with open(__file__) as file:
        return file.readline()[:3]
