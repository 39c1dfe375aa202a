"""Forms of English verbs: the base of a participle, and the present tense of a base."""

# Strings of words read better than long lists of strings.
# ruff: noqa: SIM905

from __future__ import annotations

from plainwright.text.frequencies import zipf

__all__ = ["base_of_participle", "present_of"]

# Participles that are not made with -ed.
_IRREGULAR = dict(
    pair.split("/")
    for pair in (
        "begun/begin bitten/bite bound/bind bought/buy broken/break brought/bring built/build caught/catch "
        "chosen/choose cut/cut dealt/deal done/do drawn/draw driven/drive eaten/eat fed/feed felt/feel "
        "forgotten/forget found/find frozen/freeze given/give grown/grow heard/hear held/hold hidden/hide "
        "hit/hit hurt/hurt kept/keep known/know laid/lay led/lead left/leave lent/lend let/let lost/lose "
        "made/make meant/mean met/meet overseen/oversee overtaken/overtake paid/pay proven/prove put/put "
        "read/read rebuilt/rebuild repaid/repay run/run said/say seen/see sent/send set/set shaken/shake "
        "shown/show shut/shut sold/sell sought/seek spent/spend split/split spoken/speak spread/spread "
        "stolen/steal struck/strike sworn/swear taken/take taught/teach thought/think thrown/throw told/tell "
        "understood/understand undertaken/undertake upheld/uphold withdrawn/withdraw won/win written/write "
        "rewritten/rewrite borne/bear worn/wear"
    ).split()
)
_PRESENT = {"be": ("are", "is"), "have": ("have", "has"), "do": ("do", "does"), "go": ("go", "goes")}
_VOWELS = "aeiou"


def base_of_participle(participle: str) -> str | None:
    """Return the verb of a participle, None if it is not sure."""
    if participle in _IRREGULAR:
        return _IRREGULAR[participle]
    if not participle.endswith("ed") or len(participle) < 5:
        return None
    if participle.endswith("ied"):
        return participle[:-3] + "y"
    stem = participle[:-2]
    possible = [stem, stem + "e"]
    if stem[-1] == stem[-2] and stem[-1] not in "sfz" + _VOWELS:
        possible.append(stem[:-1])
    first, second = sorted(((zipf(word), word) for word in possible), reverse=True)[:2]
    return first[1] if first[0] > 2.5 and first[0] > second[0] + 0.5 else None


def present_of(base: str, *, third_person: bool) -> str:
    """Return the present tense of a verb."""
    if base in _PRESENT:
        return _PRESENT[base][third_person]
    if not third_person:
        return base
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"
