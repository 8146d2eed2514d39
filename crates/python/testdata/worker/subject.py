"""A subject that does everything a worker must survive."""

import os
import time

STATE = []


def sign(number):
    """Both sides of two branches."""
    if number < 0:
        return -1
    for _ in range(number):
        return 1
    return 0


def count(_):
    STATE.append(1)
    print("what subjects print goes nowhere")
    os.write(1, b"nor does this")
    return len(STATE)


def import_large(_):
    import large

    return len(vars(large)) > 3000


def retire(_):
    return "retire"


def spin(_):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def wait(_):
    time.sleep(1000)


def stuck(_):
    return sum(range(10**14))


def leave(code):
    os._exit(code)


def write(path):
    try:
        with open(path, "w"):
            return "written"
    except OSError:
        return "refused"


def talk(_):
    import io
    import sys

    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.buffer.write(b"bytes" * 10000)
    io.TextIOWrapper(sys.stdout.detach()).close()
    with sys.stdout:
        print("text")
    print("more text", flush=True)
    print("not a text: \udc80", file=sys.stderr)
    return sys.stdin.read() + sys.stdout.name
