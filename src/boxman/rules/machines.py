"""Verdicts and prices joined into cells: the machine of each wager.

A machine has a row of cells for every puck. Shapes say what must be decided; prices and shares say
what a decision is worth; every cell gathers the clauses it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from boxman.chips import parse_ratio
from boxman.rules import facts
from boxman.rules.book import Book, Stated, raise_all
from boxman.rules.cell import Cell, Cells
from boxman.rules.entries import Entries
from boxman.rules.ids import family, number, with_number
from boxman.rules.layout import ShareRule, Spot
from boxman.rules.ledger import Cites, join
from boxman.rules.settings import PRICE, SettingError, price_floor
from boxman.rules.shapes import ANY_POINT, Collection, Priced
from boxman.rules.wanted import as_toml
from boxman.words import phrase

MOST_TIMES, MOST_CASES = 200, 5_000
"""How often a thing may have to come for a collecting wager, and how many things it may remember:
its odds are worked out from each, in fractions that grow with every step."""
MOST_PAID = 1_024
"""The same of one that is paid on the way by thing: what it has come to is as many sums."""


class Machines(Entries):
    """The facts of a rulebook, entered, and the machines they make."""

    def __init__(self, book: Book, given: Mapping[str, object]) -> None:
        super().__init__(book, given)
        self.spots: dict[str, Spot] = {}
        self.results: dict[str, dict[int, dict[int, str]]] = {}
        self._shares: dict[str, ShareRule] = {}
        self._collections: dict[str, Collection] = {}
        self.paid_by: set[tuple[int, str, object]] = set()
        """What each price names that some wager wins by."""

    def decide_rows(self, spot: str) -> None:
        """Read the verdicts of a spot and check that its shape is whole."""
        shape = self.shape(spot)
        rows: dict[int, dict[int, str]] = {}
        for puck in self.pucks(spot, "any"):
            rows[puck] = {}
            for index, kind in enumerate(self.rolls.kinds):
                answer = self.ledger.ask(("result", spot, puck, self.rolls.names[index]))
                if answer is not None:
                    rows[puck][index] = answer.value
                elif shape.open(puck, kind, self.points):
                    self.ledger.need(
                        ("result", spot, puck, self.rolls.names[index]),
                        self.offered[spot].stated[0],
                        "books.add-a-result-fact-for-2",
                        spot=spot,
                    )
        for puck, verdict in shape.must(rows):
            if verdict not in rows[puck].values():
                raise self.fail(
                    self.offered[spot].stated[0],
                    "nothing-says-on-which-roll",
                    spot=spot,
                    verdict=verdict,
                )
        if not shape.remembers and any(
            {"collect", "clear"} & {*row.values()} for row in rows.values()
        ):
            raise self.fail(self.offered[spot].stated[0], "does-not-collect-numbers", spot=spot)
        self.results[spot] = rows

    def _cites(self, spot: str, puck: int, index: int) -> Cites:
        answer = self.ledger.answers.get(("result", spot, puck, self.rolls.names[index]))
        return answer.cites if answer else ()

    def principle(self, what: str) -> Cites:
        answer = self.ledger.ask(("principle", what))
        return answer.cites if answer else ()

    def share(self, spot: str) -> ShareRule:
        """The parts of a composed wager, worked out once."""
        if spot not in self._shares:
            self._shares[spot] = self._share(spot)
        return self._shares[spot]

    def _share(self, spot: str) -> ShareRule:
        at = self.offered[spot].stated[0]
        answer = self.ledger.need(("share", spot), at, "books.add-a-share-fact")
        parts, high, divide, split = answer.value
        units = [1] * len(parts)
        if high:
            chosen = next(
                (
                    index
                    for index, part in enumerate(parts)
                    if any(
                        cell and cell.verdict == "win" and kind.total == number(spot)
                        for kind, cell in zip(
                            self.rolls.kinds, self.spots[part].rows[0], strict=True
                        )
                    )
                ),
                None,
            )
            if chosen is None:
                raise self.fail(answer.stated[0], "no-part-of-wins-on", spot=spot)
            units[chosen] += high
        return ShareRule(
            parts=parts,
            units=tuple(units),
            divide=divide,
            named=split == "named",
            cites=answer.cites,
        )

    def rows(
        self, spot: str, works: tuple[Cites, Cites]
    ) -> tuple[dict[int, Cells], dict[int, Cells]]:
        """The machine of a spot, and what clauses expressly leave standing."""
        rows: dict[int, Cells] = {}
        stays: dict[int, Cells] = {}
        for puck, verdicts in self.results[spot].items():
            after = works[1 if puck else 0]
            row: list[Cell | None] = [None] * len(self.rolls.kinds)
            stay: list[Cell | None] = [None] * len(self.rolls.kinds)
            for index, verdict in verdicts.items():
                cell = self._cell(spot, puck, index, verdict, after)
                if verdict in ("stay", "bar"):
                    stay[index] = cell
                else:
                    row[index] = cell
            rows[puck], stays[puck] = tuple(row), tuple(stay)
        if not self.shape(spot).by_point:
            for point in self.points:
                rows[point], stays[point] = rows[ANY_POINT], stays[ANY_POINT]
            if ANY_POINT not in self.points:
                del rows[ANY_POINT], stays[ANY_POINT]
        return rows, stays

    def _cell(self, spot: str, puck: int, index: int, verdict: str, after: Cites) -> Cell:
        said = self._cites(spot, puck, index)
        if self.shape(spot).one_roll:
            said = join(said, self.principle("one roll"))
        if verdict == "move":
            to = with_number(f"{spot}.*", self.rolls.kinds[index].total)
            if to not in self.offered:
                raise self.fail(
                    self.offered[spot].stated[0], "moves-to-which-is-not", spot=spot, to=to
                )
            return Cell(verdict=verdict, cites=join(said, after), said=said, to=to)
        if verdict == "bar":
            said = join(said, self.principle("stand-off"))
            return Cell(verdict=verdict, cites=said, said=said)
        if verdict == "stay":
            return Cell(verdict=verdict, cites=said, said=said)
        return self.shape(spot).cell(self, spot, puck, index, verdict, said, after)

    def _priced(
        self, spot: str, n: int, index: int, puck: int
    ) -> list[tuple[facts.PriceFact, Stated]]:
        """The prices of a win by this roll, without those that one of them overrides."""
        side = "on" if puck else "off"
        found = [
            (fact, stated)
            for fact, stated in self.prices.get(spot, [])
            if (not fact.number or n in fact.number)
            and (not fact.on or self._names(fact.on, spot, index, puck, stated))
            and fact.puck in ("any", side)
            and not fact.collected
        ]
        for fact, stated in found:
            self.ledger.used.add(id(fact))
            if fact.number:
                self.paid_by.add((id(fact), "number", n))
            rolls = (each for each in fact.on if self._names([each], spot, index, puck, stated))
            self.paid_by.update((id(fact), "on", each) for each in rolls)
        return self._not_overridden(found)

    def _not_overridden(
        self, found: list[tuple[facts.PriceFact, Stated]]
    ) -> list[tuple[facts.PriceFact, Stated]]:
        for fact, _ in found:
            below = [other for other, at in found if fact.despite and at.clause == fact.despite]
            if any((other.pays, other.per) != (fact.pays, fact.per) for other in below):
                self.ledger.despite.add(id(fact))
                found = [(other, at) for other, at in found if at.clause != fact.despite]
        return found

    def check_paid(self) -> None:
        """Every number and roll that a price names must be one by which its wager wins."""
        errors = []
        for spot, prices in self.prices.items():
            for fact, stated in prices:
                named = [("number", each) for each in fact.number] + [("on", e) for e in fact.on]
                for key, entry in named if not fact.collected else ():
                    if (id(fact), key, entry) not in self.paid_by:
                        said = {"spot": spot, "entry": as_toml(entry), "key": key}
                        errors.append(self.fail(stated, "never-paid-so", **said))
        raise_all(errors)

    def prices_collected(self, spot: str, stays_up: bool) -> dict[tuple[int, int], Priced]:
        """What a collecting wager pays by how much it has, of all its things (0) or of one: on the
        way, where it stays up, or when it ends."""
        found: dict[tuple[int, int], Priced] = {}
        for fact, stated in self.prices.get(spot, []):
            if fact.stays_up != stays_up:
                continue
            for key in product(fact.number or [0], fact.collected):
                self.ledger.used.add(id(fact))
                ratio, cites = parse_ratio(fact.pays), (stated.clause,)
                known = found.setdefault(key, (ratio, cites))
                if known[0] != ratio:
                    said = {"spot": spot, "size": key[1], "pays": fact.pays}
                    raise self.fail(stated, "two-facts-disagree-about-what", **said)
                found[key] = ratio, join(known[1], cites)
        return found

    def price(
        self, spot: str, n: int, index: int, puck: int
    ) -> tuple[facts.PriceFact, Fraction | None, Cites]:
        """The price of a win of this spot on this number by this kind of roll."""
        found = self._priced(spot, n, index, puck)
        kind = self.rolls.kinds[index]
        by_number = n not in (0, kind.total) and not self.families[family(spot)].by_faces
        roll = phrase("books.with-the-puck-on", total=kind, n=n) if by_number else str(kind)
        if not found:
            self.ledger.need(
                ("price", spot, roll),
                self.offered[spot].stated[0],
                "books.add-a-price-fact-for",
                spot=spot,
            )
        first, first_stated = found[0]
        ratio = parse_ratio(first.pays) if first.pays else None
        for fact, stated in found[1:]:
            other = parse_ratio(fact.pays) if fact.pays else None
            if (other, fact.per) != (ratio, first.per):
                raise self.fail(
                    stated,
                    "two-facts-disagree-about-what-2",
                    spot=spot,
                    roll=roll,
                    value=fact.pays or fact.per,
                    value_2=first.pays or first.per,
                    line=first_stated.line,
                    clause=first_stated.clause,
                )
        cites = join(tuple(stated.clause for _, stated in found))
        if ratio is not None:
            more = self._more(spot, n or kind.total, ratio)
            if first.same:
                tied = self._more(first.same, n, ratio)
                if more not in (None, tied or ratio):
                    told = {"spot": spot, "same": first.same, "number": str(n)}
                    raise SettingError("tied", (first_stated.clause,), **told)
                more = tied
            if more is not None:
                ratio, cites = more, join(cites, self.setting_rules[PRICE].cites)
        return first, ratio, tuple(dict.fromkeys(cites))

    def _more(self, spot: str, n: int, listed: Fraction) -> Fraction | None:
        """What the house pays instead of its list, for this number or for all of a spot."""
        for name in (f"{PRICE}.{spot}.{n}", f"{PRICE}.{spot}"):
            if name in self.values:
                self.priced.add(name)
                text, to = str(self.values[name]), self.ledger.ask(("principle", "odds to"))
                return price_floor(self.setting_rules, spot, listed, text, to.cites if to else ())
        return None

    def price_of(self, spot: str, puck: int, index: int) -> tuple[Fraction, Cites]:
        """What a whole stake wins by this roll."""
        n = puck if self.shape(spot).by_point and puck else number(spot)
        fact, ratio, priced = self.price(spot, n, index, puck)
        if ratio is None or fact.per != "stake":
            raise self.fail(self.offered[spot].stated[0], "has-no-parts-to-be", spot=spot)
        return ratio, priced

    def part_cell(self, part: str, puck: int, index: int) -> Cell | None:
        """What a roll does to a wager that is part of another."""
        rows = self.spots[part].rows
        return rows[puck if puck in rows else self.points[0]][index]

    def by_faces(self, rows: dict[int, Cells]) -> bool:
        """Whether rolls of the same total, made the same way, are not all alike to it."""
        different = {id(row): row for row in rows.values()}.values()
        return any(row[i] != row[j] for row in different for i, j in self.rolls.by_faces)

    def collection(self, spot: str) -> Collection:
        """What a wager with a memory collects."""
        if spot not in self._collections:
            self._collections[spot] = self._collection(spot)
        return self._collections[spot]

    def _collection(self, spot: str) -> Collection:
        row = self.results[spot].values()
        totals = {
            self.rolls.kinds[index].total
            for verdicts in row
            for index, verdict in verdicts.items()
            if verdict == "collect"
        }
        how = {
            key: answer.value if (answer := self.ledger.ask(("collect", spot, key))) else 0
            for key in ("together", "enough", "in_a_row")
        }
        together = bool(how["together"])
        if not together:
            self._one_thing_each(spot)
        items = (0,) if together else tuple(sorted(totals))
        by = self.prices_collected(spot, stays_up=False)
        made = Collection(
            items=items,
            times=tuple(self._times_of(spot, item) for item in items),
            together=together,
            enough=how["enough"],
            in_a_row=bool(how["in_a_row"]),
            forgets=bool(how["in_a_row"]) or any("clear" in each.values() for each in row),
            ends={size: priced for (item, size), priced in by.items() if not item},
            things={key: priced for key, priced in by.items() if key[0]},
            steps=self.prices_collected(spot, stays_up=True),
        )
        self._check_collection(spot, made)
        return made

    def _times_of(self, spot: str, item: int) -> int:
        """How often a thing has to come: what is said of it, or of all."""
        own = self.ledger.ask(("collect", spot, "times", item)) if item else None
        every = own or self.ledger.ask(("collect", spot, "times", 0))
        return every.value if every is not None else 1

    def _check_collection(self, spot: str, made: Collection) -> None:
        """Refuse what a wager could not collect or be paid for."""
        at = self.offered[spot].stated[0]
        most = MOST_PAID if any(item for item, _ in made.steps) else MOST_CASES
        if max(made.times) > MOST_TIMES or made.cases(most) > most:
            raise self.fail(at, "collects-too-much", spot=spot, most=most, often=MOST_TIMES)
        for verdicts in self.results[spot].values():
            loose = [k for index, k in enumerate(self.rolls.kinds) if index not in verdicts]
            if made.in_a_row and (made.together or loose):
                roll = loose[0] if loose else made.times[0]
                raise self.fail(at, "nothing-breaks-the-row", spot=spot, roll=roll)
        if made.enough > made.most + made.waits:
            said = {"enough": made.enough, "most": made.most}
            raise self.fail(at, "enough-is-too-much", spot=spot, **said)
        if made.steps and made.forgets:
            raise self.fail(at, "paid-without-end", spot=spot)
        if made.enough <= made.most and (0, made.enough) in made.steps:
            raise self.fail(at, "wins-and-stays-up", spot=spot, enough=made.enough)
        for stays_up in (False, True):
            self._check_collected(spot, made, stays_up)

    def _check_collected(self, spot: str, made: Collection, stays_up: bool) -> None:
        """Refuse prices for what can never be collected, or both for things and for how many."""
        at, by = self.offered[spot].stated[0], self.prices_collected(spot, stays_up)
        if len({bool(item) for item, _ in by}) > 1:
            raise self.fail(at, "priced-both-ways", spot=spot)
        most = dict(zip(made.items, made.times, strict=True)) | {0: min(made.most, made.enough)}
        for item, size in by:
            least = 1 if item or stays_up else 0
            if not least <= size <= most.get(item, -1):
                said = {"size": size, "most": most.get(item, 0)}
                raise self.fail(at, "has-a-price-for-collected", spot=spot, **said)

    def _one_thing_each(self, spot: str) -> None:
        """Refuse two pairs of faces that would count as the same thing collected: their total."""
        named: dict[int, str] = {}
        for stated in self.active:
            fact = stated.fact
            if isinstance(fact, facts.ResultFact) and spot in self.expand(fact.spot, stated):
                for outcome in map(str, fact.collect):
                    pair = facts.faces_of(outcome)
                    if pair and named.setdefault(sum(pair), outcome) != outcome:
                        raise self.fail(
                            stated,
                            "collects-one-total-twice",
                            spot=spot,
                            total=sum(pair),
                            first=named[sum(pair)],
                            second=outcome,
                        )

    def item_of(self, spot: str, index: int) -> int:
        """Which of the things it collects a roll is."""
        collection = self.collection(spot)
        return 0 if collection.together else collection.items.index(self.rolls.kinds[index].total)

    def completed(self, spot: str, puck: int, index: int) -> Priced:
        """What a collecting wager wins by the roll that completes it; 0 where that depends on more
        than the roll."""
        made = self.collection(spot)
        if made.enough in made.ends and not made.things:
            return made.ends[made.enough]
        if made.enough > made.most and not made.things:
            return Fraction(0), ()
        plain = any(not fact.collected for fact, _ in self.prices.get(spot, []))
        if made.things and not plain:
            whole = zip(made.items, made.times, strict=True)
            if short := [each for each in whole if each not in made.things]:
                said = {"spot": spot, "number": short[0][0], "times": short[0][1]}
                raise self.fail(self.offered[spot].stated[0], "no-price-for-thing", **said)
            return Fraction(0), ()
        if made.ends and not plain:
            at = self.offered[spot].stated[0]
            raise self.fail(at, "no-price-when-complete", spot=spot, most=made.enough)
        return self.price_of(spot, puck, index)
