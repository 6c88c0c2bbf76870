"""Plots as SVG: lines over plays or rounds, with bands, marks, and the numbers in their data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor

from casino_core.render.card_art import number as coordinate
from casino_core.report.words import tag

__all__ = ["Band", "Frame", "Line", "Mark", "plot"]

_TOP = 26
_BOTTOM = 30
_LEFT = 46
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
_MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a plot.

    Attributes:
        key: its class, which gives it colour and dashes.
        name: its name.
        points: its points from left to right.
        stairs: whether the value changes at the points only, as in stairs.
    """

    key: str
    name: str
    points: tuple[tuple[float, float], ...]
    stairs: bool = True


@dataclass(frozen=True, slots=True)
class Band:
    """A part of the width with a label.

    Attributes:
        start: its left edge.
        end: its right edge.
        label: its label, as HTML.
    """

    start: float
    end: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with a number that leads to another place of the page.

    Attributes:
        x: its place.
        y: its height.
        label: the number in it.
        address: where it leads.
        title: what it stands for, as plain text.
    """

    x: float
    y: float
    label: str
    address: str
    title: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds the lines of a plot.

    Attributes:
        title: the title, as plain text.
        description: the plot in words.
        above: the meaning of high values, as plain text.
        below: the meaning of low values.
        bands: the bands.
        marks: the marks.
        titles: a tooltip for each step of the width, as plain text.
        percent: whether the values are shares, from 0 to 1.
    """

    title: str
    description: str
    above: str
    below: str
    bands: tuple[Band, ...] = ()
    marks: tuple[Mark, ...] = ()
    titles: tuple[str, ...] = ()
    percent: bool = False


def plot(lines: Sequence[Line], frame: Frame, *, width: int, height: int, key: str) -> str:
    """A plot as an `<svg>` element.

    Args:
        lines: the lines; the last is drawn on top.
        frame: titles, bands and marks.
        width: width in units of the picture, at which its text is of normal size.
        height: height in the same units.
        key: start of the names of its parts, other than that of any other plot of the page.

    Example:
        >>> line = Line("luck", "luck", ((0, 0.0), (4, 1.5)))
        >>> picture = plot([line], Frame("Luck", "", "a", "b"), width=300, height=200, key="p")
        >>> picture.startswith("<svg "), 'data-values="0 0.0 4 1.5"' in picture
        (True, True)
    """
    scale = _Scale.of(lines, frame, width, height)
    parts = [
        f'<title id="{key}-title">{escape(frame.title)}</title>',
        f'<desc id="{key}-desc">{escape(frame.description)}</desc>',
        *_bands(scale, frame.bands),
        *_grid(scale, frame),
        *(_line(scale, line) for line in lines),
        *_columns(scale, frame.titles),
        f'<line class="cursor" x1="0" x2="0" y1="{_TOP}" y2="{height - _BOTTOM}"/>',
        *(_mark(scale, mark) for mark in frame.marks),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-labelledby="{key}-title" aria-describedby="{key}-desc" class="plot" '
        f'data-left="{_LEFT}" data-step="{scale.step!r}" data-zero="{scale.zero!r}" '
        f'data-unit="{scale.unit!r}">{"".join(parts)}</svg>'
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Places of values in the picture.

    Attributes:
        width: width of the picture.
        height: height of the picture.
        step: units of the picture for one step to the right.
        zero: height of the value 0, from above.
        unit: units of the picture for 1.
        ticks: values with a line.
    """

    width: int
    height: int
    step: float
    zero: float
    unit: float
    ticks: tuple[float, ...]

    @staticmethod
    def of(lines: Sequence[Line], frame: Frame, width: int, height: int) -> _Scale:
        """The scale in which all lines find room."""
        last = max(x for line in lines for x, _ in line.points) or 1
        values = [0.0, *(y for line in lines for _, y in line.points)]
        low, high = (0.0, 1.0) if frame.percent else (min(values), max(values))
        tick = next(s for s in _STEPS if (high - low) / s <= _MOST_TICKS or s == _STEPS[-1])
        tick = max(tick, 0.25 if frame.percent else 0.5)
        bottom, top = floor(low / tick + 1e-9), max(ceil(high / tick - 1e-9), 1)
        unit = (height - _TOP - _BOTTOM) / ((top - bottom) * tick)
        return _Scale(
            width,
            height,
            (width - _LEFT - 12) / last,
            _TOP + top * tick * unit,
            unit,
            tuple(place * tick for place in range(bottom, top + 1)),
        )

    def x(self, value: float) -> float:
        """The place of a value from the left."""
        return _LEFT + self.step * value

    def y(self, value: float) -> float:
        """The place of a value from above."""
        return self.zero - self.unit * value


def _bands(scale: _Scale, bands: Iterable[Band]) -> Iterable[str]:
    bottom = scale.height - _BOTTOM
    for place, band in enumerate(bands):
        left, right = scale.x(band.start), scale.x(band.end)
        yield (
            f'<rect class="band{place % 2}" x="{coordinate(left)}" y="{_TOP}" '
            f'width="{coordinate(right - left)}" height="{bottom - _TOP}"/>'
            f'<text class="tick" text-anchor="middle" x="{coordinate((left + right) / 2)}" '
            f'y="{bottom + 20}">{band.label}</text>'
        )


def _grid(scale: _Scale, frame: Frame) -> Iterable[str]:
    for value in scale.ticks:
        y = coordinate(scale.y(value))
        kind = "axis" if value == 0 else "grid"
        if frame.percent:
            label = f"{value:.0%}"
        else:
            label = f"{value:+g}".replace("-", "−") if value else "0"
        yield (
            f'<line class="{kind}" x1="{_LEFT}" x2="{scale.width - 12}" y1="{y}" y2="{y}"/>'
            f'<text class="tick" text-anchor="end" x="{_LEFT - 7}" '
            f'y="{coordinate(scale.y(value) + 4.5)}">{label}</text>'
        )
    ways = f"↑ {frame.above}" + (f"   ↓ {frame.below}" if frame.below else "")
    yield f'<text class="tick" x="{_LEFT}" y="16">{escape(ways)}</text>'


def _line(scale: _Scale, line: Line) -> str:
    (x, y), *_ = line.points
    path = [f"M{coordinate(scale.x(x))} {coordinate(scale.y(y))}"]
    for (_, before), (x, y) in pairwise(line.points):
        if line.stairs and y != before:
            path.append(f"H{coordinate(scale.x(x))}V{coordinate(scale.y(y))}")
        elif line.stairs:
            path.append(f"H{coordinate(scale.x(x))}")
        else:
            path.append(f"L{coordinate(scale.x(x))} {coordinate(scale.y(y))}")
    values = " ".join(f"{x!r} {y!r}" for x, y in line.points)
    return (
        f'<path class="line {line.key}" data-line="{line.key}" data-values="{values}" '
        f'd="{"".join(path)}"/>'
    )


def _columns(scale: _Scale, titles: Iterable[str]) -> Iterable[str]:
    """Invisible columns with tooltips, one for each step."""
    height = scale.height - _TOP - _BOTTOM
    for place, title in enumerate(titles):
        left = max(scale.x(place - 0.5), _LEFT)
        yield (
            f'<rect class="column" data-at="{place}" x="{coordinate(left)}" y="{_TOP}" '
            f'width="{coordinate(scale.x(place + 0.5) - left)}" height="{height}">'
            f"<title>{escape(title)}</title></rect>"
        )


def _mark(scale: _Scale, mark: Mark) -> str:
    x, y = coordinate(scale.x(mark.x)), scale.y(mark.y)
    inside = (
        f"<title>{escape(mark.title)}</title>"
        f'<circle cx="{x}" cy="{coordinate(y)}" r="10"/>'
        f'<text text-anchor="middle" x="{x}" y="{coordinate(y + 4.5)}">{escape(mark.label)}</text>'
    )
    return tag("a", inside, class_="mark", href=mark.address, aria_label=mark.title)
