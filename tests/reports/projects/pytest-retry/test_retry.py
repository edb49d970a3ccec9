tries = {"recovers": 0, "late": 0}


def test_passes():
    pass


def test_recovers():
    tries["recovers"] += 1
    assert tries["recovers"] == 2


def test_recovers_late():
    tries["late"] += 1
    assert tries["late"] == 3


def test_never_recovers():
    assert False
