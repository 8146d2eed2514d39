"""The Python side of Testhound: plain files for Python 3.8 and newer, run by the user's own interpreter."""
