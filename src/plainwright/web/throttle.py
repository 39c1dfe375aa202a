"""Slowing down those who guess: after a few failures in a row, each further try has to wait twice as long."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

__all__ = ["Throttle", "network_of"]

_LONGEST = 15 * 60.0
_FORGET = 60 * 60.0
_KEYS = 10_000  # bounds memory; the keys longest unused go first


class Throttle:
    """Counts tries by key (a name, an address) in memory; a restart forgives.

    `now` has to come from a clock that only goes forward: one that is set back by a day would lock people out for it.
    """

    def __init__(self, *, free: int, longest: float = _LONGEST) -> None:
        self._free = free
        self._longest = longest
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def enter(self, *keys: str, now: float) -> float:
        """Seconds to wait; if 0, this try is counted as failed until `clear` says otherwise.

        It counts before the outcome is known, so that many tries at the same moment do not slip through.
        """
        wait = max(self.wait(key, now=now) for key in keys)
        if wait <= 0:
            for key in keys:
                self.count(key, now=now)
        return wait

    def clear(self, *keys: str) -> None:
        """The try was right."""
        for key in keys:
            self._tries.pop(key, None)

    def is_free(self, key: str, *, now: float) -> bool:
        """Whether the free tries of a key are not used up."""
        count, last = self._tries.get(key, (0, 0.0))
        return count < self._free or now - last > _FORGET

    def wait(self, key: str, *, now: float) -> float:
        """Seconds to wait before a try would be let in; looking counts as none."""
        if self.is_free(key, now=now):
            return 0.0
        count, last = self._tries[key]
        return max(0.0, last + min(self._longest, 2.0 ** min(30, count - self._free + 1)) - now)

    def count(self, key: str, *, now: float) -> None:
        """A try that is let in, whether or not this throttle would; failed until `clear` says otherwise."""
        count, last = self._tries.pop(key, (0, now))
        self._tries[key] = (1 if now - last > _FORGET else count + 1, now)
        while len(self._tries) > _KEYS:
            self._tries.popitem(last=False)


def network_of(address: str) -> str:
    """Whom to count together: an IPv4 address, or the /64 that one IPv6 customer has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
