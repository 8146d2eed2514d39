"""Ranges of whole numbers as pairs of their first and last number."""


def overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether some number is in both."""
    return first[0] <= second[1] and second[0] <= first[1]


def length(first: int, last: int) -> int:
    """How many numbers a range has."""
    if first > last:
        raise ValueError("ends before it begins")
    return last - first + 1


def clamp(number: int, first: int, last: int) -> int:
    """The number of the range that is nearest."""
    if number < first:
        return first
    if number > last:
        return last
    return number
