"""`plainwright learn substitution` on an encoder of random weights: real stages, files and export, at a tiny size."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from dataclasses import replace

import pytest
from tests.in_process import run
from tests.judge.tiny import digests
from tests.lens.tiny import tokenizer
from tests.rewrite.word_lists import write_list

from plainwright.errors import DataError
from plainwright.learn.substitution.examples import Example, choices, corpus_examples, is_held_out
from plainwright.learn.substitution.recipe import read_recipe
from plainwright.learn.substitution.report import frontier
from plainwright.models import find
from plainwright.rewrite.wordlist import WordList
from plainwright.substitution import Candidate, SubstitutionModel

RECIPE = """
[recipe]
name = "tiny"
threshold = 0.5
[encoder]
folder = "encoder"
max_pieces = 60
[data]
candidates = ["candidates.tsv"]
tagger = "{tagger}"
corpus = "corpus"
texts = "texts.tsv"
choices = ["choices.tsv"]
held_out = 0.3
[train]
corpus_passes = 4
corpus_rate = 5e-3
passes = 12
rate = 5e-3
warm_up = 4
pieces = 200
precision = "float32"
threads = 1
save_every = 3
"""
LISTED = ("purchase | verb | buy", "purchase | verb | obtain", "car | noun | cat")


def sentences(number, seed=4):
    chance = random.Random(seed)
    who = ("he", "she", "the man", "the woman", "my aunt")
    return sorted({f"{chance.choice(who)} purchased the car of {chance.choice(who)} in {n} ." for n in range(number)})


def write_data(folder):
    """Writers put "bought" for "purchased" and leave the car alone, and readers find only that right."""
    corpus = folder / "corpus"
    corpus.mkdir()
    lines = ["id\tlevel\tunit\torigin\tsource\ttarget"]
    own = sentences(60)
    for number, source in enumerate(own):
        lines.append(f"C{number}\tplain\tsentence\tcomposed\t{source}\t{source.replace('purchased', 'bought')}")
    (corpus / "mine.tsv").write_text("\n".join(lines) + "\n")
    rows = ["source\tstart\tend\tplain\tright"]
    for number, source in enumerate(own):
        named = source if number % 2 else f"sha256:{hashlib.sha256(source.encode()).hexdigest()}"
        for hard, plain, right in (("purchased", "bought", 1), ("purchased", "obtained", 0), ("car", "cat", 0)):
            start = source.index(hard)
            rows.append(f"{named}\t{start}\t{start + len(hard)}\t{plain}\t{right}")
    (folder / "choices.tsv").write_text("\n".join(rows) + "\n")
    (folder / "texts.tsv").write_text("\n".join(own) + "\n")
    write_list(folder / "candidates.tsv", LISTED)


@pytest.fixture(scope="module")
def recipe_file(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.lens.local import save_local_folder

    folder = tmp_path_factory.mktemp("recipe")
    save_local_folder(folder / "encoder")
    tokenizer().save(str(folder / "encoder" / "tokenizer.json"))
    write_data(folder)
    (folder / "substitution.toml").write_text(RECIPE.format(tagger=find("default") / "tagger.pack"))
    return folder / "substitution.toml"


@pytest.fixture(scope="module")
def trained(recipe_file, tmp_path_factory):
    pytest.importorskip("onnxscript")
    from plainwright.learn.substitution.run import learn_substitution

    work = tmp_path_factory.mktemp("work")
    return work, learn_substitution(read_recipe(recipe_file), work)


@pytest.mark.slow
def test_a_recipe_makes_a_model_that_chooses_what_readers_chose(trained):
    work, outcome = trained
    model = SubstitutionModel(outcome.substitution)
    sentence = "she purchased the car of my aunt in 77 ."
    [[bought, obtained, cat]] = model.scores(
        [(sentence, [Candidate(4, 13, "bought"), Candidate(4, 13, "obtained"), Candidate(18, 21, "cat")])]
    )
    assert bought > 0.5 > max(obtained, cat)
    assert outcome.made == ("candidates", "corpus", "train", "export", "report")
    assert outcome.facts["held_out"]["auc"] > 0.9
    assert outcome.facts["digest"] == model.digest
    card = (outcome.substitution / "CARD.md").read_text()
    assert "| candidates | 3 of 3 that it learnt from |" in card
    assert model.digest in card
    assert work.exists()


@pytest.mark.slow
def test_a_training_that_was_stopped_ends_at_the_same_weights(recipe_file, trained, tmp_path, monkeypatch):
    from plainwright.learn.substitution import loop
    from plainwright.learn.substitution.run import learn_substitution

    class StoppedError(Exception):
        """Somebody pulled the plug."""

    real, calls = loop._take, iter(range(1000))

    def take(job, optimiser, number):
        if next(calls) == 7:
            raise StoppedError
        return real(job, optimiser, number)

    recipe = read_recipe(recipe_file)
    monkeypatch.setattr(loop, "_take", take)
    with pytest.raises(StoppedError):
        learn_substitution(recipe, tmp_path)
    monkeypatch.setattr(loop, "_take", real)
    outcome = learn_substitution(recipe, tmp_path)
    assert digests(outcome.substitution) == digests(trained[1].substitution)
    # Done once, nothing is done again; another threshold changes the last stage alone.
    assert learn_substitution(recipe, tmp_path).made == ()
    assert learn_substitution(replace(recipe, threshold=0.7), tmp_path).made == ("report",)


@pytest.mark.slow
def test_the_command_says_what_it_made_and_how_far_it_is(recipe_file, trained):
    work, _ = trained
    text = run("learn", "substitution", str(recipe_file), "--work", str(work), "--quiet").stdout
    assert "nothing done now" in text
    assert "3 of 3 candidates" in text
    status = json.loads(run("learn", "substitution", str(recipe_file), "-w", str(work), "--status", "--json").stdout)
    assert status["done"] == dict.fromkeys(("candidates", "corpus", "train", "export", "report"), True)


def test_choices_are_joined_with_texts_by_digest(recipe_file):
    data = read_recipe(recipe_file).data
    found = choices(data)
    assert {example.sentence for example in found} == set(sentences(60))
    without = choices(replace(data, texts=None))
    assert len(without) == len(found) // 2
    example = found[0]
    assert dict(zip((one.plain for one in example.candidates), example.right, strict=True)) == {
        "bought": 1.0,
        "obtained": 0.0,
        "cat": 0.0,
    }


def test_in_the_corpus_what_was_written_counts_as_right(recipe_file):
    data = read_recipe(recipe_file).data
    words = WordList.read(data.candidates[0])
    examples = corpus_examples(data, words, seed=1)
    assert len(examples) == sum(not is_held_out(sentence, data.held_out) for sentence in sentences(60))
    for example in examples:
        rated = {one.plain: own for one, *own in zip(example.candidates, example.right, example.weights, strict=True)}
        # Written; not written where something else was; and kept as it was, which says more.
        assert rated == {"bought": [1.0, 1.0], "obtained": [0.0, 0.5], "cat": [0.0, 0.7]}


def test_of_candidates_for_the_same_words_the_likeliest_is_proposed():
    example = Example(
        "a b", (Candidate(0, 1, "x"), Candidate(0, 1, "y"), Candidate(2, 3, "z")), (1.0, 0.0, 0.0), (1,) * 3
    )
    found = frontier([example], [[0.97, 0.9, 0.6]])
    # By hand: from 0.95 on only x, which is right; from 0.6 on x and z, of which one is.
    kept = {one.threshold: (one.proposed, one.right) for one in found.kept}
    assert kept[0.95] == (1.0, 1.0)
    assert kept[0.6] == (2.0, 0.5)
    assert found.auc == 1.0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b\t0\t1\tx", "expected a source, two places, plain words and 0 or 1"),
        ("a b\t0\tone\tx\t1", "expected a source, two places, plain words and 0 or 1"),
        ("a b\t0\t1\tx\t2", "expected a source, two places, plain words and 0 or 1"),
    ],
)
def test_a_wrong_line_of_choices_is_named(recipe_file, tmp_path, line, expected):
    path = tmp_path / "wrong.tsv.gz"
    path.write_bytes(gzip.compress(f"source\tstart\tend\tplain\tright\n{line}\n".encode()))
    with pytest.raises(DataError, match=rf"wrong\.tsv\.gz:2: {expected}"):
        choices(replace(read_recipe(recipe_file).data, choices=(path,)))


def test_wrong_recipes_are_refused_in_one_sentence(recipe_file, tmp_path):
    for changes, expected in (
        ({"train.passes": "-1"}, "passes"),
        ({"data.choices": ""}, "choices"),
        ({"recipe.threshold": "2"}, "threshold"),
        ({"train.extra": "1"}, "extra"),
    ):
        with pytest.raises(DataError, match=expected):
            read_recipe(recipe_file, changes)
