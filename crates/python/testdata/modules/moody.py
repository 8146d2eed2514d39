"""Functions that give something else in another process, and one that does not."""

import datetime
import os
import platform
import time


def day() -> str:
    return datetime.date.today().isoformat()


def hashed() -> int:
    return hash("moody")


def hour() -> int:
    return int(time.time()) // 3600


def steady() -> str:
    return "steady"


def process():
    return os.getpid(), os.getuid()


def machine():
    return platform.node()
