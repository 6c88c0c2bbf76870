"""Names of costs, and accuracy."""

import pytest

from casino_core.review.grades import BLUNDER, DOUBT, INACCURACY, MISTAKE, accuracy, grade_of


@pytest.mark.parametrize(
    ("cost", "grade"),
    [
        (0.0, "good"),
        (INACCURACY - 0.01, "good"),
        (INACCURACY, "inaccuracy"),
        (MISTAKE, "mistake"),
        (BLUNDER, "blunder"),
    ],
)
def test_thresholds(cost, grade):
    assert grade_of(cost, 0.0) == grade
    assert grade_of(cost, cost / DOUBT) == "good"  # within its error


def test_accuracy_lies_between_random_and_best_play():
    assert accuracy([(0.0, 1.0), (0.0, 2.0)]) == 100
    assert accuracy([(1.0, 1.0), (2.0, 2.0)]) == 0
    assert accuracy([(3.0, 1.0)]) == 0  # worse than random is no less than nothing
    assert accuracy([(0.5, 1.0), (0.25, 2.0)]) == 75
    assert accuracy([]) is None
