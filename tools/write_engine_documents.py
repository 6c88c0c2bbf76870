"""Write what follows from the table of the engine's commands: the JSON Schema, and documents.

python tools/write_engine_documents.py
"""

import re

from folders import ROOT

from casino_core.engine.schema import schema_text, tables

SCHEMA = ROOT / "src" / "casino_core" / "engine" / "data" / "protocol_2.schema.json"
DOCUMENT = ROOT / "docs" / "engine_protocol.md"


def with_tables(text: str) -> str:
    """A document with its tables made again; each stands between two comments with its name."""
    for name, table in tables().items():
        between = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end of {name} -->)", re.DOTALL)
        text = between.sub(lambda found, table=table: found[1] + table + found[2], text)
    return text


def main() -> None:
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
