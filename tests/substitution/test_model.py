"""A model of substitution: what its network reads, what it answers, and what is said of missing or damaged files."""

from __future__ import annotations

import numpy as np
import pytest
from tests.substitution.tiny import MAX_PIECES, save_tiny_substitution, score

from plainwright.errors import DataError, ModelMissingError
from plainwright.substitution import Candidate, SubstitutionModel, find_substitution
from plainwright.substitution.finding import SETTINGS, SUBSTITUTION_VARIABLE
from plainwright.substitution.model import FILES, open_substitution

SENTENCE = "she purchased the car"
BUY, MAT, CAT = Candidate(4, 13, "bought"), Candidate(18, 21, "mat"), Candidate(18, 21, "cat")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_substitution(tmp_path_factory.mktemp("substitution") / "tiny")


@pytest.fixture(scope="module")
def model(folder):
    return SubstitutionModel(folder)


def test_every_candidate_gets_a_score_from_0_to_1(model):
    [scores] = model.scores([(SENTENCE, [BUY, MAT, CAT])])
    # By hand, from the worths in tests/substitution/tiny.py.
    assert scores == pytest.approx([score("bought", "purchased"), score("mat", "car"), score("cat", "car")], abs=1e-6)


def test_a_candidate_without_words_is_read_as_what_goes(model):
    [[gone]] = model.scores([(SENTENCE, [Candidate(4, 13, "")])])
    assert gone == pytest.approx(score("[MASK]", "purchased"), abs=1e-6)


def test_candidates_stand_behind_the_sentence_at_the_places_of_what_they_replace(model):
    layout = model.tokenizer(SENTENCE, [BUY, MAT])
    # [CLS] she purchased the car [SEP], then "bought" in place of the second word and "mat" of the fourth.
    assert layout.owners.tolist() == [0] * 6 + [1, 2]
    assert layout.positions.tolist() == [0, 1, 2, 3, 4, 5, 2, 4]
    assert layout.types.tolist() == [0] * 6 + [1, 1]
    assert layout.first.tolist()[6:] == layout.last.tolist()[6:] == [2, 4]
    assert layout.begins.tolist() == [6, 7]


def test_a_score_is_the_same_on_any_number_of_threads(model):
    asked = [(SENTENCE, [BUY, MAT]), ("he purchased the mat", [Candidate(3, 12, "bought")]), ("he sat", [])] * 7
    alone = [model.scores([one])[0] for one in asked]
    assert model.scores(asked) == alone
    assert model.scores(asked, threads=4) == alone


def test_a_sentence_that_is_too_long_is_left_alone(model):
    long = " ".join(["she purchased the car"] * MAX_PIECES)
    assert model.tokenizer(long, [BUY]) is None
    assert model.scores([(long, [BUY])]) == [[0.0]]


def test_a_candidate_for_no_word_is_an_error(model):
    with pytest.raises(DataError, match=r"expected a candidate for words of the sentence, found 'bought'.*40 to 49"):
        model.scores([(SENTENCE, [Candidate(40, 49, "bought")])])


def test_the_digest_covers_network_tokenizer_and_candidates(tmp_path, model):
    same = SubstitutionModel(save_tiny_substitution(tmp_path / "same"))
    other = SubstitutionModel(save_tiny_substitution(tmp_path / "other", candidates=("car | noun | mat",)))
    assert model.digest == same.digest != other.digest
    assert model.label == f"tiny-1@{model.digest[:8]}"


def test_the_variable_names_another_model(folder, monkeypatch):
    monkeypatch.setenv(SUBSTITUTION_VARIABLE, str(folder))
    assert find_substitution() == folder
    assert open_substitution() is open_substitution(folder)


def test_without_a_model_the_message_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr("plainwright.models.folder", lambda: None)
    monkeypatch.delenv(SUBSTITUTION_VARIABLE, raising=False)
    with pytest.raises(ModelMissingError, match=f"plainwright-en.*{SUBSTITUTION_VARIABLE}"):
        find_substitution()


@pytest.mark.parametrize("kind", FILES)
def test_a_file_of_another_size_is_an_error(tmp_path, kind):
    directory = save_tiny_substitution(tmp_path / "tiny")
    file = directory / FILES[kind]
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(DataError, match=rf"{FILES[kind]}: expected .* bytes, found .*; install or make"):
        SubstitutionModel(directory)


def test_a_newer_format_is_an_error(tmp_path):
    directory = save_tiny_substitution(tmp_path / "tiny")
    settings = directory / SETTINGS
    settings.write_text(
        settings.read_text().replace('"format" = 1', '"format" = 2').replace("format = 1", "format = 2")
    )
    with pytest.raises(DataError, match="newer plainwright"):
        SubstitutionModel(directory)


def test_a_tokenizer_without_a_mask_is_an_error(model):
    from tokenizers import Tokenizer, models

    from plainwright.substitution.pieces import CandidateTokenizer

    with pytest.raises(DataError, match=r"expected a tokenizer with the piece \[MASK\]"):
        CandidateTokenizer(Tokenizer(models.WordLevel({"a": 0}, unk_token="a")), max_pieces=20)


def test_inputs_are_rows_of_whole_numbers(model):
    inputs = model.tokenizer(SENTENCE, [BUY]).inputs
    assert all(value.shape == (1, 7) and value.dtype == np.int64 for value in inputs.values())
