"""What needs somebody's attention now, in plain sentences, with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from plainwright.rate.overview.phrases import ago, counted, duration, span
from plainwright.rate.overview.status import Overview, RaterStatus
from plainwright.rate.results.quality import RaterQuality
from plainwright.study.estimate import Estimate

__all__ = ["Action", "Advice", "advise", "findings_of", "time_left"]

Action = Literal["invite", "link", "release", "leave", "review", "open", "close", "export"]

_HOUR = 3600.0
_DAY = 86400.0
_SILENT = 4 * _HOUR  # with a page open: longer than a meal or a meeting
_AWAY = _DAY  # without one: people sleep


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing to know, and the buttons that belong to it."""

    sentence: str
    actions: tuple[Action, ...] = ()
    rater: RaterStatus | None = None


def advise(view: Overview, quality: Mapping[str, RaterQuality] | None = None) -> tuple[Advice, ...]:
    """All that wants attention: the study, then who may spoil its data, then who is only away.

    `quality` is that of raters by their ids, if it is known.
    """
    away = () if view.demand.left == 0 else (_about(rater, view) for rater in view.raters)
    careless = _about_quality(view, quality or {})
    return (*_about_study(view), *careless, *(advice for advice in away if advice is not None))


def findings_of(quality: RaterQuality) -> tuple[str, ...]:
    """What stands out about a rater, as sentences without their subject; that there is too little to judge is none."""
    start = f"rater {quality.rater!r} "
    return tuple(finding.sentence.removeprefix(start) for finding in quality.findings if finding.kind != "few")


def _about_quality(view: Overview, quality: Mapping[str, RaterQuality]) -> list[Advice]:
    """Raters who stand out and may be given more, those with most findings first."""
    here = [rater for rater in view.raters if rater.state not in ("left", "removed") and rater.public in quality]
    found = [(rater, sentences) for rater in here if (sentences := findings_of(quality[rater.public]))]
    found.sort(key=lambda pair: -len(pair[1]))
    return [Advice(sentence=f"{'; '.join(sentences)}.", actions=("leave",), rater=rater) for rater, sentences in found]


def time_left(view: Overview) -> str:
    """How long a page takes and the rest will take, with intervals; or why that is not known."""
    seconds = view.pace.seconds
    if seconds.value is None:
        return f"How long a page takes is not known yet: {seconds.problem}."
    page = f"A page takes {duration(seconds.value)} (median of the latest {seconds.n:,}{_interval(seconds)})"
    if view.demand.left == 0:
        return f"{page}."
    rest = view.pace.time_for(view.pages_to_rate)
    assert rest.value is not None
    sentence = f"{page}, so about {duration(rest.value)} of rating are left{_interval(rest, ' (', ')')}."
    if view.pace.last_day == 0:
        return sentence
    days = duration(view.demand.left / view.pace.last_day * _DAY)
    return f"{sentence} At the pace of the last 24 hours, {counted(view.pace.last_day, 'page')}, that is {days}."


def _interval(estimate: Estimate, before: str = "; ", after: str = "") -> str:
    found = estimate.interval
    return "" if found is None else f"{before}95 % interval {span(found.low, found.high)}{after}"


def _about_study(view: Overview) -> Iterator[Advice]:
    left = view.demand.left
    if left == 0:
        sentence = f"All {counted(view.demand.needed, 'page')} are rated."
        if view.open:
            yield Advice(sentence=f"{sentence} Close the study, and export it.", actions=("close", "export"))
        else:
            yield Advice(sentence=f"{sentence} The study is closed.", actions=("export",))
        return
    if not view.open:
        yield Advice(sentence="The study is closed: raters can read, but nothing they send is kept.", actions=("open",))
    if not view.raters and not view.open_uses:
        yield Advice(sentence="Nobody has been invited yet.", actions=("invite",))
        return
    missing = view.demand.more_raters - view.open_uses
    if missing > 0:
        sentence = f"The raters of now cannot finish what is left: invite at least {counted(missing, 'more', 'more')}."
        yield Advice(sentence=sentence, actions=("invite",))


def _about(rater: RaterStatus, view: Overview) -> Advice | None:
    if rater.state == "invited":
        return _about_invited(rater, view.now)
    if rater.state == "waiting":
        sentence = "has done the training, and waits until you have read it and let them on, or not."
        return Advice(sentence=sentence, actions=("review",), rater=rater)
    if rater.state == "stopped":
        return Advice(
            sentence="finished the training outside the range that the study asks for, and gets no further pages.",
            actions=("leave",),
            rater=rater,
        )
    if rater.state not in ("quiet", "paused") or rater.last_seen is None:
        return None
    silent = view.now - rater.last_seen
    if rater.open_page is not None and silent > _SILENT:
        actions: tuple[Action, ...] = ("release", "link") if rater.open_page.for_others else ("link",)
        return Advice(sentence=_stuck(rater, view, silent), actions=actions, rater=rater)
    if rater.open_page is None and rater.available and silent > _AWAY:
        done = f"after {counted(rater.finished, 'page')}" if rater.finished else "before the first page"
        verb = "paused" if rater.state == "paused" else "stopped"
        sentence = f"{verb} {done}, {ago(rater.last_seen, view.now)}, and could take {rater.available:,} more."
        return Advice(sentence=sentence, actions=("link", "leave"), rater=rater)
    return None


def _about_invited(rater: RaterStatus, now: float) -> Advice | None:
    if rater.link_expires is None:
        sentence = "has not joined, and has no link that still opens."
        return Advice(sentence=sentence, actions=("link", "leave"), rater=rater)
    if now - rater.created > 2 * _DAY:
        sentence = (
            f"was invited {ago(rater.created, now)} and has not joined; the link opens for another "
            f"{duration(rater.link_expires - now)}."
        )
        return Advice(sentence=sentence, actions=("link", "leave"), rater=rater)
    return None


def _stuck(rater: RaterStatus, view: Overview, silent: float) -> str:
    page = rater.open_page
    assert page is not None
    which = (
        "a training page" if page.training else f"page {page.place}, a repeat," if page.repeat else f"page {page.place}"
    )
    paused = ", paused," if rater.state == "paused" else ""
    rest = view.settings.lease_hours * _HOUR - (view.now - page.touched)
    after = f"it goes to somebody else in {duration(rest)}" if rest > 60 else "it may now go to somebody else"
    if not page.for_others:
        after = "it waits for them"
    return f"has had {which} open{paused} without a sign for {duration(silent)}; {after}."
