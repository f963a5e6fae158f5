"""Brakes on how often: so many a second on average, and so many at once. Time is an argument."""

from __future__ import annotations

from collections import OrderedDict

KEPT = 10_000
"""Those whose brakes are remembered; the ones asked for longest ago are forgotten first."""


class Bucket:
    """So many a second on average, and so many at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.left, self.at = rate, burst, burst, 0.0

    def may(self, now: float) -> bool:
        """Whether one more is allowed now; it is not counted."""
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        return self.left >= 1

    def take(self, now: float) -> bool:
        """Whether one more is allowed now, and it is counted."""
        if not self.may(now):
            return False
        self.left -= 1
        return True

    def give_back(self) -> None:
        """One that was taken does not count."""
        self.left = min(self.burst, self.left + 1)


class Buckets:
    """A brake for each of many."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._known: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        """The brake of one of them."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Bucket(self.rate, self.burst)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        return found

    def take(self, key: str, now: float) -> bool:
        """Whether one of them may do it once more now; without a rate, always."""
        return not self.rate or self.of(key).take(now)

    def forget(self, key: str) -> None:
        """Begin anew with one of them."""
        self._known.pop(key, None)
