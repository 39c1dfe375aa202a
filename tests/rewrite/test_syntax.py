"""The proposer `syntax`: what it splits, what it leaves whole, and that its edits are exact."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from plainwright.errors import MissingExtraError, UnknownNameError
from plainwright.rewrite import Protection, load
from plainwright.rewrite.propose.syntax import SyntaxProposer
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Proposal
from plainwright.text.edits import apply_edits

SPLIT = {
    "clauses": [
        (
            "The committee approved the new budget on Monday, and the treasurer sent a copy to every member "
            "of the club.",
            "The committee approved the new budget on Monday. The treasurer sent a copy to every member of the club.",
        ),
        (
            "The old bridge was repaired twice in the last century, but heavy lorries still have to take the "
            "longer road.",
            "The old bridge was repaired twice in the last century. But heavy lorries still have to take the "
            "longer road.",
        ),
        (
            "The harbour was frozen for most of the winter, so the ferries could not bring food to the islands.",
            None,  # "so … could" may say what for
        ),
    ],
    "semicolon": [
        (
            "The library is open to everyone who lives in the valley; visitors from other towns pay a small fee.",
            "The library is open to everyone who lives in the valley. Visitors from other towns pay a small fee.",
        ),
    ],
    "verbs": [
        # What follows "since" has verbs of its own, whatever the parser takes them for.
        (
            "The lint filter must be emptied after each cycle, since a build-up of fluff impairs efficiency and is a "
            "fire risk.",
            None,
        ),
        (
            "She opened a small bakery near the old market in the spring of 2011 and sold bread to most of the "
            "hotels in town.",
            "She opened a small bakery near the old market in the spring of 2011. "
            "She sold bread to most of the hotels in town.",
        ),
        (
            "You must fill in the two sides of the yellow form in black ink and send it to the office with a copy "
            "of your passport.",
            "You must fill in the two sides of the yellow form in black ink. "
            "You must send it to the office with a copy of your passport.",
        ),
    ],
    "relative": [
        (
            "The museum, which opened its doors in 1962, shows tools and clothes from all parts of the country.",
            "The museum opened its doors in 1962. It shows tools and clothes from all parts of the country.",
        ),
        # "The" before Limited is no company's.
        (
            "The Northern Limited, which ran between the towns of York and Leeds, was a famous train of the time.",
            "The Northern Limited ran between the towns of York and Leeds. It was a famous train of the time.",
        ),
        # Nobody says "these no more than thirty eggs".
        ("The young females lay no more than thirty eggs, which are carried in the mouth until they hatch.", None),
        # What ends in Limited is a company; where there are two, each keeps its name.
        (
            "Meridale Leisure Limited, which runs eleven gyms in the county, raised its fees by a tenth in March.",
            "Meridale Leisure Limited runs eleven gyms in the county. The company raised its fees by a tenth in March.",
        ),
        (
            "Meridale Leisure Limited, which bought a rival company in 2019, raised its fees by a tenth in March.",
            "Meridale Leisure Limited bought a rival company in 2019. Meridale Leisure Limited raised its fees "
            "by a tenth in March.",
        ),
        (
            "After the war the family moved to Bergen, where the two sisters worked in a factory for many years.",
            "After the war the family moved to Bergen. There, the two sisters worked in a factory for many years.",
        ),
    ],
    "means": [
        (
            "The lift is out of order until the end of the month, which means that parcels have to be carried "
            "up the stairs.",
            "The lift is out of order until the end of the month. "
            "This means that parcels have to be carried up the stairs.",
        ),
    ],
    "apposition": [
        (
            "Priya Nandan, the head of the water company, says that the pipes under the old town need to be replaced.",
            "Priya Nandan is the head of the water company. "
            "Priya Nandan says that the pipes under the old town need to be replaced.",
        ),
    ],
    "participle": [
        (
            "A tree fell on the power line in the early morning, leaving two thousand homes without electricity.",
            None,  # what is left, and what was before, is not sure
        ),
        (
            "The heavy rain washed away a part of the road, making it impossible to reach the village by car.",
            "The heavy rain washed away a part of the road. This made it impossible to reach the village by car.",
        ),
    ],
    "although": [
        (
            "Although the new timetable looks simple at first sight, many passengers still miss the last train home.",
            "The new timetable looks simple at first sight. But many passengers still miss the last train home.",
        ),
    ],
    "whereas": [
        (
            "The northern slopes are covered with dark forest, whereas the southern slopes have been used for vines.",
            "The northern slopes are covered with dark forest. But the southern slopes have been used for vines.",
        ),
    ],
    "because": [
        (
            "The school decided to close its kitchen for the whole of the second week in November because "
            "the inspectors "
            "had found that the water heater did not reach the temperature that the rules ask for.",
            "The school decided to close its kitchen for the whole of the second week in November. This was "
            "because the "
            "inspectors had found that the water heater did not reach the temperature that the rules ask for.",
        ),
    ],
}
SPLIT_AT_THE_END = {
    "because": [
        (
            "The seat must never be put next to the driver in a car with an airbag, for the force of the bag could "
            "kill a child.",
            "The seat must never be put next to the driver in a car with an airbag. This is because the force of the "
            "bag could kill a child.",
        ),
        ("The club bought new boats for the summer, for the children of the two villages and for their guests.", None),
    ],
    "although": [
        (
            "In the absence of known heirs, the house passes to the state, although grants may be made to friends.",
            "In the absence of known heirs, the house passes to the state. But grants may be made to friends.",
        ),
    ],
    "relative": [
        (
            "The first six months of your work here are a trial period, during which either side may end the contract.",
            "The first six months of your work here are a trial period. During this period, either side may end the "
            "contract.",
        ),
        (
            "Your debt of last year has now been passed on to a third party, to which all money should be sent.",
            "Your debt of last year has now been passed on to a third party. All money should be sent to this party.",
        ),
        ("The survey found damp in the wall of the north bedroom, for which further tests are needed in autumn.", None),
    ],
    "exception": [
        (
            "The deposit will be paid back within ten days of the end of the lease unless the flat is damaged.",
            "The deposit will be paid back within ten days of the end of the lease. This does not apply if the flat is "
            "damaged.",
        ),
        (
            "Members may not bring more than two guests to the pool, except where the manager has agreed to it.",
            "Members may not bring more than two guests to the pool. This does not apply if the manager has agreed to "
            "it.",
        ),
        # What puts another date or amount in its place does not lift the rule; what is denied is done in some cases.
        (
            "The builder must deliver the new kitchen to the flat on or before 30 June, unless both sides agree on a "
            "later date.",
            None,
        ),
        (
            "The library does not keep the names of its readers for longer than a year unless they have agreed to it.",
            None,
        ),
        ("The shop stayed open in those years until ten in the evening unless the owner was ill or away.", None),
        ("The letter will be sent to the buyer, who must sign it at home, unless the lawyer has kept it back.", None),
    ],
    "proviso": [
        (
            "Travel costs of up to £60 a month are paid back, provided that claims are sent in by the tenth.",
            "Travel costs of up to £60 a month are paid back. This only applies if claims are sent in by the tenth.",
        ),
        ("Both sides accept the courts of the city, provided that nothing herein shall keep them from others.", None),
    ],
}
REWORDED = {
    "condition": [
        ("Should you need help with the form, please call us.", "If you need help with the form, please call us."),
        (
            "Should the card be lost, the bank must be told at once.",
            "If the card is lost, the bank must be told at once.",
        ),
        (
            "Had the driver seen the sign, the accident would not have happened.",
            "If the driver had seen the sign, the accident would not have happened.",
        ),
        (
            "Were the river to rise again, the cellar would be flooded.",
            "If the river were to rise again, the cellar would be flooded.",
        ),
        ("You should call the office before noon if you need help.", None),
        ("Should you have lost the key, please ask the porter.", "If you have lost the key, please ask the porter."),
        ("Had she asked, we would have said yes.", "If she had asked, we would have said yes."),
        ("Should the village pay for the roof, many asked themselves.", None),  # a question, and no condition
        ("Should we open the gate, he asked.", None),
        ("Had the boat sunk, they wondered.", None),
        ("Should I sell or should I wait, she wondered.", None),
        ("Had he brought the beams, and had the weather been dry, we would have finished the roof.", None),
        ("Should you lose the key, or should the lock be broken, please call us.", None),
        ("Should it last or grow worse, please call us.", None),
    ],
    "active": [
        ("The form must be signed by the applicant in black ink.", "The applicant must sign the form in black ink."),
        ("Each boiler should be inspected by an engineer before being put back into use.", None),  # who is put back?
        ("The boiler should be inspected by an engineer before being put back into use.", None),
        ("The plans are drawn by the council.", "The council draws the plans."),
        ("Every room is cleaned by hand before noon.", None),
        ("The report must be finished by the end of the month.", None),
        ("The bread was baked by the children in the school kitchen.", None),  # only the present and modals
    ],
    "verb": [
        ("Measurement of blood pressure will be undertaken at home.", "Blood pressure will be measured at home."),
        ("The repair of the roof was carried out in May.", "The roof was repaired in May."),
        ("Payment of the fees has been made in advance.", "The fees have been paid in advance."),
        ("Use of the hall was made by two choirs.", None),
        ("Sign the form before the submission of the plans.", "Sign the form before the plans are submitted."),
        (
            "Upon completion of the works, the site must be cleared.",
            "When the works are completed, the site must be cleared.",
        ),
        (
            "Following the approval of the plan by the council, work began.",
            "After the plan was approved by the council, work began.",
        ),
        (
            "Following the detection of the leak, the road has been closed.",
            "After the leak was detected, the road has been closed.",
        ),
        ("The sum depends on completion of the course.", None),  # not when, but on what
        ("After the approval of the board, work began.", None),  # the board approves
        ("Until the removal of the tree in the garden, the path is closed.", None),  # where the tree is, or the removal
        ("The rules for the protection of minors are strict.", "The rules for protecting minors are strict."),
        (
            "She is responsible for the collection and storage of samples.",
            "She is responsible for collecting and storing samples.",
        ),
        ("They called for the release of the film.", None),
        ("The bill was raised by the use of heaters.", None),  # what raised it, not how somebody did
        ("The careful inspection of the lift is performed in May.", None),
    ],
}
WHOLE = {
    "a report that covers both halves": "She said that the prices of bread had gone up, and the wages in the mills had "
    "stayed the same for years.",
    "a condition that covers both halves": "If the alarm goes off at night, the doors open by themselves, and the "
    "guards leave the building at once.",
    "a list": "The farm sells apples, pears and plums, jam from its own kitchen, and small cakes for the "
    "market on Sunday.",
    "a restrictive clause": "The letters that arrived after the closing date in the spring of last year were sent back "
    "to their owners.",
    "a question": "Did the committee approve the new budget on Monday, and did the treasurer send a copy to "
    "every member?",
    "a quotation": "The sign at the door says “the shop is closed on Mondays, and the bell does not work in "
    "the winter”.",
    "an attribution": "According to the mayor, the bridge will be closed in May, and the ferry will run "
    "twice as often.",
    "one owner too many": "Every pupil of the two lower classes wrote a letter to the mayor in June and got an answer "
    "from the office in the autumn of the same year.",
    "a negation that covers both verbs": "The owner did not lock the gate of the large field behind the "
    "station and put "
    "up a sign for the walkers who come in summer.",
    "a shared auxiliary": "The front of the house was painted in the last week of May and the back left as "
    "it was before.",
    "a modal that both verbs share": "The new teacher will be visiting the three village schools by the lake "
    "in order to "
    "meet the parents and read aloud from her own books.",
    "a participle that shares its auxiliary": "The old captain has been a member of the small sailing club "
    "on the north "
    "shore and connected with its yearly race for more than twenty years.",
    "a time that covers both verbs": "She had her greatest success as a painter of ships and was most widely known , "
    "during the first years of the new century and the war .",
    "a report before a semicolon": "The engineer says that the new pump cannot empty the cellar; it can only keep the "
    "water from rising in spring.",
    "most of them": "The hotel wrote to most of the guests from the second floor, who came back to the town "
    "in the autumn.",
    "a rumour": "The owner of the house, it is rumoured, was his brother, who left the country in the spring "
    "of that year.",
    "half of a quotation": "The choir took up the long forgotten evening song of the fishermen , '' Bright Water "
    "'' , because "
    "the words that it has had been collected by a teacher from the village in the years before the great storm .",
    "a stop that the parser hangs on a person": "Where a child uses our reading platform, the account must be opened "
    "by a parent or guardian, whose e-mail address serves solely for confirmation.",
    "a clause that is one of several conditions": "The land may be taken only in the public interest, under a law that "
    "sets the price, and after less drastic measures have been considered.",
    "an owner before a participle": "Disputes that cannot be settled within thirty days shall be sent to one judge, "
    "sitting in the town, whose award shall be final.",
    "a hyphen that the parser takes for a verb": "At the start of the year, six firms needed to pre-qualify: two-van "
    "firms of Lorne, AXS and NewRun along with single-van firms of Osten, Calder and Hope.",
    "a cataphoric pronoun": "Although she had been ill for most of the winter, Karin finished the book "
    "before the summer.",
}  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> SyntaxProposer:
    pytest.importorskip("spacy")
    return SyntaxProposer()


def proposed(proposer: SyntaxProposer, text: str) -> Proposal | None:
    found = proposer.propose(sentences_of(text, Protection()), limit=1, threads=1)
    return next((own[0] for own in found if len(own)), None)


CASES = [
    (name, *case) for table in (SPLIT, SPLIT_AT_THE_END, REWORDED) for name, cases in table.items() for case in cases
]


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "source", "expected"), CASES)
def test_each_operation_rewrites_what_it_is_sure_of(
    plain: SyntaxProposer, operation: str, source: str, expected: str | None
) -> None:
    proposal = proposed(plain, source)
    if expected is None:
        assert proposal is None
        return
    assert proposal is not None
    assert proposal.text == expected
    evidence = [one.to_dict() for edit in proposal.edits for one in edit.evidence]
    assert {(one["kind"], one["operation"]) for one in evidence} == {("syntax", operation)}


@pytest.mark.slow
def test_the_parser_is_loaded_with_the_first_sentence_that_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy")
    loaded = []
    monkeypatch.setattr("plainwright.rewrite.propose.syntax.tree.load_english_model", loaded.append)
    proposer = SyntaxProposer()
    assert proposed(proposer, "Rain fell.") is None
    assert not loaded


@pytest.mark.slow
@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_a_sentence_stays_whole_where_a_split_could_change_what_it_says(plain: SyntaxProposer, source: str) -> None:
    assert proposed(plain, source) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "",
        "   ",
        "TIMETABLE FOR THE WHOLE OF THE SUMMER, AND PRICES FOR GROUPS OF MORE THAN TEN PEOPLE WHO COME BY BUS.",
        "Der Ausschuss hat den Haushalt am Montag beschlossen, und die Kasse hat allen Mitgliedern eine "
        "Kopie geschickt.",
        "Opening times, prices, how to find us, and what to bring with you in winter",
        "Rain.",
        "The \ud800 committee approved it.",
    ],
)
def test_headings_fragments_and_other_languages_are_left_alone(plain: SyntaxProposer, source: str) -> None:
    assert proposed(plain, source) is None


@pytest.mark.slow
def test_edits_lead_to_the_text_and_undone_back_to_the_source(plain: SyntaxProposer) -> None:
    sources = [source for _, source, expected in CASES if expected is not None]
    for source in sources:
        proposal = proposed(plain, source)
        assert proposal is not None
        assert apply_edits(source, proposal.edits) == proposal.text
        assert proposal.without(frozenset(range(proposal.groups))).text == source


@pytest.mark.slow
def test_every_operation_can_be_undone_alone(plain: SyntaxProposer) -> None:
    source = (
        "The committee approved the new budget on Monday, and the treasurer sent a copy to every member, making it "
        "possible to vote in June."
    )
    proposal = proposed(plain, source)
    assert proposal is not None
    assert proposal.groups == 2
    assert proposal.without({0}).text == (
        "The committee approved the new budget on Monday, and the treasurer sent a copy to every member. This made it "
        "possible to vote in June."
    )
    assert proposal.without({1}).text == (
        "The committee approved the new budget on Monday. The treasurer sent a copy to every member, making it "
        "possible to vote in June."
    )


@pytest.mark.slow
def test_spacing_and_line_breaks_stay(plain: SyntaxProposer) -> None:
    source = (
        "The committee  approved the new budget\non Monday , and the treasurer sent a copy\nto every member "
        "of the club ."
    )
    proposal = proposed(plain, source)
    assert proposal is not None
    assert proposal.text == (
        "The committee  approved the new budget\non Monday . The treasurer sent a copy\nto every member of the club ."
    )


@pytest.mark.slow
def test_batches_and_threads_do_not_change_what_comes_out(plain: SyntaxProposer) -> None:
    sources = [source for _, source, _ in CASES] + list(WHOLE.values())
    alone = {source: getattr(proposed(plain, source), "text", source) for source in sources}
    shuffled = random.Random(7).sample(sources * 5, len(sources) * 5)
    batch = plain.propose([sentences_of(source, Protection())[0] for source in shuffled], limit=1, threads=2)
    for source, own in zip(shuffled, batch, strict=True):
        assert (own[0].text if len(own) else source) == alone[source]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda source: getattr(proposed(plain, source), "text", source), sources)
    assert list(found) == list(alone.values())


@pytest.mark.slow
def test_the_level_says_how_much_is_split() -> None:
    pytest.importorskip("spacy")
    short = "The shop opens at nine in summer, and the café opens an hour later."
    inverted = "Should the shop be closed, the key is at the office of the mayor, and the gate is open all day long."
    light, plain, easy = (SyntaxProposer(level=level) for level in ("light", "plain", "easy"))
    assert proposed(light, SPLIT["clauses"][0][0]) is None
    opened = proposed(light, inverted)
    assert opened is not None
    assert opened.text.startswith("If the shop is closed, ")
    assert proposed(plain, short) is None
    split = proposed(easy, short)
    assert split is not None
    assert split.text == "The shop opens at nine in summer. The café opens an hour later."


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="level"):
        SyntaxProposer(level="hard")


@pytest.mark.slow
def test_a_model_opens_it_by_name_as_a_pass_before_the_rules() -> None:
    pytest.importorskip("spacy")
    model = load("examples/model", proposers=[["syntax"], ["scfg"]])
    result = model.simplify(
        "The committee will purchase the old mill in the spring, and the residents may use it as a "
        "residence for guests."
    )
    assert result.text == (
        "The committee will buy the old mill in the spring. The residents may use it as a home for guests."
    )


def test_without_spacy_the_way_to_get_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainwright.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"plainwright\[syntax\]"):
        SyntaxProposer()
