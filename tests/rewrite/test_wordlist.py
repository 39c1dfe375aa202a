"""Lists of hard words: where an entry is used, and how what it writes fits into the sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rewrite.word_lists import simplifier_of, tagger, word_list, write_list

from plainwright.rewrite import Protection, Sentence, Simplifier
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.wordlist import WordList, matches, read_entries
from plainwright.rewrite.wordlist.expansion import COMPARATIVES, surfaces
from plainwright.text import ptb_tokenize
from plainwright.text.edits import apply_edits

LIST = (
    "hard | kind | plain | when",
    "prior to | phrase | before",
    "in the event of | phrase | if there is | next=a,an,any",
    "it should be noted that | phrase |",
    "needless to say | phrase |",
    "utilise | verb | use",
    "purchase | verb | buy",
    "purchase | noun | buy",
    "initiate | verb | begin",
    "obtain | verb | get | form!=VBN",
    "be in possession of | verb | have",
    "constitute | verb | be",
    "be required to | verb | must | form=VBZ,VBP",
    "be required to | verb | have to | form=VBD",
    "confiscate | verb | take away",
    "endeavour to | verb | try to",
    "serve to {VB} | verb | {VB}",
    "for the purpose of {VBG} | phrase | to {VB}",
    "inform … of | verb | tell … about",
    "assist | verb | help",
    "physician | noun | doctor",
    "edifice | noun | building",
    "member* of staff | noun | worker*",
    "personnel | noun | staff!",
    "criterion | noun | test",
    "vast | adjective | big",
    "wealthy | adjective | rich",
    "beneficial | adjective | useful",
    "adequate | adjective | good enough",
    "rapidly | adverb | fast",
    "slightly | adverb | a little",
    "shortly | adverb | soon | !start",
    "consequently | adverb | so | start",
    "approximately | adverb | about | next=CD,DT,NN*",
    "save | phrase | except | prev!=to,^ next=for",
    "given that | phrase | because | prev=,",
    "largely | adverb | mostly | next!=$",
    "etc. | phrase | and so on",
)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> WordList:
    return word_list(tmp_path_factory.mktemp("list"), *LIST)


@pytest.fixture(scope="module")
def simplifier(listed: WordList) -> Simplifier:
    return simplifier_of(listed)


# All sentences were made up for these tests.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Verbs keep their form, whichever way they are spelt.
        ("They utilise it.", "They use it."),
        ("She utilizes it.", "She uses it."),
        ("We are utilising both, and utilized one.", "We are using both, and used one."),
        ("He endeavored to sing.", "He tried to sing."),
        ("She initiated the talks.", "She began the talks."),
        ("The talks were quickly initiated.", "The talks were quickly begun."),
        ("He is in possession of a key.", "He has a key."),
        ("They were in possession of two.", "They had two."),
        ("These trees constitute a danger.", "These trees are a danger."),
        ("You are required to sign.", "You must sign."),
        ("He was required to sign.", "He had to sign."),
        # Nouns keep their number, and who owns what.
        ("The physician's letters went to other physicians.", "The doctor's letters went to other doctors."),
        ("They left the physicians' union.", "They left the doctors' union."),
        ("Two members of staff met a member of staff.", "Two workers met a worker."),
        ("All personnel came.", "All staff came."),
        ("They met three criteria.", "They met three tests."),
        # The part of speech decides.
        ("The purchase was cheap.", "The buy was cheap."),
        ("They purchased bread.", "They bought bread."),
        # Degrees of adjectives and adverbs.
        ("It is a more vast desert.", "It is a bigger desert."),
        ("It is the most vast desert.", "It is the biggest desert."),
        ("They live in the wealthiest town.", "They live in the richest town."),
        ("Sleep is more beneficial than food.", "Sleep is more useful than food."),
        ("It grew more rapidly than we thought.", "It grew faster than we thought."),
        ("It is less vast than that.", "It is less big than that."),
        ("An adequate plan exists.", "A good enough plan exists."),
        # Slots and gaps.
        ("He came for the purpose of reducing waste.", "He came to reduce waste."),
        ("It serves to reduce costs.", "It reduces costs."),
        ("He came for the purpose of advertising a play.", "He came to advertise a play."),
        ("It serves to colour the glass.", "It colours the glass."),
        ("Please inform the new office manager of your plans.", "Please tell the new office manager about your plans."),
        ("They informed Ms Okafor of the change.", "They told Ms Okafor about the change."),
        ("They informed us of the end of the lease.", "They told us about the end of the lease."),
        # Capitals, articles, spaces, commas.
        ("Prior to lunch we sang.", "Before lunch we sang."),
        ("It is an edifice in a vast park.", "It is a building in a big park."),
        ("Prior  to\nlunch we sang.", "Before\nlunch we sang."),
        ("It should be noted that Anna came.", "Anna came."),
        ("Needless to say, we left.", "We left."),
        ("We will, needless to say, leave.", "We will leave."),
        ("In May, needless to say, we left.", "In May, we left."),
        ("We left, needless to say.", "We left."),
        ("They sell cats, etc. to us.", "They sell cats, and so on to us."),
        ("They sell cats, etc.", "They sell cats, and so on."),
        # Conditions.
        ("In the event of a storm, stay in.", "If there is a storm, stay in."),
        ("They obtained two.", "They got two."),
        ("We will leave shortly.", "We will leave soon."),
        ("Consequently, we left.", "So, we left."),
        ("It took approximately 40 days.", "It took about 40 days."),
        ("All came, save for one.", "All came, except for one."),
        ("We left, given that it rained.", "We left, because it rained."),
        ("It was largely empty.", "It was mostly empty."),
        # As often as it fits.
        ("Physicians utilise it prior to tests and purchase it.", "Doctors use it before tests and buy it."),
    ],
)  # fmt: skip
def test_an_entry_is_written_so_that_it_fits(simplifier: Simplifier, before: str, after: str) -> None:
    assert simplifier.simplify(before).text == after


@pytest.mark.parametrize(
    "text",
    [
        # Names, quotations, capitals, compounds and contractions.
        "They met Dr Physician and the Edifice choir.",
        "“We utilise it prior to tests,” he said.",
        "She called it ‘adequate’.",
        "Type `utilise it prior to lunch` and wait.",
        'It was a "vast edifice" to them.',
        "UTILISE IT PRIOR TO LUNCH.",
        "They run a physician-led team.",
        "The buyer/physician came.",
        "You needn't.",
        # Forms that would be wrong.
        "The keys were obtained.",
        "They will be required to sign.",
        "I constitute a danger.",
        "The confiscated goods were sold.",
        "The talks initiated by Anna go on.",
        "More vast deserts were found.",
        "It is a more adequate plan.",
        "It is as adequate as that.",
        "He came for the purpose of reading and writing.",
        "He came for the purpose of reading books and, later, writing them.",
        "He came for the purpose of blorging.",
        # Nobody knows where the gap ends.
        "Please inform the head of the school of your plans.",
        "They inform, of course, nobody of it.",
        # What would stand twice.
        "They help to assist.",
        "We use, and utilise, it.",
        "It was a slightly bent pin.",
        "He went before prior to was known.",
        # Conditions that do not hold.
        "In the event of no storm, go out.",
        "Shortly, we will leave.",
        "They were, consequently, late.",
        "It rained, approximately.",
        "They want to save for it.",
        "We left given that it rained.",
        "It was empty largely.",
    ],
)
def test_a_sentence_stays_as_it_is_where_an_entry_does_not_fit(simplifier: Simplifier, text: str) -> None:
    assert simplifier.simplify(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "The illness has been associated with smoking and, less often, with diesel fumes.",
        "Guests are advised to lock their doors at night and to leave the key at the desk.",
        "You may stay, provided that you pay the rent and that no neighbour complains.",
        "The buyer will be deemed to have seen the house and to know its faults.",
    ],
)
def test_an_entry_is_not_used_where_a_word_of_it_is_said_again(tmp_path: Path, text: str) -> None:
    lines = (
        "hard | kind | plain | when",
        "associated with | phrase | linked to",
        "are advised to | phrase | should",
        "provided that | phrase | as long as",
        "be deemed to have | verb | be treated as having | next=VBN",
    )
    alone = text.partition(" and")[0] + "."
    simplifier = simplifier_of(word_list(tmp_path, *lines))
    assert simplifier.simplify(text).text == text
    assert simplifier.simplify(alone).text != alone


def test_the_longest_entry_wins_and_then_the_first_whose_condition_holds(tmp_path: Path) -> None:
    words = word_list(
        tmp_path,
        "in accordance with | phrase | under | next=the",
        "in accordance with | phrase | in line with",
        "accordance | noun | agreement",
        "in accordance with the wishes of | phrase | as wanted by",
    )
    simplify = simplifier_of(words).simplify
    assert simplify("It was done in accordance with the law.").text == "It was done under the law."
    assert simplify("It was done in accordance with law.").text == "It was done in line with law."
    assert simplify("It was done in accordance with the wishes of Anna.").text == "It was done as wanted by Anna."


# All sentences were made up for this test.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("They levied a very high annual fee.", "They charged a very high annual fee."),
        ("They levied our landlord's fees.", "They charged our landlord's fees."),
        ("They levied him.", "They charged him."),
        ("They levied a fee scheme.", None),
        ("They levied troops for a fee.", None),
        ("They levied.", None),
        ("Such fees have not always been levied.", "Such fees have not always been charged."),
        ("They fear that fees might be levied.", "They fear that fees might be charged."),
        ("A fee which was levied is due.", "A fee which was charged is due."),
        ("Such fees cannot be levied.", "Such fees cannot be charged."),
        ("A fee for troops was levied.", None),
        ("It was levied.", None),
        # Each of several nouns has to fit.
        ("They levied a fee and new taxes.", "They charged a fee and new taxes."),
        ("They levied a fee and troops.", None),
        ("They levied fees, tolls and taxes.", None),
        ("They levied fees, taxes, and troops.", None),
        ("They levied a small, annual fee.", "They charged a small, annual fee."),
        ("They levied women.", "They charged women."),
        ("In London, fees and taxes were levied.", "In London, fees and taxes were charged."),
        ("The fees've been levied.", "The fees've been charged."),
        ("They impose fees.", None),
        ("The boards impose fees.", "The boards set fees."),
        ("They levied a fee and the bank paid it.", "They charged a fee and the bank paid it."),
        ("The tolls and fees were levied.", None),
        ("The tolls, fines, and fees were levied.", None),
        ("A late fee and an early fee were levied.", "A late fee and an early fee were charged."),
        ("The abortive second visits were long.", "The wasted second visits were long."),
        ("An abortive coup took place.", None),
        ("An abortive, bloody coup took place.", None),
        ("They saw an abortive visit and coup.", None),
    ],
)
def test_a_condition_may_name_the_noun_that_follows_or_the_subject(
    tmp_path: Path, before: str, after: str | None
) -> None:
    words = word_list(
        tmp_path,
        "levy | verb | charge | form!=VBN noun=fee,tax,woman,PRP",
        "levy | verb | charge | form=VBN subject=fee,tax",
        "impose | verb | set | subject!=they",
        "abortive | adjective | wasted | noun!=coup",
    )
    assert simplifier_of(words).simplify(before).text == (after or before)


def test_the_first_list_wins_and_its_equal_sides_protect_words(tmp_path: Path) -> None:
    own = word_list(tmp_path, "utilise | verb | apply", "criterion | noun | criterion", name="own.tsv")
    ours = word_list(tmp_path, "utilise | verb | use", "criteria for | phrase | tests of", "vast | adjective | big")
    result = simplifier_of(own, ours).simplify("They utilise vast criteria for it.")
    assert result.text == "They apply big criteria for it."
    assert [edit.evidence[0].to_dict() for edit in result.edits] == [
        {"kind": "wordlist", "hard": "utilise", "plain": "apply", "list": "own.tsv", "line": 1},
        {"kind": "wordlist", "hard": "vast", "plain": "big", "list": "words.tsv", "line": 3},
    ]


def test_names_and_abbreviations_are_replaced_where_a_list_has_them(tmp_path: Path) -> None:
    words = word_list(
        tmp_path, "HQ | noun | head office", "Ministry of Works | phrase | works office", "usa | noun | us"
    )
    simplify = simplifier_of(words).simplify
    assert simplify("They left HQ and Anna.").text == "They left head office and Anna."
    assert simplify("HQ wrote.").text == "Head office wrote."
    assert simplify("We asked the Ministry of Works.").text == "We asked the works office."
    assert simplify("We asked the ministry of works in the USA.").text == "We asked the ministry of works in the USA."
    assert simplify("They left HQ.", protection=Protection(keep=("HQ",))).text == "They left HQ."


def test_what_the_user_keeps_is_left_alone(simplifier: Simplifier) -> None:
    kept = Protection(keep=("edifice",))
    assert simplifier.simplify("A vast edifice.", protection=kept).text == "A big edifice."


def test_each_edit_can_be_undone_by_itself(simplifier: Simplifier) -> None:
    text = "Prior to lunch, please inform the two physicians of an edifice, and purchase it."
    result = simplifier.simplify(text)
    assert result.text == "Before lunch, please tell the two doctors about a building, and buy it."
    groups = sorted({edit.group for edit in result.edits})
    assert len(groups) == 5  # the two parts of "inform … of" are one
    undone = {number for number, edit in enumerate(result.edits) if edit.group == 1}
    assert apply_edits(text, result.edits, without=undone) == (
        "Before lunch, please inform the two doctors of a building, and buy it."
    )


PIECES = st.sampled_from(
    (
        *("utilise", "prior to", "Physicians", "an edifice", "vast", ",", ".", "“", "”", "it should be noted that"),
        *("purchased", "inform", "of", "for the purpose of", "running", "the", "Anna", "(", ")", "\n", "don't", "3.5"),
        *("assist", "more"),
    )
)


@given(st.lists(PIECES, max_size=14).map(" ".join))
def test_edits_lead_from_the_source_to_the_text_and_back(simplifier: Simplifier, text: str) -> None:
    result = simplifier.simplify(text)
    assert apply_edits(text, result.edits) == result.text
    assert apply_edits(text, result.edits, without=set(range(len(result.edits)))) == text


@given(st.lists(PIECES, max_size=14).map(" ".join), st.sets(st.integers(0, 30)))
def test_no_match_touches_a_protected_token_or_another_match(listed: WordList, text: str, fixed: set[int]) -> None:
    for sentence in sentences_of(text, Protection()):
        protected = {n for n in fixed if n < len(sentence.tokens)}
        tags = tagger().tag([token.text for token in sentence.tokens])
        own = replace(sentence, fixed=frozenset(protected), tags=tags)
        found = [n for match in matches(own, [listed]) for span in match.source for n in range(*span)]
        assert len(found) == len(set(found))
        assert not protected & set(found)


def test_every_form_of_an_entry_is_found_in_a_sentence_that_has_it(tmp_path: Path) -> None:
    lines = [line.rpartition("|")[0] if line.count("|") == 3 else line for line in LIST[1:]]
    forms = 0
    for entry in read_entries(write_list(tmp_path / "words.tsv", lines)):
        words = WordList.of_entries([entry])
        for surface in surfaces(entry):
            for tag in set(surface.plain) - set(COMPARATIVES):
                assert matches(sentence_of(surface.words, surface.head, tag), [words]), (surface, tag)
                forms += 1
    assert forms > 90


def sentence_of(words: tuple[str, ...], head: int, tag: str) -> Sentence:
    """A sentence with these words, in which the one at `head` has a tag; slots and gaps are filled."""
    filled = {"…": ("them", "PRP"), "{VB}": ("reduce", "VB"), "{VBG}": ("reducing", "VBG")}
    pairs = [filled.get(word, (word, tag if n == head else "XX")) for n, word in enumerate(words)]
    before = [("they", "PRP"), ("have" if tag == "VBN" else "thus", "XX")]
    pairs = [*before, *pairs, ("blorg", "XX"), (".", ".")]
    text = " ".join(word for word, _ in pairs)
    tokens = ptb_tokenize(text)
    assert [token.text for token in tokens] == [word for word, _ in pairs]
    return Sentence(text, 0, tokens, tags=[own for _, own in pairs])


def test_batches_and_threads_change_nothing(simplifier: Simplifier) -> None:
    texts = [f"Physicians utilised {n} edifices prior to lunch." for n in range(30)]
    one = [simplifier.simplify(text).text for text in texts]
    assert simplifier.simplify_all(texts, threads=3) == one
