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


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive `position`, and the language of transcripts of the engine."""
    app.add_lexer("engine", TextLexer)
    app.add_directive("position", PositionPicture)
    return {"parallel_read_safe": True}
