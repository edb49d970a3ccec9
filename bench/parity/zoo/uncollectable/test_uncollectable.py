import no_such_module  # noqa: F401


def test_never_seen():
    pass
