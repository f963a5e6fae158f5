"""Bonus wagers that are paid for a part and stay up for the rest, against naive models.

The models (tests/bonus_auditor.py) are written from the clauses' sentences, 2.18 to 2.20 of the
bonus house: what each roll pays, one by one, with no memory but the rolls themselves.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from boxman.dice import Roll as Faces
from boxman.odds.quote import Odds, partly_collected
from boxman.pit.told.stick import paid_of
from boxman.rules.book import BookError, read_book, read_text
from boxman.rules.compile import compile_layout, load
from boxman.rules.diff import rules_of
from boxman.sim.exact import explored, solve
from boxman.sim.kernel.run import Kernel
from boxman.sim.run import simulate
from boxman.strategy.session import learn_house, session
from boxman.strategy.text import read
from boxman.table.accounts import imbalance, transfers
from boxman.table.calls import CallRoll
from boxman.table.floor.signs import price
from boxman.table.ruling import rule
from boxman.table.said.explain import tell
from boxman.table.said.transcript import Transcript
from boxman.table.state import Rolled, Settled
from boxman.workshop.again import WholeBook
from boxman.workshop.coverage import noticed, read_cases
from boxman.workshop.mutants import mutants
from tests.bonus_auditor import HALF, LOST, POINTS, STAYING, Roll
from tests.sim.kernel_cases import hold_together
from tests.test_collectors import FACE, FACES, HOUSE, different, odds

CLAUSES = {"by_point": "2.18", "thirds": "2.19", "outside": "2.20"}

# -- exact odds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spot", STAYING)
def test_every_sequence_of_three_rolls(spot: str) -> None:
    """The net of those that are over, with what was paid before."""
    counted: Counter[Fraction] = Counter()
    for rolls in itertools.product(FACES, repeat=3):
        paid, over = STAYING[spot](rolls)
        if over:
            counted[sum(paid, Fraction(0))] += 1
    found = odds(spot).within(3)
    assert {net: chance for net, chance in found.items() if chance} == {
        net: Fraction(count, 36**3) for net, count in counted.items()
    }


def test_the_value_is_the_sum_of_the_payments() -> None:
    """Worked out without the engine: the chance to get as far, times what is paid there."""
    made = different(frozenset())  # how many different points a shooter has at the seven-out
    reach = {n: sum(chance for most, chance in made.items() if most >= n) for n in range(7)}
    value = sum(reach[n] * pays for n, pays in {2: 2, 3: 5, 4: 15, 5: 50, 6: 250}.items())
    assert odds("by_point").edge == 1 - made[6] - value

    no_seven = [Fraction(5, 6) ** n for n in range(13)]
    value = HALF * (no_seven[3] + no_seven[6] + no_seven[9]) + 2 * no_seven[12]
    assert odds("thirds").edge == 1 - no_seven[12] - value

    before_seven = Fraction(3, 9)  # a 4, and so a 10, before a 7
    assert odds("outside").edge == 1 - 2 * (2 * before_seven**2 + 5 * before_seven**3)


def test_the_whole_distribution() -> None:
    """Every third: what was paid before a seven comes off what it takes."""
    no_seven = [Fraction(5, 6) ** n for n in range(13)]
    assert odds("thirds").net == {
        Fraction(7, 2): no_seven[12],
        HALF: no_seven[9] - no_seven[12],
        Fraction(0): no_seven[6] - no_seven[9],
        -HALF: no_seven[3] - no_seven[6],
        LOST: 1 - no_seven[3],
    }


def test_each_payment_is_rounded_by_itself() -> None:
    """Of 5 a half is 2.50, paid as 2: three of them are 6, and not 7."""
    no_seven = [Fraction(5, 6) ** n for n in range(13)]
    value = Fraction(2, 5) * (no_seven[3] + no_seven[6] + no_seven[9]) + 2 * no_seven[12]
    assert odds("thirds").at(500).edge == 1 - no_seven[12] - value
    assert odds("thirds").at(1000).edge == odds("thirds").edge


def test_what_was_paid_before_is_not_counted_again() -> None:
    layout = load(str(HOUSE))
    four = partly_collected(layout, "outside", (4, 4))
    # A third 4 is paid 5 to 1; of 10 both payments are to come.
    chance = Fraction(3, 9)
    assert four.edge == 1 - (5 * chance + 2 * chance**2 + 5 * chance**3)
    all_made = partly_collected(layout, "by_point", POINTS)
    assert all_made.net == {Fraction(0): Fraction(1)}


# -- step by step, at the table and in simulations -------------------------------------------------


@pytest.mark.parametrize("spot", STAYING)
def test_long_hands_step_by_step(spot: str) -> None:
    layout, chosen = load(str(HOUSE)), random.Random(spot)
    machine = layout.spots[spot]
    seen: Counter[tuple[Fraction, bool]] = Counter()
    for _ in range(150):
        puck, memory, rolls = 0, 0, list[Roll]()
        over = False
        while not over:
            faces = chosen.choice(FACES)
            if sum(faces) == 7 and chosen.random() < 0.93:
                continue
            rolls.append(faces)
            memory, cell = machine.step(puck, memory, Faces(*faces).kind)
            puck = layout.puck[puck][sum(faces) - 2].to
            paid, over = STAYING[spot](rolls)
            moves = cell is not None and not cell.goes_on
            assert moves == (over or paid[-1] != 0), rolls
            if cell is not None and moves:
                assert (cell.net, cell.stays_up) == (paid[-1], not over), rolls
                assert memory == 0 or not over
                seen[cell.net, over] += 1
    assert len(seen) >= {"by_point": 7, "thirds": 3, "outside": 3}[spot]


def play(lines: str) -> Transcript:
    """Lines of a transcript, each as it says."""
    transcript = Transcript()
    for line in f'house "{HOUSE}"   chip 1   limits 5-500\n{lines.strip()}'.splitlines():
        result = transcript.play(line.strip())
        assert result.difference is None, f"{line}\n{result.difference}"
    return transcript


EVENING = """
ann buys in 1000
ann bets 5 thirds         : ok {2.19}
ann bets 10 by_point      : ok {2.18}
ann bets 10 outside       : ok {2.20}
stick calls 2-2           : outside collects 4 {2.20}, thirds collects 4 {2.19}
stick calls 3-1           : ann outside +20 and stays up {2.20}, by_point collects 4 {2.18}
stick calls 5-1           : ann thirds +2 and stays up {1.2} {2.19}
ann lowers outside to 5   : ok
stick calls 4-2           : ann by_point +20 and stays up {2.18}, by_point collects 6 {2.18}
"""


def test_an_evening_of_payments_on_the_way() -> None:
    transcript = play(
        EVENING
        + """
        stick calls 3-1       : ann outside +25 and stays up {2.20}
        stick calls 3-1       : ann thirds +2 and stays up {2.19}
        stick calls 5-5
        stick calls 4-3       : ann by_point -10, ann thirds -5, ann outside -5, seven out
        ann bets 10 by_point  : ok
        """
    )
    assert transcript.table is not None
    # 20 + 2 + 20 + 25 + 2 on the way; 10, 5 and 5 lost.
    assert transcript.table.seats["ann"].rail == (1000 + 69 - 20 - 10) * 100
    assert not transcript.table.collected


@pytest.mark.parametrize(
    ("back", "follows"),
    [
        ("box voids the roll for touched", "taken back, puck 6"),
        # What it paid for a part it did not decide.
        ("box voids the roll for spilled", "taken back, puck 6"),
        ("box overrules to no roll", "taken back, puck 6"),
        ("box overrules to 5-4", "taken back, nothing"),
        ("box overrules to 2-2", "ann outside +25 and stays up"),
        ("box overrules to 4-3", "ann by_point -10, ann thirds -5, ann outside -5"),
    ],
)
def test_a_roll_that_is_taken_back_takes_its_payment_along(back: str, follows: str) -> None:
    *lines, last = EVENING.strip().splitlines()
    told = play("\n".join(lines)).table
    assert told is not None
    assert told.collected == {"thirds": 3, "outside": 2, "by_point": 1}
    transcript = play("\n".join([*lines, last, f"{back} : {follows}"]))
    table = transcript.table
    assert table is not None
    paid = {"+25": 2500}.get(follows.split(" ")[2] if "+25" in follows else "", 0)
    assert table.seats["ann"].rail == told.seats["ann"].rail + paid
    if "puck 6" in follows:
        assert (table.seats, table.bank, table.collected, table.latched) == (
            *(told.seats, told.bank, told.collected),
            told.latched,
        )


def test_what_a_void_roll_decided_goes_back_without_what_was_paid_before() -> None:
    table = play(
        EVENING
        + """
        stick calls 4-3                : ann thirds -5, ann outside -5
        box voids the roll for spilled : ann thirds returned 5, ann outside returned 5
        """
    ).table
    assert table is not None
    # 20, 2 and 20 were paid; 10 on Point by Point stand, with a 4 and a 6.
    assert (table.seats["ann"].rail, table.collected) == (1032_00, {"by_point": 0b101})


def test_a_round_that_is_taken_back_keeps_what_was_paid_before_it() -> None:
    """Of 20, 2 and 20 the first was paid in the round before; all stakes come back."""
    table = play(EVENING + "box voids the round for fire : taken back").table
    assert table is not None
    assert (table.seats["ann"].rail, table.collected) == (1020_00, {})


def test_simulations_agree_with_the_odds() -> None:
    """Through felts, explorer and automaton: one bet run to the end is worth its edge in chips."""
    played = session(str(HOUSE), rolls=4, end="value")
    learn_house(played.house, {})
    for spot in STAYING:
        strategy = read(f"when last roll is 0: bet 5 {spot}", spot)
        answer = solve(explored(strategy, played), played)
        assert answer.mean == pytest.approx(float(-odds(spot).at(500).edge * 500), rel=1e-9), spot


KERNEL = """
when cash > 100:
    bet 10 fire
    bet 5 sharp
    bet 5 replay
    bet 5 any_four
    bet 5 uptown
    bet 5 twice_hard
    bet 5 by_point
    bet 5 thirds
    bet 5 outside
when won on thirds > 0 and cash > 200: bet 10 pass
when won on outside > 0: bet 20 pass
"""


def test_the_kernel_pays_what_the_table_pays() -> None:
    """Every collector of the newer kinds, session by session; what is left up at its value."""
    where = session(str(HOUSE), bankroll=400, rolls=150, end="value")
    learn_house(where.house, {})
    strategy = read(KERNEL, "collectors")
    sessions = hold_together(Kernel(strategy, where), strategy, 15, range(12))
    won = Counter[str]()
    for played in sessions:
        won.update({spot: figures.wins for spot, figures in played.wagers.items()})
    assert all(won[spot] for spot in STAYING), won


@pytest.mark.parametrize("spot", STAYING)
def test_all_executors_agree(spot: str) -> None:
    where = session(str(HOUSE), bankroll=300, rolls=60)
    learn_house(where.house, {})
    strategy = read(f"bet 5 {spot}", spot)
    digests = {
        simulate(strategy, where, 40, 3, executor=executor).digest()
        for executor in ("numpy", "numba", "kernel", "reference")
    }
    assert len(digests) == 1


# -- every fact counts ---------------------------------------------------------------------------


def three(text: str) -> str:
    """The bonus house with these wagers alone."""
    return text[: text.index("### `2.1`")] + text[text.index("### `2.18`") :]


HANDS = {
    "by_point": [
        [FACE[n] for point in POINTS[:many] for n in (point, point)]
        + [FACE[n] for n in (POINTS[0], POINTS[0], 5, 7)]
        for many in (1, 2, 3, 4, 5, 6)
    ]
    + [[FACE[n] for point in POINTS[5:2:-1] for n in (point, point)] + [FACE[6], FACE[7]]],
    "thirds": [[FACE[n]] * 12 + [FACE[7]] for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)]
    + [[FACE[9], FACE[7]]],
    "outside": [
        [FACE[n] for n in totals] for totals in ((4,) * 4 + (10,) * 4 + (7,), (10, 4, 7), (5, 7))
    ],
}


def hand_lines(spot: str, rolls: list[Roll], first: bool) -> list[str]:
    """One hand as lines of a transcript; its results are the model's."""
    lines = [f"ann bets 10 {spot} : ok {{{CLAUSES[spot]}}}"]
    for place, (one, two) in enumerate(rolls, 1):
        paid, over = STAYING[spot](rolls[:place])
        net = f"{int(paid[-1] * 10):+}".replace("+0", "0")
        said = f"ann {spot} {net}{'' if over else ' and stays up'} {{{CLAUSES[spot]}}}"
        said = said if over or paid[-1] else "nothing"
        lines.append(f"stick calls {one}-{two} : {said}")
        if over:
            return [*lines, "stick calls 4-3", "stick calls 3-1", "stick calls 4-3"]
        if place == 1 and first:
            lines.append(f"bob bets 10 {spot} : refused under-way {{{CLAUSES[spot]}}}")
    raise AssertionError(rolls)


def test_no_fact_of_theirs_can_be_changed_unnoticed(tmp_path: Path) -> None:
    """The mutants of `boxman book coverage` against a few hands of each."""
    (tmp_path / "bonus.md").write_text(three(HOUSE.read_text()))
    for spot, hands in HANDS.items():
        lines = ["house bonus.md chip 1 limits 5-500", "ann buys in 9000", "bob buys in 100"]
        for hand in hands:
            lines += hand_lines(spot, hand, hand is hands[0])
        (tmp_path / f"{spot}.craps").write_text("\n".join(lines))
    rules = read_book(str(tmp_path / "bonus.md"))
    whole, cases = WholeBook(rules), read_cases(str(tmp_path))
    every = [each for each in mutants(rules) if each.stated.clause.startswith("2.")]
    assert len(every) > 70
    assert [each.name for each in every if not noticed(whole, each, cases)] == []


def test_what_cannot_stay_up() -> None:
    for old, new, wrong in (
        ("collected = [2]\npays", "pays", "does not say with how much"),
        ('pays = "2 to 1"\nstays_up', 'pays = "0 to 1"\nstays_up', "0 to 1"),
        ("collected = [2]", "collected = [0]", "has a price for 0 collected"),
        ("collected = [2]", "collected = [7]", "has a price for 7 collected"),
        ("collected = [2]", "number = [4]\ncollected = [1]", "by how often one number came"),
        ('collect = ["point"]\n', 'collect = ["point"]\nclear = [12]\n', "paid for ever"),
        (
            '[[price]]\nspot = "by_point"\ncollected = [2]',
            '[[collect]]\nspot = "by_point"\nenough = 3\n\n'
            '[[price]]\nspot = "by_point"\ncollected = [2]',
            "by_point has enough with 3, and cannot stay up with that",
        ),
    ):
        text = three(HOUSE.read_text())
        assert old in text
        with pytest.raises(BookError, match=wrong):
            compile_layout(read_text("bonus.md", text.replace(old, new, 1)))


def test_what_people_are_told() -> None:
    layout = load(str(HOUSE))
    prices = Odds(layout, "by_point").price.pays_text
    assert prices.startswith("stake back with 6; 250 to 1 with 6, and stays up; 50 to 1 with 5")
    assert Odds(layout, "thirds").price.pays_text == "2 to 1; 1 to 2 with 3, 6, 9, and stays up"
    assert Odds(layout, "outside").price.pays_text.startswith("5 to 1 with 4 or 10 (3 times), and")
    assert price(layout.spots["thirds"]).text.endswith("2 to 1; 1 to 2 with 3, 6, 9, and stays up")
    assert rules_of(layout, layout.spots["thirds"])["on the way"].value.startswith("1 to 2 with 3")


def test_a_payment_on_the_way_is_told_as_one() -> None:
    """In sentences, in its arithmetic, and in a journal, which has no new field for it."""
    transcript = play(EVENING)
    assert transcript.layout is not None
    assert transcript.table is not None
    before = transcript.table
    ruling = rule(transcript.layout, before, CallRoll(first=3, second=1))
    paid = next(each for each in ruling.decisions if isinstance(each, Settled))
    assert (paid.spot, paid.paid, paid.taken, paid.returned, paid.up) == (
        "outside",
        2500,
        0,
        0,
        500,
    )
    assert tell(transcript.layout, paid) == "ann's Fours and Tens wins $25 on $5 and stays up."
    rolled = next(each for each in ruling.decisions if isinstance(each, Rolled))
    assert paid_of(transcript.layout, before, rolled, paid) == "$5 pays $25 and stays up"
    assert msgspec.json.decode(msgspec.json.encode(paid), type=Settled) == paid
    assert ("bank", "rail ann", 2500) in transfers(paid)
    assert len(transfers(paid)) == 1
    assert imbalance(ruling.after) == 0
