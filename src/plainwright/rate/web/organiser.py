"""The organiser's pages: closed to everybody else."""

from __future__ import annotations

from starlette.routing import Route

from plainwright.rate.web.organising import actions, dashboard, door, results

__all__ = ["organiser_routes"]

organiser_routes: list[Route] = [
    Route("/organiser/login", door.show_login, methods=["GET"]),
    Route("/organiser/login", door.log_in, methods=["POST"]),
    Route("/organiser/logout", door.log_out, methods=["POST"]),
    Route("/organiser", dashboard.show_study, methods=["GET"]),
    Route("/organiser/raters/{public}", dashboard.show_rater, methods=["GET"]),
    Route("/organiser/log", dashboard.show_log, methods=["GET"]),
    Route("/organiser/invite", actions.invite, methods=["POST"]),
    Route("/organiser/study", actions.open_or_close, methods=["POST"]),
    Route("/organiser/raters/{public}/invite", actions.new_link, methods=["POST"]),
    Route("/organiser/raters/{public}/release", actions.release_page, methods=["POST"]),
    Route("/organiser/raters/{public}/leave", actions.take_out, methods=["POST"]),
    Route("/organiser/raters/{public}/accept", actions.accept, methods=["POST"]),
    Route("/organiser/raters/{public}/reject", actions.reject, methods=["POST"]),
    Route("/organiser/raters/{public}/remove", actions.remove_data, methods=["POST"]),
    Route("/organiser/results", results.show_results, methods=["GET"]),
    Route("/organiser/export/{kind}.{extension}", results.download, methods=["GET"]),
]
