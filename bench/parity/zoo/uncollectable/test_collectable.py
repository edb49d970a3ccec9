def test_seen():
    pass
