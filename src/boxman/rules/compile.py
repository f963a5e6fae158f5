"""Turn a rulebook's facts into a layout; refuse gaps, conflicts and facts that nothing uses.

Facts are entered into a ledger as answers to questions, then each spot is built by asking. No
house, clause or amount is named here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from boxman.dice import KINDS, TOTALS
from boxman.rules import facts
from boxman.rules.book import Book, Stated, read_book
from boxman.rules.layout import (
    ACTS,
    DONE,
    BehindRule,
    CauseRule,
    FeeRule,
    GateRule,
    Layout,
    MarkerRule,
    OddsLimit,
    Power,
    Procedure,
    PuckMove,
    Row,
    Rule,
    Spot,
)
from boxman.rules.ledger import Answer, Cites, join
from boxman.rules.machines import Machines
from boxman.rules.nearest import nearest
from boxman.rules.settings import PRICE, SettingError
from boxman.rules.shapes import (
    COLLECTOR,
    COMPOSITE,
    FAMILIES,
    family,
    number,
)

OTHER_DUTIES = (
    *("confirm", "record", "notice", "favour", "closing", "dice", "crew", "voucher"),
    *("dispute", "sign", "advice", "idle", "conduct", "centre"),
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


class _Compiler(Machines):
    """One compilation: machines, then spots, then the table around them."""

    def __init__(self, book: Book, given: Mapping[str, Any], chip: int) -> None:
        super().__init__(book, given)
        self.chip = chip

    def compile(self) -> Layout:
        self.enter_all()
        for spot in self.offered:
            self.decide_rows(spot)
        composite = [s for s in self.offered if FAMILIES[family(s)] is COMPOSITE]
        for spot in [s for s in self.offered if s not in composite] + composite:
            self.spots[spot] = self._spot(spot)
        layout = self._layout()
        self.ledger.check_used(self.active)
        return layout

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
        share = self.share(spot)
        rows, stays = self.rows(spot, share, works_cites)
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
        for puck, verdicts in self.results[flat.value].items():
            for index, verdict in verdicts.items() if puck else ():
                if verdict in ("win", "lose") and index not in self.results[spot].get(puck, {}):
                    self.ledger.need(
                        ("result", spot, puck, str(KINDS[index])),
                        at,
                        f"add a [[result]] fact that decides it: the roll decides {flat.value}",
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
            principles[question[1]] = self.principle(question[1])
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
            procedure=self._procedure(),
            steps={},
            bounds_cache={},
        )

    def _procedure(self) -> Procedure:
        """People and throws; whatever the rulebook does not say is nobody's power."""

        def asked(kind: str) -> Iterator[tuple[tuple[Any, ...], Answer]]:
            for question in [q for q in self.ledger.answers if q[0] == kind]:
                answer = self.ledger.ask(question)
                assert answer is not None
                yield question, answer

        for question in (("eligible", "spots"), ("no_shooter", "returns"), ("centre", "spots")):
            self._known_spots(question)
        timing = self.ledger.ask(("timing", "no roll"))
        given: dict[tuple[str, str], dict[str, Cites]] = defaultdict(dict)
        for q, a in asked("may by"):
            given[q[1], q[2]][q[3]] = a.cites
        return Procedure(
            roles={q[1]: Rule(a.value[0], a.cites) for q, a in asked("role")},
            powers={
                (q[1], q[2]): Power(who=given[q[1], q[2]], needs=a.value, cites=a.cites)
                for q, a in asked("may")
            },
            causes={
                q[1]: CauseRule(effect=a.value[0], who=a.value[1], person=a.value[2], cites=a.cites)
                for q, a in asked("cause")
            },
            late=timing.cites if timing else (),
            faces={q[1]: Rule(a.value, a.cites) for q, a in asked("face")},
            reversals={q[1]: Rule(a.value, a.cites) for q, a in asked("reversal")},
            order={q[1]: Rule(a.value, a.cites) for q, a in asked("order")},
            eligible={q[1]: Rule(a.value, a.cites) for q, a in asked("eligible")},
            shooter={q[1]: a.cites for q, a in asked("shooter")},
            no_shooter={q[1]: Rule(a.value, a.cites) for q, a in asked("no_shooter")},
            rules={
                (q[0], q[1]): Rule(a.value, a.cites)
                for kind in OTHER_DUTIES
                for q, a in asked(kind)
            }
            | {
                ("fixed", name): Rule(True, answer.cites)
                for name in self.values
                if (answer := self.ledger.ask(("fixed", name)))
            },
        )

    def _known_spots(self, question: tuple[str, str]) -> None:
        """Refuse a duty that names a spot the rulebook does not have."""
        answer = self.ledger.ask(question)
        known = {*self.spots, *self.withheld}
        for spot in answer.value if answer else ():
            if spot not in known:
                assert answer is not None
                stated = answer.stated[0]
                raise self.fail(
                    stated,
                    f"the {stated.kind} fact names {spot}, which is not offered",
                    nearest(spot, known) or "name spots that are offered",
                )

    def _puck(self) -> dict[int, tuple[PuckMove | None, ...]]:
        rows: dict[int, tuple[PuckMove | None, ...]] = {}
        rolled = join(
            *(
                self.principle(what)
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
