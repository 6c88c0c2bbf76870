"""Tables of columns, for data frames: as dictionaries, and over the Arrow stream interface.

pyarrow makes the Arrow data: it is small work to ask for it, and large work to write lists of
texts with missing values by hand. What takes a stream shares its memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from casino_core.errors import CasinoError

__all__ = [
    "ROWS",
    "SHOWN",
    "Tabular",
    "arrow_fields",
    "arrow_table",
    "as_list",
    "column_of",
    "html_table",
    "need",
]

#: The type of the values of a column; a type in a list means a list of it.
Kinds = Mapping[str, Any]
#: Rows of a large table that become Arrow data at once.
ROWS = 50_000
#: Rows of a table in a notebook, and values of a list in a cell.
SHOWN = 10


def need(module: str, extra: str) -> Any:
    """Import a library that only some formats need.

    Args:
        module: the name of the module.
        extra: the extra of this package that installs the library.

    Raises:
        CasinoError: the library is not installed.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise CasinoError(
            f"{library} is needed for this: pip install 'casino-core[{extra}]'"
        ) from None


def arrow_fields(kinds: Kinds) -> list[Any]:
    """The Arrow fields of columns.

    Args:
        kinds: the type of each column, `int`, `float`, `str` or `bool`, or a list of one.
    """
    arrow = need("pyarrow", "frames")
    known = {
        int: arrow.int64(),
        float: arrow.float64(),
        str: arrow.string(),
        bool: arrow.bool_(),
    }
    return [
        arrow.field(name, arrow.list_(known[kind[0]]) if isinstance(kind, list) else known[kind])
        for name, kind in kinds.items()
    ]


def arrow_table(columns: Mapping[str, Any], kinds: Kinds) -> Any:
    """The Arrow table of columns.

    Args:
        columns: lists, or masked arrays of NumPy.
        kinds: their types, as `arrow_fields` takes them.
    """
    arrow = need("pyarrow", "frames")
    schema = arrow.schema(arrow_fields(kinds))
    made = []
    for field in schema:
        values = columns[field.name]
        missing = getattr(values, "mask", None)
        plain = values if missing is None else values.data
        given = {"mask": missing} if getattr(missing, "shape", ()) else {}
        made.append(arrow.array(plain, field.type, **given))
    return arrow.table(made, schema=schema)


def as_list(values: Any) -> list[Any]:
    """A column as a list, None for missing values.

    Args:
        values: a list, or a masked array of NumPy.
    """
    found: list[Any] = values if isinstance(values, list) else values.tolist()
    return found


class Tabular:
    """An object with a table of its contents.

    `to_dict` gives the columns; pandas, Polars, DuckDB and pyarrow take the object itself.
    """

    __slots__ = ()

    def _kinds(self) -> Kinds:
        """The columns, and the types of their values."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of the table, by name; None for missing values."""
        return {name: as_list(values) for name, values in self._as_columns().items()}

    def _as_columns(self) -> dict[str, Any]:
        """The columns as lists, or as masked arrays of NumPy."""
        columns: dict[str, list[Any]] = {name: [] for name in self._kinds()}
        for row in self._rows():
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
        return columns

    def _parts(self) -> Iterable[Tabular]:
        """Parts of the table, one after the other, so that few texts are in memory at once."""
        return (self,)

    def _rows(self) -> Iterable[Iterable[Any]]:
        """The rows of the table, in the order of `_kinds`."""
        raise NotImplementedError

    def __arrow_c_schema__(self) -> Any:
        """The columns and their types, for libraries that read Arrow."""
        return need("pyarrow", "frames").schema(arrow_fields(self._kinds())).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as an Arrow stream, for libraries that read it.

        Args:
            requested_schema: the types that the reader would like, as a capsule, or None.
        """
        arrow = need("pyarrow", "frames")
        parts = [arrow_table(part._as_columns(), self._kinds()) for part in self._parts()]
        table = arrow.concat_tables(parts)
        return table.__arrow_c_stream__(requested_schema)


def column_of(names: list[str], wanted: str | None) -> str:
    """The column with the positions: the one that is named, `position`, or the only one.

    Args:
        names: the columns there are.
        wanted: the name that was given, or None.

    Raises:
        CasinoError: there is no such column.

    Example:
        >>> column_of(["id", "position"], None), column_of(["deal"], None)
        ('position', 'deal')
    """
    name = wanted or ("position" if "position" in names or len(names) != 1 else names[0])
    if names.count(name) != 1:
        there = ", ".join(map(repr, names)) or "none"
        often = "two columns" if name in names else "no column"
        raise CasinoError(
            f"the table has {often} {name!r}; column= names the positions: it has {there}"
        )
    return name


def html_table(columns: Mapping[str, list[Any]], count: int) -> str:
    """The first rows of a table as HTML, for notebooks.

    Args:
        columns: the columns, with the rows to show.
        count: the number of all rows.

    Example:
        >>> html_table({"best": ["9h"]}, 1)[:47]
        '<table><thead><tr><th></th><th>best</th></tr></'
    """
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *columns))
    lines = []
    for number, row in enumerate(zip(*columns.values(), strict=True)):
        cells = "".join(f"<td>{escape(text)}</td>" for text in map(_cell, row))
        lines.append(f"<tr><th>{number}</th>{cells}</tr>")
    more = f"<p>{count:,} rows</p>" if count > len(lines) else ""
    body = "".join(lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    """A value as text, short lists in full."""
    if isinstance(value, list):
        return " ".join(map(str, value[:SHOWN])) + (" …" if len(value) > SHOWN else "")
    return "" if value is None else str(value)
