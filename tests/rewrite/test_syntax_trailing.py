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
            "Owing to the repair of the main road, the buses stop behind the church this week, and travellers "
            "are asked to come early.",
            "Owing to the repair of the main road, the buses stop behind the church this week. Travellers "
            "are asked to come early.",
        ),
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
    "report": [
        (
            "Members are reminded that the gate of the yard is locked at ten, and that no bicycles may be left in "
            "the hall.",
            "Members are reminded that the gate of the yard is locked at ten. They are also reminded that no "
            "bicycles may be left in the hall.",
        ),
        (
            "The driver must ensure that every child in the bus has a seat and that the doors are shut before "
            "the journey.",
            "The driver must ensure that every child in the bus has a seat. The driver must also ensure that the doors "
            "are shut before the journey.",
        ),
    ],
    "proviso": [
        (
            "The owner of the house pays for new windows and for the paint on the walls, irrespective of what the "
            "lease says.",
            "The owner of the house pays for new windows and for the paint on the walls. This applies irrespective of "
            "what the lease says.",
        ),
        (
            "The tax must be paid by whoever owns the house on 1 January, even if the house is sold later in the year.",
            "The tax must be paid by whoever owns the house on 1 January. This applies even if the house is sold later "
            "in the year.",
        ),
    ],
    "subject-to": [
        (
            "The council pays between 200 and 900 crowns towards a new stove, depending on the size of the family.",
            "The council pays between 200 and 900 crowns towards a new stove. This depends on the size of the family.",
        ),
    ],
    "absolute": [
        (
            "Only about a tenth of the water reaches the fields below the dam, the remainder being lost on the way.",
            "Only about a tenth of the water reaches the fields below the dam. The remainder is lost on the way.",
        ),
        (
            "The bridge having been damaged by the flood, the children are brought to school by boat from the "
            "northern shore.",
            "The bridge has been damaged by the flood. The children are brought to school by boat from the "
            "northern shore.",
        ),
        (
            "The cellar being too damp for books, the whole library must be moved to the hall on the upper floor.",
            "The cellar is too damp for books. So the whole library must be moved to the hall on the upper floor.",
        ),
        (
            "Travellers on the ferry are advised to carry their passports at all times, photocopies not being "
            "recognised by the guards.",
            "Travellers on the ferry are advised to carry their passports at all times. Photocopies are not "
            "recognised by the guards.",
        ),
    ],
    "relative": [
        (
            "The baker, whose shop had been damaged in the flood, moved to a house on the hill above the river.",
            "The baker's shop had been damaged in the flood. The baker moved to a house on the hill above the river.",
        ),
    ],
    "semicolon": [
        (
            "The stairs are at both ends of the long hall; in the event of a fire, leave the building at once.",
            "The stairs are at both ends of the long hall. In the event of a fire, leave the building at once.",
        ),
    ],
    "before": [
        (
            "Having bought most of the shares in the mill, Holm Holdings intends to close it before the end of May.",
            "Holm Holdings has bought most of the shares in the mill. Holm Holdings intends to close it before the "
            "end of May.",
        ),
        (
            "Having looked at the plans of the three firms, we believe that the second one is the best for the valley.",
            "We have looked at the plans of the three firms. We believe that the second one is the best for the "
            "valley.",
        ),
        (
            "Having been expelled from the school in Vik, she supported herself by painting signs for the shops.",
            "She was expelled from the school in Vik. She supported herself by painting signs for the shops.",
        ),
    ],
    "verbs": [
        (
            "The pass covers all buses in the valley, together with the small ferry to the island, but does not extend "
            "to the night train.",
            "The pass covers all buses in the valley, together with the small ferry to the island. But it does not "
            "extend to the night train.",
        ),
        (
            "A second key may be asked for at the office, but must be returned when the tenant leaves the house.",
            "A second key may be asked for at the office. But it must be returned when the tenant leaves the house.",
        ),
        (
            "The fees for the course are paid to the school in September and must not, even in part, be paid to "
            "the teacher.",
            "The fees for the course are paid to the school in September. They must not, even in part, be paid to "
            "the teacher.",
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
    "why it is so": "The start of the new school has been put off to the spring, the necessary furniture not having "
    "been delivered.",
    "what is to be done": "The votes are to be counted on the night of the election, due care being taken of the ones "
    "that come by post.",
    "one or the other": "The stall at the market goes to the next in line, the widow or the son being entitled to it "
    "for three months.",
    "a show": "The Lodgers is a comedy about three sisters and their aunt in Leeds, which premiered in the spring of "
    "2011.",
    "what nobody did": "Having been warned about the dog by the owner of the house, nobody is surprised by the "
    "noise at night.",
    "what anyone did": "Having paid the fee for the whole summer at the desk, anyone is free to use the "
    "pool on weekdays.",
    "an aim for both": "To be eligible for the grant, you must live in the valley, and you must be over 18 "
    "years of age.",
    "an exception for both": "Notwithstanding clause 4 of the lease, the tenant may keep a dog, and the tenant may let "
    "the cellar to a friend.",
    "a condition behind nor": "The landlord does not pay for the new roof, nor does the tenant pay for it, "
    "unless the damage was caused by a storm.",
    "a sum": "The singer must show that she earns at least 9,000 crowns, which may not come from her father.",
    "a report before nor": "The keeper says that the gate is not locked at night, nor is the bridge closed to walkers "
    "in winter.",
    "a rule that is denied": "The pass may not be used on the night train to the coast, depending on the season and "
    "the fare.",
    "a report up to the absolute": "The mayor said in June that the old pool would be closed, the new hall being too "
    "dear for the town.",
    "a noun that is no subject": "Guests should be offered a warm, dry room rather than being left to wait for hours "
    "at the bus stop.",
    "what must have been done": "The council may close the old bridge by a vote of its members, notice of the vote "
    "having been given in spring.",
    "a place that owns nothing": "The letter must be sent to the second judge, sitting in Otley, whose word in such "
    "matters is always final.",
    "a second reason": "Clean the pump once a month, since sand in the water wears down the seals and may make "
    "the whole "
    "motor stop.",
    "a have that may be shared": "Guides must be at least 20 years of age and have lived in the valley for more "
    "than two "
    "years.",
    "a second thing before": "Having called the tenant three times, and there being no answer from the house, "
    "the owner "
    "proposes to open the door.",
    "an object behind a comma": "The council considered, but in the end rejected, an offer from the brewery in "
    "the next "
    "town.",
    "a phrase behind which": "We write about the money owed on your account, which as of the third of March stood at "
    "40 crowns.",
    "two participles": "The talks about the new harbour ended before midnight, each side accusing the other and "
    "neither saying when they will go on.",
    "a participle under a condition": "It is enough if the letter is fixed to the door of the house, the address of "
    "the owner being unknown to the clerk.",
    "what comes first": "Drivers are paid by the mile for each journey to the coast, the first ten miles having first "
    "been taken off.",
    "a report under a condition": "If the lift stops between two floors, the guard must say that help is on its way "
    "and that nobody may open the doors.",
    "three things that are said": "I confirm that I have read the rules, that the boat is mine, and that I will bring "
    "it back before dark.",
    "only one thing that is said": "The clerk would say only that the talks were going well and that a letter might "
    "follow in the spring.",
    "anyone": "Anyone who lives in the valley may read the plan at the town hall until June and may write to the "
    "council about it.",
    "a command with its purpose": "If the pump stops twice in an hour, close the valve and empty the tank, ensuring "
    "that no water is left in the hose.",
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
