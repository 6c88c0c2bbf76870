"""Makes the helper modules beside the benchmarks importable, however pytest was started."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(params=["standard", "royal"])
def preset(request: pytest.FixtureRequest) -> str:
    """A preset of which deals are recorded."""
    return request.param
