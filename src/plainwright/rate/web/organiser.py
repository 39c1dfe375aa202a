"""The organiser's pages."""

from __future__ import annotations

from starlette.routing import Route

__all__ = ["organiser_routes"]

organiser_routes: list[Route] = []
