import os


def test_crash():
    os.abort()


def test_crash_flaky(attempt):
    if attempt == 1:
        os.abort()


def test_after_crash():
    pass
