"""Turn a rulebook's facts into a layout; refuse gaps, conflicts and facts that nothing uses.

Facts are entered into a ledger as answers to questions, then each spot is built by asking. No
house, clause or amount is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from boxman.chips import WAYS, parse_ratio
from boxman.dice import HARD_TOTALS, KINDS, TOTALS, Kind
from boxman.rules import facts
from boxman.rules.book import Book, BookError, Stated, read_book
from boxman.rules.layout import (
    ACTS,
    BehindRule,
    Cell,
    FeeRule,
    GateRule,
    Layout,
    MarkerRule,
    OddsLimit,
    PuckMove,
    Row,
    Rule,
    SettingRule,
    ShareRule,
    Spot,
)
from boxman.rules.ledger import Answer, Cites, Ledger, join
from boxman.rules.settings import PRICE, SettingError, choose, in_force, price_floor, setting_rules
from boxman.rules.shapes import (
    COLLECTOR,
    COMPOSITE,
    FAMILIES,
    LINE,
    ONE_ROLL,
    RACE,
    family,
    number,
    with_number,
)

REQUIRED_PRINCIPLES = ("total", "settle at once", "no roll", "chips", "area")
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


def compile_layout(book: Book, given: Mapping[str, Any] | None = None, chip: int = 100) -> Layout:
    """Compile a rulebook under the settings given, for a table whose smallest chip is `chip`."""
    return _Compiler(book, given or {}, chip).compile()


def load(house: str, given: Mapping[str, Any] | None = None, chip: int = 100) -> Layout:
    """Read and compile a house by name or path. Houses that come with Boxman are compiled once."""
    book = read_book(house)
    return _cached(book.path, book.digest, tuple(sorted((given or {}).items())), chip, house)


@lru_cache(maxsize=64)
def _cached(
    path: str, digest: str, given: tuple[tuple[str, Any], ...], chip: int, house: str
) -> Layout:
    return compile_layout(read_book(house), dict(given), chip)


class _Compiler:
    """One compilation. Methods are in the order in which they run."""

    def __init__(self, book: Book, given: Mapping[str, Any], chip: int) -> None:
        self.book, self.given, self.chip = book, given, chip
        self.ledger = Ledger(book)
        self.setting_rules: dict[str, SettingRule] = setting_rules(book, self.ledger)
        self.values = choose(self.setting_rules, given)
        self.active: list[Stated] = []
        self.offered: dict[str, Answer] = {}
        self.prices: dict[str, list[tuple[facts.Price, Stated]]] = {}
        self.points: tuple[int, ...] = ()
        self.spots: dict[str, Spot] = {}
        self.results: dict[str, dict[int, dict[int, str]]] = {}
        self.listed: list[Stated] = []
        self.withheld: dict[str, Cites] = {}

    def fail(self, stated: Stated, problem: str, remedy: str) -> BookError:
        return BookError(self.book.path, stated.line, stated.clause, problem, remedy)

    def compile(self) -> Layout:
        self._select()
        self._enter_offers()
        self._enter_puck()
        others: list[tuple[tuple[Any, ...], Any, Stated]] = []
        for stated in self.active:
            enter = getattr(self, f"_enter_{stated.kind}", None)
            if enter is not None and stated.kind not in ("offers", "puck"):
                others += enter(stated.fact, stated) or []
        for question, value, stated in [o for o in others if not self.ledger.has(o[0])]:
            self.ledger.enter(question, value, stated)
        for spot in self.offered:
            self._decide_rows(spot)
        composite = [s for s in self.offered if FAMILIES[family(s)] is COMPOSITE]
        for spot in [s for s in self.offered if s not in composite] + composite:
            self.spots[spot] = self._spot(spot)
        layout = self._layout()
        self.ledger.check_used(self.active)
        return layout

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
                raise self.fail(
                    stated, f"there is no spot {fact.spot}", f"the spots are: {' '.join(FAMILIES)}"
                )
            if ("*" in fact.spot) != bool(fact.numbers):
                raise self.fail(
                    stated,
                    f"the offer of {fact.spot} and its numbers do not fit",
                    "a spot with * needs numbers = [...], one without has none",
                )
            for n in fact.numbers or [number(fact.spot)]:
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
            if not members:
                raise self.fail(
                    stated,
                    f"the {stated.kind} fact speaks of {pattern}, which is not offered here",
                    "offer it, correct the name, or give the fact the same when as the offer",
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
            for puck in self._pucks(spot, fact.puck):
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

    def _pucks(self, spot: str, puck: str) -> list[int]:
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
                f"the result fact of {spot} names {outcome!r}, which no roll is",
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
                parse_ratio(fact.pays)
            except ValueError as error:
                raise self.fail(stated, str(error), 'write pays = "9 to 5"') from None
        for spot in self._expand(fact.spot, stated):
            self.prices.setdefault(spot, []).append((fact, stated))

    def _enter_share(self, fact: facts.Share, stated: Stated) -> None:
        for part in fact.parts:
            if part not in self.offered:
                raise self.fail(
                    stated, f"the part {part} is not offered here", "offer it as a wager of its own"
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
                times = self.values.get(fact.times) if isinstance(fact.times, str) else fact.times
                if times is None:
                    raise self.fail(
                        stated,
                        f"the behind fact has times = {fact.times!r}",
                        "give a whole number or the name of a setting",
                    )
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
                if fact.lift not in self.values:
                    raise self.fail(
                        stated, f"there is no setting {fact.lift}", "declare it with [[setting]]"
                    )
                self.ledger.enter(("behind", spot, "lift"), self.values[fact.lift], stated)

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
        for spot in self._expand(fact.spot, stated):
            if fact.percent:
                value = (Fraction(fact.percent, 100), fact.base)
                self.ledger.enter(("fee", spot, "rate"), value, stated)
            if fact.charged:
                self.ledger.enter(("fee", spot, "charged"), fact.charged, stated)
            if fact.refund:
                refund = fact.refund == "removal" or self.values.get(fact.refund)
                if not isinstance(refund, bool):
                    raise self.fail(
                        stated, f"refund = {fact.refund!r} is unknown", "say removal or name a flag"
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

    # -- machines ----------------------------------------------------------------------------

    def _decide_rows(self, spot: str) -> None:
        """Read the verdicts of a spot and check that its shape is whole."""
        shape = FAMILIES[family(spot)]
        rows: dict[int, dict[int, str]] = {}
        for puck in self._pucks(spot, "any"):
            rows[puck] = {}
            for index, kind in enumerate(KINDS):
                answer = self.ledger.ask(("result", spot, puck, str(kind)))
                if answer is not None:
                    rows[puck][index] = answer.value
                elif shape.total or (
                    shape is LINE
                    and ((not puck and kind.total not in self.points) or kind.total in (puck, 7))
                ):
                    self.ledger.need(
                        ("result", spot, puck, str(kind)),
                        self.offered[spot].stated[0],
                        f'add a [[result]] fact for spot = "{spot}" that decides it',
                    )
        if shape is RACE and not {"win", "lose"} <= set(rows[ON].values()):
            raise self.fail(
                self.offered[spot].stated[0],
                f"nothing says how {spot} wins and how it loses",
                f'add [[result]] facts for spot = "{spot}" with win and lose',
            )
        self.results[spot] = rows

    def _cites(self, spot: str, puck: int, index: int) -> Cites:
        answer = self.ledger.answers.get(("result", spot, puck, str(KINDS[index])))
        return answer.cites if answer else ()

    def _principle(self, what: str) -> Cites:
        answer = self.ledger.ask(("principle", what))
        return answer.cites if answer else ()

    def _price(self, spot: str, n: int, total: int) -> tuple[facts.Price, Fraction | None, Cites]:
        """The price of a win of this spot on this number by this total."""
        found = [
            (fact, stated)
            for fact, stated in self.prices.get(spot, [])
            if (not fact.number or n in fact.number) and (not fact.on or total in fact.on)
        ]
        for _, stated in found:
            self.ledger.used.add(id(stated.fact))
        if not found:
            self.ledger.need(
                ("price", spot if not n else f"{spot} (number {n})"),
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
                    f"two facts disagree about what {spot} pays: {fact.pays or fact.per} here, "
                    f"{first.pays or first.per} in line {first_stated.line} "
                    f"under {{{first_stated.clause}}}",
                    "correct one of them",
                )
        cites = join(tuple(stated.clause for _, stated in found))
        override = self.values.get(f"{PRICE}.{spot}")
        if override is not None and ratio is not None:
            ratio = price_floor(self.setting_rules, spot, ratio, override)
            cites = join(cites, self.setting_rules[PRICE].cites)
        return first, ratio, tuple(dict.fromkeys(cites))

    def _share(self, spot: str) -> ShareRule | None:
        answer = self.ledger.ask(("share", spot))
        if FAMILIES[family(spot)] is not COMPOSITE:
            return None
        if answer is None:
            self.ledger.need(("share", spot), self.offered[spot].stated[0], "add a [[share]] fact")
        assert answer is not None
        parts, high, divide, split = answer.value
        units = [1] * len(parts)
        if high:
            chosen = next(
                (
                    index
                    for index, part in enumerate(parts)
                    if any(
                        cell and cell.verdict == "win" and kind.total == number(spot)
                        for kind, cell in zip(KINDS, self.spots[part].rows[0], strict=True)
                    )
                ),
                None,
            )
            if chosen is None:
                raise self.fail(
                    answer.stated[0],
                    f"no part of {spot} wins on its number",
                    "correct numbers or parts",
                )
            units[chosen] += high
        return ShareRule(
            parts=parts,
            units=tuple(units),
            divide=divide,
            named=split == "named",
            cites=answer.cites,
        )

    def _rows(
        self, spot: str, share: ShareRule | None, works: tuple[Cites, Cites]
    ) -> tuple[dict[int, Row], dict[int, Row]]:
        shape = FAMILIES[family(spot)]
        rows: dict[int, Row] = {}
        stays: dict[int, Row] = {}
        for puck, verdicts in self.results[spot].items():
            after = works[1 if puck else 0]
            row: list[Cell | None] = [None] * len(KINDS)
            stay: list[Cell | None] = [None] * len(KINDS)
            for index, verdict in verdicts.items():
                cell = self._cell(spot, share, puck, index, verdict, after)
                if verdict in ("stay", "bar"):
                    stay[index] = cell
                else:
                    row[index] = cell
            rows[puck], stays[puck] = tuple(row), tuple(stay)
        if not shape.by_point:
            for point in self.points:
                rows[point], stays[point] = rows[ON], stays[ON]
            if ON not in self.points:
                del rows[ON], stays[ON]
        return rows, stays

    def _cell(
        self, spot: str, share: ShareRule | None, puck: int, index: int, verdict: str, after: Cites
    ) -> Cell:
        kind = KINDS[index]
        said = self._cites(spot, puck, index)
        if FAMILIES[family(spot)] in (ONE_ROLL, COMPOSITE):
            said = join(said, self._principle("one roll"))
        n = puck if FAMILIES[family(spot)].by_point and puck else number(spot)
        if verdict == "move":
            to = with_number(f"{spot}.*", kind.total)
            if to not in self.offered:
                raise self.fail(
                    self.offered[spot].stated[0],
                    f"{spot} moves to {to}, which is not offered",
                    f'offer spot = "{spot}.*" with that number',
                )
            return Cell(verdict=verdict, cites=join(said, after), said=said, to=to)
        if verdict == "bar":
            said = join(said, self._principle("stand-off"))
            return Cell(verdict=verdict, cites=said, said=said)
        if verdict == "stay":
            return Cell(verdict=verdict, cites=said, said=said)
        if share is not None:
            return self._composite_cell(spot, share, index, verdict, said, after)
        if verdict == "lose":
            return Cell(
                verdict=verdict, cites=join(said, after), said=said, lost=Fraction(1), num=-1
            )
        _, ratio, priced = self._price(spot, n, kind.total)
        if ratio is None:
            raise self.fail(
                self.offered[spot].stated[0], f"{spot} has no parts to be paid as", "give pays"
            )
        said = join(said, priced)
        return Cell(
            verdict=verdict,
            cites=join(said, after),
            said=said,
            win=ratio,
            num=ratio.numerator,
            den=ratio.denominator,
        )

    def _composite_cell(
        self, spot: str, share: ShareRule, index: int, verdict: str, said: Cites, after: Cites
    ) -> Cell:
        hits = [
            (part, unit, cell)
            for part, unit in zip(share.parts, share.units, strict=True)
            if (cell := self.spots[part].rows[0][index]) and cell.verdict == "win"
        ]
        if bool(hits) != (verdict == "win"):
            raise self.fail(
                self.offered[spot].stated[0],
                f"{spot} and its parts disagree on a roll of {KINDS[index]}",
                "correct the result of the wager or of its parts",
            )
        if not hits:
            return Cell(
                verdict="lose", cites=join(said, after), said=said, lost=Fraction(1), num=-1
            )
        fact, ratio, priced = self._price(spot, number(spot), KINDS[index].total)
        whole = sum(share.units)
        hit = sum(unit for _, unit, _ in hits)
        if fact.per == "stake":
            assert ratio is not None
            win, lost = ratio, Fraction(0)
        else:
            win = sum(
                (
                    Fraction(unit, whole) * (cell.win if ratio is None else ratio)
                    for _, unit, cell in hits
                ),
                Fraction(0),
            )
            lost = Fraction(whole - hit, whole)
            if ratio is None:
                priced = join(priced, *(self._part_price(p, index) for p, _, _ in hits))
        net = win - lost
        name = "win" if net > 0 else "push" if net == 0 else "lose"
        said = join(said, share.cites, priced)
        return Cell(
            verdict=name,
            cites=join(said, after),
            said=said,
            win=win,
            lost=lost,
            part=hits[0][0],
            num=net.numerator,
            den=net.denominator,
        )

    def _part_price(self, part: str, index: int) -> Cites:
        return self._price(part, number(part), KINDS[index].total)[2]

    # -- spots -------------------------------------------------------------------------------

    def _spot(self, spot: str) -> Spot:
        offer = self.offered[spot]
        at = offer.stated[0]
        shape = FAMILIES[family(spot)]
        works: list[tuple[bool, Cites]] = []
        for side in ("off", "on"):
            answer = self.ledger.ask(("working", spot, side))
            if answer is None and side == "off":
                self.ledger.need(("working", spot, side), at, "add a [[working]] fact")
            works.append((answer.value, answer.cites) if answer else (True, ()))
        works_cites = (works[0][1], works[1][1])
        share = self._share(spot)
        rows, stays = self._rows(spot, share, works_cites)
        windows = {
            act: Rule(answer.value, answer.cites)
            for act in ACTS
            for answer in [
                self.ledger.need(
                    ("window", spot, act), at, f'add a [[window]] with act = ["{act}"]'
                )
            ]
        }
        again = self.ledger.ask(("again", spot, "win"))
        bits = self._bits(spot)
        aliases = tuple(
            alias.replace("{n}", str(number(spot)))
            for stated in offer.stated
            for alias in cast(facts.Offer, stated.fact).aliases
        )
        return Spot(
            id=spot,
            family=family(spot),
            number=number(spot),
            name=offer.value[0],
            aliases=aliases,
            shape=shape,
            offer_cites=offer.cites,
            rows=rows,
            stays=stays,
            works=(works[0][0], works[1][0]),
            works_cites=works_cites,
            windows=windows,
            markers={call: self._marker(spot, call, at) for call in ("on", "off")},
            again_cites=again.cites if again else (),
            behind=self._behind(spot, rows, at) if shape.name == "behind" else None,
            fee=self._fee(spot),
            share=share,
            gate=self._gate(spot, at) if shape is COLLECTOR else None,
            bits=bits,
            complete=sum(bits.values()),
            make_cites=join(offer.cites, windows["make"].cites),
        )

    def _bits(self, spot: str) -> dict[int, int]:
        totals = sorted(
            {
                KINDS[index].total
                for row in self.results[spot].values()
                for index, verdict in row.items()
                if verdict == "collect"
            }
        )
        return {total: 1 << position for position, total in enumerate(totals)}

    def _marker(self, spot: str, call: str, at: Stated) -> MarkerRule:
        kind = f"marker {call}"
        allow = self.ledger.need(
            (kind, spot, "allow"), at, f'add a [[marker]] fact with call = ["{call}"]'
        )
        if not allow.value:
            return MarkerRule(allow=False, puck="", scope="", lasts="", cites=allow.cites)
        puck = self.ledger.ask((kind, spot, "puck"))
        scope = self.ledger.need((kind, spot, "scope"), at, "say scope in a [[marker]] fact")
        lasts = self.ledger.need((kind, spot, "lasts"), at, "say lasts in a [[marker]] fact")
        return MarkerRule(
            allow=True,
            puck=puck.value if puck else "any",
            scope=scope.value,
            lasts=lasts.value,
            cites=join(allow.cites, puck.cites if puck else (), scope.cites, lasts.cites),
        )

    def _behind(self, spot: str, rows: dict[int, Row], at: Stated) -> BehindRule:
        flat = self.ledger.need(
            ("behind", spot, "flat wager"), at, "add a [[behind]] fact with flat"
        )
        excess = self.ledger.ask(("behind", spot, "excess"))
        lift = self.ledger.ask(("behind", spot, "lift"))
        asleep = self.ledger.ask(("behind", spot, "asleep"))
        limits: dict[int, OddsLimit] = {}
        for n in [number(spot)] if number(spot) else self.points:
            limit = self.ledger.need(
                ("behind", spot, "limit", n), at, "add a [[behind]] fact with measure and times"
            )
            measure, times = limit.value
            lifted = max(times, lift.value) if lift else times
            ratio = max(
                (cell.win for cell in rows[n] if cell and cell.verdict == "win"),
                default=Fraction(0),
            )
            cites = join(limit.cites, lift.cites if lift and lifted > times else ())
            limits[n] = OddsLimit(
                measure=measure,
                times=times,
                lifted=lifted,
                excess=excess is not None,
                ratio=ratio,
                cites=cites,
                excess_cites=excess.cites if excess else (),
                made_cites=join(flat.cites, cites),
            )
        return BehindRule(
            flat=flat.value,
            flat_cites=flat.cites,
            limits=limits,
            asleep=asleep.value if asleep else "",
            asleep_cites=asleep.cites if asleep else (),
        )

    def _fee(self, spot: str) -> FeeRule | None:
        rate = self.ledger.ask(("fee", spot, "rate"))
        if rate is None:
            return None
        at = rate.stated[0]
        charged = self.ledger.need(("fee", spot, "charged"), at, "say when it is charged")
        refund = self.ledger.need(("fee", spot, "refund"), at, "say whether it is given back")
        only = [q for q in self.ledger.answers if q[0] == "fee" and q[2] == "only"]
        if only and ("fee", spot, "only") not in self.ledger.answers:
            raise self.fail(
                at,
                f"a fee on {spot} is forbidden by {{{self.ledger.answers[only[0]].cites[0]}}}",
                "remove the fee",
            )
        if rate.value[1] not in ("stake", "win"):
            raise self.fail(at, f"the fee on {spot} has no base", 'say base = "stake" or "win"')
        return FeeRule(
            rate=rate.value[0],
            base=rate.value[1],
            charged=charged.value,
            refund=refund.value,
            cites=rate.cites,
            charged_cites=charged.cites,
            refund_cites=refund.cites,
        )

    def _gate(self, spot: str, at: Stated) -> GateRule:
        group = self.ledger.need(("gate", spot, "group"), at, "add a [[gate]] fact with group")
        until = self.ledger.need(("gate", spot, "until"), at, "add a [[gate]] fact with until")
        return GateRule(group=group.value, until=until.value, cites=join(until.cites, group.cites))

    # -- the table around the spots ------------------------------------------------------------

    def _layout(self) -> Layout:
        need, ask = self.ledger.need, self.ledger.ask
        principles = {}
        for question in [q for q in self.ledger.answers if q[0] == "principle"]:
            principles[question[1]] = self._principle(question[1])
        for what in REQUIRED_PRINCIPLES:
            need(("principle", what), None, f'add a [[principle]] fact with what = "{what}"')
        recognise: dict[tuple[str, str], Rule] = {}
        for case in ("under minimum", "over maximum"):
            for time in ("first", "later"):
                answer = need(
                    ("recognise", case, time), None, f'add a [[recognise]] with case = "{case}"'
                )
                recognise[case, time] = Rule(answer.value, answer.cites)
        multiple = ask(("recognise", "not a multiple", "first"))
        if multiple is not None:
            ask(("recognise", "not a multiple", "later"))
            recognise["not a multiple", "first"] = Rule(multiple.value, multiple.cites)
        limits = {}
        for bound in ("minimum", "maximum", "multiple", "unit"):
            answer2 = ask(("limit", bound))
            if answer2 is not None:
                limits[bound] = Rule(answer2.value, answer2.cites)
            elif bound in ("minimum", "maximum"):
                need(("limit", bound), None, f'add a [[limit]] fact with bound = "{bound}"')
        round_fee = need(("round", "fee"), None, "add a [[round]] fact for the fee")
        round_win = need(("round", "win"), None, "add a [[round]] fact for the win")
        fee_only: Cites = ()
        for question in [q for q in self.ledger.answers if q[0] == "fee" and q[2] == "only"]:
            only = ask(question)
            assert only is not None
            fee_only = join(fee_only, only.cites)
        if fee_only and round_fee.value == "up":
            raise SettingError(
                "a fee may not be rounded up: nothing beyond it may be charged",
                fee_only,
                "choose exact or down",
            )
        for name in self.values:
            spot = name.removeprefix(f"{PRICE}.")
            if spot != name and spot not in self.spots:
                raise SettingError(
                    f"there is no spot {spot} to price", self.setting_rules[PRICE].cites, "name one"
                )
        betting = {
            act: Rule(answer3.value, answer3.cites)
            for act in (*ACTS, "mark")
            for answer3 in [need(("betting", act), None, f'add a [[betting]] with act = ["{act}"]')]
        }
        areas = {}
        for question in [q for q in self.ledger.answers if q[0] == "area"]:
            area = ask(question)
            assert area is not None
            areas[question[1]] = Rule(area.value, area.cites)
        ordered = {spot: self.spots[spot] for spot in self.offered}
        if not self.listed:
            need(("listed",), None, "add a [[listed]] fact")
        return Layout(
            house=self.book.house.id,
            edition=self.book.house.edition,
            title=self.book.title,
            currency=self.book.house.currency,
            digest=self.book.digest,
            chip=self.chip,
            settings=dict(self.values),
            setting_rules=self.setting_rules,
            spots=ordered,
            points=self.points,
            puck=self._puck(),
            listed=join(tuple(stated.clause for stated in self.listed)),
            withheld={s: c for s, c in self.withheld.items() if s not in ordered},
            areas=areas,
            names=_names(ordered),
            principles=principles,
            betting=betting,
            limits=limits,
            recognise=recognise,
            round_win=Rule(round_win.value, round_win.cites),
            round_fee=Rule(round_fee.value, round_fee.cites),
            fee_only=fee_only,
            steps={},
            bounds_cache={},
        )

    def _puck(self) -> dict[int, tuple[PuckMove | None, ...]]:
        rows: dict[int, tuple[PuckMove | None, ...]] = {}
        rolled = join(
            *(
                self._principle(what)
                for what in ("total", "valid roll", "settle at once", "settle before next roll")
            )
        )
        for puck in (0, *self.points):
            row: list[PuckMove | None] = []
            for total in TOTALS:
                if not puck:
                    answer: Answer | None = self.ledger.need(
                        ("puck", "off", total), None, "add it to point or no_point of [[puck]]"
                    )
                elif total == puck:
                    answer = self.ledger.need(
                        ("puck", "on", "point"), None, "add a [[puck]] fact with made = true"
                    )
                elif total == 7:
                    answer = self.ledger.need(
                        ("puck", "on", 7), None, "add a [[puck]] fact with seven_out = true"
                    )
                else:
                    answer = None
                to, event = answer.value if answer else (puck, "roll")
                cites = join(answer.cites if answer else (), rolled)
                row.append(PuckMove(to=to, event=event, cites=cites))
            rows[puck] = tuple(row)
        return rows


def _names(spots: Mapping[str, Spot]) -> dict[str, str]:
    """Every name a person may use for a spot, in lower case."""
    names: dict[str, str] = {}
    for spot in spots.values():
        for name in (spot.name, *spot.aliases):
            names.setdefault(name.lower(), spot.id)
    return names
