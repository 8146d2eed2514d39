"""Attributes that are missing: one by mistake, the others because somebody asked for them by name."""


class Box:
    def __init__(self, size: int):
        self.size = size

    def half(self) -> int:
        return self.sise // 2

    def field(self, name: str) -> int:
        return getattr(self, name)


class Proxy:
    """It answers for a box."""

    def __init__(self, size: int):
        self.box = Box(size)

    def __getattr__(self, name):
        return getattr(self.box, name)

    def weight(self) -> int:
        return self.grams
