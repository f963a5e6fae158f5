"""What every store promises, proved on each: memory, SQLite and a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier

import pytest

from boxman.journal.fold import checkpoint_of, fold, restore
from boxman.journal.memory import MemoryJournal
from boxman.journal.row import GENESIS, Head, JournalError, digest, head_of
from boxman.journal.store import Change, Fenced, Journal
from tests.journal.evening import Evening, plain_row

Opener = Callable[[], Journal]


def test_rows_come_back_as_they_went_in(journal: Journal) -> None:
    evening = Evening()
    rows = evening.rows(60)
    journal.append(rows[:1])
    journal.append(rows[1:])
    assert list(journal.rows("one")) == rows
    assert any(row.refused for row in rows)
    assert any(not row.refused for row in rows[5:])


def test_what_is_stored_are_the_bytes_that_were_hashed(journal: Journal) -> None:
    rows = Evening().rows(20)
    journal.append(rows)
    before = GENESIS
    for row, entry in zip(rows, journal.entries("one"), strict=True):
        assert digest(entry.body) == entry.hash == row.hash
        assert (entry.table, entry.number, entry.id) == ("one", row.number, row.id)
        assert row.previous == before
        before = row.hash


def test_rulebooks_are_kept_under_their_digest(opener: Opener) -> None:
    journal = opener()
    text = "# A house\n\nwith \u00e9 and \u20ac\n"
    digest = journal.keep_edition(text)
    assert digest == sha256(text.encode()).hexdigest()
    assert journal.keep_edition(text) == digest
    assert journal.edition(digest) == text
    assert journal.edition("0" * 64) is None
    journal.close()
    assert opener().edition(digest) == text


def test_parts_of_a_journal(journal: Journal) -> None:
    rows = Evening().rows(30)
    journal.append(rows)
    assert list(journal.rows("one", 10)) == rows[10:]
    assert list(journal.rows("one", 10, 5)) == rows[10:15]
    assert list(journal.rows("one", 28, 5)) == rows[28:]
    assert list(journal.rows("one", 30)) == []
    assert list(journal.rows("one", 0, 0)) == []
    assert list(journal.rows("nobody")) == []


def test_more_rows_than_are_read_at_a_time(journal: Journal) -> None:
    rows = []
    head = Head()
    for _ in range(1_203):
        rows.append(plain_row(head))
        head = head_of(rows[-1])
    journal.append(rows)
    assert [row.number for row in journal.rows("one")] == list(range(1, 1_204))
    assert [row.number for row in journal.rows("one", 3, 1_000)] == list(range(4, 1_004))


def test_heads_and_tables(journal: Journal) -> None:
    assert journal.head("one") == Head(0, GENESIS)
    assert journal.tables() == []
    one, two = Evening("one").rows(5), Evening("two", seed=2).rows(7)
    journal.append([*two[:3], *one, *two[3:]])
    assert journal.tables() == ["one", "two"]
    assert journal.head("one") == head_of(one[-1])
    assert journal.head("two") == head_of(two[-1])
    assert list(journal.rows("two")) == two


def test_names_of_tables_keep_their_case_and_their_letters(journal: Journal) -> None:
    names = ["Zebra", "apple", "Äpfel", "a b", "'; drop table row; --"]
    for name in names:
        journal.append([plain_row(Head(), name)])
    assert journal.tables() == sorted(names)
    assert journal.head("zebra").number == 0


def test_a_call_is_found_by_its_id(journal: Journal) -> None:
    rows = Evening().rows(30)
    journal.append(rows)
    for row in rows:
        assert journal.find("one", row.id) == row
    assert journal.find("one", "one-31") is None
    assert journal.find("two", "one-1") is None


def test_a_number_is_written_once(journal: Journal) -> None:
    evening = Evening()
    first = evening.rows(3)
    journal.append(first)
    other = Evening(seed=9).rows(4)
    with pytest.raises(Fenced):
        journal.append(other[2:])
    assert list(journal.rows("one")) == first
    journal.append(evening.rows(1))
    assert journal.head("one").number == 4


def test_a_row_that_follows_another_chain_is_fenced(journal: Journal) -> None:
    journal.append([plain_row(Head(), id="x")])
    stranger = plain_row(Head(1, "f" * 64), id="y")
    with pytest.raises(Fenced):
        journal.append([stranger])
    assert journal.head("one").number == 1


def test_a_row_that_leaves_a_gap_is_refused(journal: Journal) -> None:
    journal.append([plain_row(Head())])
    with pytest.raises(JournalError, match="row 4 of one does not follow row 1"):
        journal.append([plain_row(Head(3, "0" * 64))])
    assert journal.head("one").number == 1


def test_a_call_id_is_ruled_on_once(journal: Journal) -> None:
    first = plain_row(Head(), id="same")
    journal.append([first])
    with pytest.raises(Fenced):
        journal.append([plain_row(head_of(first), id="same")])
    journal.append([plain_row(head_of(first), id="other")])
    journal.append([plain_row(Head(), "two", id="same")])
    assert journal.head("one").number == 2


def test_rows_go_in_together_or_not_at_all(journal: Journal) -> None:
    first = plain_row(Head(), id="a")
    second = plain_row(head_of(first), id="a")
    elsewhere = plain_row(Head(), "two")
    with pytest.raises(Fenced):
        journal.append([elsewhere, first, second])
    assert journal.tables() == []
    journal.append([elsewhere])
    assert journal.tables() == ["two"]


def test_many_threads_append_and_nothing_is_lost_or_doubled(journal: Journal) -> None:
    names = [f"table-{number}" for number in range(8)]
    start = Barrier(len(names))

    def play(name: str) -> list[str]:
        start.wait()
        head, hashes = Head(), []
        for _ in range(40):
            row = plain_row(head, name)
            journal.append([row])
            head = head_of(row)
            hashes.append(row.hash)
        return hashes

    with ThreadPoolExecutor(len(names)) as pool:
        told = dict(zip(names, pool.map(play, names), strict=True))
    for name in names:
        assert [entry.hash for entry in journal.entries(name)] == told[name]


def test_of_rows_submitted_together_only_those_in_the_way_fail(journal: Journal) -> None:
    journal.append([plain_row(Head(), "taken")])
    futures = {}
    for number in range(20):
        name = f"t{number:02}"
        futures[name] = journal.submit([plain_row(Head(), name)])
    fenced = journal.submit([plain_row(Head(), "taken", id="late")])
    last = journal.submit([plain_row(Head(), "zz")])
    for future in (*futures.values(), last):
        assert future.result(30) is None
    with pytest.raises(Fenced):
        fenced.result(30)
    assert journal.tables() == sorted([*futures, "taken", "zz"])


def test_submitted_rows_are_stored_in_order(journal: Journal) -> None:
    head, futures = Head(), []
    for _ in range(200):
        row = plain_row(head)
        futures.append(journal.submit([row]))
        head = head_of(row)
    for future in futures:
        future.result(30)
    assert journal.head("one") == head


def test_rows_submitted_before_closing_are_stored(opener: Opener) -> None:
    journal = opener()
    head, futures = Head(), []
    for _ in range(50):
        row = plain_row(head)
        futures.append(journal.submit([row]))
        head = head_of(row)
    journal.close()
    assert all(future.done() and future.exception() is None for future in futures)
    assert opener().head("one") == head
    with pytest.raises(JournalError, match="closed"):
        journal.submit([plain_row(head)]).result(5)


def test_a_journal_opened_again_goes_on(opener: Opener) -> None:
    evening = Evening()
    rows = evening.rows(25)
    journal = opener()
    journal.append(rows)
    journal.close()
    again = opener()
    assert list(again.rows("one")) == rows
    if isinstance(journal, MemoryJournal):
        assert again is journal  # there is nowhere else it could be
        return
    more = evening.rows(10)
    again.append(more)
    assert list(again.rows("one")) == rows + more


def test_a_table_is_restored_from_its_rows(journal: Journal) -> None:
    evening = Evening()
    journal.append(evening.rows(80))
    folded = restore(journal, "one")
    assert folded is not None
    assert folded.table == evening.tables[-1]
    assert folded.head == evening.head
    assert folded.opening.opens.house == "nsw"
    assert folded.since == 79
    assert restore(journal, "two") is None


def test_a_table_as_it_stood_after_any_row(journal: Journal) -> None:
    evening = Evening()
    journal.append(evening.rows(60))
    for number in (20, 40):
        state = evening.tables[number - 1]
        head = Head(number, next(iter(journal.entries("one", number - 1, 1))).hash)
        journal.keep(checkpoint_of("one", head, state))
    for number in range(1, 61):
        folded = restore(journal, "one", number)
        assert folded is not None
        assert folded.table == evening.tables[number - 1]
        last = max(base for base in (1, 20, 40) if base <= number)
        assert folded.since == number - last
    with pytest.raises(JournalError, match="one has 60 rows; there is no row 61"):
        restore(journal, "one", 61)


def test_a_checkpoint_that_does_not_agree_is_passed_over(journal: Journal) -> None:
    evening = Evening()
    rows = evening.rows(60)
    journal.append(rows)
    good = checkpoint_of("one", head_of(rows[19]), evening.tables[19])
    journal.keep(good)
    assert journal.checkpoint("one") == good
    journal.keep(checkpoint_of("one", Head(40, "e" * 64), evening.tables[2]))
    journal.keep(checkpoint_of("one", Head(70, "e" * 64), evening.tables[2]))
    folded = restore(journal, "one")
    assert folded is not None
    assert folded.table == evening.tables[-1]
    assert folded.since == 40
    assert journal.checkpoint("two") is None
    assert journal.checkpoint("one", 19) is None


def test_a_checkpoint_keeps_the_order_of_seats_and_wagers(journal: Journal) -> None:
    evening = Evening(seed=4)
    rows = evening.rows(200)
    journal.append(rows)
    journal.keep(checkpoint_of("one", evening.head, evening.table))
    kept = journal.checkpoint("one")
    assert kept is not None
    assert kept.state == evening.table == fold(rows)
    for name, seat in evening.table.seats.items():
        assert list(kept.state.seats[name].wagers) == list(seat.wagers)
    assert list(kept.state.seats) == list(evening.table.seats)
    before = evening.table.before
    assert before is not None
    assert kept.state.before == before


def test_claims(opener: Opener) -> None:
    journal = opener()
    assert journal.claim("one")
    assert not journal.claim("one")
    assert journal.claim("two")
    journal.release("one")
    assert journal.claim("one")


def test_records(opener: Opener) -> None:
    records = opener().records
    assert records.get("account", "ann") is None
    records.put("account", "ann", b'{"n":1}')
    records.put("account", "ann", b'{"n":2}')
    records.put("account", "Bob", b"\0\xff")
    records.put("session", "ann", b"")
    assert records.get("account", "ann") == b'{"n":2}'
    assert records.list("account") == [("Bob", b"\0\xff"), ("ann", b'{"n":2}')]
    assert records.get("session", "ann") == b""
    assert records.delete("account", "ann")
    assert not records.delete("account", "ann")
    assert records.list("account") == [("Bob", b"\0\xff")]
    assert records.list("nothing") == []


def test_a_record_is_added_once(journal: Journal) -> None:
    def add(number: int) -> bool:
        return journal.records.add("setup", "administrator", str(number).encode())

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(add, range(16)))
    assert sum(done) == 1
    assert journal.records.get("setup", "administrator") == str(done.index(True)).encode()


def test_a_record_is_swapped_only_for_the_one_it_was(journal: Journal) -> None:
    records = journal.records
    assert not records.swap("count", "a", b"0", b"1")
    records.put("count", "a", b"0")

    def count(_: int) -> None:
        while True:
            old = records.get("count", "a")
            assert old is not None
            if records.swap("count", "a", old, str(int(old) + 1).encode()):
                return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(20)))
    assert records.get("count", "a") == b"20"


# -- records and chips, all or nothing ---------------------------------------------------------


def test_several_records_change_together_or_not_at_all(journal: Journal) -> None:
    records = journal.records
    both = [Change("a", "x", None, b"1"), Change("b", "y", None, b"2")]
    assert records.change(both)
    assert (records.get("a", "x"), records.get("b", "y")) == (b"1", b"2")
    assert not records.change([Change("a", "z", None, b"3"), Change("b", "y", b"9", b"4")])
    assert not records.change([Change("a", "z", None, b"3"), Change("b", "y", None, b"4")])
    assert not records.change([Change("a", "z", None, b"3"), Change("b", "gone", b"9", None)])
    assert records.get("a", "z") is None
    assert records.change([Change("a", "x", b"1", None), Change("b", "y", b"2", b"5")])
    assert (records.get("a", "x"), records.get("b", "y")) == (None, b"5")


def test_the_cage_never_holds_less_than_nothing(journal: Journal) -> None:
    assert journal.chips.held("ann") == 0
    assert journal.records.change([Change("cage", "ann", None, b"1")], [("ann", 500)])
    assert not journal.records.change([Change("cage", "ann", b"1", b"2")], [("ann", -501)])
    assert journal.records.get("cage", "ann") == b"1"
    assert not journal.records.change([], [("bob", -1)])
    assert journal.chips.held("ann") == 500
    assert journal.chips.begin("bob", 70)
    assert not journal.chips.begin("bob", 90)
    assert journal.chips.held("bob") == 70


def test_chips_move_with_the_rows_or_neither_does(journal: Journal) -> None:
    journal.chips.begin("ann", 500)
    first = plain_row(Head())
    with pytest.raises(Fenced):
        journal.submit([first], [("ann", -300), ("ann", -201)]).result()
    assert (journal.head("one").number, journal.chips.held("ann")) == (0, 500)
    journal.submit([first], [("ann", -500), ("ann", 20)]).result()
    assert (journal.head("one").number, journal.chips.held("ann")) == (1, 20)
    with pytest.raises(Fenced):
        journal.submit([first], [("ann", 900)]).result()
    assert journal.chips.held("ann") == 20


def test_of_many_who_take_the_same_chips_one_gets_them(journal: Journal) -> None:
    journal.chips.begin("ann", 100)

    def take(name: str) -> bool:
        try:
            journal.submit([plain_row(Head(), name)], [("ann", -100)]).result()
        except Fenced:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, [f"t{number}" for number in range(24)])) == 1
    assert journal.chips.held("ann") == 0
    assert len(journal.tables()) == 1
