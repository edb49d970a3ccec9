"""One test of every kind. What an execution does depends on how many executions of it this run has had: files in ZOO_STATE count."""
import os
import pathlib

import pytest


def executions(name):
    """Counts this execution, over all processes of the run, and gives the number."""
    path = pathlib.Path(os.environ["ZOO_STATE"]) / name.replace("/", "_")
    with open(path, "ab") as counter:
        counter.write(b".")
    return path.stat().st_size


@pytest.fixture
def attempt(request):
    return executions(request.node.name)


@pytest.fixture
def setup_flakes(request):
    if executions("setup of " + request.node.name) == 1:
        raise RuntimeError("set-up is not ready")


@pytest.fixture
def teardown_flakes(request):
    yield
    if executions("teardown of " + request.node.name) == 1:
        raise RuntimeError("teardown is not ready")


@pytest.fixture
def setup_broken():
    raise RuntimeError("set-up is broken")


@pytest.fixture
def teardown_broken():
    yield
    raise RuntimeError("teardown is broken")
