"""Prices and discounts."""

import os


def lucky_discount():
    """Percent off, drawn anew for every basket: 10 in seven of ten cases, else 5."""
    return 10 if os.urandom(1)[0] < 179 else 5


def total(prices):
    return sum(prices)


def with_tax(price):
    return round(price * 1.19)  # the bug: cents are rounded away
