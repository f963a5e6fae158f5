"""Facts entered into the ledger as answers to questions.

Each kind of fact has a method that says which questions it answers. "others" answers are entered
last, only where no other fact of the kind spoke. The compiler (compile.py) then asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import cast

from boxman.chips import WAYS, odds_remedy, parse_ratio
from boxman.dice import BY_FACES, BY_TOTAL, HARD_TOTALS, PAIRS, TOTALS, Kind, Roll, Rolls
from boxman.rules import facts
from boxman.rules.book import Book, BookError, Stated, raise_all
from boxman.rules.duty_entries import enter_duty
from boxman.rules.families import (
    FAMILIES,
    MORE,
    OWN_HEADING,
    OWN_ID,
    Family,
    numbered_and_not,
    with_own,
)
from boxman.rules.ids import family, nearest, number, with_number
from boxman.rules.layout import SettingRule
from boxman.rules.ledger import Cites, Ledger, LedgerAnswer, Question, join, wrong_in
from boxman.rules.procedure import DUTIES
from boxman.rules.settings import (
    ANY_NUMBER,
    Allowed,
    choose,
    in_force,
    is_times,
    never,
    setting_rules,
    sign_for,
)
from boxman.rules.shapes import ANY_POINT, SHAPES, Shape
from boxman.rules.wanted import as_toml
from boxman.words import phrase

LONGEST_ODDS = 20
"""Characters in a price: "999999999 to 1" is one that a machine can pay."""
GATES = ("number", "roll", "hand", "seven")
"""Until when a collecting wager may be joined."""
BASES, CHARGED = ("stake", "win"), ("placement", "win")
"""What a fee is a share of, and when it is taken."""


class Entries:
    """A rulebook's facts under one choice of settings, entered and ready to be asked."""

    def __init__(self, book: Book, given: Mapping[str, object]) -> None:
        self.book = book
        self.ledger = Ledger(book)
        self.setting_rules: dict[str, SettingRule] = setting_rules(book, self.ledger)
        self.values = choose(self.setting_rules, given)
        self.active: list[Stated] = []
        self.families = FAMILIES
        self.rolls: Rolls = BY_TOTAL
        self.offered: dict[str, LedgerAnswer] = {}
        self.prices: dict[str, list[tuple[facts.PriceFact, Stated]]] = {}
        self.priced: set[str] = set()
        """Prices above the list that some wager has."""
        self.points: tuple[int, ...] = ()
        self.listed: list[Stated] = []
        self.withheld: dict[str, Cites] = {}
        self.withheld_names: dict[str, str] = {}

    def fail(self, stated: Stated, wrong: str, /, **values: object) -> BookError:
        """What is wrong with a fact, and what to do about it."""
        told = (
            phrase(f"books.wrong.{wrong}.says", **values),
            phrase(f"books.wrong.{wrong}.do", **values),
        )
        return BookError(self.book.path, stated.line, stated.clause, *told, code=wrong)

    def enter_all(self) -> None:
        """Enter every fact in force."""
        self._select()
        self._enter_families()
        if any(facts.tells_faces(stated.fact) for stated in self.active):
            self.rolls = BY_FACES
        self._enter_offers()
        self._enter_puck()
        others: list[tuple[Question, object, Stated]] = []

        def enter(stated: Stated) -> None:
            if stated.kind in DUTIES:
                enter_duty(self.ledger, stated)
            known = getattr(self, f"_enter_{stated.kind}", None)
            if known is not None and stated.kind != "puck":
                others.extend(known(stated.fact, stated) or [])

        errors = wrong_in(self.active, enter)
        left = [each for each in others if not self.ledger.has(each[0])]
        raise_all(errors + wrong_in(left, lambda each: self.ledger.enter(*each)))

    # -- which facts are in force ------------------------------------------------------------

    def _select(self) -> None:
        plain: list[Stated] = []
        despite: list[Stated] = []

        def select(stated: Stated) -> None:
            self._check_when(stated)
            if in_force(stated, self.values):
                (despite if stated.fact.despite else plain).append(stated)
            elif isinstance(stated.fact, facts.Offer):
                for n in stated.fact.numbers or [0]:
                    spot = with_number(stated.fact.spot, n)
                    self.withheld[spot] = join(self.withheld.get(spot, ()), (stated.clause,))
                    for name in (stated.fact.name, *stated.fact.aliases):
                        self.withheld_names[name.replace("{n}", str(n)).lower()] = spot

        raise_all(wrong_in((s for s in self.book.facts if s.kind != "setting"), select))
        self.active = plain + despite

    def _check_when(self, stated: Stated) -> None:
        """What a fact waits for has to be a value that a setting of this house can have."""
        for name in stated.fact.when:
            if name not in self.values:
                said = {"kind": stated.kind, "name": name, "hint": self._setting_near(name)}
                raise self.fail(stated, "the-fact-depends-on-a", **said)
        wrong = never(stated, self.setting_rules)
        if wrong is not None:
            said = {"kind": stated.kind, "wrong": wrong[0], "told": wrong[1]}
            raise self.fail(stated, "never-waited-for", **said)

    def _setting_or(self, value: str, words: Iterable[str], stated: Stated, what: str) -> str:
        """A word of the vocabulary, or the value of the setting of that name."""
        chosen = self.values.get(value, value)
        if chosen not in tuple(words):
            raise self.fail(
                stated,
                "the-fact-has",
                kind=stated.kind,
                what=what,
                value=as_toml(value),
                words=", ".join(words),
                hint=self._setting_near(value),
            )
        return str(chosen)

    def _whole(self, value: int | str, stated: Stated, what: str) -> int:
        """A multiple, or the value of the setting of that name."""
        number = self.values.get(value) if isinstance(value, str) else value
        if type(number) is not int or number < 1:
            said = {"kind": stated.kind, "what": what, "value": as_toml(value)}
            hint = self._setting_near(value)
            raise self.fail(stated, "the-fact-has-2", **said, hint=hint)
        return number

    def _setting_near(self, value: object) -> str:
        """The setting that a word was perhaps meant to name."""
        return "" if value in self.values else f"{nearest(str(value), self.values)} ".lstrip()

    def _times(self, value: int | str, stated: Stated) -> Fraction:
        """How many times the flat: whole, or what a setting says."""
        given = self.values.get(value) if isinstance(value, str) else None
        if isinstance(given, str) and is_times(given):
            return Fraction(given)
        return Fraction(self._whole(value, stated, "times"))

    def _sign(self, name: str, stated: Stated) -> dict[int, Allowed]:
        """What the sign of that setting allows, on numbers that can be points here."""
        value = self.values.get(name)
        if isinstance(value, str):
            return sign_for(name, value, self.points, (stated.clause,))
        return {ANY_NUMBER: Allowed(times=Fraction(self._whole(name, stated, "lift")))}

    def _flag(self, value: bool | str, stated: Stated, what: str, yes: str = "true") -> bool:
        """Yes or no, or the value of the setting of that name."""
        flag = self.values.get(value, value == yes or value) if type(value) is str else value
        if not isinstance(flag, bool):
            yes_word = yes if yes == "true" else f'"{yes}"'
            raise self.fail(
                stated,
                "the-fact-has-3",
                kind=stated.kind,
                what=what,
                value=as_toml(value),
                yes_word=yes_word,
                hint=self._setting_near(value),
            )
        return flag

    # -- facts into the ledger ---------------------------------------------------------------

    def shape(self, spot: str) -> Shape:
        """The shape of a spot's machine."""
        return self.families[family(spot)].shape

    def _enter_families(self) -> None:
        """Kinds of wagers that this rulebook adds to those every house may offer."""
        own: list[Family] = []

        def enter(stated: Stated) -> None:
            fact = cast(facts.FamilyFact, stated.fact)
            if not OWN_ID.fullmatch(fact.id):
                raise self.fail(stated, "cannot-be-the-id-of", id=f"{fact.id!r}")
            if {fact.id, *numbered_and_not(fact.id)} & set(FAMILIES):
                raise self.fail(stated, "every-house-has-already", id=fact.id)
            said = (fact.shape, fact.numbers, fact.heading, fact.place, fact.short)
            self.ledger.enter(("family", fact.id), tuple(word for word in said if word), stated)
            heading, place = fact.heading or OWN_HEADING, fact.place or MORE
            faces = fact.numbers == "faces"
            shape = SHAPES[fact.shape]
            own.append(Family(fact.id, shape, heading, place, short=fact.short, by_faces=faces))

        raise_all(wrong_in((s for s in self.active if s.kind == "family"), enter))
        self.families = with_own(own)

    def _enter_offers(self) -> None:
        self.listed += (stated for stated in self.active if stated.kind == "listed")
        self.ledger.used.update(id(stated.fact) for stated in self.listed)
        raise_all(wrong_in((s for s in self.active if s.kind == "offer"), self._offer))
        order = list(self.families)
        found = [q[1] for q in self.ledger.answers if q[0] == "offer"]
        if not found:
            raise BookError(
                self.book.path,
                0,
                "",
                phrase("books.the-rulebook-offers-no-wager"),
                phrase("books.add-an-offer-fact"),
            )
        for spot in sorted(found, key=lambda s: (order.index(family(s)), number(s))):
            answer = self.ledger.ask(("offer", spot))
            assert answer is not None
            self.offered[spot] = answer

    def _offer(self, stated: Stated) -> None:
        fact = cast(facts.Offer, stated.fact)
        if fact.spot not in self.families and family(fact.spot) not in self.families:
            hint = f"{nearest(fact.spot, self.families)} ".lstrip()
            raise self.fail(
                stated,
                "there-is-no-spot",
                spot=fact.spot,
                hint=hint,
                families=" ".join(self.families),
            )
        self.ledger.ask(("family", family(fact.spot)))
        if ("*" in fact.spot) != bool(fact.numbers):
            raise self.fail(stated, "the-offer-of-and-its", spot=fact.spot)
        for n in fact.numbers or [number(fact.spot)]:
            spot = with_number(fact.spot, n)
            faces = self.families[family(spot)].by_faces
            known = [10 * high + low for high, low in PAIRS] if faces else TOTALS
            if n not in known and (n or fact.numbers):
                raise self.fail(
                    stated,
                    "no-such-faces" if faces else "no-such-total",
                    spot=fact.spot,
                    n=n,
                )
            value = (fact.name.replace("{n}", f"{n // 10}-{n % 10}" if faces else str(n)),)
            self.ledger.enter(("offer", spot), value, stated)

    def expand(self, spots: facts.Spots, stated: Stated) -> Iterator[str]:
        """The offered spots a fact speaks of ("others" is left to the caller)."""
        for pattern in [spots] if isinstance(spots, str) else spots:
            if "*" in pattern and pattern in self.families:
                members = [s for s in self.offered if family(s) == pattern and number(s)]
            else:
                members = [pattern] if pattern in self.offered else []
            if pattern == "others":
                raise self.fail(stated, "the-fact-speaks-of-others", kind=stated.kind)
            if not members:
                known = family(pattern) in self.families
                hint = "" if known else f"{nearest(pattern, self.offered)} ".lstrip()
                raise self.fail(
                    stated, "the-fact-speaks-of-which", kind=stated.kind, pattern=pattern, hint=hint
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
                    "books.add-it-to-point-or",
                )
        for fact, stated in moves:
            if fact.made:
                self.ledger.enter(("puck", "on", "point"), (0, "made"), stated)
            if fact.seven_out:
                self.ledger.enter(("puck", "on", 7), (0, "seven-out"), stated)

    def _enter_area(self, fact: facts.Area, stated: Stated) -> None:
        for spot in self.expand(fact.spot, stated):
            label = fact.label.replace("{n}", str(number(spot)))
            shared = isinstance(fact.spot, str) and "*" in fact.spot and "{n}" not in fact.label
            value = family(spot).removesuffix(".*") if shared else spot
            self.ledger.enter(("area", label.lower()), value, stated)

    def _enter_principle(self, fact: facts.Principle, stated: Stated) -> None:
        self.ledger.enter(("principle", fact.what), True, stated)

    def _enter_result(self, fact: facts.ResultFact, stated: Stated) -> list[object]:
        others: list[object] = []
        for spot in self.expand(fact.spot, stated):
            for puck in self.pucks(spot, fact.puck):
                for field, verdict in facts.VERDICTS.items():
                    outcomes = getattr(fact, field)
                    for outcome in outcomes:
                        if outcome == "other":
                            others += [
                                (("result", spot, puck, name), verdict, stated)
                                for name in self.rolls.names
                            ]
                            continue
                        for index in self._kinds(outcome, spot, puck, stated):
                            self.ledger.enter(
                                ("result", spot, puck, self.rolls.names[index]),
                                verdict,
                                stated,
                            )
        return others

    def pucks(self, spot: str, puck: str) -> list[int]:
        on = list(self.points) if self.shape(spot).by_point else [ANY_POINT]
        return {"off": [0], "on": on, "any": [0, *on]}[puck]

    def _kinds(self, outcome: int | str, spot: str, puck: int, stated: Stated) -> list[int]:
        n = number(spot)
        if outcome == "number" and self.families[family(spot)].by_faces:
            outcome = f"{n // 10}-{n % 10}"
        if isinstance(outcome, str) and (pair := facts.faces_of(outcome)):
            return [self.rolls.index(Roll(*pair))]
        tests: dict[str, Callable[[Kind], bool]] = {
            "number": lambda k: k.total == n,
            "hard": lambda k: k.total == n and k.hard,
            "easy": lambda k: k.total == n and not k.hard,
            "any hard": lambda k: k.hard,
            "any easy": lambda k: k.total in HARD_TOTALS and not k.hard,
            "point": lambda k: k.total == puck,
        }
        if isinstance(outcome, int):
            found = [index for index, kind in enumerate(self.rolls.kinds) if kind.total == outcome]
        else:
            found = [index for index, kind in enumerate(self.rolls.kinds) if tests[outcome](kind)]
        if not found:
            wrong = "no-such-way" if outcome in ("hard", "easy") and n else "no-such-outcome"
            if outcome == "point" and puck and not self.shape(spot).by_point:
                wrong = "sees-no-point"
            raise self.fail(
                stated,
                wrong,
                kind=stated.kind,
                outcome=f"{outcome!r}",
                spot=spot,
                puck="on" if puck else "off",
                name=self.shape(spot).name,
            )
        return found

    def _names(
        self, on: Iterable[int | str], spot: str, index: int, puck: int, stated: Stated
    ) -> bool:
        """Whether a list of totals, ways and faces names a kind of roll."""
        total = self.rolls.kinds[index].total
        return any(
            each == total
            if isinstance(each, int)
            else index in self._kinds(each, spot, puck, stated)
            for each in on
        )

    def _enter_price(self, fact: facts.PriceFact, stated: Stated) -> None:
        if (fact.per == "separate") == bool(fact.pays):
            raise self.fail(stated, "the-price-fact-and-its")
        roll = {"on": fact.on, "puck": fact.puck != "any", "same": fact.same}
        if fact.collected and any(roll.values()):
            key = next(key for key, value in roll.items() if value)
            raise self.fail(stated, "collected-whatever-the-roll", key=key)
        if fact.stays_up and not fact.collected:
            raise self.fail(stated, "stays-up-with-what")
        if fact.pays:
            how = {"pays": fact.pays, "told": odds_remedy(fact.pays)}
            try:
                nothing = parse_ratio(fact.pays) == 0
            except ValueError:
                raise self.fail(stated, "odds-unread", **how) from None
            if len(fact.pays) > LONGEST_ODDS:
                raise self.fail(stated, "odds-too-long", most=LONGEST_ODDS)
            if nothing and (fact.stays_up or not fact.collected):
                raise self.fail(stated, "odds-win-nothing", **how)
        for spot in self.expand(fact.spot, stated):
            self.prices.setdefault(spot, []).append((fact, stated))

    def _enter_share(self, fact: facts.Share, stated: Stated) -> None:
        for part in fact.parts:
            if part not in self.offered:
                raise self.fail(stated, "the-part-is-not-offered", part=part)
            if not self.shape(part).one_roll or self.shape(part).composed:
                raise self.fail(stated, "the-part-is-not-a", part=part)
        if len(set(fact.parts)) != len(fact.parts) or len(fact.parts) < 2 or fact.high < 0:
            raise self.fail(stated, "parts-and-high-do-not", parts=f"{fact.parts}", high=fact.high)
        for spot in self.expand(fact.spot, stated):
            value = (tuple(fact.parts), fact.high, fact.divide, fact.split)
            self.ledger.enter(("share", spot), value, stated)

    def _enter_behind(self, fact: facts.BehindFact, stated: Stated) -> None:
        for spot in self.expand(fact.spot, stated):
            if fact.flat:
                flat = with_number(fact.flat, number(spot))
                if flat not in self.offered:
                    raise self.fail(stated, "the-flat-wager-is-not", flat=flat)
                if self.shape(flat).odds:
                    raise self.fail(stated, "odds-behind-odds", spot=spot, flat=flat)
                self.ledger.enter(("behind", spot, "flat wager"), flat, stated)
            if fact.measure:
                times = self._times(fact.times, stated)
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
                self.ledger.enter(("behind", spot, "lift"), self._sign(fact.lift, stated), stated)

    def _spread(
        self, kind: str, spots: facts.Spots, keys: Iterable[str], value: object, stated: Stated
    ) -> list[object]:
        """Enter one answer for several spots and keys; "others" is handed back for later."""
        if spots == "others":
            return [((kind, spot, key), value, stated) for spot in self.offered for key in keys]
        for spot in self.expand(spots, stated):
            for key in keys:
                self.ledger.enter((kind, spot, key), value, stated)
        return []

    def _enter_window(self, fact: facts.Window, stated: Stated) -> list[object]:
        kinds = ("window", "window bars") if fact.bars else ("window",)
        told = [self._spread(kind, fact.spot, fact.act, fact.puck, stated) for kind in kinds]
        return [each for others in told for each in others]

    def _enter_betting(self, fact: facts.Betting, stated: Stated) -> None:
        for act in fact.act if fact.rest else ():
            self.ledger.enter(("betting rest", act), True, stated)
        if fact.rest and not fact.closes:
            return
        closes = self._setting_or(fact.closes, ("call", "throw", "rest"), stated, "closes")
        for act in fact.act:
            self.ledger.enter(("betting", act), closes, stated)

    def _enter_working(self, fact: facts.Working, stated: Stated) -> list[object]:
        return self._spread("working", fact.spot, [fact.puck], fact.works, stated)

    def _enter_marker(self, fact: facts.Marker, stated: Stated) -> list[object]:
        others: list[object] = []
        fields = {"allow": fact.allow, "puck": fact.puck, "scope": fact.scope, "lasts": fact.lasts}
        for field, value in fields.items():
            if value == "":
                continue
            for call in fact.call:
                others += self._spread(f"marker {call}", fact.spot, [field], value, stated)
        return others

    def _enter_limit(self, fact: facts.Limit, stated: Stated) -> None:
        if fact.breach == "warn" and fact.bound != "multiple":
            raise self.fail(stated, "a-house-cannot-accept-stakes", bound=fact.bound)
        self.ledger.enter(("limit", fact.bound), fact.breach, stated)

    def _enter_recognise(self, fact: facts.Recognise, stated: Stated) -> None:
        for time in ("first", "later") if fact.time == "any" else (fact.time,):
            self.ledger.enter(("recognise", fact.case, time), fact.treat, stated)

    def _enter_round(self, fact: facts.Round, stated: Stated) -> None:
        way = self._setting_or(fact.way, WAYS, stated, "way")
        self.ledger.enter(("round", fact.what), way, stated)

    def _enter_fee(self, fact: facts.Fee, stated: Stated) -> None:
        for pattern in fact.only:
            for spot in self.expand(pattern, stated):
                self.ledger.enter(("fee", spot, "only"), True, stated)
        if bool(fact.only) == bool(fact.spot) or (fact.only and fact.percent is not None):
            raise self.fail(stated, "the-fee-fact-is-neither")
        for spot in self.expand(fact.spot, stated):
            if fact.percent is not None:
                percent = self._whole(fact.percent, stated, "percent")
                if percent > 100:
                    raise self.fail(stated, "the-fee-fact-has-percent", percent=fact.percent)
                base = fact.base and self._setting_or(fact.base, BASES, stated, "base")
                value = (Fraction(percent, 100), base)
                self.ledger.enter(("fee", spot, "rate"), value, stated)
            if fact.charged:
                charged = self._setting_or(fact.charged, CHARGED, stated, "charged")
                self.ledger.enter(("fee", spot, "charged"), charged, stated)
            if fact.refund:
                refund = self._flag(fact.refund, stated, "refund", "removal")
                self.ledger.enter(("fee", spot, "refund"), refund, stated)

    def _enter_collect(self, fact: facts.Collect, stated: Stated) -> None:
        for spot in self.expand(fact.spot, stated):
            said = fact.times or fact.together or fact.enough or fact.in_a_row
            if not self.shape(spot).remembers or fact.times < 0 or fact.enough < 0 or not said:
                raise self.fail(stated, "the-collect-fact-of-says", spot=spot)
            for n in fact.number or [0]:
                if fact.times:
                    self.ledger.enter(("collect", spot, "times", n), fact.times, stated)
            for key in ("together", "enough", "in_a_row"):
                if getattr(fact, key):
                    self.ledger.enter(("collect", spot, key), getattr(fact, key), stated)

    def _enter_gate(self, fact: facts.Gate, stated: Stated) -> None:
        for spot in self.expand(fact.spot, stated):
            if fact.group:
                self.ledger.enter(("gate", spot, "group"), fact.group, stated)
            if fact.until:
                until = self._setting_or(fact.until, GATES, stated, "until")
                self.ledger.enter(("gate", spot, "until"), until, stated)

    def _enter_again(self, fact: facts.Again, stated: Stated) -> list[object]:
        unasked = self._flag(fact.unasked, stated, "unasked")
        return self._spread("again", fact.spot, ["win"], unasked, stated)
