"""Pictures of the studies: a point and its interval for each row. They need matplotlib."""

from collections.abc import Sequence

from casino_core.batch.files.sources import need

#: (name, mean, half of the interval of 95 %, or None) for each row.
Rows = Sequence[tuple[str, float, float | None]]


def draw(path: str, series: dict[str, Rows], what: str) -> None:
    """Write a picture of means with their intervals.

    Args:
        path: of the picture; its ending gives the format: .png, .svg, .pdf.
        series: rows under the name of each series; all have the same names of rows.
        what: is measured, for the axis.
    """
    need("matplotlib", "plots")
    from matplotlib.figure import Figure

    names = [name for name, _, _ in next(iter(series.values()))]
    figure = Figure(figsize=(7, 1.5 + 0.3 * len(names)), layout="constrained")
    axes = figure.subplots()
    for number, (label, rows) in enumerate(series.items()):
        places = [place + 0.2 * (number - (len(series) - 1) / 2) for place in range(len(rows))]
        means = [mean for _, mean, _ in rows]
        halves = [half or 0.0 for _, _, half in rows]
        axes.errorbar(means, places, xerr=halves, fmt="o", capsize=3, label=label)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel(what)
    if len(series) > 1:
        axes.legend()
    figure.savefig(path, dpi=120)
