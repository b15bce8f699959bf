"""Every picture test runs in both themes."""

import pytest

from figures.style import THEMES, Theme


@pytest.fixture(params=list(THEMES))
def theme(request: pytest.FixtureRequest) -> Theme:
    """Light, then dark."""
    return THEMES[request.param]
