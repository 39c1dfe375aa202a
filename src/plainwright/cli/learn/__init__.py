"""`plainwright learn`: from text to rules, to the tagger that protects their meaning, and to a rewriter."""

from __future__ import annotations

from plainwright.cli.lazy import lazy_group

__all__ = ["app"]

_COMMANDS = {
    "text": ("plainwright.cli.learn.text:text", "Write tokenised sentences without duplicates."),
    "pairs": ("plainwright.cli.learn.text:pairs", "Write tokenised sentence pairs without duplicates."),
    "tags": ("plainwright.cli.learn.text:tags", "Tag sentences with spaCy, for `tagger` and `extract`."),
    "align": ("plainwright.cli.learn.rules:align", "Align the words of sentence pairs."),
    "extract": ("plainwright.cli.learn.rules:extract", "Extract rules from aligned sentence pairs."),
    "pivot": ("plainwright.cli.learn.pivot:pivot", "Find English phrases that share their translations."),
    "import": ("plainwright.cli.learn.imports:app", "Import rules from METEOR, WordNet, PPDB and Simple PPDB."),
    "lexicon": ("plainwright.cli.learn.lexicon:lexicon", "Make rules that replace hard words with plainer ones."),
    "combine": ("plainwright.cli.learn.combine:combine", "Combine the rules of several sources into one table."),
    "tagger": ("plainwright.cli.learn.rules:tagger", "Learn a part-of-speech tagger from tagged sentences."),
    "second-look": (
        "plainwright.cli.learn.second_look:second_look",
        "Learn how likely an edit is to damage its sentence.",
    ),
    "wordlist": ("plainwright.cli.learn.wordlist:wordlist", "Pack lists of hard words and plain ones."),
    "model": ("plainwright.cli.learn.model:model", "Put grammars, language model and weights into a model."),
    "rewriter": ("plainwright.cli.learn.rewriter:rewriter", "Train a rewriter of whole sentences."),
    "rewriter-risk": (
        "plainwright.cli.learn.rewriter_risk:rewriter_risk",
        "Learn how likely a rewrite is to be damaged or easier.",
    ),
    "judge": ("plainwright.cli.learn.judge:judge", "Train a judge of meaning, grammar and simplicity."),
    "run": ("plainwright.cli.learn.run:run", "Run the stages of a recipe, each only if something changed."),
}

app = lazy_group(
    _COMMANDS,
    help="Learn rules from parallel text, import them from elsewhere, and learn a tagger from tagged text.",
)
