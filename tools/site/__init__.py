"""The documentation site: pages gathered from the repository, then built by Zensical.

`python -m tools.site` gathers and builds, `python -m tools.site --pages` only gathers, and
`python -m tools.site --run-tutorials` runs the notebooks again and stores what they print.
"""
