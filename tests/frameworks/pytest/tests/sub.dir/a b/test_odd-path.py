import pytest


class TestOuter:
    class TestInner:
        @pytest.mark.parametrize("name", ["a/b::c", "x.py::y"])
        def test_listed(self, name):
            pass

        def test_steady(self):
            pass
