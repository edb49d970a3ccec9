import os

import pytest

ODD_RUN = int(os.environ.get("FLAKESTAT_RUN", "0")) % 2 == 1
ODD_NAMES = ["a b", "[a/b]", "a::b", "it's", '"q"', "$HOME", "p|q", "*", "é", "tab\there", "#h"]


def test_flaky():
    assert not ODD_RUN


def test_flaky_steady_longer():
    pass


@pytest.mark.parametrize("name", ODD_NAMES)
def test_listed(name):
    pass


@pytest.mark.parametrize("name", ["steady " + name for name in ODD_NAMES])
def test_listed_other(name):
    pass


class TestClass:
    def test_flaky(self):
        assert not ODD_RUN
