from shop.prices import lucky_discount, total, with_tax


def test_total():
    assert total([100, 250]) == 350


def test_discount_is_ten_percent():
    """Flaky by chance: about three in ten baskets get another discount."""
    assert lucky_discount() == 10


def test_tax_keeps_the_cents():
    """Broken, not flaky: it fails every time."""
    assert with_tax(9.99) == 11.89
