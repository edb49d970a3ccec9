import pytest

from shop.login import login


@pytest.mark.parametrize("method", ["password", "oauth", "token"])
def test_login(method):
    """One of three parameters is flaky: each has a history of its own."""
    assert login(method)
