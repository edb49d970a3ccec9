import unittest


class Orders(unittest.TestCase):
    def test_flaky(self):
        pass
