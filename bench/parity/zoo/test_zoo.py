import pytest


def test_pass():
    pass


def test_broken():
    print("said something")
    assert 1 == 2, "always broken"


def test_flaky_call(attempt):
    assert attempt > 1, "first try"


def test_flaky_twice(attempt):
    assert attempt > 2, "two tries"


def test_flaky_setup(setup_flakes):
    pass


def test_flaky_teardown(teardown_flakes):
    pass


def test_setup_broken(setup_broken):
    pass


def test_teardown_broken(teardown_broken):
    pass


def test_call_and_teardown_broken(teardown_broken):
    assert 0, "the call is broken"


@pytest.mark.flaky(reruns=3)
def test_marked(attempt):
    assert attempt > 3, "three tries"


@pytest.mark.flaky(reruns=1)
def test_marked_spent(attempt):
    assert attempt > 2, "needs two reruns, has one"


@pytest.mark.flaky
def test_marked_bare(attempt):
    assert attempt > 1, "bare mark"


@pytest.mark.parametrize("x", ["a[b]", "c::d", "e*f", "g/h"])
def test_param(x, attempt):
    assert attempt > 1 or x in ("c::d", "g/h"), "parameter"


def test_quarantined_broken():
    assert 0, "known to be broken"


def test_quarantined_flaky(attempt):
    assert attempt > 1, "quarantined, first try"


def test_quarantined_pass():
    pass


@pytest.mark.xfail
def test_xfail():
    assert 0


@pytest.mark.xfail
def test_xpass():
    pass


@pytest.mark.xfail(strict=True)
def test_xpass_strict():
    pass


@pytest.mark.xfail(reason="raises", raises=ValueError)
def test_xfail_flaky(attempt):
    assert attempt > 1


@pytest.mark.skip(reason="not here")
def test_skip():
    pass


def test_skip_inside():
    pytest.skip("in the middle")


class TestClass:
    def test_method(self):
        pass

    def test_method_flaky(self, attempt):
        assert attempt > 1


@pytest.mark.serial
def test_serial():
    pass
