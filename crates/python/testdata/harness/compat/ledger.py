"""A subject for harnesses that use every construct: accounts, and a list that keeps its items sorted."""

import bisect


class Overdrawn(Exception):
    """An account has less than is taken from it."""


class Account:
    def __init__(self, name, amount=0):
        self.name = name
        self.amount = amount

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("nothing to deposit")
        self.amount += amount
        return self.amount

    def withdraw(self, amount):
        if amount > self.amount:
            raise Overdrawn(self.name)
        self.amount -= amount
        return self.amount

    def __repr__(self):
        return "Account(%r, %d)" % (self.name, self.amount)


class Sorted:
    """Keeps its items sorted. The planted bug: it forgets the third."""

    def __init__(self):
        self.items = []

    def add(self, item):
        if len(self.items) != 2:
            bisect.insort(self.items, item)

    def first(self):
        return self.items[0]

    def count(self):
        return len(self.items)

    def __repr__(self):
        return "Sorted(%r)" % self.items


def total(accounts):
    return sum(account.amount for account in accounts)
