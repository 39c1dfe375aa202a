"""Slowing down those who guess."""

from __future__ import annotations

import pytest

from plainwright.web.throttle import Throttle, network_of


def test_waiting_doubles_after_the_free_tries():
    throttle = Throttle(free=3)
    assert [throttle.enter("a", now=0) for _ in range(3)] == [0, 0, 0]
    assert throttle.enter("a", now=0) == 2
    assert throttle.enter("a", now=1) == 1  # a refused try does not count
    assert throttle.enter("a", now=2) == 0
    assert throttle.enter("a", now=2) == 4
    assert throttle.enter("b", now=2) == 0


def test_waiting_has_an_end():
    throttle = Throttle(free=1)
    now = 0.0
    waits = []
    for _ in range(40):
        waits.append(throttle.enter("a", now=now))
        now += waits[-1]
        throttle.enter("a", now=now)
    assert max(waits) == 15 * 60


def test_waiting_can_have_an_earlier_end():
    throttle = Throttle(free=1, longest=30)
    now = 0.0
    for _ in range(20):
        now += throttle.wait("a", now=now)
        assert throttle.enter("a", now=now) == 0
    assert throttle.wait("a", now=now) == 30
    assert throttle.wait("a", now=now + 20) == 10  # looking changes nothing


def test_success_and_an_hour_forgive():
    throttle = Throttle(free=1)
    throttle.enter("a", "b", now=0)
    throttle.clear("a")
    assert throttle.enter("a", now=0) == 0
    assert throttle.enter("b", now=0) == 2
    assert throttle.enter("b", now=3601) == 0


def test_one_of_several_keys_is_enough_to_wait():
    throttle = Throttle(free=1)
    throttle.enter("name", now=0)
    assert throttle.enter("name", "address", now=0) == 2
    assert throttle.enter("address", now=0) == 0  # and counted nothing for the other


def test_memory_of_failures_is_bounded():
    throttle = Throttle(free=1)
    for number in range(10_001):
        throttle.enter(str(number), now=0)
    assert throttle.enter("0", now=0) == 0  # forgotten
    assert throttle.enter("10000", now=0) == 2


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("nonsense", "nonsense"),
    ],
)
def test_whom_to_count_together(address: str, network: str):
    assert network_of(address) == network
