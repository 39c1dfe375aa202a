"""The decoder: tokens in, the best outputs under a linear model out, each with what led to it.

CKY+ over one or several grammars and cube pruning with a language model (Chiang, 2007), or phrases on stacks (Koehn,
Och and Marcu, 2003); lazy k-best lists (Huang and Chiang, 2005). The work is done in the native core, without the GIL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from plainwright import _core
from plainwright.arguments import refuse
from plainwright.errors import DataError, UnknownNameError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.text.tagging import Tagger

if TYPE_CHECKING:
    from plainwright.metrics.base import Array

__all__ = ["Analysis", "Candidate", "Decoder", "DecoderSettings", "Result", "Step", "analyses_of_tags", "word_analyses"]

_LONGEST_TAGGED = 5  # words of a phrase
_LARGEST = 2**31 - 1  # what every machine can count to
# The smallest and largest values of a setting. A chart has a cell for each token and length of a span, and is filled
# once for each of the rules that may rename a span in a row.
_LIMITS = {
    "pop_limit": (0, _LARGEST),
    "span_limit": (1, 1_000),
    "candidates": (1, _LARGEST),
    "max_tokens": (0, 10_000),
    "unary_limit": (0, 100),
    "derivations": (0, _LARGEST),
    "distortion_limit": (0, _core.MOST_DISTORTION),
    "phrase_options": (0, _LARGEST),
}
_SEARCHES = ("chart", "phrases")
_OF_A_CHART = ("longest_match", "strict_labels")

Span = tuple[int, int]
AnyGrammar = PackedGrammar | _core.PackedGrammar
Analysis = Sequence[tuple[int, int, str]]  # (start, end, label) of phrases of the input


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSettings:
    """Sets what changes a search; defaults are those of Xu et al.'s released system where it has them."""

    search: Literal["chart", "phrases"] = "chart"  # phrases: rules without gaps, which may trade places
    pop_limit: int = 100  # edges made for each span, or hypotheses on each stack; 0: all, which is exact and slow
    span_limit: int = 20  # source tokens of a rule; glue has no limit
    candidates: int = 1
    distinct: bool = True  # no two candidates with the same words
    derivations: int | None = None  # so many candidates, best first, carry their derivation; None: all
    max_tokens: int = 300  # longer sentences are not decoded
    unary_limit: int = 3  # rules that only rename a span may follow one another so often
    default_label: str = "X"  # of words that stay as they are
    longest_match: bool = False  # where a phrase of a grammar stands, no rule applies to a part of it
    strict_labels: bool = False  # other labels must be those of the sentence's analysis, if it has one
    distortion_limit: int = 6  # of phrases: words from the end of one to the start of the next; 0: none moves
    phrase_options: int = 20  # of phrases: targets tried for each source phrase; 0: all

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            value = getattr(self, name)
            if value is None and name == "derivations":
                continue
            if type(value) is not int or not least <= value <= most:  # bool is an int too
                msg = f"{name} must be a whole number from {least} to {most}, got {value!r:.60}"
                raise DataError(msg)
        truth = ((name, bool, "true or false") for name in ("distinct", "longest_match", "strict_labels"))
        for name, kind, expected in (*truth, ("default_label", str, "a string")):
            if type(value := getattr(self, name)) is not kind:
                msg = f"{name} must be {expected}, got {value!r:.60}"
                raise DataError(msg)
        self._check_search()

    def _check_search(self) -> None:
        if self.search not in _SEARCHES:
            msg = f"search must be one of {', '.join(_SEARCHES)}, got {self.search!r:.60}"
            raise DataError(msg)
        for name in _OF_A_CHART:
            if self.search == "phrases" and getattr(self, name):
                msg = f"{name} must be false with search = 'phrases', which looks at no labels and no longer phrases"
                raise DataError(msg)


_IDENTITY = _core.IDENTITY_RULE


class Step(NamedTuple):
    """A rule that was used; the steps for its parts follow it with a greater depth."""

    kind: Literal["rule", "identity", "unknown"]
    grammar: int | None  # position among the decoder's grammars
    rule: int | None  # number in that grammar
    label: str
    depth: int
    source: Span
    target: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Holds one output: its tokens, its score, its unweighted features and how it came about."""

    tokens: tuple[str, ...]
    score: float
    features: Mapping[str, float]
    derivation: tuple[Step, ...]

    @property
    def text(self) -> str:
        """The tokens, joined by spaces."""
        return " ".join(self.tokens)


class Result(Sequence[Candidate]):
    """Lists the candidates of one sentence, best first; it is empty only if the sentence was too long."""

    def __init__(self, native: _core.CandidateList, names: tuple[str, ...]) -> None:
        self._native = native
        self.feature_names = names

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, rank: int) -> Candidate: ...
    @overload
    def __getitem__(self, rank: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, rank: int | slice) -> Candidate | tuple[Candidate, ...]:
        if isinstance(rank, slice):
            return tuple(self._candidate(i) for i in range(*rank.indices(len(self))))
        position = rank + len(self) if rank < 0 else rank
        if not 0 <= position < len(self):
            msg = f"no candidate {rank}; there are {len(self)}"
            raise IndexError(msg)
        return self._candidate(position)

    def __iter__(self) -> Iterator[Candidate]:
        return (self._candidate(i) for i in range(len(self)))

    @property
    def too_long(self) -> bool:
        """Whether the sentence had more than `DecoderSettings.max_tokens` tokens and was left alone."""
        return self._native.too_long

    @property
    def texts(self) -> tuple[str, ...]:
        """The tokens of every candidate, joined by spaces."""
        return tuple(self._native.texts())

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of every candidate."""
        return tuple(self._native.score(i) for i in range(len(self)))

    def derivation(self, rank: int) -> tuple[Step, ...]:
        """Return how one candidate came about."""
        return tuple(_step(*step) for step in self._native.steps(rank))

    def score(self, rank: int) -> float:
        """Return the score of one candidate."""
        return self._native.score(rank)

    def tokens(self, rank: int) -> tuple[str, ...]:
        """Return the tokens of one candidate."""
        return tuple(self._native.tokens(rank))

    def rules(self, rank: int) -> list[tuple[int, int, Span, Span]]:
        """Return the rules of one candidate: grammar, number, and the tokens of input and output that they cover."""
        return [
            (grammar, rule, (begin, end), (target_begin, target_end))
            for grammar, rule, _, _, begin, end, target_begin, target_end in self._native.steps(rank)
            if grammar >= 0
        ]

    @property
    def features(self) -> Array:
        """Unweighted features, a row for each candidate, in the order of `feature_names`."""
        return self._native.features()

    def _candidate(self, rank: int) -> Candidate:
        return Candidate(
            tokens=tuple(self._native.tokens(rank)),
            score=self._native.score(rank),
            features=dict(zip(self.feature_names, self._native.row(rank), strict=True)),
            derivation=self.derivation(rank),
        )


class Decoder:
    """Decodes sentences with grammars, a language model and weights; safe to use from several threads.

    A grammar may come with a prefix for its feature names, as `(grammar, "lexical:")`; features of the same full name
    share a weight. Features without a weight count nothing.
    """

    def __init__(
        self,
        grammars: Sequence[AnyGrammar | tuple[AnyGrammar, str]],
        *,
        lm: LanguageModel | _core.LanguageModel | None = None,
        weights: Mapping[str, float],
        settings: DecoderSettings | None = None,
    ) -> None:
        self.settings = settings or DecoderSettings()
        blocks = [entry if isinstance(entry, tuple) else (entry, "") for entry in grammars]
        self._packed = [grammar for grammar, _ in blocks if isinstance(grammar, PackedGrammar)]
        pairs = [(grammar.native if isinstance(grammar, PackedGrammar) else grammar, name) for grammar, name in blocks]
        if self.settings.search == "phrases":
            _refuse_gaps(self._packed)
        model = lm.native if isinstance(lm, LanguageModel) else lm
        options = {name: value for name, value in asdict(self.settings).items() if value is not None}
        try:
            self._native = _core.Decoder(pairs, model, {}, options)
            self.feature_names: tuple[str, ...] = tuple(self._native.feature_names)
        except ValueError as error:
            raise DataError(str(error)) from None
        for name in weights:
            if name not in self.feature_names:
                kind, listing = "feature", "`Decoder.feature_names` has them all"
                raise UnknownNameError.suggest(kind, name, self.feature_names, listing=listing)
        try:
            self._native = _core.Decoder(pairs, model, dict(weights), options)
        except ValueError as error:
            raise DataError(str(error)) from None

    def decode(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        analyses: Sequence[Analysis] | None = None,
        threads: int = 1,
    ) -> list[Result]:
        """The candidates of every sentence, which is a list of tokens; the number of threads changes nothing.

        `analyses` has the labelled phrases of every sentence, for the feature `LabelAgrees` and for
        `DecoderSettings.strict_labels`.
        """
        _check_sentences(sentences, "Decoder.decode")
        with self._explained():
            lists = self._native.decode(sentences, analyses, threads)
        return [Result(native, self.feature_names) for native in lists]

    def forest(self, sentence: Sequence[str], *, analysis: Analysis | None = None) -> dict[str, Any]:
        """Return the search space that leads to an output, ready for JSON.

        `items` have a span, a label and their best score, the last one being the goal; `edges` have a `head`, `tails`
        (positions in `items`), a `grammar` (-1: built in) and `rule`, a `target` in which `[1]` and `[2]` stand for
        the tails, and a `gain`: what the edge adds to the scores of its tails.
        """
        with self._explained():
            return self._native.forest(sentence, analysis)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            raise DataError(str(error)) from None
        except RuntimeError as error:  # from a grammar that is damaged in spite of its checksum, or was never verified
            for grammar in self._packed:
                grammar.check_rules()
            raise DataError(str(error)) from None


def _refuse_gaps(grammars: Iterable[PackedGrammar]) -> None:
    for grammar in grammars:
        if grammar.native.has_gaps:
            msg = (
                f"{grammar.path}: expected rules without gaps for search = 'phrases', found rules with gaps; extract "
                "with --nonterminals 0, or leave search = 'chart'"
            )
            raise DataError(msg)


def word_analyses(tagger: Tagger, sentences: Sequence[Sequence[str]], *, threads: int = 1) -> list[Analysis]:
    """Return the part of speech of every word as an analysis, for sentences in their own case.

    A short phrase has the tag of its first word if that is a verb, and of its last if that is a noun: the words that
    change their form.
    """
    if not hasattr(tagger, "tag_many"):
        refuse(tagger, "word_analyses", "tagger", "a Tagger, as Tagger.open returns it")
    _check_sentences(sentences, "word_analyses")
    return analyses_of_tags(tagger.tag_many(sentences, threads=threads))


def analyses_of_tags(tags: Iterable[Sequence[str]]) -> list[Analysis]:
    """Return the same from tags that are there already."""
    _check_sentences(tags, "analyses_of_tags", "tags", "tags")
    return list(map(_phrase_tags, tags))


def _check_sentences(
    sentences: Iterable[Sequence[str]], function: str, parameter: str = "sentences", content: str = "tokens"
) -> None:
    expected = f"a list with a list of {content} for each sentence"
    if isinstance(sentences, str | bytes | Mapping) or not isinstance(sentences, Iterable):
        refuse(sentences, function, parameter, expected)
    if isinstance(sentences, Sequence) and any(isinstance(sentence, str) for sentence in sentences):
        refuse(sentences, function, parameter, expected, "split each sentence at its spaces")


def _phrase_tags(tags: Sequence[str]) -> Analysis:
    nouns = [tag.startswith("NN") for tag in tags]
    spans: list[tuple[int, int, str]] = []
    for begin, tag in enumerate(tags):
        spans.append((begin, begin + 1, tag))
        verb = tag.startswith("VB")
        for end in range(begin + 2, min(begin + _LONGEST_TAGGED, len(tags)) + 1):
            if verb:
                spans.append((begin, end, tag))
            if nouns[end - 1]:
                spans.append((begin, end, tags[end - 1]))
    return spans


def _step(
    grammar: int, rule: int, label: str, depth: int, begin: int, end: int, target_begin: int, target_end: int
) -> Step:
    source, target = (begin, end), (target_begin, target_end)
    if grammar >= 0:
        return Step("rule", grammar, rule, label, depth, source, target)
    return Step("identity" if rule == _IDENTITY else "unknown", None, None, label, depth, source, target)
