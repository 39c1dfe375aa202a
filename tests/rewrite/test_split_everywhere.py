"""Splits wherever grammar allows, and what readers of splits found wrong: made-up sentences of each kind."""

from __future__ import annotations

import pytest

from plainwright.rewrite import Protection
from plainwright.rewrite.propose.syntax import SyntaxProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Proposal
from plainwright.text.edits import apply_edits

pytestmark = pytest.mark.slow

EVERYWHERE = {
    "short clauses": (
        "It rained in the morning, but the fair went on.",
        "It rained in the morning. But the fair went on.",
    ),
    "short verbs": ("He left the firm in 1990 and moved to Leeds.", "He left the firm in 1990. He moved to Leeds."),
    "verbs with their own auxiliary": (
        "It is now used mostly for concerts and was built in 1911.",
        "It is now used mostly for concerts. It was built in 1911.",
    ),
    "a clause in the middle": (
        "Under the terms of the lease, which runs for ten years, the firm pays for all repairs.",
        "Under the terms of the lease, the firm pays for all repairs. The lease runs for ten years.",
    ),
    "a clause at the end": (
        "She gained recognition for her first book, which won a prize.",
        "She gained recognition for her first book. This book won a prize.",
    ),
    "an apposition at the end": (
        "They live near Mary Holt, a teacher at the village school.",
        "They live near Mary Holt. Mary Holt is a teacher at the village school.",
    ),
    "what something is": (
        "Elmet Tools is a large company that sells saws and hammers.",
        "Elmet Tools is a large company. Elmet Tools sells saws and hammers.",
    ),
    "something new": (
        "She wrote a long novel that won two prizes in France.",
        "She wrote a long novel. This novel won two prizes in France.",
    ),
    "what was done to it": (
        "Elmet Tools is a large company owned by the city.",
        "Elmet Tools is a large company. Elmet Tools is owned by the city.",
    ),
    "a place": (
        "They opened a market in Otley, where farmers sell cheese.",
        "They opened a market in Otley. There, farmers sell cheese.",
    ),
    "a birth": (
        "Mary Holt (born 3 May 1958) is a singer of old songs.",
        "Mary Holt is a singer of old songs. She was born on 3 May 1958.",
    ),
    "what came first": (
        "After the band broke up, Tom moved to Leeds with his wife.",
        "The band broke up. After that, Tom moved to Leeds with his wife.",
    ),
    "what it does": (
        "Elmet Days is a long comedy starring a singer from Leeds.",
        "Elmet Days is a long comedy. Elmet Days stars a singer from Leeds.",
    ),
    "a new place": (
        "He was born in a village that lies near the river Wharfe.",
        "He was born in a village. This village lies near the river Wharfe.",
    ),
    "a reason": (
        "The road is closed because the river has risen.",
        "The road is closed. This is because the river has risen.",
    ),
}

WHOLE = {
    "a definition": "A stool is a small seat that has no back at all.",
    "a condition": "Unless it rains in the morning, the fair opens and the band plays until noon.",
    "a report": "She said that the mill, which was built in 1720, would be sold.",
    "a negation": "They never found a map that showed the old road to the mine.",
    "a modal": "You need a form that shows where you were born.",
    "a life in brackets": "Ann Holt (born 3 May 1970 in Leeds; died 2001) was a poet.",
    "somebody named later": "After he left the school in Otley, Tom Holt joined the army.",
    "a place that opens": "Adjacent to the park is a shop that sells bread and cheese.",
    "a language": "The word was taken from French, where it is first found in old letters.",
    "what may be of another noun": "It is the area under a curve, known as its integral in most schools.",
    "a second thing said of it": "It stands near Otley College, the oldest in the county, founded in 1827.",
}

FOUND_BY_READERS = {
    "a subject that is not the one of the participle": (
        "Founded in 1990 as a small shop for tools and paint, its stock now includes all that a carpenter could want."
    ),
    "a clause that only points": (
        "In most of the temples it is the smoke, not the scent, which is important to all of those who pray there."
    ),
    "what somebody lacks": (
        "The young boy was soon led astray by his two older friends from the city, lacking as he does a strong will."
    ),
    "a participle of the clause before": (
        "A small lake is made when a river breaks through the neck of a bend, abandoning the old bed to the weeds."
    ),
    "half of a list": (
        "Marta Holt was a pioneering photographer, painter, and is considered a leading figure in the design of rooms."
    ),
    "an intention": (
        "The court is minded to strike out the whole claim unless the fee of 300 pounds is paid by noon on Friday."
    ),
    "a present with a past": (
        "Ann Bell is a player of chess who was known in the 1980s, playing at a high level for her county and town."
    ),
    "a reason without a word for it": (
        "The insurers were not allowed to end the policy, there being no link between the missing fact and the fire."
    ),
}


@pytest.fixture(scope="module")
def bold() -> SyntaxProposer:
    pytest.importorskip("spacy")
    return SyntaxProposer(everywhere=True, rewords=False)


@pytest.fixture(scope="module")
def plain() -> SyntaxProposer:
    pytest.importorskip("spacy")
    return SyntaxProposer(rewords=False)


def proposed(proposer: SyntaxProposer, source: str) -> Proposal | None:
    [found] = proposer.propose(sentences_of(source, Protection()), limit=1, threads=1)
    return found[0] if len(found) else None


@pytest.mark.parametrize(("source", "expected"), EVERYWHERE.values(), ids=EVERYWHERE)
def test_a_sentence_is_split_wherever_grammar_allows(bold: SyntaxProposer, source: str, expected: str) -> None:
    proposal = proposed(bold, source)
    assert proposal is not None
    assert proposal.text == expected
    assert apply_edits(source, proposal.edits) == expected
    assert proposal.without(frozenset(range(proposal.groups))).text == source
    assert all(edit.evidence for edit in proposal.edits)


@pytest.mark.parametrize(("source", "expected"), EVERYWHERE.values(), ids=EVERYWHERE)
def test_short_sentences_stay_whole_by_default(plain: SyntaxProposer, source: str, expected: str) -> None:
    assert proposed(plain, source) is None


@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_what_a_split_could_change_stays_whole_everywhere(bold: SyntaxProposer, source: str) -> None:
    assert proposed(bold, source) is None


@pytest.mark.parametrize("source", FOUND_BY_READERS.values(), ids=FOUND_BY_READERS)
def test_what_readers_found_wrong_stays_whole(plain: SyntaxProposer, source: str) -> None:
    assert proposed(plain, source) is None


def test_a_comma_behind_an_opening_is_spaced_as_the_stop_is(plain: SyntaxProposer) -> None:
    proposal = proposed(
        plain, "She left the small school in May and moved to London , where she met her first husband in 1920 ."
    )
    assert proposal is not None
    assert proposal.text.endswith("London . There , she met her first husband in 1920 .")


def test_a_risk_in_the_past_is_explained_in_the_past(plain: SyntaxProposer) -> None:
    proposal = proposed(
        plain, "The gas could not be allowed to cool below a certain point, as there was a risk of acids in the pipes."
    )
    assert proposal is not None
    assert ". This was because there was a risk" in proposal.text


def test_own_is_not_said_twice(plain: SyntaxProposer) -> None:
    proposal = proposed(
        plain, "He began the long work by asking his own grandmother, who had brought him up after the war."
    )
    assert proposal is not None
    assert proposal.text.endswith("grandmother. His grandmother had brought him up after the war.")
