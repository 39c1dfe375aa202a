"""What trails behind a whole statement: sentences that point back to it, and sentences that stay whole."""

from __future__ import annotations

import pytest

from plainwright.rewrite import Protection
from plainwright.rewrite.propose.syntax import SyntaxProposer
from plainwright.rewrite.sentences import sentences_of

SPLIT = {
    "noun": [
        (
            "The price of a season ticket for the ferry will rise by a fifth in March, an increase which the council "
            "blames on the cost of fuel.",
            "The price of a season ticket for the ferry will rise by a fifth in March. This is an increase which the "
            "council blames on the cost of fuel.",
        ),
        (
            "The harbour master closed the old quay to all cars in the winter of 1987, a measure to which the "
            "fishermen objected.",
            "The harbour master closed the old quay to all cars in the winter of 1987. This was a measure to which the "
            "fishermen objected.",
        ),
        (
            "The neighbour claimed that the wall had been built on his land, an allegation which the owner of the mill "
            "denied.",
            "The neighbour claimed that the wall had been built on his land. This was an allegation which the owner of "
            "the mill denied.",
        ),
    ],
    "event": [
        (
            "The pool will be closed for repairs in the first week of May, during which period members may swim in "
            "the lake.",
            "The pool will be closed for repairs in the first week of May. During this period, members may swim in "
            "the lake.",
        ),
        (
            "A fine of 40 crowns has been imposed on the owner of the red van, which amount must be paid before "
            "the end of June.",
            "A fine of 40 crowns has been imposed on the owner of the red van. This amount must be paid before the "
            "end of June.",
        ),
        (
            "The tenant must ask the owner for a copy of the inspection report, which must be kept in the house "
            "at all times.",
            "The tenant must ask the owner for a copy of the inspection report. This must be kept in the house "
            "at all times.",
        ),
    ],
    "clauses": [
        (
            "The pass does not entitle the holder to a seat on the evening train, nor does it cover the bus to the "
            "harbour.",
            "The pass does not entitle the holder to a seat on the evening train. Nor does it cover the bus to the "
            "harbour.",
        ),
    ],
    "exception": [
        (
            "All bicycles must be taken out of the cellar before the end of June, save that tenants of the ground "
            "floor may leave one in the yard.",
            "All bicycles must be taken out of the cellar before the end of June. But tenants of the ground floor may "
            "leave one in the yard.",
        ),
    ],
}
WHOLE = {
    "a noun that does something": "The absences of each pupil are counted and added up in June, a total of ten leading "
    "to a letter to the parents.",
    "a noun within a report": "The owner said that the wall had been moved by two metres, a change that nobody in the "
    "village had seen.",
    "a noun in a list": "The letter told of a fire in the mill, a decision that angered the farmers, and a wedding "
    "in the next valley.",
    "a noun without a statement before it": "If the boat is not back before dark, a rule that every sailor knows, the "
    "guard on the pier rings the bell.",
    "somebody who acts": "The roof of the old chapel was mended by a carpenter from the next village, which pleased "
    "and surprised the priest and which cost little.",
    "one of any": "The clerk will not take any form without a stamp and a signature, which must be in blue ink.",
    "a sum": "The singer must show that she earns at least 9,000 crowns, which may not come from her father.",
    "a report before nor": "The keeper says that the gate is not locked at night, nor is the bridge closed to walkers "
    "in winter.",
    "more than one exception": "Little is known of the sculptor, save that he lived by the lake and that he twice left "
    "his wife.",
}


@pytest.fixture(scope="module")
def proposer() -> SyntaxProposer:
    pytest.importorskip("spacy")
    return SyntaxProposer()


def outcome(proposer: SyntaxProposer, source: str) -> tuple[str, set[str]]:
    """Return the text that comes out, and the operations that made it."""
    (found,) = proposer.propose(sentences_of(source, Protection()), limit=1, threads=1)
    if not len(found):
        return source, set()
    evidence = [one.to_dict() for edit in found[0].edits for one in edit.evidence]
    return found[0].text, {str(one["operation"]) for one in evidence}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operation", "source", "expected"), [(name, *case) for name, cases in SPLIT.items() for case in cases]
)
def test_what_trails_behind_becomes_a_sentence(
    proposer: SyntaxProposer, operation: str, source: str, expected: str
) -> None:
    assert outcome(proposer, source) == (expected, {operation})


@pytest.mark.slow
@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_what_could_mean_something_else_alone_stays(proposer: SyntaxProposer, source: str) -> None:
    assert outcome(proposer, source) == (source, set())
