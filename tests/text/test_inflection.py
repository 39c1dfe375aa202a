"""Forms of words by rule and table, and the one spelling of British and American words."""

from __future__ import annotations

import pytest

from plainwright.text.inflection import VERB_TAGS, base_of, inflections, is_known_verb
from plainwright.text.spelling import common_spelling


# From the Oxford Learner's tables of verb forms: base, -s, past, participle, -ing.
@pytest.mark.parametrize(
    "forms",
    [
        *("use uses used used using", "try tries tried tried trying", "stop stops stopped stopped stopping"),
        *("visit visits visited visited visiting", "refer refers referred referred referring"),
        *("agree agrees agreed agreed agreeing", "die dies died died dying", "pass passes passed passed passing"),
        *("go goes went gone going", "begin begins began begun beginning", "show shows showed shown showing"),
        *("make makes made made making", "run runs ran run running", "fix fixes fixed fixed fixing"),
        *("play plays played played playing", "pay pays paid paid paying", "quit quits quit quit quitting"),
        *("panic panics panicked panicked panicking", "dye dyes dyed dyed dyeing", "eat eats ate eaten eating"),
        *("see sees saw seen seeing", "put puts put put putting", "veto vetoes vetoed vetoed vetoing"),
    ],
)
def test_verbs_have_their_forms(forms: str) -> None:
    base, third, past, participle, ing = forms.split()
    found = inflections(base, "verb")
    assert [found[tag][0] for tag in VERB_TAGS] == [base, base, third, past, participle, ing]
    assert base_of(ing, "VBG") == base_of(third, "VBZ") == base


@pytest.mark.parametrize(
    ("one", "many"),
    [
        *(("box", "boxes"), ("city", "cities"), ("day", "days"), ("child", "children"), ("wife", "wives")),
        *(
            ("person", "people"),
            ("criterion", "criteria"),
            ("series", "series"),
            ("hero", "heroes"),
            ("photo", "photos"),
        ),
        *(("staff", "staff"), ("church", "churches"), ("roof", "roofs"), ("analysis", "analyses"), ("bus", "buses")),
    ],
)
def test_nouns_have_plurals(one: str, many: str) -> None:
    assert inflections(one, "noun")["NNS"][0] == many


def test_adjectives_take_an_ending_only_where_people_write_it() -> None:
    assert inflections("big", "adjective") == {"JJ": ("big",), "JJR": ("bigger",), "JJS": ("biggest",)}
    assert inflections("good", "adjective")["JJR"] == ("better",)
    for word in ("useful", "important", "common", "certain"):
        assert set(inflections(word, "adjective")) == {"JJ"}
    assert inflections("fast", "adverb")["RBR"] == ("faster",)
    assert set(inflections("quickly", "adverb")) == {"RB"}


def test_all_usual_spellings_are_known() -> None:
    assert set(inflections("travel", "verb")["VBD"]) == {"traveled", "travelled"}
    assert set(inflections("learn", "verb")["VBN"]) == {"learned", "learnt"}


@pytest.mark.parametrize(
    ("form", "tag", "base"),
    [
        *(("found", "VBD", "find"), ("left", "VBN", "leave"), ("being", "VBG", "be"), ("reduced", "VBN", "reduce")),
        *(("stopping", "VBG", "stop"), ("blorging", "VBG", None), ("thing", "VBG", None)),
    ],
)
def test_the_verb_of_a_form_is_found_if_it_is_a_common_one(form: str, tag: str, base: str | None) -> None:
    assert base_of(form, tag) == base


def test_common_verbs_are_known() -> None:
    assert is_known_verb("help")
    assert not is_known_verb("normally")


def test_the_table_agrees_with_lemminflect_on_common_words() -> None:
    lemminflect = pytest.importorskip("lemminflect")
    verbs = "obtain commence reduce permit occur submit carry deny tie dye hit spread offer commit cancel focus echo"
    for verb in verbs.split():
        for tag in ("VBZ", "VBD", "VBN", "VBG"):
            assert inflections(verb, "verb")[tag][0] in lemminflect.getInflection(verb, tag), (verb, tag)


@pytest.mark.parametrize(
    ("british", "american"),
    [
        *(("organise", "organize"), ("organisations", "organizations"), ("analysed", "analyzed"), ("labour", "labor")),
        *(
            ("behavioural", "behavioral"),
            ("neighbourhood", "neighborhood"),
            ("centre", "center"),
            ("offence", "offense"),
        ),
    ],
)
def test_british_and_american_words_have_one_spelling(british: str, american: str) -> None:
    assert common_spelling(british) == common_spelling(american)


@pytest.mark.parametrize(
    ("one", "other"),
    [("four", "for"), ("our", "or"), ("pouring", "poring"), ("prise", "prize"), ("raise", "raze"), ("filled", "filed")],
)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert common_spelling(one) != common_spelling(other)
