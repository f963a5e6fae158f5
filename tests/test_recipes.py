"""The recipes of CONTRIBUTING.md, followed to the letter in a copy, and the files each one takes.

What a recipe shows in a block is what is added here: a recipe that is wrong fails. Every list that
is made from declarations must then know what was added, and nothing else was touched for it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
STEP = re.compile(
    r"^(?:At the end of|A new file) `([^`]+)`[^\n]*:\n\n```\w*\n(.*?)^```$", re.M | re.S
)
CHANGE = re.compile(r"^In `([^`]+)`[^\n]*:\n\n```diff\n(.*?)^```$", re.M | re.S)

ASKED = """
import json, sys
from pathlib import Path
import msgspec
from boxman.journal.codec import canonical, read_call
from boxman.odds.quote import Odds
from boxman.pit.live.stations import MAY_SAY
from boxman.pit.told.console import CONSOLE_ENTRIES
from boxman.rules.compile import load
from boxman.strategy.spots import INDEX, learn
from boxman.table.call import DECLARED
from boxman.table.said.station_menu import station_menu
from boxman.table.said.transcript import Transcript
from boxman.words.say import languages, say
from tests.evening import KINDS
from tests.tools.docs import calls

class Says:
    def __init__(self, house):
        self.play = Transcript()
        self.say(f"house {house}   chip 1   limits 5-500")
        self.say("ann buys in 300")
    def say(self, line):
        return self.play.play(line)

found = {}
nsw = Says("nsw")
thanked = nsw.say("box thanks ann")
menu = station_menu(nsw.play.layout, nsw.play.table, "box")
tag = thanked.call.__struct_config__.tag
found["call"] = {
    "line": str(thanked.line.words[1].text),
    "followed": [item.words for item in thanked.items],
    "not by": [item.words for item in nsw.say("stick thanks ann").items],
    "codec": read_call(canonical(thanked.call)) == thanked.call,
    "stations": sorted(name for name, may in MAY_SAY.items() if tag in may),
    "label": say(f"calls.{tag}") if tag in CONSOLE_ENTRIES else "",
    "menu": any("thank" in move for move in menu.moves),
    "document": "thanks" in calls(),
    "evenings": type(thanked.call) in KINDS,
}
own = Path(sys.argv[1])
house = load(str(own))
for name, total in (("low_4", "3-1"), ("twice_11", "6-5")):
    game = Says(own)
    game.say(f"ann bets 10 {name}")
    learn(house.spots)
    found[name] = {
        "paid": [item.words for item in game.say(f"stick calls {total}").items if item.money],
        "edge": str(Odds(house, name).edge),
        "known": name in INDEX,
        "heading": house.families[name].heading,
        "shape": house.spots[name].shape.name,
    }
found["languages"] = languages()
print(json.dumps(found))
"""


class Copy:
    """A copy of the repository to which the recipes are applied, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        leave = shutil.ignore_patterns("__pycache__", "static")
        shutil.copytree(ROOT / "src", folder / "src", ignore=leave)
        self.text = (ROOT / "CONTRIBUTING.md").read_text()
        self.touched: dict[str, set[str]] = {}

    def recipe(self, title: str) -> str:
        return self.text.split(f"\n## {title}\n")[1].split("\n## ")[0]

    def follow(self, title: str) -> None:
        """Do what the blocks of a recipe say."""
        recipe, files = self.recipe(title), set()
        for path, added in STEP.findall(recipe):
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            old = file.read_text() if file.exists() else ""
            file.write_text(f"{old}\n{added}" if old else added)
            files.add(path)
        for path, lines in CHANGE.findall(recipe):
            file = self.folder / path
            text = file.read_text()
            old, new = ("".join(f"{x[1:]}\n" for x in lines.splitlines() if x[0] != sign)
                        for sign in "+-")  # fmt: skip
            assert text.count(old) == 1, f"{title}: {path} has not the lines\n{old}"
            file.write_text(text.replace(old, new))
            files.add(path)
        assert files, f"{title}: the recipe shows nothing to add"
        self.touched[title] = files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    made = Copy(tmp_path_factory.mktemp("recipes"))
    shutil.copy(ROOT / "tests" / "houses" / "hops.md", made.folder / "own.md")
    for title in ("Add a call", "Add a wager", "Add a shape"):
        made.follow(title)
    words = made.folder / "src" / "boxman" / "words"
    shutil.copytree(words / "en", words / "xx")
    made.touched["Add a language"] = {"src/boxman/words/xx"}
    return made


@pytest.fixture(scope="module")
def found(copy: Copy) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(copy.folder / "own.md")],
        env=os.environ | {"PYTHONPATH": f"{copy.folder / 'src'}:{ROOT}"},
        cwd=copy.folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_call_is_known_everywhere(found: dict[str, Any]) -> None:
    assert found["call"] == {
        "line": "thanks",
        "followed": ["ok", "ann is thanked"],
        "not by": ["refused not-your-call"],
        "codec": True,
        "stations": ["box", "dealer", "manager", "senior", "stick", "supervisor"],
        "label": "Thank a player",
        "menu": True,
        "document": True,
        "evenings": True,
    }


def test_a_wager_is_a_few_facts_of_one_rulebook(found: dict[str, Any]) -> None:
    # 6 of 36 rolls at 4 to 1: 30/36 - 24/36 = 1/6.
    assert found["low_4"] == {
        "paid": ["ann low_4 +40"],
        "edge": "1/6",
        "known": True,
        "heading": "Low and high",
        "shape": "one-roll",
    }


def test_a_shape_is_one_module(found: dict[str, Any]) -> None:
    # 2 of 36 at twice 8 to 1: 34/36 - 32/36 = 1/18.
    assert found["twice_11"] == {
        "paid": ["ann twice_11 +160"],
        "edge": "1/18",
        "known": True,
        "heading": "Low and high",
        "shape": "double pay",
    }


def test_a_language_is_one_folder(found: dict[str, Any]) -> None:
    assert "xx" in found["languages"]


def test_how_many_files_each_takes(copy: Copy) -> None:
    counted = {title: len(files) for title, files in copy.touched.items()}
    assert counted == {
        "Add a call": 3,
        "Add a wager": 1,
        "Add a shape": 4,
        "Add a language": 1,
    }


@pytest.mark.parametrize("title", ["Add a house", "Add a page"])
def test_what_a_recipe_names_is_there(copy: Copy, title: str) -> None:
    recipe = copy.recipe(title).replace("NAME", "nsw")
    named = re.findall(r"`((?:src|docs|tests)/[\w./-]+)`", recipe)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
