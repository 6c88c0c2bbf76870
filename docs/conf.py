"""Settings of the documentation site: Sphinx with MyST and furo.

    python -m sphinx -W docs build/site

The package must be installed with its extra `docs`; nothing is fetched from the network.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import casino_core
from casino_core.render.svg import position_svg

project = "casino_core"
author = "the casino_core authors"
version = release = casino_core.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
default_role = "py:obj"  # names in docstrings are links where there is a page

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"casino_core {version}"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False


class PositionPicture(Directive):
    """A picture of a position, and of a play made in it.

    The content is a position line. In other readers of Markdown it is shown as text.
    """

    has_content = True
    option_spec = {"play": directives.unchanged}  # noqa: RUF012 - as docutils has it

    def run(self) -> list[nodes.Node]:
        """The picture as HTML."""
        position = casino_core.Position.parse(" ".join(self.content))
        if "play" not in self.options:
            return [nodes.raw("", position_svg(position), format="html")]
        move = position.move(self.options["play"])
        picture = position_svg(position.play(move), before=position, move=move)
        return [nodes.raw("", picture, format="html")]


#: First paragraphs of attributes, kept from napoleon, which reads `a hand: of a seat` as a type.
_paragraphs: dict[str, list[str]] = {}
_ATTRIBUTES = ("attribute", "data", "property")


def keep_paragraph(_app: Sphinx, what: str, name: str, *given: Any) -> None:
    """Take the first paragraph of an attribute away before napoleon reads it."""
    lines: list[str] = given[-1]
    if what in _ATTRIBUTES and name not in _paragraphs:
        end = next((place for place, line in enumerate(lines) if not line.strip()), len(lines))
        _paragraphs[name] = lines[:end]
        del lines[:end]


def put_paragraph_back(_app: Sphinx, what: str, name: str, *given: Any) -> None:
    """Put the first paragraph of an attribute back after napoleon."""
    if what in _ATTRIBUTES:
        given[-1][:0] = _paragraphs.pop(name, [])


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive `position`, and the language of transcripts of the engine."""
    app.add_lexer("engine", TextLexer)
    app.add_directive("position", PositionPicture)
    app.connect("autodoc-process-docstring", keep_paragraph, priority=400)
    app.connect("autodoc-process-docstring", put_paragraph_back, priority=600)
    return {"parallel_read_safe": True}
