from __future__ import annotations

import io
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies

from plainwright.arrays import read_arrays, write_arrays
from plainwright.errors import DataError

KINDS = st.sampled_from(["f4", "f8", "i4", "i8", "u1", "?"])
ARRAYS = KINDS.flatmap(
    lambda kind: numpy_strategies.arrays(kind, numpy_strategies.array_shapes(min_dims=0, max_dims=3, min_side=0))
)


@given(arrays=st.dictionaries(st.text("abc.0", min_size=1, max_size=6), ARRAYS, max_size=4))
def test_what_is_written_is_read(tmp_path_factory, arrays):
    path = tmp_path_factory.mktemp("arrays") / "some.npz"
    write_arrays(path, arrays)
    found = read_arrays(path)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
        with np.load(path, allow_pickle=False) as as_numpy_reads_it:
            np.testing.assert_array_equal(as_numpy_reads_it[name], array)


def test_numpys_own_files_are_read_and_strings_too(tmp_path):
    np.savez(tmp_path / "numpy.npz", a=np.arange(6).reshape(2, 3), name=np.array("tanh"))
    found = read_arrays(tmp_path / "numpy.npz")
    assert found["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert str(found["name"]) == "tanh"


def test_equal_arrays_give_equal_bytes(tmp_path):
    arrays = {"b": np.arange(3.0), "a": np.ones((2, 2), np.float32)}
    write_arrays(tmp_path / "first.npz", arrays)
    write_arrays(tmp_path / "second.npz", dict(reversed(arrays.items())))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "some.npz"
    write_arrays(path, {"weight": np.arange(40.0).reshape(8, 5), "name": np.array("relu")})
    return path.read_bytes()


def read_or_refuse(path, data):
    path.write_bytes(data)
    try:
        return read_arrays(path)
    except DataError as error:
        said = str(error)
    assert str(path) in said
    assert "\n" not in said
    return None


@given(data=st.data())
def test_damaged_bytes_are_refused_or_hold_arrays(tmp_path_factory, written, data):
    """Whatever happens to a file, reading gives arrays or our error, and never another exception."""
    content = bytearray(written)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    read_or_refuse(tmp_path_factory.getbasetemp() / "damaged.npz", bytes(content[: cut if cut % 3 == 0 else None]))


@given(content=st.binary(max_size=300))
def test_foreign_bytes_are_refused(tmp_path_factory, content):
    assert read_or_refuse(tmp_path_factory.getbasetemp() / "foreign.npz", content) is None


def zipped(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return packed.getvalue()


def member(header, content=b""):
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + content


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"no array", id="text"),
        pytest.param(member(b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", b"cos"), id="objects"),
        pytest.param(
            member(b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 9999999999), }\n"), id="huge"
        ),
        pytest.param(member(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", bytes(15)), id="short"),
        pytest.param(member(b"{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }\n", bytes(3)), id="odd"),
        pytest.param(member(b"{'descr': '<U0', 'fortran_order': False, 'shape': (5,), }\n"), id="nothing"),
        pytest.param(member(b"__import__('os')\n"), id="code"),
    ],
)
def test_members_that_lie_are_refused(tmp_path, content):
    assert read_or_refuse(tmp_path / "lying.npz", zipped(weight=content)) is None


def claiming(packed, size):
    """The same archive, whose directory says that its only member has so many bytes."""
    at = packed.index(b"PK\x01\x02") + 24
    return packed[:at] + size.to_bytes(4, "little") + packed[at + 4 :]


@pytest.mark.parametrize("claimed", [1_000, 2**32 - 2])
def test_a_member_is_unpacked_no_further_than_it_may_be_whatever_it_claims(tmp_path, claimed):
    content = member(b"{'descr': '|u1', 'fortran_order': False, 'shape': (64000000,), }\n", bytes(64_000_000))
    (tmp_path / "bomb.npz").write_bytes(claiming(zipped(weight=content), claimed))
    tracemalloc.start()
    try:
        if claimed == 1_000:
            with pytest.raises(DataError):
                read_arrays(tmp_path / "bomb.npz")
            assert tracemalloc.get_traced_memory()[1] < 5_000_000
        else:
            assert read_arrays(tmp_path / "bomb.npz")["weight"].nbytes == 64_000_000
    finally:
        tracemalloc.stop()


def test_an_archive_that_becomes_too_large_is_refused(tmp_path):
    content = member(b"{'descr': '|u1', 'fortran_order': False, 'shape': (64000000,), }\n", bytes(64_000_000))
    (tmp_path / "bomb.npz").write_bytes(zipped(**{f"a{number}": content for number in range(5)}))
    assert (tmp_path / "bomb.npz").stat().st_size < 1_000_000
    with pytest.raises(DataError, match="more than 268,435,456 bytes"):
        read_arrays(tmp_path / "bomb.npz")


def test_more_members_than_any_model_has_are_refused_before_they_are_listed(tmp_path):
    (tmp_path / "many.npz").write_bytes(b"PK\x01\x02" * 10_001)
    with pytest.raises(DataError, match="10,001 arrays, more than 10,000"):
        read_arrays(tmp_path / "many.npz")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_all_at_once_are_refused(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "odd.npz", "w", method) as archive:
        archive.writestr("a.npy", member(b"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }\n", b"1"))
    with pytest.raises(DataError, match=r"something else in 'a.npy'"):
        read_arrays(tmp_path / "odd.npz")


@pytest.mark.parametrize("character", [0x110000, 0xFFFFFFFF, 0xD800])
def test_characters_that_do_not_exist_are_refused(tmp_path, character):
    header = b"{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }\n"
    (tmp_path / "text.npz").write_bytes(zipped(name=member(header, b"a\0\0\0" + character.to_bytes(4, "little"))))
    with pytest.raises(DataError, match="characters that do not exist"):
        read_arrays(tmp_path / "text.npz")


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_arrays(tmp_path / "none.npz")
