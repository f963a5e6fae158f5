"""The list of library strategies: their names, makers, parameters and sources.

A maker is a function of whole numbers with defaults that gives a strategy. It registers itself
with `entry`; this module knows no strategy.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache

import msgspec

from boxman.strategy.api import Needs, Strategy
from boxman.strategy.spots import learn
from boxman.words import phrase
from boxman.words.say import has

Maker = Callable[..., Strategy]

CRAPSSIM = "crapssim 0.4.1, example strategies (github.com/skent259/crapssim)"
GROCHOWSKI = (
    "John Grochowski, Craps Strategy: How Does The Iron Cross Work?, prismcasino.com; "
    "Frank Scoblete, Craps: Hedge Bets, gaminganddestinations.com"
)
SCOBLETE_HEDGES = "Frank Scoblete, Craps: Hedge Bets, gaminganddestinations.com/craps-hedge-bets"
SCOBLETE_RATED = "Frank Scoblete, Craps Systems Rated, gamblingteachers.com/craps-systems.html"
SETTHINGS = "Craps systems, setthings.com/en/craps-systems"
WIZARD_BONUS = "Michael Shackleford, Bonus Craps, wizardofodds.com"
WIZARD_FIRE = "Michael Shackleford, Fire Bet, wizardofodds.com"
WIZARD_REPEATER = "Michael Shackleford, Repeater Bets, wizardofodds.com"
CRAPSFEST = "Turbocharging Crapless Craps, crapsfest.com/turbocharging-crapless-craps"


class CatalogueEntry(msgspec.Struct, frozen=True):
    """One strategy of the library."""

    name: str
    maker: Maker
    parameters: dict[str, int]
    source: str
    needs: tuple[str, ...]
    """Spots without which a house cannot take it."""

    @property
    def summary(self) -> str:
        """What it does, in one sentence; what only a file has says so in its own words."""
        if has(f"strategies.summaries.{self.name}"):
            return phrase(f"strategies.summaries.{self.name}")
        return inspect.cleandoc(self.maker.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def call(self) -> str:
        """The name with its parameters, as they are written on a command line."""
        return called(self.name, self.parameters)

    def make(self, **chosen: int) -> Strategy:
        """The strategy with these parameters, the others as they are by default."""
        return _made(self.maker, self.name, self.groups, *{**self.parameters, **chosen}.items())

    @property
    def groups(self) -> Needs:
        """What it needs, each by itself."""
        return tuple((spot,) for spot in self.needs)


@lru_cache(maxsize=128)
def _made(maker: Maker, name: str, needs: Needs, *chosen: tuple[str, int]) -> Strategy:
    """One strategy each, whoever asks: what is compiled of it is compiled once."""
    parameters = dict(chosen)
    return maker(**parameters).needing(needs, called(name, parameters))


def called(name: str, parameters: dict[str, int]) -> str:
    """A name with parameters.

    >>> called("molly", {"unit": 25, "odds": 3})
    'molly(unit=25, odds=3)'
    """
    inner = ", ".join(f"{key}={value}" for key, value in parameters.items())
    return f"{name}({inner})" if inner else name


ENTRIES: dict[str, CatalogueEntry] = {}
"""All strategies of the library by name."""


def entry(name: str, *, source: str = "", needs: str = "") -> Callable[[Maker], Maker]:
    """Put a maker on the list."""

    def listed(maker: Maker) -> Maker:
        parameters = {
            each.name: each.default for each in inspect.signature(maker).parameters.values()
        }
        assert maker.__doc__, f"{name} has no docstring"
        assert all(type(value) is int for value in parameters.values()), name
        learn(needs.split())  # wagers that only some rulebooks have are words everywhere
        ENTRIES[name] = CatalogueEntry(name, maker, parameters, source, tuple(needs.split()))
        return maker

    return listed
