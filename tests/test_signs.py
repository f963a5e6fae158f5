"""What players are shown, and what no transcript can state: signs and the advice flag."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boxman.cli.throw import throw_machine
from boxman.rules.book import houses, read_book
from boxman.rules.compile import load
from boxman.rules.diff import differences
from boxman.rules.duties import Advice, Sign
from boxman.rules.layout import Layout
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallNoRoll,
    Choose,
    HandleDice,
    OfferDice,
    PassDice,
    ShowNotice,
    TakeDice,
)
from boxman.table.floor.signs import signs
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.said.machine import machine
from boxman.table.said.menu import menu
from boxman.table.said.transcript import Transcript
from boxman.table.state import Table
from tests.cases import played


def test_a_sign_has_listed_odds_commission_and_what_odds_may_win() -> None:
    opened = open_table(Open(house="adelaide", minimum=1000, maximum=50_000))
    assert opened.layout is not None
    assert opened.table is not None
    shown = {sign.what: sign.text for sign in signs(opened.layout, opened.table)}
    assert "32 to 1 on 2, 12; 15 to 1 on 3, 11, each on its part" in shown["price horn"]
    assert "0 to 1" not in shown["price world"]
    assert shown["price buy.4"].endswith("2 to 1, commission 5% of the stake")
    assert "to win up to 10 times the flat" in shown["odds dont_pass.odds"]
    rws = open_table(Open(house="rws", minimum=1000, maximum=50_000, settings={"rounding": "down"}))
    assert rws.layout is not None
    assert rws.table is not None
    listed = {sign.what: sign for sign in signs(rws.layout, rws.table)}
    # 4.1 prints 7 to 1 for an 11, of the whole stake; the horn is paid part by part.
    assert listed["price c_and_e"].text == "Craps & Eleven: 3 to 1 on 2, 3, 12; 7 to 1 on 11"
    assert listed["price horn"].text.endswith("15 to 1 on 3, 11, each on its part of the stake")
    assert listed["rounding"].text.endswith("rounded down: less than the listed odds")
    assert listed["rounding"].cites == ("gap-12",)
    notice = ShowNotice(by="manager", what="limits", minimum=1000, maximum=50_000, unit=500)
    house = open_table(Open(house="perth-crapless", minimum=1000, maximum=50_000))
    assert house.layout is not None
    assert house.table is not None
    table = rule(house.layout, house.table, notice).after
    shown = {sign.what: sign.text for sign in signs(house.layout, table)}
    assert shown["notice of limits"].startswith("$10 to $500 in units of $5 from ")
    # 8.1 prints it so, and so do the sign, `show` and a refusal: not as 5 to 1.
    assert shown["price place.2"] == "Place Bet on the 2: 25 to 5"
    place = machine(house.layout, house.layout.spots["place.2"])
    assert place["machine"][0]["cells"][0]["verdict"] == "wins 25 to 5"
    # 5.1 wants a unit on the sign; New South Wales 7.1 only lets one be there.
    assert shown["limits"] == "minimum $10, maximum $500, units of $1"


@pytest.mark.parametrize(
    ("house", "settings", "what", "says"),
    [
        # 4.1(e)(i): the excess is measured from the flat; the option ends at double.
        (
            "newzealand",
            {"odds_pass": 2},
            "odds pass.odds",
            "up to 2 times the flat, or the next payable amount above the flat",
        ),
        ("newzealand", {}, "odds pass.odds", "up to the flat or the next payable amount"),
        # The fee is 5%; a house that rounds it says so beside it.
        ("rws", {"fee_rounding": "up"}, "fee rounding", "chips of S$1 cannot pay is rounded up"),
        ("adelaide", {"fee_rounding": "down"}, "fee rounding", "is rounded down"),
        ("american", {}, "price buy.4", "commission 5% of the stake when it wins"),
        ("american", {"commission_taken": "placement"}, "price lay.4", "commission 5% of the win"),
        # gap-21 of New South Wales, gap-14 of Sentosa: the house may keep what was paid.
        ("nsw", {"fee_refund": False}, "price buy.4", "commission 5% of the stake, not given back"),
        ("rws", {"fee_refund": False}, "price lay.4", "commission 5% of the win, not given back"),
    ],
)
def test_a_sign_says_what_a_setting_makes_of_it(
    house: str, settings: dict[str, object], what: str, says: str
) -> None:
    opened = open_table(Open(house=house, minimum=1000, maximum=50_000, settings=settings))
    assert opened.layout is not None
    assert opened.table is not None
    shown = {sign.what: sign.text for sign in signs(opened.layout, opened.table)}
    assert says in shown[what]
    assert ("when it wins" in shown[what]) == ("when it wins" in says)


def test_what_a_setting_of_rounding_does_does_not_hang_on_its_name(tmp_path: Path) -> None:
    renamed = tmp_path / "mine.md"
    text = read_book("nsw").text
    renamed.write_text(text.replace("fee_rounding", "cents").replace('id = "nsw"', 'id = "mine"'))
    for house, name in (("nsw", "fee_rounding"), (str(renamed), "cents")):
        down: dict[str, object] = {name: "down"}
        opened = open_table(Open(house=house, minimum=1000, maximum=50_000, settings=down))
        assert opened.layout is not None
        assert opened.table is not None
        shown = {sign.what: sign for sign in signs(opened.layout, opened.table)}
        assert shown[name.replace("_", " ")].text.endswith("rounded down")
        assert shown[name.replace("_", " ")].cites == ("gap-20",)
        # gap-20: the house takes nothing beyond its 5%, so that is not rounded up.
        up = rule(opened.layout, opened.table, Choose(by="manager", setting=name, value="up"))
        assert up.refusal is not None
        assert (up.refusal.code, up.refusal.why) == ("setting-out-of-bounds", "fee up")
    told = {row.what: row.first for row in differences(load(str(renamed)), load("rws"))}
    assert told["the house may choose cents"] == "exact or down; exact where it does not choose"


@pytest.mark.parametrize(
    ("house", "number", "parts"),
    [
        ("adelaide", "6(C)", 52),
        ("nsw", "6.4", 3),
        ("nsw", "6.1.1", 5),
        ("nsw", "6.1.1.1.2", 1),
        ("rws", "3.10", 12),
        ("rws", 'Appendix "D" 14(a)', 1),
        ("rws", "App.C E1/E2", 2),
        ("perth-crapless", "4.10", 3),
        ("perth-crapless", "5.2", 5),
        ("perth-crapless", "6.10 (b)", 3),
        ("perth-crapless", "6.13(a)", 7),
        ("perth-crapless", "6.13(a)iii", 3),
        ("perth-crapless", "6.13(a)iii.", 3),
        ("perth-crapless", "6.10(b)ii.", 1),
        ("perth-crapless", "4.31(b)", 2),
        ("perth-crapless", "Layout: 3", 1),
        ("adelaide", "4(a)(i)", 2),
        ("adelaide", "4(e)(ii)", 2),
        ("adelaide", "4(i)", 2),
        ("newzealand", "3.0", 9),
        ("adelaide", "4 Note", 1),
        ("adelaide", "Rule 6 (c)", 52),
        ("adelaide", "Rules 14(j) or 14(k)", 2),
        ("newzealand", "subparagraph (j) or (k) of rule 4.1", 6),
        ("newzealand", "section 4", 186),
        ("newzealand", "rule 6.4 or 6.5", 15),
        ("rws", 'Appendix "D" 14 (a)', 1),
        ("perth-crapless", "rule 5.2 (b) or (c)", 3),
        ("perth-crapless", "Table Layout 1 or 3", 2),
        ("adelaide", "“Come Out Point”", 1),
        ("newzealand", "7 Out", 1),
        ("nsw", "casino promotional token or voucher", 3),
        ("perth-crapless", "Loser 7", 1),
        ("perth-crapless", "Table Games Management", 1),
        ("perth-crapless", "6.13(a)(iii)", 3),
        ("nsw", "clause 6.6", 7),
        ("nsw", " Section  6.6 ", 7),
        ("nsw", "{6.6.1#5}", 1),
        ("nsw", "rule 9.4.2 and rule 9.5", 3),
        ("adelaide", "Rule 9 D IV", 2),
        ("adelaide", "14[h]", 2),
        ("perth-crapless", "6.13 a iii 1", 1),
        ("rws", "App D 22", 2),
        ("newzealand", "sub-rule (4.1(j))", 2),
        ("nsw", "gap 3", 1),
        # As lawyers write it, and with the apostrophes and quotes of the documents.
        ("adelaide", "r. 14(g)", 3),
        ("adelaide", "s 14 (g)", 3),
        ("newzealand", "paragraph (a) of rule 4.10", 6),
        ("rws", "rule 3(a) of Appendix D", 2),
        ("newzealand", "Behind the Don’t Pass Bet -", 12),
        ("nsw", '"casino promotional token or voucher"', 3),
        # Rows of the lists of prices, with all their words.
        ("adelaide", "Taking Odds; Pass Bet No's 4 & 10", 1),
        ("adelaide", "6(c) Horn Bet Winning No's 2 or 12", 1),
        ("newzealand", "Odds on the Come Bet - Come point of 6 or 8", 1),
        ("newzealand", "Field Bet, total thrown - 2 or 12", 1),
        ("nsw", "Hardways: Four (4)", 1),
        ("nsw", "8.1 Lay Bets: -10 to lose", 1),
        ("rws", "Any Craps (2, 3 or 12)", 1),
        ("rws", "Hardways 4 (2 and 2)", 1),
        ("rws", "Pass Line Odds: Point of 6 or 8", 1),
        ("perth-crapless", "Make 'Em All", 18),
        ("perth-crapless", "8.6 All Small", 5),
        # From one to another, and several parts in a row (the note in Adelaide's rule 4).
        ("adelaide", "sub rule (i) (j) (k) and (l) of Rule 4", 8),
        ("adelaide", "11(a)(i) to (vi)", 6),
        ("adelaide", "4(i)-(l)", 8),
        ("newzealand", "6.8 to 6.10", 4),
        ("nsw", "5.2.1 to 5.2.4", 4),
        ("rws", "3.10 (i) to (xii)", 12),
        ("perth-crapless", "clause 4.30(a) to (e)", 5),
        ("perth-crapless", "7.1(a) – 7.2(b)", 8),
        # With its heading; as Appendices C and D number their own parts, and a row of 4.1.
        ("adelaide", "14. GENERAL PROVISIONS", 20),
        ("newzealand", "6.0 Irregularities", 29),
        ("perth-crapless", "10. APPENDIX", 5),
        ("rws", "22.", 2),
        ("rws", "E1/E2", 2),
        ("rws", "Type A", 1),
        ("rws", "App.C E1-G2", 5),
        ("perth-crapless", "6.13(a)iii.1-3", 3),
        ("perth-crapless", "the Appendix", 5),  # 2.2, 3.3
    ],
)
def test_a_number_of_the_document_shows_all_its_parts(house: str, number: str, parts: int) -> None:
    book = read_book(house)
    assert len(book.under(number)) == parts
    assert [each.id for each in read_book("perth-crapless").under("Rule 5.2 (b)")] == ["5.2(b)"]
    with pytest.raises(KeyError, match="has no clause 99"):
        book.under("99")


@pytest.mark.parametrize(
    ("house", "name", "among"),
    [
        ("adelaide", "Pass Bet", "4(a); 4(a) win(ii); 6(c)[Pass Bet]"),
        ("adelaide", "Place Bet to Win", "4(g)#1; 4(g)#3; 6(c)[Place Bet 10 to Win]"),
        ("adelaide", "Place Bet to Lose", "4(h)#1; 6(c)[Place Bet 4 to Lose]"),
        ("adelaide", "Place Bet 6 to Win", "4(g)#1; 6(c)[Place Bet 6 to Win]"),
        ("adelaide", "Craps Two", "4(r)#1; 4(r)#2; 6(c)[Craps 2]"),
        ("adelaide", "Craps Twelve", "4(t)#1; 6(c)[Craps 12]"),
        ("adelaide", "Buy Bet to Lose", "7(a)#1; 7(a)#3; 7(b)[Buy to Lose 4 & 10]"),
        ("adelaide", "Buy Bets", "7(a)#1; 7(a)#2; 7(a)#3; 7(b)[Buy to Win 5 & 9]; 7(c)"),
        ("adelaide", "Hardways", "4(i)#1; 4(l)#1; 6(c)[Ten the Hardway]"),
        ("adelaide", "Come Odds", "8(c)#1; 8(c)#2; 8(c)#5[5 or 9]"),
        ("newzealand", "World Bet", "4.1(x); 4.1(x)(iii); 4.16[7]"),
        ("newzealand", "Horn Bet", "4.1(v); 4.15[Horn, 2 or 12]"),
        ("newzealand", "Horn High Bet", "4.1(w); 4.1(w)(i); 4.15[Horn High, other number]"),
        ("newzealand", "C & E", "4.1(y); 4.17[11]"),
        ("newzealand", "Hard 4", "4.1(l); 4.14[Hardways, 4]"),
        ("nsw", "Horn", "6.1.21#1; 6.1.21#2"),
        ("nsw", "Place Bet to Win", "6.1.10; 6.1.10.2; 8.1[Place Bets to Win, 9]"),
        ("nsw", "Place Bets to Lose", "6.1.11; 8.1[Place Bets to Lose, 4]"),
        ("rws", "Horn Bet", "App.D 14 #1; App.D 14(b)"),
        ("rws", "Horn High", "App.D 15 #1; App.D 15(a)"),
        ("rws", "Two Crap", "App.D 17(a); 4.1 2 Crap"),
        ("rws", "Twelve Crap", "App.D 19(a); 4.1 12 Crap"),
        ("rws", "Eleven", "App.D 20(b); 4.1 11"),
        ("rws", "Any Seven", "App.D 21(a); 4.1 Any 7"),
        ("rws", "Craps & Eleven", "App.D 22(a); 4.1 C & E if 11"),
        ("perth-crapless", "Horn Bet", "4.26 time; 4.26 win; 8.4"),
        ("perth-crapless", "Buy Bet", "4.11 offer; 4.11 commission; 8.1 Buy 12 to Win; 8.2"),
        ("perth-crapless", "Craps Two", "4.22 time; 8.1 Craps 2"),
        ("perth-crapless", "Eleven in One Roll", "4.25 win; 8.1 11 in one Roll"),
    ],
)
def test_a_name_of_a_wager_shows_all_that_makes_it(house: str, name: str, among: str) -> None:
    """What it is, how it ends and what it pays, in one number or many, in figures or words."""
    found = [clause.id for clause in read_book(house).under(name)]
    assert set(among.split("; ")) <= set(found)


def test_a_name_shows_no_other_wager_and_a_row_of_prices_only_itself() -> None:
    place = [clause.id for clause in read_book("adelaide").under("Place Bet 6 to Win")]
    assert not [each for each in place if each.startswith(("4(h)", "6(c)[Place Bet 5"))]
    horn = [clause.id for clause in read_book("newzealand").under("Horn Bet")]
    assert not [each for each in horn if each.startswith("4.1(w)")]  # that is the Horn High
    row = read_book("adelaide").under("Horn Bet Winning No's 2 or 12")
    assert [clause.id for clause in row] == ["6(c)[Horn Bet 2 or 12]"]


@pytest.mark.parametrize("house", houses())
def test_every_number_and_what_it_is_a_part_of_shows_a_clause(house: str) -> None:
    """9(b)(ii)#2 stands under 9(b)(ii), 9(b) and 9; 6.1.5.1 under 6.1.5, 6.1 and 6."""
    book, parts = read_book(house), dict[str, set[str]]()
    for clause in book.clauses.values():
        number = (
            re.split(r"[#[]| [a-z]| \(", clause.id)[0].strip() if clause.sort == "clause" else ""
        )
        while number:
            parts.setdefault(number, set()).add(clause.id)
            number = re.sub(r"(\.\w+|\(\w+\)|(?<=\))[ivx]+| [^ ]+|^[^.( ]+)$", "", number)
    for number, ids in parts.items():
        assert ids <= {clause.id for clause in book.under(number)}, number


@pytest.mark.parametrize(
    ("house", "number", "says"),
    [
        ("nsw", "6.1.26", "did you mean 6.1.6? 6.1 goes from 6.1[intro] to 6.1.25#2"),
        ("rws", "3.10(xiii)", "did you mean 3.10(xii)? 3.10 goes from 3.10(i) to 3.10(xii)"),
        ("adelaide", "4(ii)", "did you mean 4(i)#2? 4 goes from 4[intro] to 4[closing]"),
        ("adelaide", "15", "adelaide goes from 1[Come Out Point] to 14(n)"),
        ("nsw", "6.1.1.1.1.1", "did you mean 6.1.1.1.1? 6.1.1.1.1 has no parts"),
        ("nsw", "rule 9.4.2 and 99", "9.4.2 has no parts"),
        ("nsw", "6.3-6.1", "did you mean 6.6.1#5? 6 goes from 6.1[intro] to 6.7"),
        ("perth-crapless", "5.1(a) to (c)", "5.1 goes from 5.1 minimum to 5.1 units"),
        # Rule 4 and rule 14 have an (i), and a sentence that says "this Rule" stands in one.
        ("adelaide", "sub rule (i) of this Rule", "say of which rule, as in 4(i) or 14(i)"),
        ("newzealand", "subparagraph (i)", "say of which rule, as in 4.1(i) or 6.4(i)"),
        (
            "adelaide",
            "Horn Bet Winning No's 2 or 13",
            "Horn Bet goes from 6(c)[Horn Bet 2 or 12] to 6(c)[Horn Bet quarter note]",
        ),
        ("rws", "4 (2 and 2)", "4 goes from 4.1 Pass Line to 4.1 C & E if 11"),
        ("newzealand", "4.1 Pass Bet", "4.1 goes from 4.1[intro] to 4.1(y)(iii)"),
        ("newzealand", "4.3(a)", "did you mean 4.3? 4.3 goes from 4.3 to 4.3[stack]"),
        ("nsw", "boxpersen", "did you mean 1.1[boxperson]? nsw goes from 1.1[Act] to 9.13"),
    ],
)
def test_a_number_that_is_not_there_is_told_what_is(house: str, number: str, says: str) -> None:
    with pytest.raises(KeyError) as told:
        read_book(house).under(number)
    assert told.value.args[0] == f"{house} has no clause {number}; {says}"


@pytest.mark.parametrize(
    ("house", "by", "text", "cites"),
    [
        # 7.4: who may, and the sign; 5.8: who may, and who is told.
        ("nsw", "supervisor", "minimum $10, maximum $2,000, units of $5", ("7.4#1", "7.4#2")),
        (
            "perth-crapless",
            "manager",
            "minimum $10, maximum $2,000, units of $5",
            ("5.8 (unnumbered) #1", "5.8 (unnumbered) #2"),
        ),
    ],
)
def test_limits_of_one_player_are_shown_with_the_clause_of_their_sign(
    house: str, by: str, text: str, cites: tuple[str, ...]
) -> None:
    for limits, more in (("10-500", ""), ("10-500 limits 10-50 place", "; place as posted")):
        play = Transcript()
        play.play(f"house {house} chip 1 limits {limits} unit 5")
        for line in ("ann buys in 100", f"{by} tells surveillance", f"{by} grants ann 10-2000"):
            play.play(line)
        assert play.layout is not None
        assert play.table is not None
        shown = {sign.what: sign for sign in signs(play.layout, play.table)}
        assert shown["personal limits"] == ("personal limits", f"ann: {text}{more}", cites)


@pytest.mark.parametrize("number", ["", "  ", "(", "...", "§"])
def test_what_is_no_number_is_told_so(number: str) -> None:
    with pytest.raises(KeyError) as told:
        read_book("nsw").under(number)
    assert told.value.args == ("that is no number of a clause; nsw goes from 1.1[Act] to 9.13",)


@pytest.mark.parametrize(
    ("house", "by", "notice", "text", "cites"),
    [
        # 7.3: only a higher minimum waits; a maximum may be altered at any time.
        ("nsw", "supervisor", (10, 300), "$10 to $300 from 14:00, $10", ("7.3#1",)),
        ("nsw", "supervisor", (25, 500), "$25 to $500 from 14:20, $10", ("7.3#2",)),
        # 5.1: units are on every sign. 5.2(c): ten minutes for any change.
        ("perth-crapless", "manager", (10, 300), "$300 in units of $1 from 14:10", ("5.2(c)",)),
        # No clause asks for a sign, 14(i) and term-5 let the house close.
        ("adelaide", "manager", (), "closes at 14:00", ("14(i)",)),
        ("rws", "manager", (), "closes at 14:00", ("term-5",)),
        ("nsw", "supervisor", (), "closes at 14:20", ("9.8",)),
    ],
)
def test_a_notice_says_from_when_it_binds(
    house: str, by: str, notice: tuple[int, ...], text: str, cites: tuple[str, ...]
) -> None:
    opened = open_table(Open(house=house, minimum=1000, maximum=50_000))
    assert opened.layout is not None
    assert opened.table is not None
    table = rule(opened.layout, opened.table, BuyIn(seat="ann", amount=1000)).after
    low, high = (100 * figure for figure in notice or (0, 0))
    call = ShowNotice(by=by, what="closing", at=14 * 3600)
    if notice:
        call = ShowNotice(by=by, what="limits", minimum=low, maximum=high, at=14 * 3600)
    table = rule(opened.layout, table, call).after
    shown = {sign.what: sign for sign in signs(opened.layout, table)}[f"notice of {call.what}"]
    assert text in shown.text
    assert shown.cites == cites


@pytest.mark.parametrize(
    ("opened", "shows", "what", "text"),
    [
        # 7.1: a sign asks for multiples of the minimum, so of the new one after the change.
        (
            "house nsw chip 1 limits 10-500 set multiples=on crew by hand",
            "supervisor shows limits 25-500",
            "limits",
            "$25 to $500 in multiples of $25 from 14:20,"
            " $10 to $500 in multiples of $10 until then",
        ),
        # 5(f), 14(h) know multiples and no units.
        (
            "house adelaide chip 1 limits 10-500 crew by hand",
            "manager shows limits 20-500",
            "limits",
            "$20 to $500 from 14:00, $10 to $500 until then",
        ),
        # gap-22: money behind a wager has its own limits, and none until some are posted.
        (
            "house nsw chip 1 limits 10-500 set multiples=on crew by hand",
            "supervisor shows limits 5-900 odds",
            "limits odds",
            "$5 to $900 from 14:20",
        ),
        (
            "house nsw chip 1 limits 10-500 limits 5-100 hard crew by hand",
            "supervisor shows limits 5-50 hard.4",
            "limits hard.4",
            "$5 to $50 from 14:00, $5 to $100 until then",
        ),
        (
            "house perth-crapless chip 1 limits 10-500 limits 1-50 small",
            "manager shows limits 5-100 bonus",
            "limits bonus",
            "$5 to $100 in units of $1 from 14:10, $1 to $50 in units of $1"
            " or $10 to $500 in units of $1 until then",
        ),
    ],
)
def test_a_notice_says_what_binds_before_and_after_it(
    opened: str, shows: str, what: str, text: str
) -> None:
    play = Transcript()
    for line in (opened, "14:00 ann buys in 100", shows):
        play.play(line)
    assert play.layout is not None
    assert play.table is not None
    shown = {sign.what: sign.text for sign in signs(play.layout, play.table)}
    assert shown[f"notice of {what}"] == text


def test_a_class_of_limits_is_shown_with_what_it_asks_for() -> None:
    """7.1#2 of the hardways too; odds have limits of their own (gap-22)."""
    play = Transcript()
    play.play("house nsw chip 1 limits 10-500 limits 5-100 hard limits 5-900 odds set multiples=on")
    assert play.layout is not None
    assert play.table is not None
    shown = {sign.what: sign for sign in signs(play.layout, play.table)}
    assert shown["limits hard"].text == "minimum $5, maximum $100, in multiples of $5"
    assert "7.1#2" in shown["limits hard"].cites
    assert shown["limits odds"].text == "minimum $5, maximum $900"
    assert "7.1#2" not in shown["limits odds"].cites


@pytest.mark.parametrize("house", houses())
def test_limits_prices_and_odds_are_shown(house: str) -> None:
    opened = open_table(Open(house=house, minimum=1000, maximum=50_000))
    assert opened.layout is not None
    assert opened.table is not None
    shown = {sign.what: sign for sign in signs(opened.layout, opened.table)}
    unit = opened.layout.currency
    assert shown["limits"].text.startswith(f"minimum {unit}10, maximum {unit}500")
    assert "place.6" not in shown
    assert "7 to 6" in shown["price place.6"].text
    assert "the flat" in shown["odds pass.odds"].text
    clauses = read_book(house).clauses
    for sign in shown.values():
        assert sign.cites
        assert set(sign.cites) <= set(clauses)
        assert " for 1" not in sign.text


def test_a_price_on_a_sign_cites_the_clause_that_wants_it_there() -> None:
    """Adelaide 5(f) all prices, Perth 8.6 those of bonus bets; New South Wales 7.1 limits alone."""
    wanted = {"adelaide": ("5(f)#2", "5(f)#2"), "perth-crapless": ("", "8.6 display")}
    for house, (field, small) in {**wanted, "nsw": ("", "")}.items():
        opened = open_table(Open(house=house, minimum=1000, maximum=50_000))
        assert opened.layout is not None
        assert opened.table is not None
        shown = {sign.what: sign.cites for sign in signs(opened.layout, opened.table)}
        assert {"5(f)#2", "8.6 display"} & set(shown["price field"]) == {field} - {""}
        if "price small" in shown:
            assert {"5(f)#2", "8.6 display"} & set(shown["price small"]) == {small}


@pytest.mark.parametrize("house", houses())
def test_every_sign_of_the_rulebook_is_shown(house: str) -> None:
    opened = open_table(Open(house=house))
    assert opened.layout is not None
    assert opened.table is not None
    shown = signs(opened.layout, opened.table)
    for stated in read_book(house).facts:
        if isinstance(stated.fact, Sign) and not stated.fact.when:
            assert any(
                sign.text == stated.fact.text and stated.clause in sign.cites for sign in shown
            )


@pytest.mark.parametrize("house", houses())
def test_the_menu_says_whether_advice_is_allowed(house: str) -> None:
    opened = open_table(Open(house=house))
    assert opened.layout is not None
    assert opened.table is not None
    table = rule(opened.layout, opened.table, BuyIn(seat="ann", amount=1000)).after
    stated = [s.fact for s in read_book(house).facts if isinstance(s.fact, Advice)]
    allowed = all(fact.allowed for fact in stated)
    assert menu(opened.layout, table, "ann").advice is allowed


def test_houses_that_forbid_advice_say_so() -> None:
    forbidding = {
        house
        for house in houses()
        if (advice := load(house).procedure.advice) is not None and not advice.value
    }
    assert {"nsw", "perth-crapless"} <= forbidding


def test_a_notice_shows_its_time() -> None:
    opened = open_table(Open(house="nsw", minimum=1000, maximum=50_000))
    assert opened.layout is not None
    assert opened.table is not None
    call = ShowNotice(by="supervisor", what="limits", minimum=2500, maximum=50_000, at=14 * 3600)
    table = rule(opened.layout, opened.table, call).after
    notice = next(s for s in signs(opened.layout, table) if s.what == "notice of limits")
    assert notice.text == "$25 to $500 from 14:20, $10 to $500 until then"
    assert "7.3#2" in notice.cites


def test_the_no_rolls_of_a_shooter_are_counted_and_shown() -> None:
    """Perth 6.10(b)ii: the count helps the Boxperson to decide; a new shooter begins anew."""
    opened = open_table(Open(house="perth-crapless", shooter="ann"))
    assert opened.layout is not None
    assert opened.table is not None
    layout, table = opened.layout, opened.table
    said: list[Call] = [
        BuyIn(seat="ann", amount=10_000),
        BuyIn(seat="bob", amount=10_000),
        HandleDice(by="box", event="inspected"),
        Bet(seat="ann", spot="pass", amount=1000),
        Bet(seat="bob", spot="pass", amount=1000),
        CallNoRoll(by="stick", cause="not-together"),
        CallNoRoll(by="box", cause="improper"),
    ]
    for call in said:
        table = rule(layout, table, call).after
    assert _no_rolls(layout, table) == [("ann: 2 no rolls", True)]
    said = [PassDice(seat="ann"), OfferDice(seat="bob"), TakeDice(seat="bob")]
    for call in said:
        table = rule(layout, table, call).after
    assert table.hand.shooter == "bob"
    assert _no_rolls(layout, table) == []


def _no_rolls(layout: Layout, table: Table) -> list[tuple[str, bool]]:
    shown = [sign for sign in signs(layout, table) if sign.what == "no rolls"]
    return [(sign.text, "6.10(b)ii" in sign.cites) for sign in shown]


@pytest.mark.parametrize(
    ("house", "clause", "words"),
    [
        ("adelaide", "14(f)#2", "side wagers"),
        ("nsw", "9.10", "side bets"),
        ("rws", "Title", "30 August 2013"),
        ("rws", "1 House", "House"),
        ("perth-crapless", "Title #1", "Crapless"),
        ("perth-crapless", "Title #2", "RAG/598"),
    ],
)
def test_what_a_clause_wants_on_a_notice_is_there(house: str, clause: str, words: str) -> None:
    opened = open_table(Open(house=house))
    assert opened.layout is not None
    assert opened.table is not None
    shown = [sign for sign in signs(opened.layout, opened.table) if clause in sign.cites]
    assert any(words in sign.text for sign in shown)


def test_no_advice_rests_on_the_clause_that_forbids_it() -> None:
    """9.6 of New South Wales and 9.1 of Perth forbid employees to advise."""
    for house, clause in (("nsw", "9.6"), ("perth-crapless", "9.1")):
        advice = load(house).procedure.advice
        assert advice is not None
        assert clause in advice.cites


def test_several_signs_hang_at_a_time_each_with_its_unit_and_hour() -> None:
    """5.1 of Perth wants minimum, maximum and units shown, 5.2(c) and 9.4(b) each notice."""
    opened = open_table(Open(house="perth-crapless", minimum=1000, maximum=50000))
    assert opened.layout is not None
    assert opened.table is not None
    layout, table = opened.layout, opened.table
    calls = (
        ShowNotice(by="manager", what="limits", minimum=2500, maximum=50000, unit=2500, at=36000),
        ShowNotice(by="manager", what="closing", at=36060),
        ShowNotice(by="manager", what="limits", minimum=500, maximum=5000, group="bonus", at=36120),
    )
    for call in calls:
        ruling = rule(layout, table, call)
        assert ruling.accepted
        table = ruling.after
    hang = [sign for sign in signs(layout, table) if sign.what.startswith("notice")]
    assert [(sign.what, sign.text) for sign in hang] == [
        (
            "notice of limits",
            "$25 to $500 in units of $25 from 10:10, $10 to $500 in units of $1 until then",
        ),
        ("notice of closing", "closes at 10:11"),
        (
            "notice of limits bonus",
            "$5 to $50 in units of $1 from 10:12, $10 to $500 in units of $1 until then",
        ),
    ]


def test_the_sign_for_odds_says_amounts_and_numbers() -> None:
    """4.30 of Perth: a higher amount on a sign; where it says nothing the flat is the limit."""
    opened = open_table(Open(house="perth-crapless", settings={"odds_pass": "6-8:$50,5-9:1.5"}))
    assert opened.layout is not None
    assert opened.table is not None
    shown = {sign.what: sign.text for sign in signs(opened.layout, opened.table)}
    text = shown["odds pass.odds"]
    assert "up to the flat on 2, 3, 4, 10, 11, 12" in text
    assert "up to 1.5 times the flat on 5, 9" in text
    assert "up to $50, or the flat if that is more, on 6, 8" in text


def test_how_the_dice_go_round_names_only_people_of_the_house() -> None:
    """Perth has no supervisors between the Boxperson and Table Games Management (2.1)."""
    who = {by for move in throw_machine(load("perth-crapless")) for by in move["by"]}
    assert "the Table Games Management" in who
    assert not {by for by in who if "supervisor" in by or "senior" in by}


@pytest.mark.parametrize(
    ("spot", "clause"),
    [
        ("pass.odds", "8(a)#3"),
        ("dont_pass.odds", "8(b)#3"),
        ("come.odds.6", "8(c)#3"),
        ("dont_come.odds.9", "8(d)#3"),
    ],
)
def test_a_limit_of_odds_is_shown_for_the_clause_that_wants_it_there(
    spot: str, clause: str
) -> None:
    opened = open_table(Open(house="adelaide"))
    assert opened.table is not None
    shown = {sign.what: sign.cites for sign in signs(opened.layout, opened.table)}
    cited = [cite for cite in shown[f"odds {spot}"] if cite.endswith("#3")]
    assert cited == [clause]


def test_an_old_minimum_that_is_kept_hangs_with_its_time() -> None:
    """Perth 5.1 wants minimum and units displayed; 5.3 lets ann go on at the old ones, two hours at
    the most (5.4(a)); who keeps nothing has no sign."""
    play = played(
        "house perth-crapless chip 1 limits 10-500 limits 5-100 place unit 5",
        "ann buys in 500",
        "bob buys in 500",
        "ann bets 10 field",
        "bob bets 10 field",
        "12:00 manager shows limits 25-500 unit 25",
        "12:10 manager posts limits 25-500 unit 25 for notice",
        "12:15 manager keeps limits for ann",
    )
    assert play.layout is not None
    assert play.table is not None
    shown = [sign for sign in signs(play.layout, play.table) if sign.what == "kept limits"]
    text = "ann: minimum $10, units of $5, place $5, until 14:10 at the latest"
    assert shown == [("kept limits", text, ("5.3", "gap-27", "5.4(a)"))]
    play.play("13:00 manager ends limits for ann")
    assert not [each for each in signs(play.layout, play.table) if each.what == "kept limits"]
