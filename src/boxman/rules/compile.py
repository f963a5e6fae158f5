"""Turn a rulebook's facts into a layout; refuse gaps, conflicts and facts that nothing uses.

Facts are entered into a ledger as answers to questions, then each spot is built by asking. No
house, clause or amount is named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from boxman.dice import KINDS, TOTALS
from boxman.rules import facts
from boxman.rules.book import Book, Stated, read_book
from boxman.rules.entries import ON, Entries
from boxman.rules.layout import (
    ACTS,
    DONE,
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
    ShareRule,
    Spot,
)
from boxman.rules.ledger import Answer, Cites, join
from boxman.rules.settings import PRICE, SettingError
from boxman.rules.shapes import (
    COLLECTOR,
    COMPOSITE,
    FAMILIES,
    LINE,
    ONE_ROLL,
    RACE,
    Shape,
    family,
    number,
    with_number,
)

REQUIRED_PRINCIPLES = ("total", "settle at once", "no roll", "chips", "area")


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


class _Compiler(Entries):
    """One compilation. Methods are in the order in which they run."""

    def __init__(self, book: Book, given: Mapping[str, Any], chip: int) -> None:
        super().__init__(book, given)
        self.chip = chip
        self.spots: dict[str, Spot] = {}
        self.results: dict[str, dict[int, dict[int, str]]] = {}

    def compile(self) -> Layout:
        self.enter_all()
        for spot in self.offered:
            self._decide_rows(spot)
        composite = [s for s in self.offered if FAMILIES[family(s)] is COMPOSITE]
        for spot in [s for s in self.offered if s not in composite] + composite:
            self.spots[spot] = self._spot(spot)
        layout = self._layout()
        self.ledger.check_used(self.active)
        return layout

    # -- machines ----------------------------------------------------------------------------

    def _decide_rows(self, spot: str) -> None:
        """Read the verdicts of a spot and check that its shape is whole."""
        shape = FAMILIES[family(spot)]
        rows: dict[int, dict[int, str]] = {}
        for puck in self.pucks(spot, "any"):
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
        for puck, verdict in self._must(shape, rows):
            if verdict not in rows[puck].values():
                raise self.fail(
                    self.offered[spot].stated[0],
                    f"nothing says on which roll {spot} {verdict}s",
                    f'add a [[result]] fact for spot = "{spot}" with {verdict}',
                )
        if shape is not COLLECTOR and any("collect" in row.values() for row in rows.values()):
            raise self.fail(
                self.offered[spot].stated[0],
                f"{spot} does not collect numbers",
                "only small, tall and all collect; say win or lose",
            )
        self.results[spot] = rows

    @staticmethod
    def _must(shape: Shape, rows: Mapping[int, Any]) -> list[tuple[int, str]]:
        """What must be able to happen to a wager of this shape that no roll need decide."""
        if shape.name == "behind":
            return [(puck, verdict) for puck in rows if puck for verdict in ("win", "lose")]
        if shape is COLLECTOR:
            return [(ON, "collect"), (ON, "lose")]
        return [(ON, "win"), (ON, "lose")] if shape is RACE else []

    def _cites(self, spot: str, puck: int, index: int) -> Cites:
        answer = self.ledger.answers.get(("result", spot, puck, str(KINDS[index])))
        return answer.cites if answer else ()

    def _principle(self, what: str) -> Cites:
        answer = self.ledger.ask(("principle", what))
        return answer.cites if answer else ()

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
        fact, ratio, priced = self.price(spot, n, kind.total)
        if ratio is None or fact.per != "stake":
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
        fact, ratio, priced = self.price(spot, number(spot), KINDS[index].total)
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
        return self.price(part, number(part), KINDS[index].total)[2]

    # -- spots -------------------------------------------------------------------------------

    def _spot(self, spot: str) -> Spot:
        offer = self.offered[spot]
        at = offer.stated[0]
        shape = FAMILIES[family(spot)]
        works: list[tuple[bool, Cites]] = []
        for side in ("off", "on"):
            answer = self.ledger.ask(("working", spot, side))
            if answer is None and side == "off":
                self.ledger.need(
                    ("working", spot, side), at, f'add a [[working]] fact with puck = "{side}"'
                )
            works.append((answer.value, answer.cites) if answer else (True, ()))
        works_cites = (works[0][1], works[1][1])
        share = self._share(spot)
        rows, stays = self._rows(spot, share, works_cites)
        windows = {
            act: Rule(answer.value, answer.cites)
            for act in ACTS
            for answer in [
                self.ledger.need(
                    ("window", spot, act), at, f'add a [[window]] fact with act = ["{act}"]'
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
        for act in ("make", "raise"):
            window = self.ledger.answers["window", spot, act]
            if FAMILIES[family(spot)].by_point and window.value not in ("on", "never"):
                raise self.fail(
                    window.stated[0],
                    f"{spot} stands behind a point, so it cannot be {DONE[act]} without one",
                    'say puck = "on"',
                )
        excess = self.ledger.ask(("behind", spot, "excess"))
        lift = self.ledger.ask(("behind", spot, "lift"))
        asleep = self.ledger.ask(("behind", spot, "asleep"))
        limits: dict[int, OddsLimit] = {}
        for n in [number(spot)] if number(spot) else self.points:
            limit = self.ledger.need(
                ("behind", spot, "limit", n), at, "add a [[behind]] fact with measure and times"
            )
            if n not in rows:
                raise self.fail(at, f"{spot} can never be made: {n} is no point", "leave it out")
            measure, times = limit.value
            lifted = max(times, lift.value) if lift else times
            ratio = max(
                (cell.win for cell in rows[n] if cell and cell.verdict == "win"),
                default=Fraction(0),
            )
            if not ratio:
                raise self.fail(
                    limit.stated[0],
                    f"{spot} cannot win on {n} while a point is on",
                    f'add a [[result]] fact for spot = "{spot}" with win and puck = "on"',
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
        charged = self.ledger.need(
            ("fee", spot, "charged"), at, 'say charged = "placement" or "win" in a [[fee]] fact'
        )
        refund = self.ledger.need(
            ("fee", spot, "refund"), at, 'say refund = "removal", or a flag, in a [[fee]] fact'
        )
        only = [q for q in self.ledger.answers if q[0] == "fee" and q[2] == "only"]
        if only and ("fee", spot, "only") not in self.ledger.answers:
            raise self.fail(
                at,
                f"a fee on {spot} is forbidden by {{{self.ledger.answers[only[0]].cites[0]}}}",
                "remove the fee, or add the spot to only",
            )
        if rate.value[1] not in ("stake", "win"):
            raise self.fail(at, f"the fee on {spot} has no base", 'say base = "stake" or "win"')
        if rate.value[1] == "win" and FAMILIES[family(spot)].name == "behind":
            raise self.fail(
                at, f"the fee on {spot} is of a win that differs by point", 'say base = "stake"'
            )
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
                    ("recognise", case, time),
                    None,
                    f'add a [[recognise]] fact with case = "{case}"',
                )
                recognise[case, time] = Rule(answer.value, answer.cites)
        multiple = ask(("recognise", "not a multiple", "first"))
        if multiple is not None:
            recognise["not a multiple", "first"] = Rule(multiple.value, multiple.cites)
            later = ask(("recognise", "not a multiple", "later")) or multiple
            recognise["not a multiple", "later"] = Rule(later.value, later.cites)
        limits = {}
        for bound in ("minimum", "maximum", "multiple", "unit"):
            answer2 = ask(("limit", bound))
            if answer2 is not None:
                limits[bound] = Rule(answer2.value, answer2.cites)
            elif bound in ("minimum", "maximum"):
                need(("limit", bound), None, f'add a [[limit]] fact with bound = "{bound}"')
        round_fee = need(("round", "fee"), None, 'add a [[round]] fact with what = "fee"')
        round_win = need(("round", "win"), None, 'add a [[round]] fact with what = "win"')
        fee_only: Cites = ()
        for question in [q for q in self.ledger.answers if q[0] == "fee" and q[2] == "only"]:
            only = ask(question)
            assert only is not None
            fee_only = join(fee_only, only.cites)
        if fee_only and round_fee.value == "up":
            words = "a fee may not be rounded up: nothing beyond it may be charged"
            if cast(facts.Round, round_fee.stated[0].fact).way == "up":
                raise self.fail(round_fee.stated[0], words, 'write way = "exact" or "down"')
            raise SettingError(words, fee_only, "choose exact or down")
        for name in self.values:
            spot = name.removeprefix(f"{PRICE}.")
            if spot != name and spot not in self.spots:
                raise SettingError(
                    f"there is no spot {spot} to price", self.setting_rules[PRICE].cites, "name one"
                )
        betting = {
            act: Rule(answer3.value, answer3.cites)
            for act in (*ACTS, "mark")
            for answer3 in [
                need(("betting", act), None, f'add a [[betting]] fact with act = ["{act}"]')
            ]
        }
        areas = {}
        for question in [q for q in self.ledger.answers if q[0] == "area"]:
            area = ask(question)
            assert area is not None
            areas[question[1]] = Rule(area.value, area.cites)
        ordered = {spot: self.spots[spot] for spot in self.offered}
        if not self.listed:
            need(("listed",), None, "add a [[listed]] fact with only = true")
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
            names=self.withheld_names | _names(ordered),
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
