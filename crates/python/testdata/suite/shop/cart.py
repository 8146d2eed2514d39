"""A cart."""
from shop.money import rounded


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price, count=1):
        if count < 1:
            raise ValueError("at least one")
        self.items.append((name, price, count))

    def total(self):
        total = 0
        for _, price, count in self.items:
            total += price * count
        if total > 100:
            total = total * 0.9
        return rounded(total)

    def clear(self):
        self.items = []
