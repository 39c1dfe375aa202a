"""The operations of the proposer `syntax`, one by one: a sentence, and the sentences that it becomes."""

from __future__ import annotations

import pytest

from plainwright.rewrite import Protection
from plainwright.rewrite.propose.syntax import SyntaxProposer
from plainwright.rewrite.sentences import sentences_of

SPLIT = {
    "then": [
        (
            "The hall will be painted in the first two weeks of May, after which the choir can use it for its "
            "concerts.",
            "The hall will be painted in the first two weeks of May. After that, the choir can use it for its "
            "concerts.",
        ),
        (
            "You may have to cancel the booking in the week before the trip, in which case we will return half of it.",
            "You may have to cancel the booking in the week before the trip. In that case, we will return half of it.",
        ),
    ],
    "parts": [
        (
            "The choir has forty singers from the villages around the lake, some of whom have sung in it for years.",
            "The choir has forty singers from the villages around the lake. Some of them have sung in it for years.",
        ),
    ],
    "absolute": [
        (
            "The ferry leaves from the old harbour twice a day, the second crossing being reserved for lorries "
            "and buses.",
            "The ferry leaves from the old harbour twice a day. The second crossing is reserved for lorries and buses.",
        ),
        (
            "The road follows the north shore of the lake, with small paths leading down to the water at three places.",
            "The road follows the north shore of the lake. Small paths lead down to the water at three places.",
        ),
    ],
    "doing": [
        (
            "She left the firm in the autumn of 2009, taking two of the best engineers with her to Ghent.",
            "She left the firm in the autumn of 2009. She took two of the best engineers with her to Ghent.",
        ),
        (
            "The river rises in the hills above Tarn, passing through four villages before it reaches the sea.",
            "The river rises in the hills above Tarn. It passes through four villages before it reaches the sea.",
        ),
    ],
    "noun": [
        (
            "The council moved the market to the square behind the church, a decision that angered the shopkeepers.",
            "The council moved the market to the square behind the church. This decision angered the shopkeepers.",
        ),
    ],
    "event": [
        (
            "The council cut the grant for the youth club by half, which led to the loss of two jobs in the village.",
            "The council cut the grant for the youth club by half. This led to the loss of two jobs in the village.",
        ),
        (
            "The council closed the pool for the whole of the summer, which was a surprise to the families of "
            "the valley.",
            "The council closed the pool for the whole of the summer. This was a surprise to the families of "
            "the valley.",
        ),
    ],
    "described": [
        (
            "Built in 1911 by a group of local farmers, the dairy was one of the largest buildings in the valley.",
            "The dairy was built in 1911 by a group of local farmers. It was one of the largest buildings in "
            "the valley.",
        ),
        (
            "The mill, located at the end of a narrow lane, is open to visitors on the first Sunday of every month.",
            "The mill is located at the end of a narrow lane. It is open to visitors on the first Sunday of "
            "every month.",
        ),
    ],
    "before": [
        (
            "The jury, having listened to nine witnesses in three days, returned with its verdict before lunch "
            "on Friday.",
            "The jury listened to nine witnesses in three days. It returned with its verdict before lunch on Friday.",
        ),
    ],
    "apposition": [
        (
            "Anders Holm, a painter of ships and harbours, died in the poorhouse of his home town in the winter "
            "of 1887.",
            "Anders Holm was a painter of ships and harbours. "
            "Anders Holm died in the poorhouse of his home town in the winter of 1887.",
        ),
        (
            "In the spring the family moved to Vik, a village on the south side of the long fjord.",
            "In the spring the family moved to Vik. Vik is a village on the south side of the long fjord.",
        ),
    ],
    "although": [
        (
            "Entry for residents, carers and nurses will be kept open up to the bridge, although short waits may "
            "occur while the crane is moved.",
            "Entry for residents, carers and nurses will be kept open up to the bridge. But short waits may occur "
            "while the crane is moved.",
        ),
        (
            "The new bus is cheaper than the train for most families, although it takes an hour longer to reach "
            "the coast.",
            "The new bus is cheaper than the train for most families. But it takes an hour longer to reach the coast.",
        ),
        (
            "While the new rules may seem strict to some of the tenants, they protect everybody who lives in "
            "the house.",
            "The new rules may seem strict to some of the tenants. But they protect everybody who lives in the house.",
        ),
    ],
    "while": [
        (
            "The eastern half of the island is covered with forest, while the western half consists of fields "
            "and pasture.",
            "The eastern half of the island is covered with forest. The western half consists of fields and pasture.",
        ),
    ],
    "reason": [
        (
            "As the lift is out of order this week, visitors with prams have to use the entrance in Mill Street.",
            "The lift is out of order this week. So visitors with prams have to use the entrance in Mill Street.",
        ),
    ],
    "because": [
        (
            "The scarf must be washed in cold water and by hand, as the red dye is not fast.",
            "The scarf must be washed in cold water and by hand. This is because the red dye is not fast.",
        ),
    ],
    "relative": [
        (
            "The cream contains the active substance norvadine sulphate, which belongs to a group of medicines "
            "for dry skin.",
            "The cream contains the active substance norvadine sulphate. This substance belongs to a group of "
            "medicines for dry skin.",
        ),
        (
            "The owner wrote to Piotr Zielak, who had repaired the roof of the barn in the spring of the year before.",
            "The owner wrote to Piotr Zielak. Zielak had repaired the roof of the barn in the spring of the "
            "year before.",
        ),
        (
            "All letters should be sent to our Data Protection Officer, who will reply within a month of that day.",
            "All letters should be sent to our Data Protection Officer. Our Data Protection Officer will reply "
            "within a month of that day.",
        ),
        (
            "The plant lies in Dunmere, where output has fallen by a third since the spring of last year.",
            "The plant lies in Dunmere. There, output has fallen by a third since the spring of last year.",
        ),
    ],
    "verbs": [
        (
            "In 1911 Nordvik declared itself a free town and stopped paying taxes to the old county in the hills.",
            "In 1911 Nordvik declared itself a free town. It stopped paying taxes to the old county in the hills.",
        ),
        (
            "Stone led the choir of the harbour church for nine years and was a founder of the school for organists.",
            "Stone led the choir of the harbour church for nine years. Stone was a founder of the school for "
            "organists.",
        ),
        (
            "The club rented a field, planted two hundred apple trees and opened a small shop at the gate.",
            "The club rented a field. It planted two hundred apple trees. It opened a small shop at the gate.",
        ),
        (
            "Judge Marian Holt read the long report of the two doctors on Monday and sent the case back to the "
            "lower court.",
            "Judge Marian Holt read the long report of the two doctors on Monday. "
            "Judge Holt sent the case back to the lower court.",
        ),
        (
            "The sediment cores were taken from the bottom of the lake in 2014 and are kept in a cold room at "
            "the university.",
            "The sediment cores were taken from the bottom of the lake in 2014. "
            "They are kept in a cold room at the university.",
        ),
        (
            "The superintendent is in charge of the whole line from the coast to the hills and is responsible "
            "for the lamps.",
            "The superintendent is in charge of the whole line from the coast to the hills. "
            "The superintendent is responsible for the lamps.",
        ),
        (
            "The teacher did not sign the letter of the parents in March but wrote a long answer to the school board.",
            "The teacher did not sign the letter of the parents in March. "
            "But the teacher wrote a long answer to the school board.",
        ),
        (
            "The entry fee is not a tax on visitors but is meant to pay for the care of the paths around the lake.",
            "The entry fee is not a tax on visitors. It is meant to pay for the care of the paths around the lake.",
        ),
    ],
    "case": [
        (
            "If the parcel is damaged on arrival, the shop will send a new one free of charge, and the customer may "
            "keep the old box.",
            "If the parcel is damaged on arrival, the shop will send a new one free of charge. In that case, the "
            "customer may keep the old box.",
        ),
    ],
    "semicolon": [
        (
            "Never put the lamp of the boat into the water; wipe it instead with a soft cloth and let it dry in the "
            "sun.",
            "Never put the lamp of the boat into the water. Wipe it instead with a soft cloth and let it dry in the "
            "sun.",
        ),
    ],
    "subject-to": [
        (
            "Members may lend their key to a neighbour for up to two weeks, subject to the written consent of the "
            "club.",
            "Members may lend their key to a neighbour for up to two weeks. This is subject to the written consent of "
            "the club.",
        ),
    ],
    "proviso": [
        (
            "A second key will be lent to any member of the boat club, provided the first one is brought back to the "
            "office.",
            "A second key will be lent to any member of the boat club. This only applies if the first one is brought "
            "back to the office.",
        ),
    ],
    "exception": [
        (
            "The sum paid for a single bicycle shall not be more than 900 crowns, unless it was listed separately and "
            "a bill of sale was shown.",
            "The sum paid for a single bicycle shall not be more than 900 crowns. This does not apply if it was listed "
            "separately and a bill of sale was shown.",
        ),
    ],
    "clauses": [
        (
            "The farm grows cherries on either side of the narrow lane, and the children sell them at the gate "
            "in July.",
            "The farm grows cherries on either side of the narrow lane. The children sell them at the gate in July.",
        ),
        (
            "The song is still known to about two hundred fishermen, most of whom live on the island, but it is "
            "seldom sung in church.",
            "The song is still known to about two hundred fishermen, most of whom live on the island. But it is "
            "seldom sung in church.",
        ),
        (
            "The shop sells bread, cheese and milk from the farms in the valley, and it has two rules: no dogs "
            "and no bicycles.",
            "The shop sells bread, cheese and milk from the farms in the valley. It has two rules: no dogs and "
            "no bicycles.",
        ),
    ],
}
WHOLE = {
    "what somebody in a book does": "The book follows the young farmer through four hard winters, crossing the hills "
    "on foot to reach the next village.",
    "what may be said of a described noun": "The council hired the engineer, a friend of the mayor, building a new "
    "bridge over the river behind the mill.",
    "a noun that came about": "The fair sells sweets such as nougat and candied ginger, which came about when "
    "sugar became cheap in the valley.",
    "a noun that took place": "The regatta was a race for small boats planned by the harbour club, which took "
    "place in June on the long lake.",
    "a noun that made something": "The bells of the new church were cast by a small foundry, which made the "
    "clock of the town hall as well.",
    "a conjunction left hanging": "The rent is paid to the owner or, failing a written agreement, to the agent "
    "who looks after the house.",
    "half of a pair": "The key is either left with the neighbour on the ground floor, in which case it can be "
    "collected at any time.",
    "what follows from the first half": "The mill stands on the north bank and thus is of great importance for "
    "the farms on that side of the river.",
    "an abbreviation at the end": "The cellar of the old house may go back as far as 300 B.C., but the papers "
    "in the archive are not clear.",
    "both of either": "A locker may be opened at the request of either tenant, both of whom must pay for a lost "
    "key of the locker.",
    "a but that belongs to the main clause": "The hymn is still sung by roughly 300 sailors, the majority of whom are "
    "over 50, but it is no longer printed in books.",
    "a name that the parser did not see": "Early life Lie taught the children of the fishermen in the north and was a "
    "friend of the teacher in the next bay.",
    "a colon that covers both clauses": "The gate of the field was painted green in May: the farmer chose the colour, "
    "and his wife bought the brushes.",
    "somebody who says it all": "The pump works well and the water is clean, she said, but nobody has paid for "
    "it since "
    "the winter.",
    "a clause inside a relative one": "The crossing is the place at which the two old roads meet, and the "
    "northern road "
    "turns to the hills.",
    "a condition before what comes next": "If the alarm goes off at night, the guard must call the police, after which "
    "the doors are opened by hand.",
    "a part of the reason": "She closed the shop in the first week of June, in part because the rent had gone up by a "
    "third since the new year.",
    "which of them are meant": "Bread that is left over at the end of the market is given to the school and may not be "
    "sold again.",
    "when it happened": "The baker had just put the last tray into the oven, while the guests were waiting at "
    "the tables "
    "in the garden.",
    "how it is done": "The two brothers cut the beams for the roof of the new barn, using a saw that their "
    "father had made.",
    "an apposition that may not hold now": "Ana Ruiz, the head of the school in the valley, asked the council "
    "for a new "
    "roof in spring.",
    "a list of nouns": "The house is sold with the fields behind the barn, standing timber and tools, and all that "
    "lies in the cellar.",
    "two clauses with who": "The old doctor, who loved the valley and who had walked to every farm, seldom "
    "spoke of the war years to anyone.",
    "a reason that may go on": "The road is closed to lorries because the bridge is too weak for them, and there is no "
    "light in the tunnel.",
    "not only one of two": "The council not only repaired the old bridge over the river but also built a path for "
    "walkers beside it.",
    "not only one of two, said later": "The bats did not rely on their ears only in the dark but also used the "
    "shapes of the trees beside the road.",
    "a second effect behind a clause": "The lorry left the road near the old mill, killing the driver, who was asleep, "
    "and injuring two cyclists.",
    "a second effect behind an adverb": "The lorry left the road near the old mill, killing a man who was walking his "
    "dog and badly injuring two cyclists.",
    "what depends on the call": "If you are late for the ferry, call the office on the number above, and the crew "
    "will wait for you at the pier.",
    "an auxiliary for both": "If the boat is declared a total loss, any debt on it will be settled first and the "
    "balance remitted to the owner.",
    "a name that a participle goes with": "The mill is Class A listed, which forbids the use of plastic gutters on the "
    "front of the building.",
    "a second who": "The plan was drawn by the engineer Karl Brandt, who was then a teacher, and later became the law.",
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
def test_an_operation_makes_sentences_of_its_construction(
    proposer: SyntaxProposer, operation: str, source: str, expected: str
) -> None:
    assert outcome(proposer, source) == (expected, {operation})


@pytest.mark.slow
@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_a_sentence_stays_whole_where_a_part_covers_more_than_itself(proposer: SyntaxProposer, source: str) -> None:
    assert outcome(proposer, source) == (source, set())
