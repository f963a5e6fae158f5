"""Turn a rulebook's facts into a layout; refuse gaps, conflicts and facts that nothing uses.

Facts are entered into a ledger as answers to questions, then each spot is built by asking. No
house, clause or amount is named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import cast

from boxman.chips import parse_ratio
from boxman.dice import TOTALS
from boxman.rules import facts
from boxman.rules.book import Book, Stated, raise_all, read_book, read_text
from boxman.rules.cell import Cells
from boxman.rules.duty_entries import procedure_of
from boxman.rules.ids import family, number
from boxman.rules.layout import (
    ACTS,
    BehindRule,
    FeeRule,
    GateRule,
    Layout,
    MarkerRule,
    OddsLimit,
    PuckMove,
    Rounding,
    Spot,
)
from boxman.rules.ledger import Cited, Cites, LedgerAnswer, Question, join, wrong_in
from boxman.rules.machines import Machines
from boxman.rules.settings import ANY_NUMBER, PRICE, Allowed, SettingError

REQUIRED_PRINCIPLES = ("total", "settle at once", "no roll", "chips", "area")


def compile_layout(
    book: Book, given: Mapping[str, object] | None = None, chip: int = 100
) -> Layout:
    """Compile a rulebook under the settings given, for a table whose smallest chip is `chip`."""
    return Compilation(book, given or {}, chip).compile()


def load(house: str, given: Mapping[str, object] | None = None, chip: int = 100) -> Layout:
    """Read and compile a house by name or path. Houses that come with Boxman are compiled once."""
    return compiled(read_book(house), given, chip)


def compiled(book: Book, given: Mapping[str, object] | None = None, chip: int = 100) -> Layout:
    """Compile a rulebook that was read; the same one under the same settings is compiled once."""
    # 1 is no yes, though Python thinks them equal.
    asked = tuple((name, type(value), value) for name, value in sorted((given or {}).items()))
    try:
        hash(asked)
    except TypeError:  # no setting is like this, and compiling says so
        return compile_layout(book, given, chip)
    return _cached(book.path, book.text, asked, chip)


@lru_cache(maxsize=64)
def _cached(path: str, text: str, given: tuple[tuple[str, type, object], ...], chip: int) -> Layout:
    return compile_layout(read_text(path, text), {n: value for n, _, value in given}, chip)


class Compilation(Machines):
    """One compilation: machines, then spots, then the table around them."""

    def __init__(self, book: Book, given: Mapping[str, object], chip: int) -> None:
        super().__init__(book, given)
        self.chip = chip

    def compile(self) -> Layout:
        self.enter_all()
        errors = wrong_in(self.offered, self.decide_rows)
        decided = [spot for spot in self.offered if spot in self.results]
        composite = [spot for spot in decided if self.shape(spot).composed]
        errors += wrong_in([spot for spot in decided if spot not in composite], self.build)
        if not errors:  # of parts that are whole
            errors = wrong_in(composite, self.build)
        raise_all(errors + wrong_in(self._wanted(), self._need))
        layout = self._layout()
        self.ledger.check_used(self.active)
        self.check_paid()
        return layout

    # -- spots -------------------------------------------------------------------------------

    def build(self, spot: str) -> None:
        """Make a spot of its facts."""
        self.spots[spot] = self._spot(spot)

    def _spot(self, spot: str) -> Spot:
        offer = self.offered[spot]
        at = offer.stated[0]
        shape = self.shape(spot)
        works: list[tuple[bool, Cites]] = []
        for side in ("off", "on"):
            answer = self.ledger.ask(("working", spot, side))
            if answer is None and side == "off":
                self.ledger.need(
                    ("working", spot, side), at, "books.add-a-working-fact-with", side=side
                )
            works.append((answer.value, answer.cites) if answer else (True, ()))
        works_cites = (works[0][1], works[1][1])
        self.ledger.ask(("share", spot))
        # A line wager is made for the come-out roll: no clause is needed to wake it there.
        line = shape.flat and not shape.travels
        rows, stays = self.rows(spot, ((), works_cites[1]) if line else works_cites)
        windows = {
            act: _cited(answer)
            for act in ACTS
            for answer in [
                self.ledger.need(("window", spot, act), at, "books.add-a-window-fact-with", act=act)
            ]
        }
        barring = {act: self.ledger.ask(("window bars", spot, act)) for act in ACTS}
        again = self.ledger.ask(("again", spot, "win"))
        aliases = tuple(
            alias.replace("{n}", str(number(spot)))
            for stated in offer.stated
            for alias in cast(facts.Offer, stated.fact).aliases
        )
        return Spot(
            id=spot,
            family=family(spot),
            kind=self.families[family(spot)],
            number=number(spot),
            name=offer.value[0],
            aliases=aliases,
            shape=shape,
            offer_cites=offer.cites,
            rows=rows,
            stays=stays,
            by_faces=self.by_faces(rows) or self.by_faces(stays),
            works=(works[0][0], works[1][0]),
            works_cites=works_cites,
            windows=windows,
            bars={act: said.cites for act, said in barring.items() if said},
            markers={call: self._marker(spot, call, at) for call in ("on", "off")},
            again_cites=again.cites if again else (),
            unasked=again.value if again else False,
            behind=self._behind(spot, rows, at) if shape.odds else None,
            fee=self._fee(spot),
            share=self.share(spot) if shape.composed else None,
            gate=self._gate(spot, at) if shape.remembers else None,
            collection=self.collection(spot) if shape.remembers else None,
            make_cites=join(offer.cites, windows["make"].cites),
            printed={parse_ratio(f.pays): f.pays for f, _ in self.prices.get(spot, []) if f.pays},
        )

    def _marker(self, spot: str, call: str, at: Stated) -> MarkerRule:
        kind = f"marker {call}"
        allow = self.ledger.need(
            (kind, spot, "allow"), at, "books.add-a-marker-fact-with", call=call
        )
        if not allow.value:
            return MarkerRule(allow=False, puck="", scope="", lasts="", cites=allow.cites)
        puck = self.ledger.ask((kind, spot, "puck"))
        scope = self.ledger.need((kind, spot, "scope"), at, "books.say-scope-in-a-marker")
        lasts = self.ledger.need((kind, spot, "lasts"), at, "books.say-lasts-in-a-marker")
        return MarkerRule(
            allow=True,
            puck=puck.value if puck else "any",
            scope=scope.value,
            lasts=lasts.value,
            cites=join(allow.cites, puck.cites if puck else (), scope.cites, lasts.cites),
        )

    def _behind(self, spot: str, rows: dict[int, Cells], at: Stated) -> BehindRule:
        flat = self.ledger.need(("behind", spot, "flat wager"), at, "books.add-a-behind-fact-with")
        for act in ("make", "raise"):
            window = self.ledger.answers["window", spot, act]
            if self.shape(spot).by_point and window.value not in ("on", "never"):
                raise self.fail(window.stated[0], "stands-behind-a-point-so", spot=spot, act=act)
        self._decided_with(spot, flat.value, at)
        excess = self.ledger.ask(("behind", spot, "excess"))
        lift = self.ledger.ask(("behind", spot, "lift"))
        asleep = self.ledger.ask(("behind", spot, "asleep"))
        limits: dict[int, OddsLimit] = {}
        for n in [number(spot)] if number(spot) else self.points:
            limit = self.ledger.need(
                ("behind", spot, "limit", n), at, "books.add-a-behind-fact-with-2"
            )
            if n not in rows:
                raise self.fail(at, "can-never-be-made-is", spot=spot, n=n)
            measure, times = limit.value
            signed = (
                lift.value.get(n) or lift.value.get(ANY_NUMBER, Allowed()) if lift else Allowed()
            )
            lifted = max(times, signed.times)
            ratio = max(
                (cell.win for cell in rows[n] if cell and cell.verdict == "win"),
                default=Fraction(0),
            )
            if not ratio:
                raise self.fail(limit.stated[0], "cannot-win-on-while-a", spot=spot, n=n)
            raised = lifted > times or signed.amount
            cites = join(limit.cites, lift.cites if lift and raised else ())
            limits[n] = OddsLimit(
                measure=measure,
                times=times,
                lifted=lifted,
                amount=signed.amount,
                excess=excess is not None,
                ratio=ratio,
                cites=cites,
                excess_cites=excess.cites if excess else (),
                made_cites=join(flat.cites, cites),
                per_flat=(lifted if measure == "stake" else lifted / ratio).as_integer_ratio(),
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
            ("fee", spot, "charged"), at, "books.say-charged-placement-or-win"
        )
        refund = self.ledger.need(("fee", spot, "refund"), at, "books.say-refund-removal-or-a")
        only = [q for q in self.ledger.answers if q[0] == "fee" and q[2] == "only"]
        if only and ("fee", spot, "only") not in self.ledger.answers:
            raise self.fail(
                at, "a-fee-on-is-forbidden", spot=spot, cites=self.ledger.answers[only[0]].cites[0]
            )
        if rate.value[1] not in ("stake", "win"):
            raise self.fail(at, "the-fee-on-has-no", spot=spot)
        if rate.value[1] == "win" and self.shape(spot).odds:
            raise self.fail(at, "the-fee-on-is-of", spot=spot)
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
        group = self.ledger.need(("gate", spot, "group"), at, "books.add-a-gate-fact-with")
        until = self.ledger.need(("gate", spot, "until"), at, "books.add-a-gate-fact-with-2")
        return GateRule(group=group.value, until=until.value, cites=join(until.cites, group.cites))

    # -- the table around the spots ------------------------------------------------------------

    def _decided_with(self, spot: str, flat: str, at: Stated) -> None:
        """Whatever decides the flat wager while a point is on must decide the odds behind it."""
        for puck, verdicts in self.results.get(flat, {}).items():
            for index, verdict in verdicts.items() if puck else ():
                if verdict in ("win", "lose") and index not in self.results[spot].get(puck, {}):
                    self.ledger.need(
                        ("result", spot, puck, self.rolls.names[index]),
                        at,
                        "books.add-a-result-fact-that",
                        flat=flat,
                    )

    def _wanted(self) -> Iterator[tuple[Question, str]]:
        """What the rulebook has to say of the table itself, and what to do where it does not."""
        yield ("round", "fee"), "books.add-a-round-fact-with"
        yield ("round", "win"), "books.add-a-round-fact-with-2"
        for act in (*ACTS, "mark"):
            yield ("betting", act), "books.add-a-betting-fact-with"
        if not self.listed:
            yield ("listed", ""), "books.add-a-listed-fact-with"
        for what in REQUIRED_PRINCIPLES:
            yield ("principle", what), "books.add-a-principle-fact-with"
        for case in ("under minimum", "over maximum"):
            for time in ("first", "later"):
                yield ("recognise", case, time), "books.add-a-recognise-fact-with"
        for bound in ("minimum", "maximum"):
            yield ("limit", bound), "books.add-a-limit-fact-with"
        if self.points:
            yield ("puck", "on", "point"), "books.add-a-puck-fact-with"
            yield ("puck", "on", 7), "books.add-a-puck-fact-with-2"

    def _need(self, wanted: tuple[Question, str]) -> None:
        question, remedy = wanted
        self.ledger.need(question, None, remedy, what=question[1])

    def _said(self, *question: object) -> LedgerAnswer:
        """What the rulebook says of something that is wanted of it."""
        answer = self.ledger.ask(question)
        assert answer is not None
        return answer

    def _layout(self) -> Layout:
        round_fee = self._said("round", "fee")
        fee_only = self._fee_only(round_fee)
        for name in self.values:
            spot = name.removeprefix(f"{PRICE}.")
            if spot != name and name not in self.priced:
                raise SettingError("no spot", self.setting_rules[PRICE].cites, spot=spot)
        betting = {act: _cited(self._said("betting", act)) for act in (*ACTS, "mark")}
        resting = {act: self.ledger.ask(("betting rest", act)) for act in (*ACTS, "mark")}
        ordered = {spot: self.spots[spot] for spot in self.offered}
        return Layout(
            house=self.book.house.id,
            edition=self.book.house.edition,
            title=self.book.title,
            currency=self.book.house.currency,
            example=self.book.house.example,
            digest=self.book.digest,
            chip=self.chip,
            settings=dict(self.values),
            setting_rules=self.setting_rules,
            spots=ordered,
            families=self.families,
            rolls=self.rolls,
            points=self.points,
            puck=self._puck(),
            hands={
                spot.gate.group: Cited(spot.gate.until, spot.gate.cites)
                for spot in ordered.values()
                if spot.gate is not None and spot.gate.until in ("hand", "seven")
            },
            listed=join(tuple(stated.clause for stated in self.listed)),
            withheld={s: c for s, c in self.withheld.items() if s not in ordered},
            areas=self._areas(),
            names=self.withheld_names | _names(ordered),
            principles=self._principles(),
            betting=betting,
            resting={act: said.cites for act, said in resting.items() if said},
            limits=self._limits(),
            recognise=self._recognised(),
            round_win=self._rounding(self._said("round", "win")),
            round_fee=self._rounding(round_fee),
            fee_only=fee_only,
            procedure=procedure_of(self.ledger, self.values, {*self.spots, *self.withheld}),
            steps={},
            bounds_cache={},
        )

    def _principles(self) -> dict[str, Cites]:
        return {what: self.principle(what) for _, what in self._all("principle")}

    def _all(self, kind: str) -> list[Question]:
        """The questions of a kind that the rulebook answers."""
        return [question for question in self.ledger.answers if question[0] == kind]

    def _recognised(self) -> dict[tuple[str, str], Cited[str]]:
        """What is done with stakes that are found to be wrong."""
        ask = self.ledger.ask
        recognise = {
            (case, time): _cited(self._said("recognise", case, time))
            for case in ("under minimum", "over maximum")
            for time in ("first", "later")
        }
        multiple = ask(("recognise", "not a multiple", "first"))
        if multiple is not None:
            recognise["not a multiple", "first"] = _cited(multiple)
            later = ask(("recognise", "not a multiple", "later")) or multiple
            recognise["not a multiple", "later"] = _cited(later)
        return recognise

    def _limits(self) -> dict[str, Cited[str]]:
        bounds = ("minimum", "maximum", "multiple", "unit")
        found = {bound: self.ledger.ask(("limit", bound)) for bound in bounds}
        return {bound: _cited(answer) for bound, answer in found.items() if answer}

    def _rounding(self, said: LedgerAnswer) -> Rounding:
        ways = (cast(facts.Round, stated.fact).way for stated in said.stated)
        chosen = next((self.setting_rules[way] for way in ways if way in self.setting_rules), None)
        return Rounding(said.value, said.cites, chosen)

    def _fee_only(self, round_fee: LedgerAnswer) -> Cites:
        """The clauses that forbid to charge more than the fee, if there are any."""
        fee_only: Cites = ()
        for question in self._all("fee"):
            if question[2] == "only":
                only = self.ledger.ask(question)
                assert only is not None
                fee_only = join(fee_only, only.cites)
        if fee_only and round_fee.value == "up":
            if cast(facts.Round, round_fee.stated[0].fact).way == "up":
                raise self.fail(round_fee.stated[0], "fee-rounded-up")
            raise SettingError("fee up", fee_only)
        return fee_only

    def _areas(self) -> dict[str, Cited[str]]:
        areas = {}
        for question in self._all("area"):
            area = self.ledger.ask(question)
            assert area is not None
            areas[question[1]] = _cited(area)
        return areas

    def _puck(self) -> dict[int, tuple[PuckMove, ...]]:
        rows: dict[int, tuple[PuckMove, ...]] = {}
        rolled = join(
            *(
                self.principle(what)
                for what in ("total", "valid roll", "settle at once", "settle before next roll")
            )
        )
        for puck in (0, *self.points):
            row: list[PuckMove] = []
            for total in TOTALS:
                answer: LedgerAnswer | None = None
                if not puck:
                    answer = self._said("puck", "off", total)
                elif total in (puck, 7):
                    answer = self._said("puck", "on", "point" if total == puck else 7)
                to, event = answer.value if answer else (puck, "roll")
                cites = join(answer.cites if answer else (), rolled)
                row.append(PuckMove(to=to, event=event, cites=cites))
            rows[puck] = tuple(row)
        return rows


def _cited(answer: LedgerAnswer) -> Cited[str]:
    return Cited(answer.value, answer.cites)


def _names(spots: Mapping[str, Spot]) -> dict[str, str]:
    """Every name a person may use for a spot, in lower case."""
    names: dict[str, str] = {}
    for spot in spots.values():
        for name in (spot.name, *spot.aliases):
            names.setdefault(name.lower(), spot.id)
    return names
