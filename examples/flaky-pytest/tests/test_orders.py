import time

import pytest

from shop.orders import Order


def test_a_new_order_is_not_shipped():
    assert Order().state == "new"


def test_an_order_is_shipped_in_time():
    """Flaky by a race: the test gives the worker a fixed time instead of waiting for it."""
    order = Order()
    order.place()
    time.sleep(0.012)
    state = order.state
    order.wait()
    assert state == "shipped"


def test_a_waited_for_order_is_shipped():
    order = Order()
    order.place()
    order.wait()
    assert order.state == "shipped"


@pytest.mark.skip(reason="there is no returns desk yet")
def test_an_order_can_be_returned():
    raise AssertionError
