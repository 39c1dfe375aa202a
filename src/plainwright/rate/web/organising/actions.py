"""What the organiser's buttons do."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from plainwright.errors import DataError
from plainwright.rate import links
from plainwright.rate.links import Link
from plainwright.rate.store import people
from plainwright.rate.store.releasing import release
from plainwright.rate.store.reviewing import accept_rater, reject_rater
from plainwright.rate.store.studies import set_open
from plainwright.rate.web.organising.dashboard import organiser_page, rater_named, rater_page
from plainwright.rate.web.organising.door import for_organisers
from plainwright.rate.web.site import site_of
from plainwright.web.bodies import form_fields
from plainwright.web.replies import Refusal, redirect

__all__ = ["accept", "invite", "new_link", "open_or_close", "reject", "release_page", "remove_data", "take_out"]


@for_organisers
async def invite(request: Request) -> Response:
    """Links for people with names, for so many without, or one for all."""
    form, now = form_fields(request), site_of(request).now()
    days = _number(form, "days", 14)
    if form.get("kind") == "open":
        uses = _number(form, "uses", 1)
        return await _show_links(
            request, lambda connection: [links.invite_anyone(connection, uses, days=days, now=now)]
        )
    names = [name.strip() for name in form.get("names", "").splitlines() if name.strip()]
    wanted = names or [""] * min(_number(form, "number", 1), links.MAX_LINKS + 1)
    return await _show_links(request, lambda connection: links.invite_each(connection, wanted, days=days, now=now))


@for_organisers
async def new_link(request: Request) -> Response:
    """A further link for one rater."""
    site, public = site_of(request), request.path_params["public"]
    days, now = _number(form_fields(request), "days", 14), site.now()
    return await _show_links(
        request, lambda connection: [links.renew(connection, rater_named(connection, public), days=days, now=now)]
    )


@for_organisers
async def release_page(request: Request) -> Response:
    """A page that a rater has open goes to somebody else."""
    wanted = form_fields(request).get("page", "")

    def let_go(connection: Connection, rater_id: int, now: float) -> None:
        if not release(connection, rater_id, wanted):
            raise Refusal(409, "closed", "this page is not open any more; look at the overview again")

    return await _change(request, let_go, "released")


@for_organisers
async def take_out(request: Request) -> Response:
    """No more pages for a rater; what is finished stays."""
    return await _change(request, people.leave, "left")


@for_organisers
async def accept(request: Request) -> Response:
    """Let a rater on whose training was read."""
    return await _change(request, _refusing(accept_rater), "accepted")


@for_organisers
async def reject(request: Request) -> Response:
    """Give them no further pages."""
    return await _change(request, _refusing(reject_rater), "rejected")


def _refusing(change: Callable[[Connection, int, float], None]) -> Callable[[Connection, int, float], None]:
    """Tell the organiser what cannot be done."""

    def changed(connection: Connection, rater_id: int, now: float) -> None:
        try:
            change(connection, rater_id, now)
        except DataError as error:
            raise Refusal(409, "refused", str(error)) from None

    return changed


@for_organisers
async def remove_data(request: Request) -> Response:
    """Erase a rater, if the id was typed as well."""
    public, typed = request.path_params["public"], form_fields(request).get("confirm", "").strip()
    if typed != public:
        return await rater_page(
            request,
            status=422,
            problem=f"Nothing was erased: type the id of this rater, {public}, to show that you mean it.",
        )
    return await _change(request, people.erase, "removed", to="/organiser")


@for_organisers
async def open_or_close(request: Request) -> Response:
    """Let raters work, or no more."""
    site, wanted = site_of(request), form_fields(request).get("open", "")
    if wanted not in ("yes", "no"):
        raise Refusal(422, "refused", "expected whether the study is to be open, yes or no")
    await site.database.run(lambda connection: set_open(connection, wanted == "yes"))
    return redirect(site.url(f"/organiser?done={'opened' if wanted == 'yes' else 'closed'}"))


async def _change(
    request: Request, change: Callable[[Connection, int, float], object], done: str, *, to: str | None = None
) -> Response:
    """Do something to the rater of the address, then show what came of it."""
    site, public = site_of(request), request.path_params["public"]
    now = site.now()

    def work(connection: Connection) -> int:
        rater = rater_named(connection, public)
        change(connection, rater.id, now)
        return rater.id

    site.sessions.forget(rater_id=await site.database.run(work))
    return redirect(site.url(f"{to or f'/organiser/raters/{public}'}?done={done}"))


async def _show_links(request: Request, make: Callable[[Connection], list[Link]]) -> Response:
    """The only page that ever shows these links."""
    site = site_of(request)
    try:
        made = await site.database.run(make)
    except DataError as error:
        raise Refusal(422, "refused", str(error)) from None
    base = site.origin(request) + site.prefix
    return organiser_page(
        request,
        "organiser_links.html.jinja",
        links=made,
        address=functools.partial(Link.url, base=base),
        table=links.links_table(made, base),
    )


def _number(form: Mapping[str, str], name: str, usual: int) -> int:
    given = form.get(name, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise Refusal(422, "refused", f"{name}: expected a whole number, found {given[:40]!r}")
    return int(given)
