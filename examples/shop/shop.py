"""A small shop: prices, discounts, baskets and codes. Two faults are planted in it; a comment stands at each."""

import enum
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional

_CODE = re.compile(r"^([A-Z]{3})-(\d{1,4})$")


class Discount(enum.Enum):
    NONE = 0
    STUDENT = 10
    STAFF = 25


@dataclass
class Item:
    """Something that is sold: a name and a price in cents."""

    name: str
    cents: int

    def __post_init__(self):
        if self.cents < 0:
            raise ValueError("a price is not negative")

    def price(self, discount: Discount = Discount.NONE) -> int:
        return self.cents - self.cents * discount.value // 100


@dataclass
class Basket:
    """Items that are to be paid together."""

    items: List[Item] = field(default_factory=list)
    coupon: Optional[str] = None

    def add(self, item: Item, count: int = 1) -> None:
        if count < 1:
            raise ValueError("at least one")
        if len(self.items) + count > 100:
            raise OverflowError("a basket holds 100 items")
        self.items.extend([item] * count)

    def total(self, discount: Discount = Discount.NONE) -> int:
        cents = sum(item.price(discount) for item in self.items)
        if cents > 1000 and discount is Discount.STAFF:
            # Planted: the attribute is called `coupon`.
            cents -= len(self.coupons)
        return cents

    def cheapest(self) -> Optional[Item]:
        best = None
        for item in self.items:
            if best is None or item.cents < best.cents:
                best = item
        return best


def read_code(text: str) -> Dict[str, object]:
    """The parts of an order code such as `ABC-12`."""
    match = _CODE.match(text)
    if match is None:
        raise ValueError("no order code: %r" % text)
    country, number = match.groups()
    return {"country": country, "number": int(number), "test": country == "XXX"}


def escape(text: str) -> str:
    """Makes a name fit for one line."""
    return text.replace("\n", "\\n")


def unescape(text: str) -> str:
    """What `escape` was given."""
    # Planted: a name that has a backslash before an `n` comes back with a new line.
    return text.replace("\\n", "\n")


def change(paid, price, coins=(200, 100, 50, 20, 10, 5, 2, 1)):
    """The fewest coins that make up what is given back."""
    if paid < price:
        raise ValueError("not enough")
    left, given = paid - price, []
    for coin in coins:
        if coin > left:
            continue
        count, left = divmod(left, coin)
        given.extend([coin] * count)
    return given
