"""A method that ends the interpreter when it is called, even with a stand-in."""

import os


class Door:
    def leave(self, code):
        os._exit(int(code))


def double(number: int) -> int:
    return 2 * number
