"""`plainwright rate`: people see all outputs for a sentence at once, rank and rate them; everything is kept."""

from __future__ import annotations

from plainwright.cli.lazy import lazy_group

__all__ = ["app"]

_COMMANDS = {
    "init": ("plainwright.cli.rate.init:init", "Create a study from files of outputs."),
    "demo": ("plainwright.cli.rate.demo:demo", "Try a study with sample sentences in your browser."),
    "serve": ("plainwright.cli.rate.serve:serve", "Serve the pages of a study."),
    "invite": ("plainwright.cli.rate.invite:invite", "Make links for raters."),
    "password": ("plainwright.cli.rate.password:password", "Set the password of an organiser."),
    "remove": ("plainwright.cli.rate.remove:remove", "Remove a rater, with or without their ratings."),
    "review": ("plainwright.cli.rate.review:review", "Read what raters did in training, and let them on or not."),
    "export": ("plainwright.cli.rate.export:export", "Write all ratings as a table that `study` reads."),
    "analyse": ("plainwright.cli.rate.analyse:analyse", "Show agreement, differences, position bias, raters."),
    "status": ("plainwright.cli.rate.status:status", "Show progress, and who needs attention."),
    "audit": ("plainwright.cli.rate.audit:audit", "Check that the log has not been changed."),
    "replay": ("plainwright.cli.rate.audit:replay", "Print the log as sentences, page by page."),
    "migrate": ("plainwright.cli.rate.migrate:migrate", "Upgrade the database to this version."),
}

app = lazy_group(
    _COMMANDS,
    help="Run rating studies: create one, serve its pages, invite raters, follow their progress, export and analyse.",
)
