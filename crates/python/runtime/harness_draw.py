"""Draws steps of a harness until an enabled one comes: by rejection first, which is cheap, then among what the slots allow.

Without weights every enabled action is equally likely, as in TSTL; with weights, classes are drawn by weight among those that have
an enabled action, and the action evenly among the enabled ones of its class. Who draws gives a function per class that tries a step:
it says no to one that is not enabled, and else notes it and may run it at once. What runs between two draws is none of this file's.
"""

import bisect
import itertools

# Draws before the enabled actions are listed.
QUICK = range(24)
# Draws of an action whose guard says no before its class counts as not enabled.
PATIENT = 200
# Actions that are laid out in a list, over all classes; others are made when they are drawn.
LISTED = 1 << 16
# From so many actions on, a random number between 0 and 1 has too few digits to draw one.
EXACT = 1 << 53


class Steps:
    """All steps of a class that has too many to list."""

    def __init__(self, number, sizes):
        self.number, self.sizes = number, sizes

    def __getitem__(self, index):
        fillings = []
        for size in reversed(self.sizes):
            index, filling = divmod(index, size)
            fillings.append(filling)
        return (self.number, *reversed(fillings))


class Together:
    """The steps of several classes, one after the other, each class as often as its weight says."""

    def __init__(self, actions, sums):
        self.actions, self.sums = actions, sums

    def __getitem__(self, index):
        at = bisect.bisect_right(self.sums, index)
        action = self.actions[at]
        return action.steps[(index - self.sums[at]) % action.total]


class Slots:
    """The slots that may be assigned now and those that hold something, by pool."""

    def __init__(self, sut):
        pools = list(zip(sut.pools, sut.used))
        self.free = [[k for k, value in enumerate(slots) if used[k] or value is None] for slots, used in pools]
        self.held = [[k for k, value in enumerate(slots) if value is not None] for slots, used in pools]

    def fillings(self, action):
        """For every hole of an action, the fillings that its slot allows."""
        free, held = self.free, self.held
        return [given if pool is None else (free if assigned else held)[pool] for pool, assigned, given in action.fillings]


def number_of(fillings):
    number = 1
    for one in fillings:
        number *= len(one)
    return number


def any_of(number, fillings, stream):
    """A step with one of these fillings in each hole, evenly."""
    return (number, *[one[int(stream() * len(one))] for one in fillings])


def below(size, stream):
    """A number below another one, evenly, however large it is."""
    if size < EXACT:
        return int(stream() * size)
    number, left = 0, size
    # 32 bits more than needed: what is not even then does not show.
    while left:
        number, left = number << 32 | int(stream() * (1 << 32)), left >> 32
    return (number << 32 | int(stream() * (1 << 32))) % size


class Choice:
    """Draws actions among the classes that are allowed: `draw(sut, stream, attempts, note)` is false if nothing is enabled."""

    def __init__(self, actions, weights, allowed):
        self.actions = [action for action in actions if allowed is None or allowed[action.number] == "1"]
        if weights is None:
            self.draw = self.evenly(*self.lay_out(listed=allowed is None))
        else:
            given = [float(weight) for weight in weights.split(" ")]
            self.weights = [given[action.number] for action in self.actions]
            self.sums = list(itertools.accumulate(self.weights))
            self.draw = self.by_class

    def lay_out(self, listed):
        """All steps in one sequence, and its length as drawing needs it."""
        actions = self.actions
        sums = list(itertools.accumulate(action.total * action.weight for action in actions))
        size = sums[-1] if sums else 0
        if listed and size <= LISTED and all(isinstance(action.steps, list) for action in actions):
            return [step for action in actions for _ in range(action.weight) for step in action.steps], size
        return Together(actions, sums), size

    def evenly(self, table, size):
        """A function that draws so that every enabled action is equally likely: what is not enabled is drawn again."""
        among_eligible, place = self.among_eligible, below
        if size < EXACT:
            # The usual case, as fast as it can be.
            size, place = float(size), None

        def draw(sut, stream, attempts, note):
            for _ in QUICK:
                step = table[int(stream() * size) if place is None else place(size, stream)]
                if attempts[step[0]](sut, step, note):
                    return True
            return among_eligible(sut, stream, attempts, note)

        return draw if size else lambda *_: False

    def among_eligible(self, sut, stream, attempts, note):
        """The same, after counting what the slots allow; false if nothing is enabled."""
        slots = Slots(sut)
        lists = [slots.fillings(action) for action in self.actions]
        counts = [number_of(one) * action.weight for one, action in zip(lists, self.actions)]
        tries, left = [0] * len(counts), {}
        while any(counts):
            sums = list(itertools.accumulate(counts))
            while True:
                index = bisect.bisect_right(sums, stream() * sums[-1])
                action = self.actions[index]
                steps = left.get(index)
                step = any_of(action.number, lists[index], stream) if steps is None else taken_out(steps, stream)
                if attempts[action.number](sut, step, note):
                    return True
                tries[index] += 1
                if steps is not None:
                    counts[index] = len(steps) * action.weight
                elif tries[index] < PATIENT:
                    continue
                elif number_of(lists[index]) <= PATIENT:
                    # Few enough to be tried one by one: what is refused now is left out.
                    left[index] = list(itertools.product((action.number,), *lists[index]))
                else:
                    counts[index] = 0
                break
        return False

    def by_class(self, sut, stream, attempts, note):
        """A class by its weight, then one of its enabled actions; classes without one are left out."""
        actions, sums, left = self.actions, self.sums, None
        while actions and sums[-1] > 0.0:
            index = min(bisect.bisect_right(sums, stream() * sums[-1]), len(actions) - 1)
            if within(actions[index], sut, stream, attempts, note):
                return True
            left = list(zip(self.actions, self.weights)) if left is None else left
            del left[index]
            actions = [action for action, _ in left]
            sums = list(itertools.accumulate(weight for _, weight in left))
        return False

    def wanted_first(self, wanted):
        """A function that draws classes that are wanted first, each once, where one is enabled."""
        waiting = [action for action in self.actions if wanted[action.number] == "1"]

        def draw(sut, stream, attempts, note):
            for action in waiting:
                if within(action, sut, stream, attempts, note):
                    waiting.remove(action)
                    return True
            return self.draw(sut, stream, attempts, note)

        return draw


def within(action, sut, stream, attempts, note):
    """Tries actions of a class, evenly among the enabled ones; false if there is none."""
    attempt, steps, size = attempts[action.number], action.steps, action.total
    for _ in range(3 if size else 0):
        if attempt(sut, steps[below(size, stream)], note):
            return True
    fillings = Slots(sut).fillings(action)
    number = number_of(fillings)
    if number == 0:
        return False
    if not action.guarded or number > PATIENT:
        return any(attempt(sut, any_of(action.number, fillings, stream), note) for _ in range(PATIENT))
    left = list(itertools.product((action.number,), *fillings))
    return any(attempt(sut, taken_out(left, stream), note) for _ in range(number))


def taken_out(left, stream):
    """One of these steps, evenly, which is no longer among them then."""
    index = int(stream() * len(left))
    left[index], left[-1] = left[-1], left[index]
    return left.pop()
