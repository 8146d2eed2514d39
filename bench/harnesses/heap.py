"""A binary heap with decrease-key and merge, for measurements."""


class Heap:
    def __init__(self, items=()):
        self.items = list(items)
        for position in reversed(range(len(self.items) // 2)):
            self._down(position)

    def push(self, item):
        self.items.append(item)
        self._up(len(self.items) - 1)

    def pop(self):
        if not self.items:
            raise IndexError("the heap is empty")
        last = self.items.pop()
        if not self.items:
            return last
        top, self.items[0] = self.items[0], last
        self._down(0)
        return top

    def replace(self, position, item):
        old = self.items[position]
        self.items[position] = item
        if item < old:
            self._up(position)
        elif item > old:
            self._down(position)

    def merge(self, other):
        for item in list(other.items):
            self.push(item)

    def _up(self, position):
        while position > 0:
            parent = (position - 1) // 2
            if self.items[parent] <= self.items[position]:
                return
            self._swap(parent, position)
            position = parent

    def _down(self, position):
        while True:
            child = 2 * position + 1
            if child >= len(self.items):
                return
            if child + 1 < len(self.items) and self.items[child + 1] < self.items[child]:
                child += 1
            if self.items[position] <= self.items[child]:
                return
            self._swap(position, child)
            position = child

    def _swap(self, one, other):
        self.items[one], self.items[other] = self.items[other], self.items[one]

    def is_heap(self):
        return all(self.items[(child - 1) // 2] <= self.items[child] for child in range(1, len(self.items)))
