"""What differs between two houses: told in words, alike from both sides, with nothing lost."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from boxman.rules.book import BookError, houses, read_book
from boxman.rules.compile import load
from boxman.rules.diff import HouseDifference, as_compared, differences, grouped
from boxman.rules.diff.told import listed
from boxman.rules.duties import Awaited
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited
from boxman.rules.procedure import Procedure, marked
from boxman.rules.settings import SettingError
from boxman.rules.shapes import Collection
from boxman.words.say import book
from boxman.workshop.again import WholeBook
from boxman.workshop.mutants import mutants

HOUSES = Path(__file__).parent / "houses"

PAIRS = list(combinations(houses(), 2))


@cache
def all_rows(first: str, second: str) -> list[HouseDifference]:
    return differences(*(as_compared(read_book(house)) for house in (first, second)))


def rows(first: str, second: str, spot: str = "") -> list[HouseDifference]:
    return [row for row in all_rows(first, second) if not spot or row.spot == spot]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_differences_are_the_same_from_either_side(first: str, second: str) -> None:
    there = {(row.spot, row.what, row.first, row.second) for row in rows(first, second)}
    back = {(row.spot, row.what, row.second, row.first) for row in rows(second, first)}
    assert there == back
    assert all(one != other for *_, one, other in there)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_differences_are_told_in_words(first: str, second: str) -> None:
    for row in rows(first, second):
        for text in (row.what, row.first, row.second):
            assert not re.search(r"puck \d|\(puck|^-$|\bcome\.\d|\.odds\b|[a-z]_[a-z]", text), row
            stations = r"\b(stick|box|senior)\b(?! (Casino S|casino s|s)upervisor)"
            assert row.spot not in ("people", "procedure") or not re.search(stations, text), row


def test_a_point_that_one_house_lacks_changes_nothing_else() -> None:
    # Crapless or not, a come bet on the 4 wins on a 4 and loses to a 7.
    assert [row.what for row in rows("adelaide", "perth-crapless", "come.4")] == []
    line = {row.what: (row.first, row.second) for row in rows("adelaide", "perth-crapless", "pass")}
    assert line["on 2, 3 and 12 at the come-out"] == ("loses", "stands")
    assert line["on 7 with the point 2, 3, 11 and 12"] == ("there is no such point", "loses")


def test_limits_and_totals_that_differ_alike_are_one_row() -> None:
    odds = {row.what: (row.first, row.second) for row in rows("nsw", "rws", "pass.odds")}
    # Resorts World takes 3, 4 and 5 times the flat, New South Wales twice.
    assert odds["limit on 4 and 10"][1] == "stake up to 3 times the flat"
    assert odds["limit on 5 and 9"][1] == "stake up to 4 times the flat"
    assert odds["limit on 6 and 8"][1] == "stake up to 5 times the flat"
    assert listed([4]) == "4"
    assert listed([4, 5, 6]) == "4, 5 and 6"


SEEN = ("collect", "price", "gate", "again", "share", "result", "fee", "behind", "working", "offer")


@pytest.mark.parametrize("name", ["bonus", "hops"])
def test_a_changed_fact_of_a_wager_is_a_difference(name: str) -> None:
    """Whatever a changed fact does to a spot, a reader of the difference is told."""
    book = read_book(str(HOUSES / f"{name}.md"))
    whole, silent, told = WholeBook(book), [], 0
    layout = whole.compiled(book, {})
    for mutant in mutants(book):
        if mutant.stated.kind not in SEEN:
            continue
        try:
            other = whole.compiled(msgspec.structs.replace(book, facts=mutant.facts), {})
        except BookError:
            continue
        if differences(layout, other):
            told += 1
        elif ruled(layout) != ruled(other):
            silent.append(mutant.name)
    assert silent == []
    assert told > 36


def ruled(layout: Layout) -> object:
    """All that a layout's spots do, without the clauses that say so."""

    def bare(value: object) -> object:
        if isinstance(value, Collection):
            how = (value.together, value.enough, value.in_a_row, value.forgets, value.ladder)
            return (value.items, value.times, how, {n: e[0] for n, e in value.ends.items()})
        if isinstance(value, (msgspec.Struct, Cited)):
            fields = getattr(value, "__struct_fields__", ("value",))
            kept = [name for name in fields if not name.endswith("cites") and name != "said"]
            return {name: bare(getattr(value, name)) for name in kept if name != "aliases"}
        if isinstance(value, dict):
            return {key: bare(each) for key, each in value.items()}
        return [bare(each) for each in value] if isinstance(value, tuple) else value

    return {name: bare(spot) for name, spot in layout.spots.items()}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_groups_lose_no_difference(first: str, second: str) -> None:
    one, two = load(first), load(second)
    found = differences(one, two)
    groups = grouped(one, two, found)
    spots = [spot for group in groups for spot in group.spots]
    assert sorted(spots) == sorted({row.spot for row in found})
    assert sum(len(group.rows) * len(group.spots) for group in groups) == len(found)
    assert all(group.head and not re.search(r"_|[a-z]\.[a-z0-9]", group.head) for group in groups)
    assert len({group.head for group in groups}) == len(groups)


def throws(first: str, second: str) -> dict[str, tuple[str, str]]:
    found = rows(first, second, "throws")
    return {row.what.removeprefix("a throw: "): (row.first, row.second) for row in found}


def told(first: str, second: str, spot: str) -> dict[str, tuple[str, str]]:
    return {row.what: (row.first, row.second) for row in rows(first, second, spot)}


def test_one_ground_under_two_words_is_one_ground() -> None:
    """Adelaide 11(a)(iv), (vi), 11(b)(ii) are New Zealand 6.4(d), (g), 6.5(b)."""
    here = throws("adelaide", "newzealand")
    bowl, rail = "a die in the dice bowl", "a die on a rail"
    words = (bowl, rail, "dice that are not approved", "a die that struck no end")
    assert not {*words, "a die on the bank's chips", "one die on the other"} & set(here)
    assert not {"short", "wrong die", "bowl or rail", "in cup"} & set(here)
    # New South Wales 5.3.4 to 5.3.6 are Resorts World 3.10(vii), (viii), (x), (xi).
    both = throws("nsw", "rws")
    must, void = "has to be called no roll", "no roll, called or not"
    for word in (bowl, rail, "a face that nobody can read", "somebody else threw"):
        assert both[word] == (must, void)
    # Perth 6.13(b) and Resorts World 3.10(v) void a die on a die alike in kind.
    perth = throws("perth-crapless", "rws")
    assert "stacked" not in perth
    anybody = "; boxperson, dealer, manager and stickperson may call it"
    # 6.13 names nobody, so anybody of the crew; 3.9 names the Stickperson.
    assert perth["one die on the other"] == (void + anybody, void)


def test_a_ground_that_only_one_text_names_is_still_told() -> None:
    here = throws("adelaide", "newzealand")
    judge = "for those who call no roll to judge"  # 11(b)(iii), 6.5(c), 5.2.3, 6.14(c)
    assert here["dice taken out of sight"] == ("no roll if it is called", judge)
    assert here["two faces of a die on something"] == (judge, "no roll, called or not")
    # 1 No Roll of Resorts World: the situations of 3.10 and no other.
    rws = {row.what: row for row in rows("adelaide", "rws", "throws")}
    attempt = rws["a throw: no attempt at a throw"]  # 3.10(ii): what somebody feels is no fact
    feel = "no roll if it is judged so; boxperson and stickperson may call it"
    assert (attempt.first, attempt.second) == (judge, feel)
    out = rws["a throw: dice taken out of sight"]
    assert (out.second, out.second_cites) == ("not on the list of grounds", ("1 No Roll",))


def test_names_without_a_number_are_all_told() -> None:
    """4(i) to 4(l) and 4.14 to 4.17 differ alike, and no name of theirs has a number in it."""
    sides = [load("adelaide"), load("perth-crapless")]
    heads = [group.head for group in grouped(*sides, differences(*sides))]
    hard = ("Four", "Six", "Eight")
    assert ", ".join(f"{n} the Hardway" for n in hard) + " and Ten the Hardway" in heads


def test_a_power_given_for_every_case_is_told_for_each() -> None:
    who = told("nsw", "rws", "people")
    assert "who may handle the dice: another die is chosen" not in who  # the stick does it in both
    assert "who may offer the dice: as the game opens" not in told("adelaide", "nsw", "people")
    perth = told("perth-crapless", "rws", "people")
    for power in ("close the table", "change the limits", "exclude a player"):
        assert perth[f"who may {power}"][0].startswith("manager, only for "), "not nobody"
    # A manager corrects a boxperson (term-4, 9.7), a casino supervisor a game supervisor (6.10).
    own = "who may overrule a call: a boxperson's own"
    above = "senior supervisor and supervisor"
    review = f"{above}; the one whose dispute it is has to ask for it"  # 9.11
    assert told("nsw", "rws", "people")[own] == (review, "manager")
    asked = "manager; a player has to dispute the call"
    assert told("nsw", "perth-crapless", "people")[own] == (review, asked)
    assert told("nsw", "adelaide", "people")[own] == (review, "nobody")  # nobody stands above
    assert told("nsw", "newzealand", "people")[own] == (review, above)
    same = told("adelaide", "perth-crapless", "people")
    assert not [what for what in same if re.match("who may order .*(delay|invalid)", what)]


def test_composite_stakes_settings_and_what_is_taken_back_are_compared() -> None:
    exact = "into equal parts, fractions of a chip too"
    equal = "into equal parts that chips can make"
    assert told("adelaide", "newzealand", "horn")["the stake divides"] == (exact, equal)
    assert told("adelaide", "newzealand", "c_and_e")["the stake divides"] == (
        exact,
        "into parts that the player names",
    )
    table = told("adelaide", "newzealand", "table")
    assert table["the house may choose what a wager is paid"] == (
        "more than the list, never less",
        "no choice",
    )
    assert (
        table["the house may choose whether stakes are multiples of the minimum"][1] == "no choice"
    )  # 14(h), 5(f)
    assert (
        table["the house may choose whether Big 6 and Big 8 are there"][1] == "no choice"
    )  # "where available"
    assert table["the house may choose how a win is rounded"][0] == "no choice"  # 6(d) fixes it
    charge = told("nsw", "rws", "table")["a charge besides the fee"]
    # gap-20: 6.1.24 and 6.1.25 name 5%, and no clause of that text forbids more.
    assert charge == ("no clause forbids it; it is read so", "nothing is said")
    assert told("adelaide", "rws", "table")["a charge besides the fee"][0] == "forbidden"  # 14(d)
    # Totals told in one row, the clause of each: 8.1 and 4.1 price every number by itself.
    horn = next(row for row in rows("nsw", "rws") if row[:2] == ("horn", "on 3 and 11"))
    assert horn.first_cites[-2:] == ("8.1[Craps Three]", "8.1[Eleven]")
    assert horn.second_cites[-2:] == ("4.1 3 Crap", "4.1 11")
    back = told("adelaide", "nsw", "procedure")
    why = "a brawl, a riot, an act of God, civil commotion, fire and fraud"
    taken = back[f"wagers when a roll is taken back for {why}"]
    assert taken == ("stand as before", "are handed back")


def test_two_dice_and_a_crew_are_told_as_one_reads_them() -> None:
    for one, other in PAIRS:  # all throw two; the American example does not say so
        if "american" not in (one, other):
            assert "dice thrown" not in told(one, other, "procedure")
    crew = told("adelaide", "newzealand", "procedure")
    assert crew["crew of a table with 1 side"] == ("nothing is said", "1 stickperson")


def test_every_duty_has_a_name_in_the_phrase_book() -> None:
    """One without would be a traceback at the first house that states it."""
    kinds = get_type_hints(Procedure)
    staff = ("notice", "favour", "dice", "voucher", "dispute", "conduct")
    for kind in (*staff, "order", "eligible", "shooter", "no_shooter"):
        told = set(kinds[kind].__struct_fields__) - set(marked(kinds[kind], "common"))
        assert phrased(kind) == told
    assert phrased("confirm") == set(get_args(Awaited)) == {*phrased("confirm-until"), "on"}


def phrased(kind: str) -> set[str]:
    above = f"diff.duties.{kind}."
    return {key.removeprefix(above) for key in book("en") if key.startswith(above)}


def test_silence_is_told_only_where_no_clause_speaks() -> None:
    told = {row.what: (row.first, row.second) for row in rows("nsw", "perth-crapless")}
    # One disturbance in two words, one right to pass inside a wider one: no difference.
    assert not [what for what in told if what.startswith("wagers when a roll is taken back")]
    assert "the shooter may pass the dice after a round" not in told
    # 7.1(f), 5.2(c), 4.1 and 6.3 until rest, 7.3 at any time, 9.5 in two words, 1.1 Wager.
    seniors = "senior supervisor and supervisor"
    assert (
        told["a throw: a face that nobody can read"][1]
        == "no roll if it is called; boxperson may call it"
    )
    assert told["who may exclude a player: a device"] == (seniors, "manager")
    assert told["the house may choose how long a come bet is locked"][0] == "no choice"
    assert told["a stake that is up when the maximum falls"][1] == "counts up to the new one"
    late = {row.what: row for row in rows("nsw", "rws")}["a late wager is confirmed by"]
    assert (late.second, late.second_cites) == ("none is taken", ("3.2", "3.8 #2"))
    # To decide faces is not to void the throw (New South Wales 4.4.3, Perth 7.1(f)).
    assert told["who may decide which faces are up: and void the throw"] == ("nobody", "boxperson")
    # 1.1: gone whichever way it is decided.
    assert told["a voucher is forfeited once decided, win or lose"] == ("yes", "none is taken")
    # 6.6: at the roll.
    assert "such a wager is needed to take the dice" not in told
    rws = {row.what: (row.first, row.second) for row in rows("perth-crapless", "rws")}
    assert rws["such a wager is needed to take the dice"] == ("no", "yes")
    assert rws["a call on is confirmed by"] == ("boxperson or dealer", "nobody")
    # term-4 speaks of disorder, a brawl or a fire alarm.
    assert "wagers when a roll is taken back for fire" not in rws


HOUSE_ORDER = ("adelaide", "newzealand", "nsw", "rws", "perth-crapless", "american")
NONE, NOBODY, SILENT = "none is taken", "nobody", "nothing is said"
THROWN, REST, LAND = "the dice are thrown", "the dice are at rest", "the dice land"
SENIORS = "senior supervisor and supervisor"
SIGN = "with players there, a sign has to be shown first"  # 9.8; an empty table needs none
INSPECTOR = "the inspector has to be told first"
UNIT = "counts up to the greatest unit in it"
NO_UNIT = "no multiples or units are asked for"
NO_NOTE = "no note is taken of it"
EXACT_OR_DOWN = "not at all or down; not at all where it does not choose"
SIGNED = (
    "1 or more times the flat, or an amount, for all numbers or each its own;"
    " 1 where it does not choose"
)
OLD_DIE = "the shooter may have the old die back"
BEFORE = "before the dice are at rest, if it can be"
SPOKEN = "none is taken but a late one"

CELLS = {
    # Adelaide 14(i), New Zealand term-5, New South Wales 9.8, Perth 9.4(b).
    "minutes of notice: closing with players there": ("0", "20", "20", "0", "10", "0"),
    "minutes of notice: a higher minimum": ("0", "20", "20", "20", "10", "0"),
    # What makes smaller wagers impossible counts as a higher minimum; the others have no units.
    "minutes of notice: a higher unit of stakes": (NO_UNIT, NO_UNIT, "20", NO_UNIT, "10", NO_UNIT),
    # Perth 5.2(a); New South Wales 7.3 knows no exception for a table without players.
    "minutes of notice: a higher minimum at an empty table": ("0", "0", "20", "0", "0", "0"),
    "minutes of notice: other limits": ("0", "0", "0", "0", "10", "0"),
    # 5(a); 4.4; 6.3; 3.8; 4.1. A wager called out before the throw is late after it.
    "a late wager is confirmed until": (NONE, REST, REST, NONE, LAND, NONE),
    "a wager called out is confirmed until": (THROWN, REST, SPOKEN, NONE, LAND, NONE),
    # 9(d)(ii) if immediately recovered and checked; 6.1(b); 3.4.2; 6.13(a)iii keeps it back.
    OLD_DIE: (
        "if it is found at once, after a check",
        *("after a check", "after a check", SILENT, "no", SILENT),
    ),
    # 14(i); term-5 without a sign in an emergency; 9.8 knows none.
    "who may close the table": (
        f"manager; {INSPECTOR}",
        f"{SENIORS}; {SIGN}",
        f"{SENIORS}; {SIGN}",
        "manager",
        "manager, only for an empty table, after notice, no surveillance and an emergency",
        "manager",
    ),
    # 7.4: above the maximum, both figures on the sign. 5.8: surveillance is notified.
    "who may grant a player other limits": (
        NOBODY,
        NOBODY,
        f"{SENIORS}; the player's maximum has to be above the table's; both figures have to be"
        " named, a minimum and a maximum",
        NOBODY,
        "manager; surveillance has to be told first",
        NOBODY,
    ),
    # 14(d), 4.13, 8.3 forbid what goes beyond the fee; Resorts World has no such clause.
    "the house may choose how a fee is rounded": (
        *(EXACT_OR_DOWN, EXACT_OR_DOWN, EXACT_OR_DOWN),
        *(
            "not at all, down or up; not at all where it does not choose",
            EXACT_OR_DOWN,
            "no choice",
        ),
    ),
    # 4.30: an amount, or a multiple, displayed on a sign.
    "the house may choose the limit of odds on the pass line": (
        *("1 to 10; 10 where it does not choose", "1 to 2; 1 where it does not choose"),
        *("no choice", "no choice", SIGNED, "no choice"),
    ),
    # 14(h) where the notice asks for multiples; 7.2 with gap-23; 5.1 with the unit Perth posts.
    "a stake that misses the posted multiple or unit found in play, the first time": (
        "wins on the greatest multiple in it, where its win cannot be paid",
        *(NO_UNIT, "is paid or collected", NO_UNIT, UNIT, NO_UNIT),
    ),
    # 5(f) with 14(h); 7.1. The others ask for none.
    "a stake outside the posted multiple": (
        *("is taken, with a warning", SILENT, "is not taken", SILENT, SILENT, SILENT),
    ),
    # 10; 5.5; 4.2; nothing; 6.8: one sentence in four texts.
    "what staff note: a fault in throwing": (
        *("boxperson or stickperson, with the person's name",) * 3,
        *(NO_NOTE, "boxperson or stickperson, with the person's name", NO_NOTE),
    ),
    # 9.6 and 9.1, the same sentence.
    "what staff note: staff who advise a player": (
        *(NO_NOTE, NO_NOTE, "boxperson or senior supervisor or supervisor, with the person's name"),
        *(NO_NOTE, "boxperson or manager, with the person's name", NO_NOTE),
    ),
    # 10; 5.3; 4.1, 4.3; 3.10(iii); 6.9, which asks for no more than the minimum.
    "a shooter without such a wager": (
        *("may not throw",) * 3,
        *("throws no roll", "is asked to make one, of the minimum at most", SILENT),
    ),
    # 12(a); 6.2; 4.4.2; 1 Natural Fall; 7.1(d).
    "a cocked die reads": (
        "as it is called; in a dispute, as the boxperson decides",
        *("the face opposite the one it rests on",) * 2,
        *("as it would lie without what is in its way",) * 3,
    ),
    # 1.1 voucher, 6.2; elsewhere chips alone.
    "a voucher is forfeited once decided, win or lose": (NONE, NONE, "yes", NONE, NONE, NONE),
    # 9.3.4: the person, not the dice.
    "what staff note: somebody handed over to an inspector or the police": (
        *(NO_NOTE, NO_NOTE, "senior supervisor or supervisor, with the person's name"),
        *(NO_NOTE, NO_NOTE, NO_NOTE),
    ),
    # 11(c) for the grounds of 11(b), 6.7 for both kinds, 6.15 for those of 6.14.
    "a no roll at choice is called": (BEFORE, BEFORE, SILENT, SILENT, BEFORE, SILENT),
    "a no roll that is void by itself is called": (SILENT, BEFORE, *(SILENT,) * 4),
    # 11(d), 6.6, term-5 with 4.4.2, 6.16: no cause; 3.10(ix): one of the situations.
    "a throw: a die on players' chips": (
        *("no ground for no roll",) * 3,
        *("no roll, called or not", "no ground for no roll", "not on the list of grounds"),
    ),
    # 12(a) and 7.1(f), the boxman's; 6.4(h); 5.3.5; 3.10(x).
    "a throw: a face that nobody can read": (
        "no roll if it is called; boxperson may call it",
        *("no roll, called or not", "has to be called no roll", "no roll, called or not"),
        *("no roll if it is called; boxperson may call it", "not on the list of grounds"),
    ),
    # 11(b)(ii); 6.5(b); 5.2.2; none of 3.10; 6.14(b).
    "a throw: a die that struck no end": (
        *("no roll if it is called",) * 3,
        *("not on the list of grounds", "no roll if it is called", "not on the list of grounds"),
    ),
    "the boxperson is called": ("Boxman", "game supervisor", *("Boxperson",) * 4),
    "points": (
        *("4, 5, 6, 8, 9 and 10",) * 4,
        *("2, 3, 4, 5, 6, 8, 9, 10, 11 and 12", "4, 5, 6, 8, 9 and 10"),
    ),
}


ROUND = "walled high, oblong and round at its corners"
AREAS = "an area for every kind of wager"
HOUSE_EQUIPMENT = {
    # Adelaide 2; New Zealand 3.1; New South Wales 2.1; Perth 3.2. Sentosa has a layout, no table.
    "the table is": (ROUND, ROUND, ROUND, SILENT, ROUND, SILENT),
    # 2; 3.2; 2.2; Appendix B; 1.1 Betting Area with 3.3(a).
    "the cloth shows": (
        *(AREAS, AREAS, f"{AREAS} and the casino's name or logo", AREAS),
        *(f"{AREAS} and a logo (may be there)", SILENT),
    ),
    # 3; 3.3; 2.3. The others speak of no die's make.
    "a die has": (
        "faces of 19 mm or more, opposite faces that add up to 7 and precise faces",
        "the casino's name and faces of 15 mm or more",
        *("opposite faces that add up to 7", SILENT, SILENT, SILENT),
    ),
    # 9(a), 12(b); 3.1, 3.4(a), (b), (d); 2.4.1 to 2.4.3, 2.5; 1 Puck, 3.7; 3.1(c), (h), 6.3.
    "at the table there is": (
        "a bowl for the dice and a stick for the dice",
        "a bowl for the dice, a drop box, a stick for the dice and two discs for the point",
        "a bowl for the dice, a drop box, a disc for the point and a stick for the dice",
        "a bowl for the dice and a disc for the point",
        "a bowl for the dice, a stick for the dice (may be there)"
        " and two discs for the point (may be there)",
        SILENT,
    ),
    # 4(g), 5(e); 3.4(c); 2.4.4; 1 Marker Buttons with Appendix C K and L; 3.1(e) to (g).
    "there are markers for": (
        "wagers called on",
        *("buy bets, lay bets, wagers called off and wagers called on",) * 3,
        "buy bets (may be there), wagers called off (may be there), wagers called on"
        " (may be there) and the numbers (may be there)",
        SILENT,
    ),
    # 5(f), 6(a), 8(a) to (d); nothing in New Zealand's division; 7.1, 7.4; nothing; 5.1, 8.6, and
    # 4.30, 4.31 where more than the flat is allowed.
    "a sign shows": (
        "the maximum, the minimum, that stakes are multiples of the minimum (may be there), the"
        ' limit of odds, odds with "to", not "for" and what each wager pays',
        SILENT,
        "the maximum, the minimum, that stakes are multiples of the minimum (may be there), the"
        " limits of a player who may bet more and the unit of stakes (may be there)",
        SILENT,
        "what bonus bets pay, the maximum, the minimum, the limit of odds (may be there) and the"
        " unit of stakes",
        SILENT,
    ),
    # 9(a); 5.1; 2.3; 6.1: as many, or more.
    "dice in a set": ("5", "5", "5", SILENT, "at least 5", "5"),
}
OFF = "every wager, until all are settled"
CELLS |= HOUSE_EQUIPMENT
# 14(b); 4.11, of losing wagers alone; nothing; 5.2, from rest on; 9.2.
AT_REST = "none is taken back once the dice are at rest; one that is counts"
CELLS["hands stay off"] = (OFF, "a wager that loses", SILENT, AT_REST, OFF, SILENT)
WAITS = "at once; it is used when the shooter is done"
FREE = "nobody has to"
CELLS |= {
    # 9(d)(i), 6.1(a), 3.4.1, 6.13(a)i; nothing in Sentosa's rules.
    "a die off the table is": (
        *("searched for at once",) * 3,
        SILENT,
        "searched for at once",
        SILENT,
    ),
    # 4.3.
    "the chips of a stake lie": (SILENT, "with the smaller ones on top", *(SILENT,) * 4),
    # 6.8 shall; 6.9 and 6.10 may, and so the others.
    "a miscall is corrected": (FREE, "by the boxperson, who has to", *(FREE,) * 4),
    # 9(d)(iv), 6.1(d), 3.6 place it when dice are lost; only 6.13(a)iv brings it afterwards.
    "a new set comes": (
        "at once; it is used from then on unless the old dice may be",
        *(WAITS, WAITS, SILENT, "only when the shooter is done", SILENT),
    ),
    # 9(d)(iv); 6.1(d); 3.6 names no end; 6.13(a)iv.
    "the old dice may be used after one is lost": (
        "until a seven-out",
        "until a seven-out, or a win after which the shooter throws no more",
        *("by that shooter, without an end", SILENT, "until a seven-out", SILENT),
    ),
    # 13(a); 5.8; 3.7; 3.12; 6.10, and 6.11 knows of one who gives them up within a round.
    "the shooter may pass the dice": (
        *("after any roll",) * 4,
        *("after a round; it is read so that any roll will do", "after any roll"),
    ),
}


@pytest.mark.parametrize("what", CELLS)
def test_what_the_documents_say_of_it(what: str) -> None:
    """Read from the texts: a row where two houses differ, with what each says, and none else."""
    cells = dict(zip(HOUSE_ORDER, CELLS[what], strict=True))
    for first, second in PAIRS:
        found = [(row.first, row.second) for row in rows(first, second) if row.what == what]
        both = cells[first], cells[second]
        assert found == ([] if both[0] == both[1] else [both]), (first, second)


def test_one_thing_under_two_words_is_one_row() -> None:
    """Side wagers and side bets, devices of one kind or another, any disturbance."""
    notes = told("adelaide", "nsw", "procedure")
    assert "what staff note: a side bet" not in notes
    assert NO_NOTE not in notes["what staff note: a side wager"]
    perth = told("nsw", "perth-crapless", "procedure")
    assert NO_NOTE not in perth["what staff note: a device"]
    assert not [what for what in perth if "device that" in what]
    people = told("adelaide", "newzealand", "people")
    assert not [what for what in people if re.search(r"\bdisorder|disruption", what)]
    # 9(d)(iv) may be allowed, 6.1(d) shall be.
    old = people["who may let the shooter go on with the old dice"]
    assert old == ("boxperson", "nobody has to: the shooter goes on with them")
    assert people["who may void a roll: robbery"] == (NOBODY, f"{SENIORS}; a note has to say why")


def test_faces_decided_void_are_a_roll_that_may_be_void() -> None:
    """New Zealand 6.3 gives it with the decision, Adelaide by a reading; NSW does not."""
    label = "which faces are up: and void the throw"
    alike, unlike = (
        [row for row in all_rows("adelaide", other) if label in f"{row.spot} {row.what}"]
        for other in ("newzealand", "nsw")
    )
    assert (alike, len(unlike)) == ([], 1)


def test_what_is_not_there_is_told_with_the_clause_that_says_so() -> None:
    """The clause that closes the list of wagers; the term on what no clause gives anybody."""
    found = {row.what: row for row in rows("adelaide", "newzealand", "lose.4")}
    assert found["offer"].second_cites == ("4.1[intro]",)
    people = {row.what: row for row in rows("adelaide", "newzealand", "people")}
    robbery = people["who may void a roll: robbery"]
    assert (robbery.first, robbery.first_cites) == (NOBODY, ("term-7",))
    table = {row.what: row for row in rows("adelaide", "newzealand", "table")}
    assert table["the house may choose what a wager is paid"].second_cites == ("term-11",)


def test_a_name_is_told_with_the_clause_that_has_it() -> None:
    """Who says who that is; where no clause does, one that calls somebody so."""
    found = {row.what: row for row in rows("adelaide", "rws", "people")}
    box = found["the boxperson is called"]  # 12(a), 1 Boxperson
    assert (box.first_cites, box.second_cites) == (("12(a)#3",), ("1 Boxperson",))
    stick = found["the stickperson is called"]
    assert (stick.first, stick.first_cites) == ("Stickman", ("9(a)#2",))
    for first, second in PAIRS:
        for row in rows(first, second, "people"):
            if row.what.endswith("is called"):
                assert (row.first == "there is none") == (not row.first_cites), (first, second, row)
                assert (row.second == "there is none") == (not row.second_cites), (first, row)


def test_names_alone_do_not_make_a_wager_of_other_parts() -> None:
    """A Horn is four wagers everywhere, under whatever names."""
    for first, second in PAIRS:
        assert "made of" not in told(first, second, "horn"), (first, second)
    assert "the stake divides" not in told("newzealand", "perth-crapless", "horn")


def test_a_wager_that_lies_only_on_a_point_is_lowered_on_one() -> None:
    """`At any time` and `while the puck is on` are the same of odds behind the line."""
    for first, second in PAIRS:
        assert "may be lowered" not in told(first, second, "pass.odds"), (first, second)


def test_a_posted_multiple_is_compared_as_if_it_were_posted() -> None:
    """Adelaide 5(f), 14(h): taken and paid on the lower multiple; New South Wales 7.1: refused."""
    found = {row.what: row for row in rows("adelaide", "nsw")}
    stake = found["a stake that misses the posted multiple or unit found in play, the first time"]
    assert (stake.first_cites, stake.second_cites) == (("14(h)#1", "gap-33"), ("gap-23",))
    # A table that asks for none is compared so where somebody says so.
    sides = [as_compared(read_book(house), {"multiples": False}) for house in ("adelaide", "nsw")]
    none = {row.what: row.first for row in differences(*sides)}
    assert "a stake outside the posted multiple" not in none
    assert none[stake.what] == NO_UNIT


def test_what_was_compiled_for_yes_is_not_handed_out_for_1() -> None:
    assert load("nsw", {"multiples": True})
    with pytest.raises(SettingError):
        load("nsw", {"multiples": 1})
