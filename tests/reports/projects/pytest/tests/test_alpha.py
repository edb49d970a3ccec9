import os, pytest, unittest

def test_pass(): pass
def test_fail(): assert 1 == 2
def test_passing_longer(): pass
@pytest.fixture
def broken(): raise RuntimeError("set-up broke")
@pytest.fixture
def badteardown():
    yield
    raise RuntimeError("tear-down broke")
def test_error(broken): pass
def test_teardown_error(badteardown): pass
@pytest.mark.skip(reason="not today")
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): pass
@pytest.mark.xfail(strict=True)
def test_xpass_strict(): pass
RUN = int(os.environ.get("FLAKESTAT_RUN", "0"))
def test_flaky(): assert RUN % 2 == 0

@pytest.mark.parametrize("v", ["plain", "a b", "a/b", "[a/b]", "a::b", "it's", '"q"', "$HOME", "*", "é", "日本", "(x)", "p|q", "", "a,b", "tab\there", "nl\nx", "back\\slash", "<&>", "\x1b[31m", ";x", "#h", "-k", "x"*300], )
def test_odd(v): pass

@pytest.mark.parametrize("n", [1, 2, 3])
def test_param(n): assert n != 2

@pytest.mark.parametrize("o", [object(), object()])
def test_obj(o): pass

@pytest.mark.parametrize("s", sorted({"a","b"}))
@pytest.mark.parametrize("n", [1,2])
def test_two(n, s): pass

class TestOne:
    def test_same(self): pass
    class TestInner:
        def test_same(self): pass
class TestTwo:
    def test_same(self): pass
class UT(unittest.TestCase):
    def test_same(self): pass
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)
