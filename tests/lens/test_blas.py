from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from plainwright.lens import blas
from plainwright.lens.blas import one_blas_thread


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_blocks_that_overlap_are_undone_by_the_last():
    assert np.ones((2, 2)).sum() == 4  # BLAS is there
    before = blas_threads()
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    assert blas_threads() == {1}
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == before


def test_an_error_inside_undoes_it_too():
    before = blas_threads()
    with pytest.raises(ValueError, match="inside"), one_blas_thread():
        raise ValueError("inside")
    assert blas_threads() == before


def test_it_may_be_missing(monkeypatch):
    monkeypatch.setattr(blas, "_controller", lambda: None)
    before = blas_threads()
    with one_blas_thread():
        assert blas_threads() == before
