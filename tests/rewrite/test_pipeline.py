"""The pipeline with parts from outside: a stranger's proposer, judge and chooser, good ones and broken ones."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toy_model import write_model

from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError, PlainwrightError, PlainwrightWarning
from plainwright.rewrite import (
    JUDGES,
    PROPOSERS,
    Passes,
    Pipeline,
    Proposal,
    Proposals,
    Proposer,
    Protection,
    RiskBudget,
    Sentence,
    Shortlist,
    SimplifiedSentence,
    Simplifier,
    Verdict,
    load,
)
from plainwright.rewrite.judge import Repetition
from plainwright.rewrite.sentences import one_sentence
from plainwright.text.edits import apply_edits, edits_between

PLAIN = {"utilise": "use", "purchase": "buy", "approximately": "about", "However, ": ""}


class Words:
    """A proposer that replaces words by a table: the toy of `docs/extending.md`."""

    name = "words"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return [[Proposal(sentence, self.plain(sentence.text), origin=self.name)] for sentence in sentences]

    def plain(self, text: str) -> str:
        for hard, easy in PLAIN.items():
            text = text.replace(hard, easy)
        return text[:1].upper() + text[1:]


class NoMoney:
    """A judge that forbids whatever mentions buying."""

    name = "no money"

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        return [[self.verdict(proposal) for proposal in proposals] for _, proposals in batch]

    def verdict(self, proposal: Proposal) -> Verdict:
        risks = [0.0] * proposal.groups
        for edit in proposal.edits:
            risks[edit.group] += 0.1
        return Verdict(tuple(risks), frozenset(e.group for e in proposal.edits if "buy" in e.target_text))


class Last:
    """A chooser that takes what is listed last."""

    name = "last"
    wants = 5

    def choose(self, batch: Sequence[Shortlist]) -> list[int]:
        return [len(shortlist.proposals) - 1 for shortlist in batch]


def test_a_strangers_proposer_is_enough() -> None:
    simplifier = Simplifier(Pipeline([Words()]))
    result = simplifier.simplify("However, we utilise it. They purchase it.")
    assert result.text == "We use it. They buy it."
    assert [(e.origin, e.source_text, e.target_text) for e in result.edits] == [
        ("words", "However, we", "We"),
        ("words", "utilise", "use"),
        ("words", "purchase", "buy"),
    ]


def test_what_a_judge_forbids_is_undone_and_the_rest_stays() -> None:
    simplifier = Simplifier(Pipeline([Words()], judges=[NoMoney()]))
    text = "They purchase it and utilise it."
    assert simplifier.simplify(text).text == "They purchase it and use it."


def test_the_safest_edits_are_paid_from_the_budget_first() -> None:
    # Each edit costs 0.1, so the budget pays for one; of equals the first is taken.
    simplifier = Simplifier(Pipeline([Words()], judges=[NoMoney()], budget=RiskBudget(0.15)))
    assert simplifier.simplify("They utilise it approximately twice.").text == "They use it approximately twice."


def test_proposers_are_pooled_in_their_order() -> None:
    class Shout(Words):
        name = "shout"

        def plain(self, text: str) -> str:
            return text.upper()

    pipeline = Pipeline([Words(), Shout()])
    assert Simplifier(pipeline).simplify("We utilise it.").text == "We use it."
    result = Simplifier(pipeline).simplify("We utilise it.", n_best=3)
    assert result.sentences[0].others == ("WE UTILISE IT.", "We utilise it.")  # the source is always a candidate


class Raises(Words):
    name = "broken"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        msg = "no such luck"
        raise RuntimeError(msg)


class Forgets(Words):
    name = "forgetful"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return []


class SaysStrings(Words):
    name = "stringy"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return [["text"] for _ in sentences]  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("proposer", "message"),
    [
        (Raises(), "broken: raised RuntimeError: no such luck; the text passes without it"),
        (Forgets(), "forgetful: returned 0 entries, expected a list with one entry for each of 1 sentences"),
        (SaysStrings(), r"stringy: returned \['text'\] for a sentence, expected a list of Proposal objects"),
    ],
)
def test_a_broken_proposer_is_named_and_the_text_passes(proposer: Words, message: str) -> None:
    with pytest.warns(PlainwrightWarning, match=message):
        assert Simplifier(Pipeline([proposer])).simplify("We utilise it.").text == "We utilise it."
    with pytest.warns(PlainwrightWarning, match=message):
        assert Simplifier(Pipeline([proposer, Words()])).simplify("We utilise it.").text == "We use it."


def test_a_sentence_that_a_proposer_fails_on_does_not_spoil_the_others() -> None:
    class Shy(Words):
        name = "shy"

        def plain(self, text: str) -> str:
            if "purchase" in text or "sell" in text:
                raise ValueError(text)
            return super().plain(text)

    text = "We utilise it. They purchase it. We utilise that. They sell it."
    with pytest.warns(PlainwrightWarning, match="shy: raised ValueError: They purchase it") as caught:
        assert Simplifier(Pipeline([Shy()])).simplify(text).text == (
            "We use it. They purchase it. We use that. They sell it."
        )
    [warning] = caught
    assert str(warning.message).endswith("; the sentences it fails on pass without it")


def test_a_broken_judge_is_named_and_nothing_is_changed_unseen() -> None:
    class Unsure(NoMoney):
        name = "unsure"

        def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
            return [[] for _ in batch[1:]]

    with pytest.warns(PlainwrightWarning, match="unsure: returned 0 entries"):
        result = Simplifier(Pipeline([Words()], judges=[Unsure()], budget=RiskBudget(1.0))).simplify("We utilise it.")
    assert result.text == "We utilise it."


def test_a_broken_chooser_is_named_and_the_first_proposal_is_taken() -> None:
    class Nobody(Last):
        name = "nobody"

        def choose(self, batch: Sequence[Shortlist]) -> list[int]:
            raise KeyError(0)

    with pytest.warns(PlainwrightWarning, match="nobody: raised KeyError: 0"):
        assert Simplifier(Pipeline([Words()])).simplify("We utilise it.", rerank=Nobody()).text == "We use it."


WORDS = st.sampled_from(["However, ", "we ", "They ", "utilise ", "purchase ", "approximately ", "it, ", "it. ", "A. "])


@given(st.lists(WORDS, max_size=12).map("".join))
def test_edits_rebuild_the_text_and_any_of_them_can_be_undone(text: str) -> None:
    result = Simplifier(Pipeline([Words()])).simplify(text)
    assert apply_edits(text, result.edits) == result.text
    sentence = one_sentence(text, Protection())
    proposal = Words().propose([sentence], limit=1, threads=1)[0][0]
    groups = range(proposal.groups)
    for undone in chain.from_iterable(combinations(groups, size) for size in range(min(3, len(groups)) + 1)):
        rest = proposal.without(set(undone))
        assert apply_edits(text, rest.edits) == rest.text
    assert proposal.without(set(groups)).text == text


def test_a_simplifier_from_a_directory_can_be_pickled(tmp_path: Path) -> None:
    write_model(tmp_path / "model", "[VB] ||| purchase ||| buy ||| good=3 ||| 0-0\n")
    again = pickle.loads(pickle.dumps(load(tmp_path / "model", strength=0.5)))
    assert again.simplify("We purchase it.").text == "We buy it."
    assert repr(again) == f"Simplifier({str(tmp_path / 'model')!r}, strength=0.5)"
    with pytest.raises(DataError, match="cannot be pickled; load it from a model directory"):
        pickle.dumps(Simplifier(Pipeline([Words()])))


class Halves:
    """A proposer that makes two sentences of one, at a comma and "and"."""

    name = "halves"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return [[Proposal(s, s.text.replace(", and they ", ". They "), origin=self.name)] for s in sentences]


def test_a_later_pass_reads_what_an_earlier_one_wrote() -> None:
    simplifier = Simplifier(Passes([Pipeline([Halves()]), Pipeline([Words()])]))
    text = "Before. However, we utilise it, and they purchase it. After."
    result = simplifier.simplify(text)
    assert result.text == "Before. We use it. They buy it. After."
    assert [(e.kind, e.origin, e.source_text, e.target_text) for e in result.edits] == [
        ("delete", "words", "However, we", "We"),
        ("replace", "words", "utilise", "use"),
        ("split", "halves", ", and they", ". They"),
        ("replace", "words", "purchase", "buy"),
    ]
    assert apply_edits(text, result.edits) == result.text


class Priced(NoMoney):
    """A judge to whom each group of edits risks 0.1."""

    name = "priced"

    def verdict(self, proposal: Proposal) -> Verdict:
        return Verdict((0.1,) * proposal.groups)


# By hand: the split costs 0.1, and so does each of the three words; of equals the first is taken.
@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (0.05, "We utilise it, and they purchase it approximately twice."),
        (0.15, "We utilise it. They purchase it approximately twice."),
        (0.25, "We use it. They purchase it approximately twice."),
        (0.35, "We use it. They buy it approximately twice."),
        (0.45, "We use it. They buy it about twice."),
    ],
)
def test_all_passes_pay_from_one_budget(limit: float, text: str) -> None:
    passes = [Pipeline([part], judges=[Priced()], budget=RiskBudget(limit)) for part in (Halves(), Words())]
    result = Simplifier(Passes(passes)).simplify("We utilise it, and they purchase it approximately twice.")
    assert result.text == text


def test_every_candidate_of_several_passes_keeps_to_the_budget() -> None:
    words = answering("words", lambda s: [Proposal(s, s.text.replace("it", new)) for new in ("this", "that", "those")])
    passes = [Pipeline([part], judges=[Priced()], budget=RiskBudget(0.25)) for part in (Halves(), words)]
    [sentence] = Simplifier(Passes(passes)).simplify("We use it, and they use it.", n_best=4).sentences
    for text in (sentence.text, *sentence.others):
        assert 0.1 * len(edits_between(sentence.source, text)) <= 0.25
    assert len(sentence.others) > 1


def test_scores_and_notes_of_all_passes_are_kept() -> None:
    class Scored(Halves):
        def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
            return [
                [Proposal(s, own[0].text, score=2.5)]
                for s, own in zip(sentences, super().propose(sentences, limit=limit, threads=threads), strict=True)
            ]

    class Silent(Words):
        def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
            return [Proposals(note="too tired") for _ in sentences]

    def simplified(*parts: Proposer) -> SimplifiedSentence:
        passes = Passes([Pipeline([part]) for part in parts])
        [sentence] = Simplifier(passes).simplify("We go, and they go.").sentences
        return sentence

    scored = answering("scored", lambda s: [Proposal(s, s.text.replace("go", "run"), score=1.0)])
    # By hand: 2.5 for the split, 1 for each of the two sentences after it.
    assert (simplified(Scored(), scored).score, simplified(Scored(), scored).note) == (4.5, "")
    assert (simplified(Silent(), scored).score, simplified(Silent(), scored).note) == (1.0, "pass 1: too tired")
    assert (simplified(Scored(), Silent()).score, simplified(Scored(), Silent()).note) == (2.5, "pass 2: too tired")
    assert simplified(Silent(), Silent()).score is None


@pytest.mark.usefixtures("registered")
def test_edits_of_several_passes_have_their_alternatives(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", RULE + "[VB] ||| need ||| use ||| good=2 ||| 0-0\n")
    text = "However, we need it, and they need it."
    for proposers in ([["scfg"]], [["halves"], ["scfg"]]):
        result = load(folder, proposers=proposers).simplify(text, alternatives=1)
        rules = [evidence for edit in result.edits for evidence in edit.evidence]
        assert [[c.target for c in rule.candidates] for rule in rules] == [["want"], ["want"]]  # type: ignore[attr-defined]
        pickle.dumps(result)


EDITED = st.lists(st.sampled_from(["However, ", "we utilise it", ", and they ", "purchase", " approximately ", ". "]))


@given(EDITED.map("".join))
def test_edits_of_two_passes_rebuild_the_text(text: str) -> None:
    for passes in ([Halves(), Words()], [Words(), Halves()], [Halves(), Words(), Words()]):
        result = Simplifier(Passes([Pipeline([proposer]) for proposer in passes])).simplify(text)
        assert apply_edits(text, result.edits) == result.text


class Picky(Words):
    """A proposer with an option, a number."""

    def __init__(self, size: str = "1") -> None:
        self.size = int(size)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"words": Words, "halves": Halves, "picky": Picky, "three": lambda: 3}
    monkeypatch.setattr(PROPOSERS, "parts", parts)
    monkeypatch.setattr(JUDGES, "parts", {"no money": NoMoney})


RULE = "[VB] ||| need ||| want ||| good=3 ||| 0-0\n"


@pytest.mark.usefixtures("registered")
def test_a_model_names_its_proposers_and_judges(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", RULE)
    text = "However, we need it, and they purchase it."
    assert load(folder).simplify(text).text == "However, we want it, and they purchase it."
    toml = (folder / "model.toml").read_text()
    (folder / "model.toml").write_text(toml + '[pipeline]\nproposers = [["halves"], ["words"], ["scfg"]]\n')
    assert load(folder).simplify(text).text == "We want it. They buy it."
    (folder / "model.toml").write_text(toml + '[pipeline]\nproposers = ["words", "scfg"]\njudges = ["no money"]\n')
    assert load(folder).simplify(text).text == "We need it, and they purchase it."
    kept = ModelBundle.load(folder)
    kept.save(folder)
    assert ModelBundle.load(folder) == kept
    assert load(folder, proposers=[["scfg"], ["words"]]).simplify(text).text == "We want it, and they purchase it."


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("proposers = 3", "expected names of proposers, or a list of such lists, found 3"),
        ("proposers = [[]]", "expected names of proposers"),
        ('proposers = ["wrods"]', "unknown proposer 'wrods'; did you mean words"),
        ('judges = ["nobody"]', "unknown judge 'nobody'"),
        (
            'proposers = ["house"]',
            "unknown proposer 'house'; choose among halves, picky, scfg, syntax, three, wordlist, words",
        ),
        (
            'proposers = ["picky"]\n[proposers.picky]\nage = 3',
            r"proposer 'picky' does not take the options age .*; it takes size, in \[proposers.picky\] of model.toml",
        ),
        (
            'proposers = ["picky"]\n[proposers.picky]\nsize = "a"',
            r"proposer 'picky' cannot be made \(ValueError: .*; change its options in \[proposers.picky\] of model",
        ),
        ('proposers = ["three"]', "proposer 'three': expected a proposer .*, found 3; give it a name and the method"),
    ],
)
def test_wrong_names_are_refused_in_one_sentence(tmp_path: Path, table: str, problem: str) -> None:
    folder = write_model(tmp_path / "model", RULE)
    with (folder / "model.toml").open("a") as stream:
        stream.write(f"[pipeline]\n{table}\n")
    with pytest.raises(PlainwrightError, match=problem):
        load(folder)


def answering(name: str, answer: object) -> Words:
    """A proposer that gives the same answer for each sentence, made from it if it is a function."""

    class Answering(Words):
        def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
            return [answer(sentence) if callable(answer) else answer for sentence in sentences]  # type: ignore[misc]

    found = Answering()
    found.name = name
    return found


ELSEWHERE = one_sentence("Something else.", Protection())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda s: [Proposal(s, None)], "expected a list of Proposal objects"),  # type: ignore[arg-type]
        (lambda s: [Proposal(ELSEWHERE, "Another.")], "proposed 'Another.' for another sentence"),
        (lambda s: [Proposal(s, "We use it.", edits=[])], "edits that do not lead to its text 'We use it.'"),
        (lambda s: 3, "returned 3 for a sentence"),
    ],
)
def test_a_proposal_that_does_not_fit_its_sentence_is_refused(answer: object, message: str) -> None:
    with pytest.warns(PlainwrightWarning, match=message):
        assert Simplifier(Pipeline([answering("strange", answer)])).simplify("We utilise it.").text == "We utilise it."


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(()),
        Verdict((float("nan"), 0.0)),
        Verdict((-5.0, 5.0)),
        Verdict((0.0, 0.0), frozenset({99})),
        Verdict(("a", "b")),  # type: ignore[arg-type]
        None,
    ],
)
@pytest.mark.parametrize("limit", [0.1, float("inf")])
def test_a_verdict_that_cannot_be_read_forbids_everything(verdict: Verdict, limit: float) -> None:
    class Odd(NoMoney):
        name = "odd"

        def verdict(self, proposal: Proposal) -> Verdict:
            return verdict

    pipeline = Pipeline([Words()], judges=[Odd()], budget=RiskBudget(limit))
    with pytest.warns(PlainwrightWarning, match="odd: returned"):
        assert Simplifier(pipeline).simplify("They purchase it and utilise it.").text == (
            "They purchase it and utilise it."
        )


@pytest.mark.parametrize("rank", [5, -7, None, "0", 1.0])
def test_a_choice_that_is_none_takes_the_first(rank: object) -> None:
    class Wild(Last):
        name = "wild"

        def choose(self, batch: Sequence[Shortlist]) -> list[int]:
            return [rank for _ in batch]  # type: ignore[misc]

    with pytest.warns(PlainwrightWarning, match="wild: chose"):
        assert Simplifier(Pipeline([Words()])).simplify("We utilise it.", rerank=Wild()).text == "We use it."


def test_protected_words_survive_proposers_that_do_not_heed_them() -> None:
    result = Simplifier(Pipeline([Words()])).simplify(
        "They purchase it and utilise it.", protection=Protection(keep=("purchase",))
    )
    assert result.text == "They purchase it and use it."


def test_edits_that_touch_no_word_are_undone_where_they_cost_too_much() -> None:
    class Opens(Words):
        """Heeds protected words, but inserts one before them all: asking again would never end."""

        asks_again = True

        def plain(self, text: str) -> str:
            return f"Well, {text}"

    class Dear(NoMoney):
        def verdict(self, proposal: Proposal) -> Verdict:
            return Verdict((1.0,) * proposal.groups)

    pipeline = Pipeline([Opens()], judges=[Dear()], budget=RiskBudget(0.1))
    assert Simplifier(pipeline).simplify("We go.").text == "We go."


def test_a_rule_that_only_reorders_is_undone_where_it_costs_too_much(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", "[X] ||| [X,1] [X,2] ||| [X,2] [X,1] ||| good=3 Risk=0.9 ||| \n")
    toml = (folder / "model.toml").read_text().replace("[settings]\n", "[settings]\nsentence_risk = 0.2\n")
    (folder / "model.toml").write_text(toml)
    assert load(folder).simplify("They go.").text == "They go."


def test_a_proposer_that_leaves_a_sentence_alone_leaves_it_to_the_next() -> None:
    nothing = answering("nothing", lambda sentence: [Proposal(sentence, sentence.text)])
    assert Simplifier(Pipeline([nothing, Words()])).simplify("We utilise it.").text == "We use it."
    [candidates] = Pipeline([Words(), Words()]).candidates([one_sentence("We utilise it.", Protection())], limit=5)
    assert [proposal.text for proposal in candidates.proposals] == ["We use it.", "We utilise it."]


def test_groups_of_a_text_are_numbered_through() -> None:
    text = "They purchase it and utilise it. "
    result = Simplifier(Pipeline([Words()])).simplify(text + text + "\n\n" + text)
    assert [edit.group for edit in result.edits] == [0, 1, 2, 3, 4, 5]


def test_where_nothing_is_proposed_there_is_no_score() -> None:
    [sentence] = Simplifier(Pipeline([answering("silent", [])])).simplify("We utilise it.").sentences
    assert sentence.score is None


def test_judges_are_asked_for_many_sentences_at_once() -> None:
    class Counts(NoMoney):
        calls = 0

        def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
            Counts.calls += 1
            return super().judge(batch)

    text = "They purchase it and utilise it. " * 50
    assert Simplifier(Pipeline([Words()], judges=[Counts()])).simplify(text).text.count("use it") == 50
    assert Counts.calls <= 3


def test_a_line_break_that_moves_to_the_end_of_a_sentence_belongs_to_an_edit(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", "[NN] ||| a large home ||| mansion ||| good=9 ||| 0-0\n")
    text = "We own a large\nhome. Next one."
    result = load(folder).simplify(text)
    assert result.text == "We own mansion.\nNext one."
    assert apply_edits(text, result.edits) == result.text


def test_lone_surrogates_pass_through_judges_and_choosers() -> None:
    text = "They \ud800purchase it."
    pipeline = Pipeline([Words()], judges=[Repetition()], budget=RiskBudget(1.0))
    assert Simplifier(pipeline).simplify(text, rerank="mbr").text.startswith("They")
