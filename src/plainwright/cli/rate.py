"""`plainwright rate`: people see all outputs for a sentence at once, rank and rate them; everything is kept."""

from __future__ import annotations

import typer

from plainwright.cli.rate_analyse import analyse
from plainwright.cli.rate_audit import audit, replay
from plainwright.cli.rate_demo import demo
from plainwright.cli.rate_export import export
from plainwright.cli.rate_init import init
from plainwright.cli.rate_invite import invite
from plainwright.cli.rate_migrate import migrate
from plainwright.cli.rate_password import password
from plainwright.cli.rate_remove import remove
from plainwright.cli.rate_serve import serve
from plainwright.cli.rate_status import status

__all__ = ["app"]

app = typer.Typer(
    help="Rating studies: make one, serve its pages, invite raters, see how they do, export and analyse.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _group() -> None:
    """One module per command: `rate_<name>.py`, registered below."""


app.command("init", short_help="Make a study from files of outputs.")(init)
app.command("demo", short_help="Try a study with sample sentences in your browser.")(demo)
app.command("serve", short_help="Serve the pages of a study.")(serve)
app.command("invite", short_help="Make links for raters.")(invite)
app.command("password", short_help="Set the password of an organiser.")(password)
app.command("remove", short_help="Take a rater out, with or without what they rated.")(remove)
app.command("export", short_help="Write all ratings as a table that `study` reads.")(export)
app.command("analyse", short_help="Agreement, which systems differ, position bias, raters.")(analyse)
app.command("status", short_help="How far the study is, and who needs attention.")(status)
app.command("audit", short_help="Check that the log is what it was when it was written.")(audit)
app.command("replay", short_help="Print the log as sentences, page by page.")(replay)
app.command("migrate", short_help="Bring the database to this version of plainwright.")(migrate)
