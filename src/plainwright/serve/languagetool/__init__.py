"""`/v2`: LanguageTool's HTTP interface, so that editors which speak it show our suggestions.

A group of edits is a hint about style with its replacement. Editors ask again after each change, so what overlaps is
told as one.
"""

from plainwright.serve.languagetool.routes import languagetool_routes

__all__ = ["languagetool_routes"]
