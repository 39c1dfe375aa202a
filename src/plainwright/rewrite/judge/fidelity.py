"""Forbids rewrites that say something else than their source, as far as words can tell.

Rules protect what they must not touch before they write. A rewriter writes first, so what must survive is compared
afterwards: numbers with their units, names, quotations, negation, conditions, hedges, and the words that say how many.
Whoever fails falls back to the next candidate, and in the end to the sentence as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plainwright.rewrite.propose.scfg import ScfgProposal
from plainwright.rewrite.types import Proposal, Sentence, Verdict
from plainwright.text import Token, ptb_tokenize
from plainwright.text.frequencies import zipf

__all__ = ["Fidelity", "broken_promise"]

_LONGEST, _SHORTEST = 2.0, 0.4  # lengths of a rewrite, by that of its source
_LOOP = 5  # words in a row that stand twice
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{3,}?)[\"”]")
_OTHER_SCRIPT = re.compile(r"[^\u0000-\u024f\u1e00-\u1eff\u2000-\u22ff\u2460-\u27bf]")
_NEGATIVE_FORM = re.compile(r"(?:un|in|im|ir|il|dis|mis|non)-?[a-z]{4,}$|[a-z]{3,}less(?:ly|ness)?$|anti|[a-z]+-free$")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "  # noqa: SIM905
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_AMOUNTS = frozenset({"hundred", "thousand", "million", "billion", "trillion", "dozen", "half", "quarter", "twice"})
_FREE_NUMBERS = frozenset({"1"})  # "one" often stands for a noun
_UNITS = {
    unit: names[0]
    for names in (
        ("%", "percent"),
        ("mg", "milligram", "milligrams"),
        ("g", "gram", "grams"),
        ("kg", "kilogram", "kilograms", "kilos"),
        ("ml", "millilitre", "millilitres", "milliliters"),
        ("l", "litre", "litres", "liter", "liters"),
        ("mm", "millimetre", "millimetres", "millimeters"),
        ("cm", "centimetre", "centimetres", "centimeters"),
        ("m", "metre", "metres", "meter", "meters"),
        ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
        ("ft", "foot", "feet"),
        ("mi", "mile", "miles"),
        ("s", "second", "seconds", "sec"),
        ("min", "minute", "minutes"),
        ("h", "hour", "hours"),
        ("day", "days"),
        ("week", "weeks"),
        ("month", "months"),
        ("year", "years"),
        ("million",),
        ("billion",),
        ("thousand",),
        ("hundred",),
        ("acre", "acres"),
        ("hectare", "hectares"),
        ("euro", "euros"),
        ("dollar", "dollars"),
        ("pound", "pounds"),
    )
    for unit in names
}


_LEAST_KNOWN = 3.3  # Zipf frequency of the word that "un" denies


def _cues(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPPOSITES = _cues(
    "disagree disagrees disagreed disapprove disapproved discontinued dishonest disqualified disallowed dissatisfied "
    "illegal illegible impossible improper inability inaccurate inactive inadequate inappropriate incapable incomplete "
    "incorrect ineffective ineligible inefficient insufficient invalid invisible involuntary irregular irrelevant"
)
# Words that begin as a denial does, and deny nothing.
_NO_OPPOSITES = (
    *("uncle", "uncover", "under", "unearth", "unfold", "unif", "union", "uniq", "unis", "unit", "univers"),
    *("unless", "unload", "unlock", "unpack", "unrest", "until", "unto", "unveil"),
)


@dataclass(frozen=True, slots=True)
class _Promise:
    """Words that share a meaning: where the source has a `strong` one, the rewrite needs any; and the other way."""

    name: str
    strong: frozenset[str]
    weak: frozenset[str] = frozenset()  # that may stand for a strong one, but promise nothing themselves
    forms: re.Pattern[str] | None = None  # of further weak words
    lost: bool = True  # whether it matters that the rewrite lacks what the source has
    new: bool = True  # whether it matters that the rewrite has what the source lacks

    def allowed(self, words: Counter[str]) -> bool:
        """Whether any of the words can stand for the meaning."""
        return any(words[cue] for cue in (*self.strong, *self.weak)) or bool(
            self.forms is not None and any(map(self.forms.match, words))
        )

    def broken(self, source: Counter[str], target: Counter[str]) -> bool:
        """Whether the meaning is there on one side alone."""
        has = [any(words[cue] for cue in self.strong) for words in (source, target)]
        may = [self.allowed(words) for words in (source, target)]
        return (self.lost and has[0] and not may[1]) or (self.new and has[1] and not may[0])


_PROMISES = (
    _Promise(
        "negation",
        _cues("not n't no never none nor neither without cannot nobody nothing nowhere"),
        _cues(
            "fail fails failed failing failure lack lacks lacked lacking absence absent refuse refuses refused refusal "
            "deny denies denied denial prevent prevents prevented prevention prohibit prohibits prohibited prohibition "
            "forbid forbids forbidden unless except exempt exclude excludes excluded excluding avoid avoids avoided "
            "unable inability instead rather free hardly rarely seldom barely only little few too missing stop stops "
            "stopped reject rejects rejected decline declined unlike despite although though but impossible unlikely "
            "unknown unclear false incorrect wrong banned ban against lose lost invalid unpaid waive waived non ceased "
            "disagree disagreed unwilling regardless irrespective otherwise notwithstanding cease ceases unaware keep"
        ),
        forms=_NEGATIVE_FORM,
    ),
    _Promise(
        "failure",
        _cues("failure fails fail failed failing unless without prohibited refuses refused refusal lacks lack unable"),
        _cues(
            "not n't no never none nor cannot prevent stop against miss missed do forbid banned refuse wrong only if"
        ),
        new=False,
    ),
    _Promise(
        "possibility",
        _cues("may might could possibly perhaps possible potentially potential likely probably"),
        _cues(
            "can maybe chance risk seem seems seemed appear appears appeared suggest suggests suggested think thinks "
            "expected believed would should probable apparently allowed entitled sometimes often if option choose want"
        ),
        new=False,
    ),
    _Promise(
        "possibility that is new",
        _cues("might possibly perhaps maybe probably"),
        _cues(
            "may could possible potentially potential likely can seem seems seemed appear appears appeared suggest "
            "suggests suggested think thought believe believed would should probable apparently presumably expected "
            "chance risk if whether estimated liable prone capable tend tends able unlikely doubt question unclear"
        ),
        lost=False,
    ),
    _Promise(
        "obligation that is new",
        _cues("must"),
        _cues(
            "shall should required requires require requirement need needs needed obliged obligation obligatory "
            "mandatory compulsory necessary necessitate have has had only ought cannot not prohibited subject to due "
            "essential imperative please ensure"
        ),
        lost=False,
    ),
    _Promise(
        "condition",
        _cues("if unless provided"),
        _cues(
            "when only where until whether should otherwise case event condition once who whoever any without must or"
        ),
        new=False,
    ),
    _Promise(
        "attribution",
        _cues("alleged allegedly reportedly claimed claims claim believed suggests suggest argued argues estimated"),
        _cues(
            "say says said report reports reported think thinks thought believe believes according argue seem seems "
            "apparently supposedly may might estimate about guess shows show suggested allege accused accuse"
        ),
        new=False,
    ),
    _Promise(
        "only",
        _cues("only solely exclusively"),
        _cues("just merely alone unless must no not sole single except nothing one but until"),
    ),
    _Promise(
        "most",
        _cues("most majority mostly mainly predominantly largely"),
        _cues(
            "primarily main chief chiefly principal often usually many generally more almost best greatest nearly big"
        ),
    ),
    _Promise(
        "approximation",
        _cues("approximately roughly circa nearly almost"),
        _cues(
            "about around some close estimated or so just almost nearly more less over under than c. ca. ~ practically"
        ),
        new=False,
    ),
    _Promise(
        "limit",
        _cues("exceeding exceed exceeds maximum minimum"),
        _cues(
            "up most more than over above limit limited least greater higher longer larger most less below under beyond"
        ),
        new=False,
    ),
    _Promise(
        "bound",
        _cues("least"),
        _cues("minimum more fewer no less lowest smallest worst or not than"),
    ),
)


class Fidelity:
    """The judge of rewrites; what rules propose is safe before it comes here."""

    name = "fidelity"

    def __init__(self, least_score: float | None = None) -> None:
        self._least_score = least_score

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        return [[self._verdict(sentence, proposal) for proposal in proposals] for sentence, proposals in batch]

    def _verdict(self, sentence: Sentence, proposal: Proposal) -> Verdict:
        risks = (0.0,) * proposal.groups
        if isinstance(proposal, ScfgProposal) or proposal.curated or proposal.text == sentence.text:
            return Verdict(risks)
        unsure = self._least_score is not None and proposal.score < self._least_score
        if unsure or broken_promise(sentence.text, proposal.text):
            return Verdict(risks, frozenset(range(proposal.groups)))
        return Verdict(risks)


def broken_promise(source: str, target: str) -> str | None:
    """Return what a rewrite breaks, in a word or two, or None."""
    return next(_broken(_Reading(source), _Reading(target)), None)


def _broken(source: _Reading, target: _Reading) -> Iterator[str]:
    if len(target.text) > _LONGEST * len(source.text) + 20:
        yield "length"
    if len(target.text) < _SHORTEST * len(source.text):
        yield "cut short"
    if _OTHER_SCRIPT.search(target.text) and not _OTHER_SCRIPT.search(source.text):
        yield "other script"
    if target.loops - source.loops:
        yield "loop"
    if source.numbers != target.numbers:
        yield "numbers"
    if source.measures - target.measures:
        yield "units"
    if target.names - source.all_words:
        yield "new name"
    if any(_plain(quoted) not in _plain(target.text) for quoted in _QUOTED.findall(source.text)):
        yield "quotation"
    if source.has_opposite and not _denies_too(source, target):
        yield "opposite"
    yield from (promise.name for promise in _PROMISES if promise.broken(source.words, target.words))


def _denies_too(source: _Reading, target: _Reading) -> bool:
    """Whether a rewrite denies something as its source does; words that both have cannot be the denial that moved."""
    negation = _PROMISES[0]
    new = Counter({word: count for word, count in target.words.items() if word not in source.words})
    return target.has_opposite or any(target.words[cue] for cue in negation.strong) or negation.allowed(new)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


class _Reading:
    """What a text says, as far as it is compared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = ptb_tokenize(text)
        self._lower = [token.text.lower() for token in self._tokens]
        self.words = Counter(self._lower)

    @cached_property
    def all_words(self) -> frozenset[str]:
        """All words, compounds also in their parts."""
        parts = (part for word in self._lower for part in re.split(r"[-/.]", word))
        return frozenset(self._lower) | frozenset(parts)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers, whether in digits or as words; and amounts."""
        found = {number.rstrip(".,:/").replace(",", "") for number in _NUMBER.findall(self.text)}
        found |= {_NUMBER_WORDS[word] for word in self.all_words if word in _NUMBER_WORDS}
        return frozenset(found - _FREE_NUMBERS | (_AMOUNTS & self.words.keys()))

    @cached_property
    def measures(self) -> frozenset[tuple[str, str]]:
        """Numbers with the units that follow them."""
        pairs = zip(self._lower, self._lower[1:], strict=False)
        found = ((number, _UNITS[unit]) for number, unit in pairs if number[0].isdigit() and unit in _UNITS)
        return frozenset((number.replace(",", ""), unit) for number, unit in found)

    @cached_property
    def names(self) -> frozenset[str]:
        """Words with a capital inside a sentence, in lower case."""
        return frozenset(_names(self._tokens))

    @cached_property
    def has_opposite(self) -> bool:
        """Whether a word denies another one, as "unaware" does."""
        return any(word in _OPPOSITES or _denies(word) for word in self.words)

    @cached_property
    def loops(self) -> frozenset[tuple[str, ...]]:
        """Runs of words that stand twice."""
        runs = Counter(zip(*(self._lower[start:] for start in range(_LOOP)), strict=False))
        return frozenset(run for run, count in runs.items() if count > 1)


def _denies(word: str) -> bool:
    return word.startswith("un") and not word.startswith(_NO_OPPOSITES) and zipf(word[2:]) >= _LEAST_KNOWN


def _names(tokens: Iterable[Token]) -> Iterator[str]:
    opens = True
    for token in tokens:
        word = token.text
        if word[0].isupper() and not opens and word != "I":
            yield word.lower()
        if any(map(str.isalnum, word)):
            opens = False
        if word in {".", "!", "?", ":", ";", "``", "''", '"', "“", "-", "–", "(", "•"}:
            opens = True
