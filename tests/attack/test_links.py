"""Links that strangers made: a hand that brings a rulebook of its own, which wants the machine."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from pathlib import Path
from threading import Thread
from typing import Any

from tests.attack.client import Answer
from tests.attack.play import own_table
from tests.attack.server import ROOT, Server

BOOK = (ROOT / "src" / "boxman" / "rulebooks" / "template.md").read_text()
BEFORE = "\n## 2 "
"""A chapter before which clauses of one's own find their place."""
ROLLS = [[3, 3], [2, 4]]
"""A point of 6, made: nothing that collects other numbers ends with it."""
GROWN = 25_000
"""Kilobytes that the server may need for a question whose answer has four thousand of them."""


def _with(*blocks: str) -> str:
    """A rulebook with clauses of an attacker's."""
    clauses = [
        f"\n### `9.{number}` Clause\nProse.\n\n```facts\n{block}\n```\n"
        for number, block in enumerate(blocks)
    ]
    head, _, tail = BOOK.partition(BEFORE)
    return head + "".join(clauses) + BEFORE + tail


def _collector(number: int) -> str:
    spot = f'spot = "c{number}"'
    return "\n".join(
        (
            *("[[family]]", f'id = "c{number}"', 'shape = "collector"'),
            *("[[offer]]", spot, 'name = "Large"'),
            *("[[result]]", spot, "collect = [2, 3, 4, 5]", "lose = [7]"),
            *("[[collect]]", spot, "times = 4"),
            *("[[price]]", spot, 'pays = "5 to 1"'),
            *("[[gate]]", spot, f'group = "c{number}"', 'until = "number"'),
        )
    )


WIDE = 380
TEXTS = {
    "deep": _with("x = " + "[" * 60_000 + "]" * 60_000),
    "many facts": _with("\n".join(f"a{number} = 1979-05-27T07:32:00Z" for number in range(4_000))),
    "one heading": BOOK + "\n### " + "`" * 150_000,
}


def _code(text: str, said: list[Any]) -> str:
    """The code of a hand, with its rulebook."""
    posted = {"minimum": 500, "maximum": 100_000, "unit": 0}
    digest = hashlib.sha256(text.encode()).hexdigest()
    hand = ["mycasino", digest, 100, posted, {}, 0, 10**9, [], {}, [], said, 0, text]
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(hand).encode(), 9)).decode()
    return "~" + packed.rstrip("=")


def _most_memory(server: Server) -> int:
    """Kilobytes that a server has had at most."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if "VmHWM" in line))


def test_a_rulebook_in_a_link_eats_neither_memory_nor_time_of_the_house(house: Server) -> None:
    """Each is read by a worker of its own; a player at a table plays on meanwhile."""
    guest, table = own_table(house)
    bets = [{"type": "bet", "seat": "player", "spot": f"c{n}", "amount": 500} for n in range(WIDE)]
    wide = _with(*map(_collector, range(WIDE)))
    asked = {name: _code(text, [[3, 4]]) for name, text in TEXTS.items()}
    asked |= {"wide": _code(wide, bets + ROLLS * 40)}
    before, answers = _most_memory(house), dict[str, Answer]()

    def ask() -> None:
        stranger = house.visitor("127.0.0.99")
        stranger.patience *= 4  # workers come behind everybody else
        for name, code in asked.items():
            answers[name] = stranger.ask("POST", "/api/hands/own", {"code": code})

    thread = Thread(target=ask)
    thread.start()
    with guest.at(table) as seat:
        while thread.is_alive():
            assert seat.say("bet", spot="field", amount=500)["is"] == "answer"
            thread.join(0.2)
    for name in TEXTS:
        answer = answers[name]
        assert (answer.status, answer.code) == (422, "bad-hand"), (name, answer)
        assert len(answer.body) < 1_000, name
    assert answers["wide"].status == 200
    assert len(answers["wide"].body) > 2_500_000
    assert _most_memory(house) - before < GROWN
    assert "Traceback" not in house.told()
