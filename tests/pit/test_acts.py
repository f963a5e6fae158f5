"""What is done to a house is a chain of its own: durable, provable, and no table."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from boxman.journal.export import export
from boxman.journal.memory import MemoryJournal
from boxman.journal.pit_calls import Act
from boxman.journal.row import HOUSE_JOURNAL
from boxman.journal.store import Change
from boxman.journal.verify import verify
from boxman.pit.people.acts import Acts
from tests.pit.serving import PASSWORD, served, set_up


def test_acts_are_chained_whoever_writes_them() -> None:
    journal = MemoryJournal()

    def write(number: int) -> None:
        Acts(journal, lambda: 7).write(
            "issue chips", by="boss", about="ann", details={"amount": str(number)}
        )

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(40)))
    found = verify(export(journal, HOUSE_JOURNAL))
    assert (found.sound, found.rows) == (True, 40)
    acts = [row.call for row in journal.rows(HOUSE_JOURNAL)]
    assert all(isinstance(act, Act) for act in acts)
    amounts = {act.details["amount"] for act in acts if isinstance(act, Act)}
    assert amounts == {str(number) for number in range(40)}


def test_the_acts_of_a_house_are_no_table_of_it() -> None:
    journal = MemoryJournal()
    Acts(journal, lambda: 7).write("shut out", by="boss", about="mal")
    with served(journal) as server:
        ann = server.person().guest("ann")
        assert ann.get("/api/tables")["tables"] == []


def test_every_act_of_people_and_cage_is_a_row_and_nothing_else_is() -> None:
    journal = MemoryJournal()
    with served(journal) as server:
        boss = set_up(server)
        boss.post("/api/people", 201, name="ann", password=PASSWORD)
        boss.post("/api/people/ann/stations", 200, stations=["inspector"])
        boss.post("/api/cage", 200, person="ann", amount=500)
        boss.post("/api/cage", 409, person="ann", amount=-501)
        boss.post("/api/cage", 200, person="ann", amount=-200)
        boss.post("/api/people", 409, name="ann", password=PASSWORD)
        ann = server.person().sign_in("ann")
        new = "quite another word"
        ann.post("/api/me/password", 204, password=PASSWORD, new=new)
        told = ann.get("/api/acts")
        assert ann.get("/api/me")["acts"] is boss.get("/api/me")["acts"] is True
        boss.post("/api/people/ann", 200, disabled=True)
        boss.post("/api/people/ann", 200, disabled=False)
        found = [
            (act["by"], act["what"], act["about"], act["details"].get("amount"))
            for act in boss.get("/api/acts")["acts"][::-1]
        ]
        assert found[0][:2] == ("*machine", "quotas")
        assert found[1:] == [
            ("boss", "set up", "boss", None),
            ("boss", "add account", "ann", None),
            ("boss", "appoint", "ann", None),
            ("boss", "issue chips", "ann", "500"),
            ("boss", "take back chips", "ann", "200"),
            ("ann", "new password", "ann", None),
            ("boss", "shut out", "ann", None),
            ("boss", "let in again", "ann", None),
        ]
        assert boss.get("/api/acts?before=3&limit=1")["acts"][0]["what"] == "set up"
        assert told["acts"][0]["what"] == "new password"
        assert boss.get("/api/acts/verify") == {"sound": True, "rows": len(found), "problems": []}
        assert verify(boss.http.get("/api/acts/export").content.splitlines(True)).sound
        mal = server.person().guest("mal")
        mal.get("/api/acts", 403)
        assert mal.get("/api/me")["acts"] is False
        server.person().get("/api/acts", 401)
    text = b"".join(entry.body for entry in journal.entries(HOUSE_JOURNAL)).decode()
    assert PASSWORD not in text
    assert new not in text
    assert "argon2" not in text


def test_an_act_that_cannot_be_written_is_not_done() -> None:
    journal = MemoryJournal()
    acts = Acts(journal, lambda: 7)
    assert acts.write("one", by="a", changes=[Change("x", "y", None, b"1")])
    assert not acts.write("two", by="a", changes=[Change("x", "y", None, b"2")])
    assert not acts.write("three", by="a", moves=[("ann", -5)])
    assert journal.head(HOUSE_JOURNAL).number == 1
    assert journal.records.get("x", "y") == b"1"
