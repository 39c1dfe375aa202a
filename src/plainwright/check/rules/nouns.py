"""Strings of nouns, and verbs that hide in nouns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule, verb_of
from plainwright.check.types import Finding, Scope
from plainwright.rewrite.types import Sentence
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import inflections

__all__ = ["HiddenVerb", "NounString"]

_MOST_NOUNS = 3
_RARE = 2.0  # on the Zipf scale; what is rarer may be no noun, but the name of a program
_WITH_ARTICLE = 2

# The verbs that carry a noun, and what to write for both; prepositions that the verb does without stand after "/".
_HIDDEN: Mapping[str, str] = {
    "make": """decision=decide choice=choose assumption=assume assessment=assess/of payment=pay/of application=apply
        recommendation=recommend statement=state contribution=contribute adjustment=adjust/to improvement=improve/to/in
        reduction=reduce/in calculation=calculate/of comparison=compare/of determination=determine/of attempt=try
        arrangement=arrange/for suggestion=suggest announcement=announce/of alteration=change/to modification=change/to
        amendment=change/to enquiry=ask inquiry=ask reference=refer donation=give/of correction=correct/to
        observation=observe complaint=complain distinction=distinguish purchase=buy/of request=ask/for""",
    "conduct": """analysis=analyse/of assessment=assess/of review=review/of study=study/of evaluation=evaluate/of
        investigation=investigate/of/into examination=examine/of inspection=inspect/of interview=interview/of/with
        survey=survey/of test=test/of/on search=search audit=audit/of inquiry=inquire""",
    "perform": """analysis=analyse/of assessment=assess/of review=review/of evaluation=evaluate/of search=search
        examination=examine/of inspection=inspect/of test=test/of/on calculation=calculate/of measurement=measure/of""",
    "undertake": """analysis=analyse/of assessment=assess/of review=review/of study=study/of evaluation=evaluate/of
        investigation=investigate/of/into examination=examine/of inspection=inspect/of""",
    "give": "consideration=consider/to approval=approve/to/of/for assistance=help/to permission=allow/to",
    "provide": "assistance=help/to explanation=explain/of/for description=describe/of support=support/to/for",
    "reach": "agreement=agree conclusion=conclude decision=decide",
    "take": "action=act",
    "have": "discussion=discuss/of/about need=need/for preference=prefer/for effect=affect/on impact=affect/on",
    "hold": "discussion=discuss/of/about meeting=meet",
    "offer": "explanation=explain/of/for suggestion=suggest",
    "effect": "improvement=improve/in/to change=change/in/to reduction=reduce/in",
    "achieve": "reduction=reduce/in improvement=improve/in",
    "exert": "influence=influence/on/over",
    "submit": "application=apply/for",
}


def _table() -> dict[tuple[str, str], tuple[str, tuple[str, ...]]]:
    found = {}
    for carrier, listed in _HIDDEN.items():
        for pair in listed.split():
            noun, _, rest = pair.partition("=")
            verb, *prepositions = rest.split("/")
            for form in {noun, *inflections(noun, "noun")["NNS"]}:
                found[carrier, form] = verb, tuple(prepositions)
    return found


_VERBS = _table()


class NounString(Rule):
    """Finds many nouns in a row."""

    rule = "noun-string"
    meaning = "Four or more nouns in a row: readers must work out which belongs to which."
    source = "plainlanguage.gov; the limit of three nouns is that of ASD-STE100"
    scope: ClassVar[Scope] = "structure"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield every longest run of more nouns than allowed; names are no part of one."""
        for number in passage.prose:
            sentence = passage.sentences[number]
            for first, last in _runs(sentence):
                count = last - first + 1
                message = f"{count} nouns in a row; use “of”, “for” or a verb to say how they belong together"
                yield self.found(passage, sentence, sentence.tokens[first].start, sentence.tokens[last].end, message)


def _runs(sentence: Sentence) -> Iterator[tuple[int, int]]:
    first = None
    for number in range(len(sentence.tokens) + 1):
        if number < len(sentence.tokens) and _is_noun(sentence, number):
            first = number if first is None else first
        elif first is not None:
            if number - first > _MOST_NOUNS:
                yield first, number - 1
            first = None


def _is_noun(sentence: Sentence, number: int) -> bool:
    word = sentence.tokens[number].text
    return sentence.tags[number] in ("NN", "NNS") and word.isalpha() and word.islower() and zipf(word) > _RARE


class HiddenVerb(Rule):
    """Finds verbs that hide in a noun, such as "make a decision"."""

    rule = "hidden-verb"
    meaning = "A noun does the work of a verb: “make a decision” for “decide”."

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield the verb that carries the noun, and all up to the preposition after it that the plain verb lacks."""
        for sentence in passage.sentences:
            tokens = sentence.tokens
            for first, tag in enumerate(sentence.tags):
                carrier = verb_of(tokens[first].text, tag)
                last = None if carrier is None else _noun_after(sentence, first)
                hidden = None if carrier is None or last is None else _VERBS.get((carrier, tokens[last].text.lower()))
                if hidden is None or last is None:
                    continue
                verb, prepositions = hidden
                joined = last + 1 < len(tokens) and tokens[last + 1].text.lower() in prepositions
                if carrier == "have" and not joined:
                    continue  # what has an effect need not affect anything
                # An adjective would become an adverb, and "review" wants to know what.
                exact = last - first <= _WITH_ARTICLE and (joined or not prepositions)
                written = inflections(verb, "verb").get(tag, (verb,))[0]
                message = "the verb hides in a noun" if exact else f"the verb hides in a noun ({verb})"
                end = tokens[last + joined].end
                yield self.found(passage, sentence, tokens[first].start, end, message, *([written] if exact else []))


def _noun_after(sentence: Sentence, first: int) -> int | None:
    """The noun that a verb carries, alone or after an article and at most one adjective, if no noun follows it."""
    at = first + 1
    if _word(sentence, at) in ("a", "an", "any"):
        at += 1
        at += sentence.tags[at : at + 1] == ["JJ"]
    elif _word(sentence, at) == "the":
        at += 1
    kinds = list(sentence.tags[at : at + 2])
    return at if kinds[:1] in (["NN"], ["NNS"]) and kinds[1:] not in (["NN"], ["NNS"]) else None


def _word(sentence: Sentence, number: int) -> str:
    return sentence.tokens[number].text.lower() if number < len(sentence.tokens) else ""
