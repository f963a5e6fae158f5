"""Facts entered into the ledger as answers to questions.

Each kind of fact has a method that says which questions it answers. "others" answers are entered
last, only where no other fact of the kind spoke. The compiler (compile.py) then asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

from boxman.chips import WAYS, parse_ratio
from boxman.dice import HARD_TOTALS, KINDS, TOTALS, Kind
from boxman.rules import facts
from boxman.rules.book import Book, BookError, Stated
from boxman.rules.duty_entries import DutyEntries
from boxman.rules.layout import SettingRule
from boxman.rules.ledger import Answer, Cites, Ledger, join
from boxman.rules.nearest import nearest
from boxman.rules.settings import PRICE, choose, in_force, price_floor, setting_rules
from boxman.rules.shapes import FAMILIES, ONE_ROLL, family, number, with_number

VERDICTS = {
    "win": "win",
    "lose": "lose",
    "push": "bar",
    "stay": "stay",
    "move": "move",
    "collect": "collect",
}
ON = 1
"""Stands for every point where the puck's number does not matter."""


class Entries(DutyEntries):
    """A rulebook's facts under one choice of settings, entered and ready to be asked."""

    def __init__(self, book: Book, given: Mapping[str, Any]) -> None:
        self.book = book
        self.ledger = Ledger(book)
        self.setting_rules: dict[str, SettingRule] = setting_rules(book, self.ledger)
        self.values = choose(self.setting_rules, given)
        self.active: list[Stated] = []
        self.offered: dict[str, Answer] = {}
        self.prices: dict[str, list[tuple[facts.Price, Stated]]] = {}
        self.points: tuple[int, ...] = ()
        self.listed: list[Stated] = []
        self.withheld: dict[str, Cites] = {}
        self.withheld_names: dict[str, str] = {}

    def fail(self, stated: Stated, problem: str, remedy: str) -> BookError:
        return BookError(self.book.path, stated.line, stated.clause, problem, remedy)

    def enter_all(self) -> None:
        """Enter every fact in force."""
        self._select()
        self._enter_offers()
        self._enter_puck()
        others: list[tuple[tuple[Any, ...], Any, Stated]] = []
        for stated in self.active:
            enter = getattr(self, f"_enter_{stated.kind}", None)
            if enter is not None and stated.kind != "puck":
                others += enter(stated.fact, stated) or []
        for question, value, stated in [o for o in others if not self.ledger.has(o[0])]:
            self.ledger.enter(question, value, stated)

    # -- which facts are in force ------------------------------------------------------------

    def _select(self) -> None:
        plain: list[Stated] = []
        despite: list[Stated] = []
        for stated in self.book.facts:
            if stated.kind == "setting":
                continue
            try:
                holds = in_force(stated, self.values)
            except KeyError as error:
                raise self.fail(
                    stated,
                    f"the {stated.kind} fact depends on a setting {error} that nothing declares",
                    "declare it with a [[setting]] fact, or correct the name",
                ) from None
            if holds:
                (despite if stated.fact.despite else plain).append(stated)
            elif isinstance(stated.fact, facts.Offer):
                for n in stated.fact.numbers or [0]:
                    spot = with_number(stated.fact.spot, n)
                    self.withheld[spot] = join(self.withheld.get(spot, ()), (stated.clause,))
                    for name in (stated.fact.name, *stated.fact.aliases):
                        self.withheld_names[name.replace("{n}", str(n)).lower()] = spot
        self.active = plain + despite

    def _setting_or(self, value: str, words: Iterable[str], stated: Stated, what: str) -> str:
        """A word of the vocabulary, or the value of the setting of that name."""
        chosen = self.values.get(value, value)
        if chosen not in tuple(words):
            raise self.fail(
                stated,
                f"the {stated.kind} fact has {what} = {value!r}",
                f"use one of {', '.join(words)}, or a setting with these choices",
            )
        return str(chosen)

    def _whole(self, value: int | str, stated: Stated, what: str) -> int:
        """A multiple, or the value of the setting of that name."""
        number = self.values.get(value) if isinstance(value, str) else value
        if type(number) is not int or number < 1:
            raise self.fail(
                stated,
                f"the {stated.kind} fact has {what} = {value!r}",
                "give a whole number from 1 up, or the name of a setting of type whole",
            )
        return number

    # -- facts into the ledger ---------------------------------------------------------------

    def _enter_offers(self) -> None:
        for stated in self.active:
            if stated.kind == "listed":
                self.listed.append(stated)
                self.ledger.used.add(id(stated.fact))
            if stated.kind != "offer":
                continue
            fact = cast(facts.Offer, stated.fact)
            if fact.spot not in FAMILIES and family(fact.spot) not in FAMILIES:
                hint = f"{nearest(fact.spot, FAMILIES)} ".lstrip()
                raise self.fail(
                    stated,
                    f"there is no spot {fact.spot}",
                    f"{hint}the spots are: {' '.join(FAMILIES)}",
                )
            if ("*" in fact.spot) != bool(fact.numbers):
                raise self.fail(
                    stated,
                    f"the offer of {fact.spot} and its numbers do not fit",
                    "a spot with * needs numbers = [...], one without has none",
                )
            for n in fact.numbers or [number(fact.spot)]:
                if n not in TOTALS and (n or fact.numbers):
                    raise self.fail(
                        stated,
                        f"the offer of {fact.spot} has the number {n}, which no roll is",
                        "numbers are totals from 2 to 12",
                    )
                spot = with_number(fact.spot, n)
                value = (fact.name.replace("{n}", str(n)),)
                self.ledger.enter(("offer", spot), value, stated)
        order = list(FAMILIES)
        found = [q[1] for q in self.ledger.answers if q[0] == "offer"]
        if not found:
            raise BookError(
                self.book.path, 0, "", "the rulebook offers no wager", "add an [[offer]] fact"
            )
        for spot in sorted(found, key=lambda s: (order.index(family(s)), number(s))):
            answer = self.ledger.ask(("offer", spot))
            assert answer is not None
            self.offered[spot] = answer

    def _expand(self, spots: facts.Spots, stated: Stated) -> Iterator[str]:
        """The offered spots a fact speaks of ("others" is left to the caller)."""
        for pattern in [spots] if isinstance(spots, str) else spots:
            if "*" in pattern and pattern in FAMILIES:
                members = [s for s in self.offered if family(s) == pattern and number(s)]
            else:
                members = [pattern] if pattern in self.offered else []
            if pattern == "others":
                raise self.fail(
                    stated,
                    f'the {stated.kind} fact speaks of "others"',
                    "name the spots; others stands alone, in window, working, marker and again",
                )
            if not members:
                known = family(pattern) in FAMILIES
                hint = "" if known else f"{nearest(pattern, self.offered)} ".lstrip()
                raise self.fail(
                    stated,
                    f'the {stated.kind} fact speaks of "{pattern}", which is not offered here',
                    f"{hint}offer it, correct the name, or give this fact the when of the offer",
                )
            yield from members

    def _enter_puck(self) -> None:
        moves = [(cast(facts.PuckMoves, s.fact), s) for s in self.active if s.kind == "puck"]
        for fact, stated in moves:
            for total in fact.point:
                self.ledger.enter(("puck", "off", total), (total, "point"), stated)
            for total in fact.no_point:
                self.ledger.enter(("puck", "off", total), (0, "no point"), stated)
        self.points = tuple(
            total
            for total in TOTALS
            if (a := self.ledger.answers.get(("puck", "off", total))) and a.value[0]
        )
        for total in TOTALS:
            if not self.ledger.has(("puck", "off", total)):
                self.ledger.need(
                    ("puck", "off", total),
                    moves[0][1] if moves else None,
                    "add it to point or to no_point of a [[puck]] fact",
                )
        for fact, stated in moves:
            if fact.made:
                self.ledger.enter(("puck", "on", "point"), (0, "made"), stated)
            if fact.seven_out:
                self.ledger.enter(("puck", "on", 7), (0, "seven-out"), stated)

    def _enter_area(self, fact: facts.Area, stated: Stated) -> None:
        for spot in self._expand(fact.spot, stated):
            label = fact.label.replace("{n}", str(number(spot)))
            shared = isinstance(fact.spot, str) and "*" in fact.spot and "{n}" not in fact.label
            value = family(spot).removesuffix(".*") if shared else spot
            self.ledger.enter(("area", label.lower()), value, stated)

    def _enter_principle(self, fact: facts.Principle, stated: Stated) -> None:
        self.ledger.enter(("principle", fact.what), True, stated)

    def _enter_result(self, fact: facts.Result, stated: Stated) -> list[Any]:
        others: list[Any] = []
        for spot in self._expand(fact.spot, stated):
            for puck in self.pucks(spot, fact.puck):
                for field, verdict in VERDICTS.items():
                    outcomes = getattr(fact, field)
                    for outcome in outcomes:
                        if outcome == "other":
                            others += [
                                (("result", spot, puck, str(kind)), verdict, stated)
                                for kind in KINDS
                            ]
                            continue
                        for index in self._kinds(outcome, spot, puck, stated):
                            self.ledger.enter(
                                ("result", spot, puck, str(KINDS[index])), verdict, stated
                            )
        return others

    def pucks(self, spot: str, puck: str) -> list[int]:
        on = list(self.points) if FAMILIES[family(spot)].by_point else [ON]
        return {"off": [0], "on": on, "any": [0, *on]}[puck]

    def _kinds(self, outcome: int | str, spot: str, puck: int, stated: Stated) -> list[int]:
        n = number(spot)
        tests: dict[str, Callable[[Kind], bool]] = {
            "number": lambda k: k.total == n,
            "hard": lambda k: k.total == n and k.hard,
            "easy": lambda k: k.total == n and not k.hard,
            "any hard": lambda k: k.hard,
            "any easy": lambda k: k.total in HARD_TOTALS and not k.hard,
            "point": lambda k: k.total == puck,
        }
        if isinstance(outcome, int):
            found = [index for index, kind in enumerate(KINDS) if kind.total == outcome]
        else:
            found = [index for index, kind in enumerate(KINDS) if tests[outcome](kind)]
        if not found:
            raise self.fail(
                stated,
                f"the result fact names {outcome!r}, which no roll is for {spot} with the puck "
                + ("on" if puck else "off"),
                "totals are 2 to 12; point needs a puck that is on, number a spot with a number",
            )
        return found

    def _enter_price(self, fact: facts.Price, stated: Stated) -> None:
        if (fact.per == "separate") == bool(fact.pays):
            raise self.fail(
                stated,
                "the price fact and its odds do not fit",
                'give pays = "9 to 5", or per = "separate" without pays',
            )
        if fact.pays:
            try:
                if parse_ratio(fact.pays) == 0:
                    raise ValueError(f'odds of "{fact.pays}" win nothing')
            except ValueError as error:
                raise self.fail(stated, str(error), _odds_remedy(fact.pays)) from None
        for spot in self._expand(fact.spot, stated):
            self.prices.setdefault(spot, []).append((fact, stated))

    def _priced(self, spot: str, n: int, total: int) -> list[tuple[facts.Price, Stated]]:
        """The prices of a win by this total, without those that one of them overrides."""
        found = [
            (fact, stated)
            for fact, stated in self.prices.get(spot, [])
            if (not fact.number or n in fact.number) and (not fact.on or total in fact.on)
        ]
        self.ledger.used.update(id(fact) for fact, _ in found)
        for fact, _ in found:
            below = [other for other, at in found if fact.despite and at.clause == fact.despite]
            if any((other.pays, other.per) != (fact.pays, fact.per) for other in below):
                self.ledger.despite.add(id(fact))
                found = [(other, at) for other, at in found if at.clause != fact.despite]
        return found

    def price(self, spot: str, n: int, total: int) -> tuple[facts.Price, Fraction | None, Cites]:
        """The price of a win of this spot on this number by this total."""
        found = self._priced(spot, n, total)
        roll = f"{total} with the puck on {n}" if n not in (0, total) else str(total)
        if not found:
            self.ledger.need(
                ("price", spot, roll),
                self.offered[spot].stated[0],
                f'add a [[price]] fact for spot = "{spot}"',
            )
        first, first_stated = found[0]
        ratio = parse_ratio(first.pays) if first.pays else None
        for fact, stated in found[1:]:
            other = parse_ratio(fact.pays) if fact.pays else None
            if (other, fact.per) != (ratio, first.per):
                raise self.fail(
                    stated,
                    f"two facts disagree about what {spot} pays on {roll}: "
                    f"{fact.pays or fact.per} here, {first.pays or first.per} "
                    f"in line {first_stated.line} under {{{first_stated.clause}}}",
                    f'correct one of them, or write despite = "{first_stated.clause}" in this one',
                )
        cites = join(tuple(stated.clause for _, stated in found))
        override = self.values.get(f"{PRICE}.{spot}")
        if override is not None and ratio is not None:
            ratio = price_floor(self.setting_rules, spot, ratio, override)
            cites = join(cites, self.setting_rules[PRICE].cites)
        return first, ratio, tuple(dict.fromkeys(cites))

    def _enter_share(self, fact: facts.Share, stated: Stated) -> None:
        for part in fact.parts:
            if part not in self.offered:
                raise self.fail(
                    stated, f"the part {part} is not offered here", "offer it as a wager of its own"
                )
            if FAMILIES[family(part)] is not ONE_ROLL:
                raise self.fail(
                    stated, f"the part {part} is not a plain one-roll wager", "name ones that are"
                )
        if len(set(fact.parts)) != len(fact.parts) or len(fact.parts) < 2 or fact.high < 0:
            raise self.fail(
                stated,
                f"parts = {fact.parts} and high = {fact.high} do not divide a stake",
                "name two or more different wagers, and no units below none",
            )
        for spot in self._expand(fact.spot, stated):
            value = (tuple(fact.parts), fact.high, fact.divide, fact.split)
            self.ledger.enter(("share", spot), value, stated)

    def _enter_behind(self, fact: facts.Behind, stated: Stated) -> None:
        for spot in self._expand(fact.spot, stated):
            if fact.flat:
                flat = with_number(fact.flat, number(spot))
                if flat not in self.offered:
                    raise self.fail(
                        stated, f"the flat wager {flat} is not offered", "offer it, or correct flat"
                    )
                self.ledger.enter(("behind", spot, "flat wager"), flat, stated)
            if fact.measure:
                times = self._whole(fact.times, stated, "times")
                numbers = fact.number or ([number(spot)] if number(spot) else list(self.points))
                for n in numbers:
                    if number(spot) in (0, n):
                        self.ledger.enter(
                            ("behind", spot, "limit", n), (fact.measure, times), stated
                        )
            for key in ("excess", "asleep"):
                if getattr(fact, key):
                    self.ledger.enter(("behind", spot, key), getattr(fact, key), stated)
            if fact.lift:
                lift = self._whole(fact.lift, stated, "lift")
                self.ledger.enter(("behind", spot, "lift"), lift, stated)

    def _spread(
        self, kind: str, spots: facts.Spots, keys: Iterable[str], value: Any, stated: Stated
    ) -> list[Any]:
        """Enter one answer for several spots and keys; "others" is handed back for later."""
        if spots == "others":
            return [((kind, spot, key), value, stated) for spot in self.offered for key in keys]
        for spot in self._expand(spots, stated):
            for key in keys:
                self.ledger.enter((kind, spot, key), value, stated)
        return []

    def _enter_window(self, fact: facts.Window, stated: Stated) -> list[Any]:
        return self._spread("window", fact.spot, fact.act, fact.puck, stated)

    def _enter_betting(self, fact: facts.Betting, stated: Stated) -> None:
        closes = self._setting_or(fact.closes, ("call", "throw", "rest"), stated, "closes")
        for act in fact.act:
            self.ledger.enter(("betting", act), closes, stated)

    def _enter_working(self, fact: facts.Working, stated: Stated) -> list[Any]:
        return self._spread("working", fact.spot, [fact.puck], fact.works, stated)

    def _enter_marker(self, fact: facts.Marker, stated: Stated) -> list[Any]:
        others: list[Any] = []
        fields = {"allow": fact.allow, "puck": fact.puck, "scope": fact.scope, "lasts": fact.lasts}
        for field, value in fields.items():
            if value == "":
                continue
            for call in fact.call:
                others += self._spread(f"marker {call}", fact.spot, [field], value, stated)
        return others

    def _enter_limit(self, fact: facts.Limit, stated: Stated) -> None:
        if fact.breach == "warn" and fact.bound != "multiple":
            raise self.fail(
                stated,
                f"a house cannot accept stakes outside the {fact.bound} with a warning",
                'say breach = "refuse"; only multiples may be warned about',
            )
        self.ledger.enter(("limit", fact.bound), fact.breach, stated)

    def _enter_recognise(self, fact: facts.Recognise, stated: Stated) -> None:
        for time in ("first", "later") if fact.time == "any" else (fact.time,):
            self.ledger.enter(("recognise", fact.case, time), fact.treat, stated)

    def _enter_round(self, fact: facts.Round, stated: Stated) -> None:
        way = self._setting_or(fact.way, WAYS, stated, "way")
        self.ledger.enter(("round", fact.what), way, stated)

    def _enter_fee(self, fact: facts.Fee, stated: Stated) -> None:
        for pattern in fact.only:
            for spot in self._expand(pattern, stated):
                self.ledger.enter(("fee", spot, "only"), True, stated)
        if bool(fact.only) == bool(fact.spot) or (fact.only and fact.percent):
            raise self.fail(
                stated,
                "the fee fact is neither a fee on spots nor a list of those that may carry one",
                "give spot with percent, charged or refund; or only, alone",
            )
        for spot in self._expand(fact.spot, stated):
            if fact.percent:
                if not 0 < fact.percent <= 100:
                    raise self.fail(
                        stated,
                        f"the fee fact has percent = {fact.percent}",
                        "percent is a whole number from 1 to 100",
                    )
                value = (Fraction(fact.percent, 100), fact.base)
                self.ledger.enter(("fee", spot, "rate"), value, stated)
            if fact.charged:
                self.ledger.enter(("fee", spot, "charged"), fact.charged, stated)
            if fact.refund:
                refund = fact.refund == "removal" or self.values.get(fact.refund)
                if not isinstance(refund, bool):
                    raise self.fail(
                        stated,
                        f"the fee fact has refund = {fact.refund!r}",
                        'write refund = "removal", or the name of a setting of type flag',
                    )
                self.ledger.enter(("fee", spot, "refund"), refund, stated)

    def _enter_gate(self, fact: facts.Gate, stated: Stated) -> None:
        for spot in self._expand(fact.spot, stated):
            if fact.group:
                self.ledger.enter(("gate", spot, "group"), fact.group, stated)
            if fact.until:
                until = self._setting_or(fact.until, ("number", "roll"), stated, "until")
                self.ledger.enter(("gate", spot, "until"), until, stated)

    def _enter_again(self, fact: facts.Again, stated: Stated) -> list[Any]:
        return self._spread("again", fact.spot, ["win"], True, stated)


def _odds_remedy(pays: str) -> str:
    """How odds that cannot be read are written; "8 for 1" hands the stake back within the 8."""
    match = re.fullmatch(r"(\d+) for (\d+)", pays)
    if match and int(match.group(1)) > int(match.group(2)) > 0:
        stake = int(match.group(2))
        win = int(match.group(1)) - stake
        return f'"{pays}" counts the stake too: write pays = "{win} to {stake}"'
    return 'write pays = "9 to 5"'
