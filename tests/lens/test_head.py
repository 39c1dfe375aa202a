from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.lens.head import ACTIVATIONS, Head, Layer, Network, Pairs, representation

WIDTH = 5


def network(rng, *, width=WIDTH, hidden=(7, 3), features=0, norm=False, activation="tanh"):
    sizes = [6 * width + features, *hidden, 1]
    layers = [
        Layer(weight=rng.normal(size=(after, before)), bias=rng.normal(size=after), activation=activation)
        for before, after in itertools.pairwise(sizes)
    ]
    layers[-1] = Layer(weight=layers[-1].weight, bias=layers[-1].bias)
    return Network(
        layers=tuple(layers),
        norm=(rng.normal(size=6 * width), rng.normal(size=6 * width)) if norm else None,
        standard=(rng.normal(size=features), rng.uniform(0.5, 2, size=features)) if features else None,
    )


def plain_value(network, c, s, r, features):
    """One pair as the paper writes it, with torch's layer normalisation; nothing is shared between pairs."""
    x = representation(c, s, r)
    if network.norm is not None:
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * network.norm[0] + network.norm[1]
    if network.standard is not None:
        x = np.concatenate([x, (features - network.standard[0]) / network.standard[1]])
    for layer in network.layers:
        x = ACTIVATIONS[layer.activation](layer.weight @ x + layer.bias)
    return x[0]


def some_pairs(rng, *, outputs=4, references=3, features=0, width=WIDTH):
    every = [(i, j) for i in range(outputs) for j in range(references)]
    return Pairs(
        sources=rng.normal(size=(outputs, width)),
        outputs=rng.normal(size=(outputs, width)),
        references=rng.normal(size=(references, width)),
        output_of=np.array([i for i, _ in every]),
        reference_of=np.array([j for _, j in every]),
        features=rng.normal(size=(len(every), features)) if features else None,
    )


def test_the_representation_is_that_of_the_paper():
    c, s, r = np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.array([4.0, -1.0])
    # by hand: [s; r; s*c; s*r; |s-c|; |s-r|]
    assert representation(c, s, r).tolist() == [3, 5, 4, -1, 3, 10, 12, -5, 2, 3, 1, 6]


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("features", [0, 4])
@pytest.mark.parametrize("activation", sorted(ACTIVATIONS))
def test_shared_parts_change_no_value(norm, features, activation):
    rng = np.random.default_rng(3)
    networks = [network(rng, features=features, norm=norm, activation=activation) for _ in range(2)]
    pairs = some_pairs(rng, outputs=20, features=features)
    expected = [
        np.mean(
            [
                plain_value(
                    one,
                    pairs.sources[i],
                    pairs.outputs[i],
                    pairs.references[j],
                    None if pairs.features is None else pairs.features[at],
                )
                for one in networks
            ]
        )
        for at, (i, j) in enumerate(zip(pairs.output_of, pairs.reference_of, strict=True))
    ]
    assert Head(networks=tuple(networks)).pair_values(pairs) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(outputs=st.integers(1, 40), references=st.integers(1, 5), width=st.sampled_from([3, 64, 384]))
def test_a_pair_has_the_same_value_to_the_last_bit_in_any_company(outputs, references, width):
    rng = np.random.default_rng(outputs * 100 + references)
    head = Head(networks=(network(rng, width=width, hidden=(33, 8), norm=True),))
    pairs = some_pairs(rng, outputs=outputs, references=references, width=width)
    together = head.pair_values(pairs).reshape(outputs, references)
    at = outputs // 2
    alone = head.values(pairs.sources[at], pairs.outputs[at], pairs.references)
    assert alone.tolist() == together[at].tolist()
    assert head.values(pairs.sources[at], pairs.outputs[at], pairs.references[-1:])[0] == together[at, -1]


def test_arrays_and_back():
    rng = np.random.default_rng(1)
    head = Head(networks=(network(rng, features=2, norm=True), network(rng, features=2, norm=True)))
    again = Head.from_arrays(head.arrays())
    pairs = some_pairs(rng, features=2)
    assert again.pair_values(pairs) == pytest.approx(head.pair_values(pairs), rel=1e-4, abs=1e-4)  # single precision
    thrice = Head.from_arrays(again.arrays())
    assert thrice.pair_values(pairs).tolist() == again.pair_values(pairs).tolist()


def good_arrays():
    return Head(networks=(network(np.random.default_rng(1), features=2, norm=True),)).arrays()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("0.layer.0.weight", None, "at least one network|expected the arrays"),
        ("0.layer.0.bias", None, "expected numbers in '0.layer.0.bias', found nothing"),
        ("0.layer.0.bias", np.zeros(3), "a bias for each of its rows"),
        ("0.layer.0.weight", np.zeros((7, 9)), "needs 6 vectors and 2 features"),
        ("0.layer.1.weight", np.zeros((3, 8)), "layers that fit each other"),
        ("0.layer.1.weight", np.full((3, 7), np.nan), "not finite"),
        ("0.layer.0.activation", np.array("swish"), "activation among"),
        ("0.norm", np.zeros((3, 30)), "expected two rows"),
        ("0.norm", np.zeros((2, 31)), "two finite vectors of 30 as norm"),
        ("0.standard", np.zeros((2, 2)), "above 0"),
        ("0.layer.0.weight", np.zeros((7, 32), np.int64), "expected numbers"),
        ("stranger", np.zeros(2), "'stranger'"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value, said):
    arrays = good_arrays()
    if value is None:
        del arrays[name]
    else:
        arrays[name] = value
    with pytest.raises(DataError, match=said):
        Head.from_arrays(arrays)


def test_networks_must_take_the_same():
    rng = np.random.default_rng(1)
    with pytest.raises(DataError, match="same vectors and features"):
        Head(networks=(network(rng), network(rng, features=1)))
    with pytest.raises(DataError, match="at least one network"):
        Head(networks=())
