"""What differs between two houses: told in words, alike from both sides, with nothing lost."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from boxman.pit.told.book import difference_groups
from boxman.rules.book import BookError, houses, read_book
from boxman.rules.compile import compile_layout, load
from boxman.rules.diff import HouseDifference, differences
from boxman.rules.duties import Awaited
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited
from boxman.rules.procedure import Procedure
from boxman.rules.shapes import Collection
from boxman.rules.told import UNTOLD, listed
from boxman.words.say import book
from boxman.workshop.mutants import mutants

HOUSES = Path(__file__).parent / "houses"

PAIRS = list(combinations(houses(), 2))


def rows(first: str, second: str, spot: str = "") -> list[HouseDifference]:
    found = differences(load(first), load(second))
    return [row for row in found if not spot or row.spot == spot]


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
            stations = r"\b(stick|box|senior)\b(?! supervisor)"
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
    layout, silent, told = compile_layout(book), [], 0
    for mutant in mutants(book):
        if mutant.stated.kind not in SEEN:
            continue
        try:
            other = compile_layout(msgspec.structs.replace(book, facts=mutant.facts))
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
    groups = difference_groups(one, two, found)
    spots = [spot for group in groups for spot in group["spots"]]
    assert sorted(spots) == sorted({row.spot for row in found})
    assert sum(len(group["rows"]) * len(group["spots"]) for group in groups) == len(found)
    assert all(group["head"] and "_" not in group["head"] for group in groups)


def throws(first: str, second: str) -> dict[str, tuple[str, str]]:
    found = rows(first, second, "throws")
    return {row.what.removeprefix("a throw: "): (row.first, row.second) for row in found}


def told(first: str, second: str, spot: str) -> dict[str, tuple[str, str]]:
    return {row.what: (row.first, row.second) for row in rows(first, second, spot)}


def test_one_ground_under_two_words_is_one_ground() -> None:
    """Adelaide 11(a)(iv), (vi), 11(b)(ii) are New Zealand 6.4(d), (g), 6.5(b)."""
    here = throws("adelaide", "newzealand")
    words = ("in bowl", "on rail", "unapproved dice", "end missed", "on bank", "die on die")
    assert not set(words) & set(here)
    assert not {"short", "wrong die", "bowl or rail", "in cup"} & set(here)
    # New South Wales 5.3.4 to 5.3.6 are Resorts World 3.10(vii), (viii), (x), (xi).
    both = throws("nsw", "rws")
    must, void = "has to be called no roll", "no roll, called or not"
    for word in ("in bowl", "on rail", "unreadable", "wrong thrower"):
        assert both[word] == (must, void)
    # Perth 6.13(b) and Resorts World 3.10(v) void a die on a die alike in kind.
    perth = throws("perth-crapless", "rws")
    assert "stacked" not in perth
    assert "nothing is said" not in perth.get("die on die", ())


def test_a_ground_that_only_one_text_names_is_still_told() -> None:
    here = throws("adelaide", "newzealand")
    assert here["out of sight"] == ("no roll if it is called", "nothing is said")
    assert here["two faces of a die on something"] == ("nothing is said", "no roll, called or not")


def test_a_power_given_for_every_case_is_told_for_each() -> None:
    who = told("nsw", "rws", "people")
    assert "who may handle the dice: another die is chosen" not in who  # the stick does it in both
    assert "who may offer the dice: as the game opens" not in told("adelaide", "nsw", "people")
    perth = told("perth-crapless", "rws", "people")
    for power in ("close the table", "change the limits", "exclude a player"):
        assert perth[f"who may {power}"][0].startswith("only for "), "not nobody: for reasons"
    same = told("adelaide", "perth-crapless", "people")
    assert not [what for what in same if what.startswith("who may order the shooter")]


def test_composite_stakes_settings_and_what_is_taken_back_are_compared() -> None:
    exact, equal = "exactly, whatever it is", "into equal parts that chips can make"
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
    assert charge == ("forbidden", "nothing is said")
    back = told("adelaide", "nsw", "procedure")
    assert back["wagers when a roll is taken back for fire"] == (
        "stand as before",
        "are handed back",
    )
    original = told("adelaide", "newzealand", "procedure")["the shooter may have the old die back"]
    assert original == ("at once", "after a check")


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
        assert phrased(kind) == set(kinds[kind].__struct_fields__) - UNTOLD
    for kind in ("confirm", "confirm-until"):
        assert phrased(kind) == set(get_args(Awaited))


def phrased(kind: str) -> set[str]:
    above = f"diff.duties.{kind}."
    return {key.removeprefix(above) for key in book("en") if key.startswith(above)}


def test_silence_is_told_only_where_no_clause_speaks() -> None:
    told = {row.what: (row.first, row.second) for row in rows("nsw", "perth-crapless")}
    # One disturbance in two words, one right to pass inside a wider one: no difference.
    assert "wagers when a roll is taken back for an act of God" not in told
    assert "the shooter may pass the dice after a round" not in told
    # 7.1(f), 5.2(c), 4.1 and 6.3 until rest, 7.3 at any time, 9.5 in two words, 1.1 Wager.
    seniors = "senior supervisor and supervisor"
    assert told["a throw: unreadable"][1] == "no roll if it is called"
    assert told["minutes of notice: a higher minimum"] == ("20", "10")
    assert told["a late wager is confirmed until"] == ("the dice are at rest", "the dice land")
    assert told["who may change the limits: an empty table"] == (seniors, "manager")
    assert told["who may exclude a player: a device"] == (seniors, "manager")
    assert told["a voucher is good for one wager"] == ("yes", "no")
    assert told["the house may choose how long a come bet is locked"][0] == "no choice"
    assert told["a stake that is up when the maximum falls"][1] == "counts up to the new one"
    late = {row.what: row for row in rows("nsw", "rws")}["a late wager is confirmed by"]
    assert (late.second, late.second_cites) == ("nobody", ("3.2", "3.8 #2"))
    # To decide faces is not to void the throw (New South Wales 4.4.3, Perth 7.1(f)).
    assert told["who may decide which faces are up: and void the throw"] == ("nobody", "boxperson")
    # 7.3: at any time but for a higher minimum. 6.13(a)iii holds the die back. 6.6: at the roll.
    assert told["minutes of notice: other limits"] == ("0", "10")
    assert told["the shooter may have the old die back"] == ("after a check", "no")
    assert "such a wager is needed to take the dice" not in told
    rws = {row.what: (row.first, row.second) for row in rows("perth-crapless", "rws")}
    assert rws["such a wager is needed to take the dice"] == ("no", "yes")
    assert rws["a call on is confirmed by"] == ("boxperson or dealer", "nobody")
    assert rws["a late wager is confirmed until"] == ("the dice land", "none is taken")
    assert "disputes are kept on record" not in rws  # 9.7, term-4
    # term-4 speaks of disorder, a brawl or a fire alarm.
    assert "who may void a roll: a brawl" not in rws
    assert "wagers when a roll is taken back for fire" not in rws
