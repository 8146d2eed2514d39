"""Functions that give something else in another process, and one that does not."""

import datetime
import os
import platform
import sys
import time
from datetime import datetime as moment


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


def year() -> int:
    return datetime.datetime.now().year


def weekday() -> int:
    return moment.utcnow().weekday()


def folder():
    return os.listdir()


def arguments():
    return list(sys.argv)


def uptime() -> int:
    return int(time.monotonic()) // 86400
