import os


def test_exit():
    os._exit(3)


def test_fine():
    assert 1 + 1 == 2
