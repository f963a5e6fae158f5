"""Tables whose rows no desk could have written are closed by them; the others open."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable

from tests.attack.server import Server


def forge(store: sqlite3.Connection, table: str, number: int, change: Callable[[str], str]) -> None:
    """Change a row and write the whole chain after it anew, as somebody with the disk could."""
    found = store.execute(
        "select number, body from row where table_name = ? and number >= ? order by number",
        (table, number),
    ).fetchall()
    previous = ""
    for at, body in found:
        text = body.decode()
        if at == number:
            text = change(text)
        else:
            text = text.replace(json.loads(text)["previous"], previous)
        previous = hashlib.sha256(text.encode()).hexdigest()
        store.execute(
            "update row set body = ?, hash = ? where table_name = ? and number = ?",
            (text.encode(), previous, table, at),
        )


def change_alone(store: sqlite3.Connection, table: str, number: int) -> None:
    """Change a row and leave its hash."""
    sql = "update row set body = cast(replace(body, '500', '900') as blob) where table_name = ?"
    store.execute(sql + " and number = ?", (table, number))


def add_nonsense(store: sqlite3.Connection, table: str, number: int) -> None:
    """A row at the end: well chained, and about a seat that is not there."""
    last, body, hashed = store.execute(
        "select number, body, hash from row where table_name = ? order by number desc limit 1",
        (table,),
    ).fetchone()
    row = json.loads(body)
    row.update(number=last + 1, id="nonsense", previous=hashed)
    row["call"] = {"type": "takedown", "seat": "nobody", "spot": "field"}
    row["ruling"] = {
        "decisions": [
            {"type": "settled", "seat": "nobody", "spot": "field", "verdict": "win",
             "stake": 5, "paid": 5, "taken": 0, "returned": 5, "cites": ["1"]}
        ]
    }  # fmt: skip
    bad = json.dumps(row, separators=(",", ":")).encode()
    found = hashlib.sha256(bad).hexdigest()
    store.execute(
        "insert into row values (?, ?, ?, ?, ?)", (table, last + 1, "nonsense", found, bad)
    )


def _forging(change: Callable[[str], str]) -> Callable[[sqlite3.Connection, str, int], None]:
    return lambda store, table, number: forge(store, table, number, change)


UNSEATED = '"decisions":[{"type":"unseated","seat":"x"},'
DAMAGE = {
    "unknown seat": _forging(lambda text: text.replace('"seat":"ann"', '"seat":"zoe"')),
    "nobody unseated": _forging(lambda text: text.replace('"decisions":[', UNSEATED)),
    "unknown call": _forging(lambda text: text.replace('"type":"bet"', '"type":"nothing"')),
    "half a row": _forging(lambda text: text[: len(text) // 2]),
    "hash left": change_alone,
    "nonsense": add_nonsense,
}


def test_damaged_tables_do_not_keep_the_house_closed(serve: Callable[..., Server]) -> None:
    house = serve()
    ann = house.person("ann", 700_000)
    tables = {name: house.live_table() for name in (*DAMAGE, "good")}
    for table in tables.values():
        ann.post(f"/api/tables/{table}/sit", 200, buy_in=50_000)
        with ann.at(table) as seat:
            first = seat.say("bet", spot="field", amount=500, id="once")
            number = first["number"]
            seat.say("bet", spot="pass", amount=500)
    house.stop()
    (house.folder / "house.db.seals").unlink()  # else the house would not open at all
    with sqlite3.connect(house.database) as store:
        for trigger in ("row_is_not_changed", "row_is_not_removed"):
            store.execute(f"drop trigger {trigger}")
        for name, damage in DAMAGE.items():
            damage(store, tables[name], number)
    store.close()
    house.start()
    ann.port = house.port
    good = tables.pop("good")
    assert [each["table"] for each in ann.get("/api/tables")["tables"]] == [good]
    with ann.at(good) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
        # An id of before the restart stands for what it stood for, and for nothing else.
        assert seat.say("bet", spot="field", amount=500, id="once") == first
        assert seat.say("cashout", amount=1_000, id="once")["code"] == "id-taken"
    for name, table in tables.items():
        refused = ann.ask("GET", f"/api/tables/{table}")
        assert (refused.status, refused.code) == (503, "table-stopped"), name
        assert table in refused.json["message"]
        with ann.at(table) as seat:
            assert seat.next("error")["code"] == "table-stopped", name
    assert "was changed: its hash is not that of its bytes" in house.told()
    assert "makes no sense at this table" in house.told()
    assert "Traceback" not in house.told()
    for command in ("audit", "verify", "export", "replay"):
        words = [tables["nonsense"]] if command == "export" else ["--table", tables["nonsense"]]
        words += ["--format", "craps"] if command == "export" else []
        done = house.run(command, *words, "--database", house.database)
        assert b"Traceback" not in done.stderr + done.stdout, command
        if command != "verify":
            assert b"makes no sense" in done.stderr, command
