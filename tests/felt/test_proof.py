"""The house's dice in the browser: shown before the throw, words added, the last hand proved."""

from __future__ import annotations

import hashlib
import hmac
import re
import shlex

from playwright.sync_api import expect
from typer.testing import CliRunner

from boxman.cli import app
from boxman.journal.pit_calls import AddEntropy, Reveal
from tests.felt.conftest import House, wait
from tests.felt.hands import Visit, bet, rolled, throw

SIZES = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]
MODULES = """async (sizes) => {
  const {sha256, hmac} = await import("/static/table/dice_proof.js");
  const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
  const text = (size) => Uint8Array.from({length: size}, (_, n) => (n * 7 + size) % 256);
  return sizes.map((size) => [hex(sha256(text(size))), hex(hmac(text(size), text(size + 3)))]);
}"""
SPOILT = """async () => {
  const {check, commitmentOf, facesOf} = await import("/static/table/dice_proof.js");
  const secret = "ab".repeat(32), entropy = [["ann", "it's $HOME"]];
  const faces = facesOf(secret, "t", 3, entropy, 4);
  const hand = (more) => ({number: 3, hash: commitmentOf(secret), secret, entropy,
    throws: new Map([[0, faces.slice(0, 2)], [1, faces.slice(2)]]), ...more});
  const other = new Map([[1, [faces[2] % 6 + 1, faces[3]]]]);
  return [hand({}), hand({throws: other}), hand({hash: "0".repeat(64)}), hand({entropy: []})]
    .map((each) => check("t", each));
}"""


def test_the_page_s_own_arithmetic_is_everybody_s(visit: Visit, house: House) -> None:
    page = visit().page
    page.goto("/")
    for size, (digest, code) in zip(SIZES, page.evaluate(MODULES, SIZES), strict=True):
        data = bytes((n * 7 + size) % 256 for n in range(size))
        more = bytes((n * 7 + size + 3) % 256 for n in range(size + 3))
        assert digest == hashlib.sha256(data).hexdigest(), size
        assert code == hmac.digest(data, more, "sha256").hex(), size
    right, thrown, hashed, words = page.evaluate(SPOILT)
    assert right == {"fixed": True, "wrong": [], "seen": 2}
    assert thrown == {"fixed": True, "wrong": [2], "seen": 1}
    assert hashed["fixed"] is False
    assert words["wrong"]


def test_a_hand_is_fixed_has_words_of_the_player_and_is_proved_after_it(
    visit: Visit, house: House
) -> None:
    table = house.table()

    def words() -> list[str]:
        rows = house.journal.rows(table)
        return [row.call.text for row in rows if isinstance(row.call, AddEntropy)]

    page = visit().sit(table)
    proof = page.locator(".dice-proof")
    wait(lambda: len(words()) == 1)  # nobody wrote any: the page did
    assert re.fullmatch("[0-9a-f]{32}", words()[0])
    proof.locator("summary").click()
    expect(proof.locator(".fixed code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    fixed = proof.locator(".fixed code").inner_text()
    proof.get_by_label("Words of your own for the dice").fill("it's $HOME's")
    proof.get_by_role("button", name="Add").click()
    wait(lambda: words()[1:] == ["it's $HOME's"])
    expect(proof.locator(".fixed")).to_contain_text("2 words of players go in")
    # Until the dice leave the shooter.
    verdict = proof.locator("[role=status] p").first
    rolls = 0
    while not any(isinstance(row.call, Reveal) for row in house.journal.rows(table)):
        view = house.boss.get(f"/api/tables/{table}").json()["view"]
        if not view["seats"][0]["wagers"]:
            bet(page, "pass")
        throw(page)
        rolls += 1
        rolled(page, rolls)
    expect(verdict).to_have_class("good")
    expect(verdict).to_have_text(re.compile("Hand 1: the secret fits what was fixed before"))
    # The next hand has the words the player wrote, without being asked.
    wait(lambda: words()[2:] == ["it's $HOME's"])
    line = proof.locator("pre").inner_text()
    assert fixed in line
    command, *given = shlex.split(line)
    assert command == "boxman"
    done = CliRunner().invoke(app, given)
    assert (done.exit_code, done.output.count("all as the secret says")) == (0, 1), done.output
    spoilt = [re.sub("[1-6]$", lambda f: str(int(f[0]) % 6 + 1), given[5]), *given[6:]]
    done = CliRunner().invoke(app, [*given[:5], *spoilt])
    assert (done.exit_code, "throw 1 was" in done.output) == (1, True), done.output
