"""Hypothesis profiles: `dev` looks further each time, `ci` looks at the same cases every time.

`quick` is `ci` with few cases, for builds that are slow (sanitizers) or tried on the side.
"""

import os

from hypothesis import HealthCheck, settings

# A shared machine is slow at times, and slowness is not a failure here.
settings.register_profile(
    "dev", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci",
    parent=settings.get_profile("dev"),
    derandomize=True,
    database=None,
    print_blob=True,
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=8)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))
