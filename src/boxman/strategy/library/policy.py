"""A policy: what to do in every position with every amount on the rail, as a file and a strategy.

The file begins with one line of JSON that says what it is for; the table of acts follows, packed.
Read back it is a strategy like any other: it looks at the puck, at what is up and at its chips, and
with a limit of rolls at how many are left. It knows nothing of how the policy was found.

A wager that can be taken down and made again for the same money is no part of a position: what is
up of those counts as if it were on the rail, and is kept only where the act would make it again.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec

from boxman.chips import MINOR
from boxman.chips import format_amount as money
from boxman.strategy.api import Play, Strategy, StrategyError, parts_of
from boxman.strategy.session import Session
from boxman.strategy.spots import INDEX
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE, Turn
from boxman.words import phrase

SUFFIX = ".policy"
FORMAT = 1

Place = tuple[int, tuple[tuple[str, int], ...]]
"""The puck, and the wagers that are stuck: spot and stake in minor units."""
Act = tuple[tuple[int, str, int], ...]
"""What is done: the kind of act, the spot, the amount in minor units."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """A table of acts by rolls left, position and rail."""

    name: str
    about: dict[str, object]
    """What it was solved for: house, limits, goal, menu, value."""
    positions: list[Place]
    acts: list[Act]
    freed: list[tuple[int, str, int, int]]
    """Puck, spot, stake: what a wager that is no part of a position brings when taken down."""
    loose: list[tuple[int, str, int]]
    """Puck, spot, stake: what is part of a position and may be taken down at the goal."""
    goals: list[int]
    """By position, the rail from which on the goal is reached, in minor units."""
    rest: int
    step: int
    width: int
    rolls: int = 0
    """The limit of rolls, 0 for none."""
    calls: bool = False
    """Whether wagers are called on and off: then nothing is left up from roll to roll."""
    chosen: bytes = b""
    """Numbers of acts, -1 for none, four bytes each: by rolls left, position and rail."""

    def write(self, path: str | Path) -> None:
        """Write it as a file."""
        head = {"policy": FORMAT, "name": self.name, **self.about}
        body = zlib.compress(msgspec.msgpack.encode(self), 6)
        Path(path).write_bytes(msgspec.json.encode(head) + b"\n" + body)

    def strategy(self, name: str = "") -> Strategy:
        """The policy as a strategy."""
        follow = Follow(self)

        def best(t: Turn) -> None:
            follow.play(t)

        made = Strategy(best, {}, name or self.name)
        POLICIES[made.function] = self
        return made


POLICIES: WeakKeyDictionary[Play, Policy] = WeakKeyDictionary()
"""The policies behind strategies that were made of one, by their function."""


def policy_of(strategy: Strategy) -> Policy | None:
    """The policy a strategy was made of, if it was."""
    return POLICIES.get(strategy.function)


def table_of(session: Session, rulebook: str) -> dict[str, str]:
    """The table a policy was solved for: what has to be the same wherever it is played."""
    settings = [f"{name}={value}" for name, value in sorted(session.settings.items())]
    classes = [f"{name} {money(low)}-{money(high)}" for name, low, high in session.classes]
    return {
        "house": session.house,
        "settings": " ".join(settings),
        "chip": money(session.chip),
        "limits": ", ".join((f"{money(session.minimum)}-{money(session.maximum)}", *classes)),
        "unit": money(session.unit),
        "shooter": session.shooter,
        "rulebook": rulebook,
    }


def check_policy(strategy: Strategy, session: Session, rulebook: str) -> None:
    """Refuse a policy, or a strategy with one in it, where it was not solved for."""
    policy = policy_of(strategy)
    if policy is not None:
        reason = _why_not(policy, session, rulebook)
        if reason:
            raise StrategyError(f"{strategy.name}: {reason}", fatal=True)
    for part in parts_of(strategy.function):
        check_policy(part, session, rulebook)


def _why_not(policy: Policy, session: Session, rulebook: str) -> str:
    """Why a policy does not fit a session; nothing if it does."""
    solved, here = policy.about, table_of(session, rulebook)
    if solved.get("rulebook") == rulebook:
        # One rulebook may be called by several paths.
        here["house"] = str(solved.get("house", ""))
    elif solved.get("house") == session.house:
        return phrase("strategy.policy.rulebook-changed", house=session.house)
    unlike = [
        name
        for name, value in here.items()
        if name != "rulebook" and solved.get(name, value) != value
    ]
    if unlike:
        solved_for, played_at = (
            tuple(phrase(f"strategy.policy.{name}", value=told[name] or "-") for name in unlike)
            for told in (solved, here)
        )
        return phrase("strategy.policy.another-table", solved=solved_for, here=played_at)
    if session.bankroll >= policy.goals[0]:
        goal = solved.get("goal", "")
        return phrase("strategy.policy.reached", goal=goal, bankroll=session.bankroll)
    if session.rolls < policy.rolls:
        return phrase("strategy.policy.fewer-rolls", rolls=policy.rolls, here=session.rolls)
    return ""


def read_policy(path: str | Path) -> Policy:
    """A policy from its file."""
    data = Path(path).read_bytes()
    head, _, body = data.partition(b"\n")
    wrong = phrase("strategy.wrong.is-no-policy-boxman-solve", path=path, suffix=SUFFIX)
    try:
        version = msgspec.json.decode(head).get("policy")
    except (msgspec.MsgspecError, AttributeError, UnicodeDecodeError):
        raise StrategyError(wrong) from None
    if version != FORMAT:
        raise StrategyError(
            phrase("strategy.wrong.is-a-policy-of-another", path=path, version=version)
        )
    try:
        return msgspec.msgpack.decode(zlib.decompress(body), type=Policy)
    except (zlib.error, msgspec.MsgspecError):
        raise StrategyError(phrase("strategy.wrong.is-damaged-solve-it-again", path=path)) from None


class Follow:
    """Plays a policy, turn by turn."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.index = {place: n for n, place in enumerate(policy.positions)}
        self.freed = {(puck, spot, stake): back for puck, spot, stake, back in policy.freed}
        self.loose = set(policy.loose)
        spots = {spot for _, wagers in policy.positions for spot, _ in wagers}
        spots |= {spot for _, spot, _ in self.freed}
        self.spots = sorted(spots)
        self.chosen = array("i")
        self.chosen.frombytes(policy.chosen)
        if sys.byteorder == "big":
            self.chosen.byteswap()
        bets = [(-amount, spot) for act in policy.acts for what, spot, amount in act if what == BET]
        flats = [bet for bet in bets if ".odds" not in bet[1]]
        least, self.first = max(flats, default=(0, ""))
        self.least = -least

    def play(self, t: Turn) -> None:
        """One turn."""
        free: dict[str, int] = {}
        stuck = []
        rail = t.cash * MINOR
        for spot in self.spots:
            stake = t.on(INDEX[spot]) * MINOR
            if stake:
                back = self.freed.get((t.puck, spot, stake))
                if back is None:
                    stuck.append((spot, stake))
                else:
                    free[spot] = stake
                    rail += back
        position = self.index.get((t.puck, tuple(stuck)))
        act = None if position is None else self._act(position, rail, t)
        if act is None:
            done = position is not None and rail >= self.policy.goals[position]
            self._stop(t, free, stuck if done else [])
            return
        wanted = {} if self.policy.calls else _made(act)
        kept = {spot for spot, stake in free.items() if wanted.get(spot) == stake}
        _down(t, [spot for spot in free if spot not in kept])
        for what, spot, amount in act:
            if spot not in kept:
                _do(t, what, INDEX[spot], amount // MINOR)

    def _act(self, position: int, rail: int, t: Turn) -> Act | None:
        policy = self.policy
        column = (rail - policy.rest) // policy.step
        if rail >= policy.goals[position] or column < 0:
            return None
        layer = 0
        if policy.rolls:
            left = policy.rolls - t.rolls
            if left <= 0:
                return None
            layer = left - 1
        place = (layer * len(policy.positions) + position) * policy.width
        number = self.chosen[place + min(column, policy.width - 1)]
        return None if number < 0 else policy.acts[number]

    def _stop(self, t: Turn, free: dict[str, int], stuck: list[tuple[str, int]]) -> None:
        """No act: the goal is reached, or nothing helps; whoever cannot pay a bet is broke."""
        _down(t, [*free, *(spot for spot, stake in stuck if (t.puck, spot, stake) in self.loose)])
        up = any(t.on(INDEX[spot]) for spot in self.spots)
        if self.first and not up and t.cash * MINOR < self.least and t.low(INDEX[self.first]):
            t.bet(INDEX[self.first], self.least // MINOR)


def _down(t: Turn, spots: list[str]) -> None:
    """Odds first: they come down with their flat."""
    for spot in sorted(spots, key=lambda each: ".odds" not in each):
        t.down(INDEX[spot])


def _made(act: Act) -> dict[str, int]:
    """What an act makes from nothing, by spot."""
    return {spot: amount for what, spot, amount in act if what == BET}


def _do(t: Turn, what: int, spot: int, amount: int) -> None:
    if what == BET:
        t.press(spot, amount) if t.on(spot) else t.bet(spot, amount)
    elif what == REDUCE:
        t.regress(spot, amount)
    elif what == DOWN:
        t.down(spot)
    elif what == ON:
        t.turn_on(spot)
    elif what == OFF:
        t.turn_off(spot)
