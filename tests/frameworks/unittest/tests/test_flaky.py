import os
import unittest

ODD_RUN = int(os.environ.get("FLAKESTAT_RUN", "0")) % 2 == 1


class Orders(unittest.TestCase):
    def test_flaky(self):
        self.assertFalse(ODD_RUN)

    def test_flaky_steady_longer(self):
        pass


def add(name, body):
    setattr(Orders, name, body)


for odd in ["a b", "[a/b]", "$HOME", "it's", "p|q", "é"]:
    add("test_listed " + odd, lambda self: None)
    add("test_steady " + odd, lambda self: None)
