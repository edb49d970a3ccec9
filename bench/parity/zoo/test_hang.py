import time


def test_hang():
    time.sleep(600)


def test_beside_hang():
    pass
