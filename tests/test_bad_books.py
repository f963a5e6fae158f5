"""One broken rulebook per mistake, each with the exact message it must get.

Every broken rulebook is the template with one small edit. The message names the file, the line
(found here by the text that stands in it), the clause where there is one, what is wrong and what
to do. `boxman book check` prints it on standard error and ends with exit code 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.rules.book import FACT_KINDS, BookError, houses, read_book, read_text
from boxman.rules.compile import compile_layout
from boxman.rules.families import FAMILIES
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError

TEMPLATE = Path(__file__).parents[1] / "src" / "boxman" / "rulebooks" / "template.md"
TEXT = TEMPLATE.read_text(encoding="utf-8")

Edit = Callable[[str], str]
Place = tuple[str, str, int]


# -- edits -------------------------------------------------------------------------------------


def section(text: str, clause: str) -> tuple[int, int]:
    """Where a clause begins and ends in the text; the whole file for ""."""
    if not clause:
        return 0, len(text)
    start = text.index(f"### `{clause}`")
    end = text.find("\n### ", start)
    return start, end + 1 if end >= 0 else len(text)


def swap(clause: str, old: str, new: str, nth: int = 1) -> Edit:
    """Put other text in the place of the nth occurrence of some text in a clause."""

    def edit(text: str) -> str:
        start, end = section(text, clause)
        spot = start - 1
        for _ in range(nth):
            spot = text.index(old, spot + 1, end)
        return text[:spot] + new + text[spot + len(old) :]

    return edit


def drop(clause: str, kind: str, nth: int = 1) -> Edit:
    """Take the nth fact of a kind out of a clause."""

    def edit(text: str) -> str:
        start, end = section(text, clause)
        body = text[start:end]
        found = list(re.finditer(rf"\[\[{kind}\]\].*\n(?:[^\[`\n].*\n)*\n?", body))
        match = found[nth - 1]
        return text[: start + match.start()] + body[match.end() :] + text[end:]

    return edit


def add(clause: str, fact: str) -> Edit:
    """Add facts to the block of a clause."""

    def edit(text: str) -> str:
        start, end = section(text, clause)
        close = text.rindex("\n```\n", start, end)
        return f"{text[:close]}\n\n{fact}{text[close:]}"

    return edit


def insert(clause: str, new: str) -> Edit:
    """Put a new clause before this one; at the end of the file for ""."""

    def edit(text: str) -> str:
        start = section(text, clause)[0] if clause else len(text)
        return f"{text[:start]}{new}\n{text[start:]}"

    return edit


def both(*edits: Edit) -> Edit:
    def edit(text: str) -> str:
        for each in edits:
            text = each(text)
        return text

    return edit


def line_of(text: str, place: Place) -> int:
    """The line of the nth line that begins with some text, in a clause."""
    clause, begins, nth = place
    start, end = section(text, clause)
    first = text.count("\n", 0, start) + 1
    lines = text[start:end].split("\n")
    found = [first + n for n, line in enumerate(lines) if line.startswith(begins)]
    return found[nth - 1]


# -- the mistakes ------------------------------------------------------------------------------


class Bad(NamedTuple):
    """A mistake: the edit that makes it, where it is found, what is said of it."""

    name: str
    edit: Edit
    at: Place | None
    clause: str
    problem: str
    remedy: str
    other: Place | None = None
    """The second place the problem names, as LINE."""


SMALL = """\
### `3.13` Small
A bonus bet that wins when 2, 3, 4, 5 and 6 have all come before a 7.

```facts
[[offer]]
spot = "small"
name = "Small"

[[result]]
spot = "small"
collect = [2, 3, 4, 5, 6]
lose = [7]

[[price]]
spot = "small"
pays = "30 to 1"

[[gate]]
spot = "small"
group = "small"
until = "number"
```

"""
CHARGED = 'charged = "win"\nrefund = "removal"'
COME_ODDS = '''\
[[offer]]
spot = "come.odds.*"
numbers = [11]
name = "Come Odds on {n}"

[[behind]]
spot = "come.odds.*"
flat = "come.*"
measure = "stake"
times = 1

[[result]]
spot = "come.odds.*"
win = ["number"]
lose = [7]

[[price]]
spot = "come.odds.*"
pays = "3 to 1"'''
ALL_KINDS = " ".join(FACT_KINDS)
ALL_SPOTS = " ".join(FAMILIES)
NO_VALUE = (
    'write text in quotes, like "1 to 1", lists in brackets with commas, like [4, 10], '
    "and true or false in small letters"
)
WORDS = '"point", "number", "hard", "easy", "any hard", "any easy", "other"'
NOT_OFFERED = "offer it, correct the name, or give this fact the when of the offer"
RESULT_KEYS = "spot, puck, win, lose, push, stay, move, collect, clear, when, despite"


def correct(clause: str) -> str:
    return f'correct one of them, or write despite = "{clause}" in this one'


def reprice(clause: str) -> str:
    return (
        "correct one of them; where a roll is paid otherwise than the rest, name the rolls of both "
        "with on = [...]; where one clause overrides another, write "
        f'despite = "{clause}" in this one'
    )


FORM = [
    Bad(
        "no house block",
        swap("", "```house", "```houses"),
        ("", "```houses", 1),
        "",
        "a houses block stands before the first clause",
        "put facts under a clause, whose heading is ### `id` Title; only the house block goes here",
    ),
    Bad(
        "no house block at all",
        lambda text: re.sub(r"```house\n.*?```\n", "", text, count=1, flags=re.DOTALL),
        ("", "# House of Dice", 1),
        "",
        "the file has no house block",
        "add a ```house block with id and edition before the first clause",
    ),
    Bad(
        "two house blocks",
        swap("", "## 1 The game", '```house\nid = "two"\nedition = "1"\n```\n\n## 1 The game'),
        ("", "```house", 2),
        "",
        "the file has two house blocks",
        "keep one of them",
    ),
    Bad(
        "unknown key in the house block",
        swap("", "edition =", "editoin ="),
        ("", "editoin", 1),
        "",
        "the house block has an unknown key editoin",
        "did you mean edition? its keys are: id, edition, currency, example",
    ),
    Bad(
        "house block without an edition",
        swap("", 'edition = "2026-01"', "#"),
        ("", "```house", 1),
        "",
        "the house block has no edition",
        "add edition, which is text in quotes",
    ),
    Bad(
        "edition that is not text",
        swap("", '"2026-01"', "2026"),
        ("", "edition", 1),
        "",
        "the house block has edition = 2026",
        "edition is text in quotes",
    ),
    Bad(
        "house block that is not TOML",
        swap("", 'currency = "$"', "currency = $"),
        ("", "currency", 1),
        "",
        "what stands after = is no value",
        NO_VALUE,
    ),
    Bad(
        "no clauses",
        lambda text: text[: text.index("### ")],
        ("", "# House of Dice", 1),
        "",
        "the file has no clauses",
        "add headings like ### `1` Title",
    ),
    Bad(
        "heading without an id",
        swap("1.2", "### `1.2` The dice", "### The dice"),
        ("", "### The dice", 1),
        "",
        "the heading has no clause id: ### The dice",
        "write the id in backticks, like ### `7` Title",
    ),
    Bad(
        "heading whose id is not closed",
        swap("1.2", "### `1.2` The dice", "### `1.2 The dice"),
        ("", "### `1.2 The dice", 1),
        "",
        "the heading has no clause id: ### `1.2 The dice",
        "write the id in backticks, like ### `7` Title",
    ),
    Bad(
        "an id twice",
        swap("1.3", "### `1.3`", "### `1.2`"),
        ("", "### `1.2` The shooter", 1),
        "1.2",
        "the clause stands twice, first in line LINE",
        "join the two or correct one id",
        ("", "### `1.2` The dice", 1),
    ),
    Bad(
        "an id with braces",
        swap("1.3", "### `1.3`", "### `1.{3}`"),
        ("", "### `1.{3}`", 1),
        "1.{3}",
        "an id may not hold braces",
        "leave them out",
    ),
    Bad(
        "clause without a block",
        swap("1.3", "```none\nopen: who throws the dice\n```\n", ""),
        ("1.3", "### `1.3`", 1),
        "1.3",
        "the clause has no block",
        "add a ```facts block, or a ```none block with the reason",
    ),
    Bad(
        "clause with two blocks",
        swap("1.3", "```none\n", '```facts\n[[principle]]\nwhat = "total"\n```\n\n```none\n'),
        ("1.3", "```none", 1),
        "1.3",
        "the clause has 2 blocks",
        "put all its facts into one, or give the next clause its heading",
    ),
    Bad(
        "block of an unknown kind",
        swap("1.4", "```facts", "```fact"),
        ("1.4", "```fact", 1),
        "1.4",
        "a block of unknown kind: fact",
        "use ```facts or ```none",
    ),
    Bad(
        "block never closed",
        swap("1.4", "seven_out = true\n```\n", "seven_out = true\n"),
        ("1.4", "```facts", 1),
        "1.4",
        "the facts block is never closed",
        "end it with a line ```",
    ),
    Bad(
        "none without a reason",
        swap("1.3", "open: who throws the dice", "open:"),
        ("1.3", "open:", 1),
        "1.3",
        "the none block does not say why: open:",
        "begin with physical:, display: or open: and give the reason",
    ),
    Bad(
        "none with a reason of no known sort",
        swap("1.3", "open: who", "later: who"),
        ("1.3", "later:", 1),
        "1.3",
        "the none block does not say why: later: who throws the dice",
        "begin with physical:, display: or open: and give the reason",
    ),
    Bad(
        "empty none block",
        swap("1.3", "open: who throws the dice\n", ""),
        ("1.3", "```", 2),
        "1.3",
        "the none block does not say why: it is empty",
        "begin with physical:, display: or open: and give the reason",
    ),
    Bad(
        "empty facts block",
        swap("1.5", '[[principle]]\nwhat = "no roll"\n', "# later\n"),
        ("1.5", "# later", 1),
        "1.5",
        "the facts block is empty",
        "state a fact, or use ```none",
    ),
    Bad(
        "TOML that cannot be read",
        swap("3.1", "win = [7, 11]", "win = [7 11]"),
        ("3.1", "win = [7 11]", 1),
        "3.1",
        "what stands after = is no value",
        NO_VALUE,
    ),
    Bad(
        "TOML that ends too early",
        swap("gap-2", '"hard.*"]', '"hard.*"'),
        ("gap-2", "spot", 1),
        "gap-2",
        "what stands after = is no value",
        NO_VALUE,
    ),
    Bad(
        "a key twice",
        swap("3.4", 'what = "stand-off"', 'what = "stand-off"\nwhat = "total"'),
        ("3.4", 'what = "total"', 1),
        "3.4",
        "a key stands twice in one fact",
        "give each key once; begin another fact with its line in brackets, like [[price]]",
    ),
    Bad(
        "quotes of a word processor",
        swap("3.1", 'pays = "1 to 1"', "pays = \u201c1 to 1\u201d"),
        ("3.1", "pays", 1),
        "3.1",
        "the line has quotes that are not straight",
        'write straight ones, like "1 to 1"',
    ),
    Bad(
        "a blank of a word processor",
        swap("3.1", 'pays = "1 to 1"', 'pays =\u00a0"1 to 1"'),
        ("3.1", "pays", 1),
        "3.1",
        "the line has a blank that is none to TOML",
        "type the blanks of this line again",
    ),
    Bad(
        "quotes that are not closed",
        swap("3.1", 'name = "Pass"', 'name = "Pass'),
        ("3.1", "name", 1),
        "3.1",
        "a text in quotes does not end in its line",
        'close the quotes, like name = "Field"',
    ),
    Bad(
        "a price for a roll that does not win",
        swap("3.9", "on = [2]", "on = [2, 5]"),
        ("3.9", "[[price]]", 2),
        "3.9",
        "the price fact has a price for field by 5, by which it never wins",
        "leave 5 out of on, or add a [[result]] fact by which it wins so",
    ),
    Bad(
        "a price for a number that is not offered",
        swap("3.8", "number = [6, 8]", "number = [6, 8, 9]"),
        ("3.8", "[[price]]", 2),
        "3.8",
        "the price fact has a price for hard.4 by 9, by which it never wins",
        "leave 9 out of number, or add a [[result]] fact by which it wins so",
    ),
    Bad(
        "unknown kind of fact",
        swap("3.1", "[[price]]", "[[prize]]"),
        ("3.1", "[[prize]]", 1),
        "3.1",
        "there is no kind of fact called prize",
        f"did you mean price? the kinds are: {ALL_KINDS}",
    ),
    Bad(
        "key outside any fact",
        swap("3.4", "[[principle]]\n", ""),
        ("3.4", "what", 1),
        "3.4",
        "there is no kind of fact called what",
        f"the kinds are: {ALL_KINDS}",
    ),
    Bad(
        "kind that is not a list",
        swap("1.5", "[[principle]]", "[principle]"),
        ("1.5", "[principle]", 1),
        "1.5",
        "principle is not written as a list of facts",
        "begin each with a line [[principle]]",
    ),
    Bad(
        "facts written inline",
        swap("1.5", '[[principle]]\nwhat = "no roll"', 'principle = [{what = "no roll"}]'),
        ("1.5", "principle", 1),
        "1.5",
        "principle is not written as a list of facts",
        "begin each with a line [[principle]]",
    ),
    Bad(
        "unknown key",
        swap("3.1", "lose = [2, 3, 12]", "loses = [2, 3, 12]"),
        ("3.1", "loses", 1),
        "3.1",
        "the result fact has an unknown key loses",
        f"did you mean lose? its keys are: {RESULT_KEYS}",
    ),
    Bad(
        "missing key",
        swap("3.1", 'name = "Pass"\n', ""),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "the offer fact has no name",
        "add name, which is text in quotes",
    ),
    Bad(
        "number where there should be text",
        swap("3.1", 'pays = "1 to 1"', "pays = 1"),
        ("3.1", "pays", 1),
        "3.1",
        "the price fact has pays = 1",
        'pays is text in quotes, like "9 to 5"',
    ),
    Bad(
        "text where there should be a list",
        swap("3.6", "number = [4, 10]", 'number = "4, 10"'),
        ("3.6", "number = ", 1),
        "3.6",
        'the price fact has number = "4, 10"',
        "number is a list of whole numbers, like [4, 10]",
    ),
    Bad(
        "text where there should be true or false",
        swap("2.5", "works = false", 'works = "no"'),
        ("2.5", "works", 1),
        "2.5",
        'the working fact has works = "no"',
        "works is true or false",
    ),
    Bad(
        "spot that is neither text nor a list",
        swap("3.1", 'spot = "pass"', "spot = 1", 2),
        ("3.1", "spot = 1", 1),
        "3.1",
        "the window fact has spot = 1",
        'spot is a spot or a list of spots, like "pass" or ["pass", "come"]',
    ),
    Bad(
        "list where there should be one spot",
        swap("3.1", 'spot = "pass"', 'spot = ["pass"]'),
        ("3.1", "spot", 1),
        "3.1",
        'the offer fact has spot = ["pass"]',
        'spot is a spot, like "pass" or "place.*": write "pass"',
    ),
    Bad(
        "several where there should be one",
        swap("2.3", 'bound = "minimum"', 'bound = ["minimum", "maximum"]'),
        ("2.3", "bound", 1),
        "2.3",
        'the limit fact has bound = ["minimum", "maximum"]',
        'bound is one of: "minimum", "maximum", "multiple", "unit"; each fact has one: write a '
        "fact for each of these",
    ),
    Bad(
        "one where there should be a list",
        swap("1.6", 'who = ["stick"]', 'who = "stick"'),
        ("1.6", "who", 1),
        "1.6",
        'the may fact has who = "stick"',
        'who is a list of some of: "stick", "dealer", "box", "supervisor", "senior", "manager", '
        '"inspector": write ["stick"]',
    ),
    Bad(
        "wrong word",
        swap("3.1", 'puck = "off"', 'puck = "of"'),
        ("3.1", "puck", 1),
        "3.1",
        'the window fact has puck = "of"',
        'puck is one of: "off", "on", "any", "never"',
    ),
    Bad(
        "wrong word in a list",
        swap("3.3", 'act = ["make", "raise"]', 'act = ["make", "rise"]'),
        ("3.3", "act", 1),
        "3.3",
        'the window fact has act = ["make", "rise"]',
        'act is a list of some of: "make", "raise", "reduce", "remove"',
    ),
    Bad(
        "wrong word for a roll",
        swap("3.1", 'win = ["point"]', 'win = ["pont"]'),
        ("3.1", "win = [", 2),
        "3.1",
        'the result fact has win = ["pont"]',
        'win is a list of totals, of faces like "4-3" (the higher first), and of the words '
        f"{WORDS}",
    ),
    Bad(
        "faces that no dice have, in a price",
        swap("3.9", "on = [2]", 'on = ["6-7"]'),
        ("3.9", "on = [", 2),
        "3.9",
        'the price fact has on = ["6-7"]',
        'on is a list of totals, of faces like "4-3" (the higher first), and of the words '
        '"hard", "easy", "any hard", "any easy"',
    ),
    Bad(
        "a price for the hard way of a wager without a number",
        swap("3.9", "on = [2]", 'on = ["hard"]'),
        ("3.9", "[[price]]", 2),
        "3.9",
        "the price fact names 'hard', which no roll is for field with the puck off",
        "totals are 2 to 12; point needs a puck that is on, number a spot with one",
    ),
    Bad(
        "two faces of one total to collect",
        both(
            swap("3.12", 'shape = "one-roll"', 'shape = "collector"'),
            swap("3.12", "win = [8, 9, 10, 11, 12]", 'collect = ["6-2", "5-3"]'),
            swap("3.12", 'lose = ["other"]', "lose = [7]"),
        ),
        ("3.12", "[[result]]", 1),
        "3.12",
        "over_7 collects 6-2 and 5-3, which are one thing to it: the total 8",
        "name one of them, or write [[collect]] with together = true where whatever comes counts",
    ),
    Bad(
        "when that is not a table of lists",
        swap("3.9", '{field_12 = ["double"]}', '{field_12 = "double"}'),
        ("3.9", "when", 1),
        "3.9",
        'the price fact has when = {field_12 = "double"}',
        "when is a table of settings and their values, like {layout = [1, 3]}: write "
        '{field_12 = ["double"]}',
    ),
    Bad(
        "clause after a gap",
        swap("gap-1", "### `gap-1`", "### `gap-1`\n\n```none\nopen: x\n```\n\n### `4.1`"),
        ("", "### `gap-1`", 1),
        "gap-1",
        "it stands before the clause 4.1",
        "order the file: clauses, then gaps, then terms",
    ),
    Bad(
        "gap after a term",
        insert("", "\n### `gap-3` Late\nA gap.\n\n```none\nopen: nothing\n```\n"),
        ("", "### `term-1`", 1),
        "term-1",
        "it stands before the gap gap-3",
        "order the file: clauses, then gaps, then terms",
    ),
    Bad(
        "gap before all clauses",
        insert("1.2", "### `gap-0` Early\nA gap.\n\n```none\nopen: nothing\n```\n"),
        ("", "### `gap-0`", 1),
        "gap-0",
        "it stands before the clause 1.2",
        "order the file: clauses, then gaps, then terms",
    ),
]

SPOTS = [
    Bad(
        "spot nobody knows",
        swap("3.1", 'spot = "pass"', 'spot = "pas"'),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "there is no spot pas",
        f"did you mean pass? the spots are: {ALL_SPOTS} over_7; "
        "a [[family]] fact adds one of the house's own",
    ),
    Bad(
        "own family that every house has",
        swap("3.12", 'id = "over_7"', 'id = "field"'),
        ("3.12", "[[family]]", 1),
        "3.12",
        "every house has field already",
        "offer it, or give the house's own family another id",
    ),
    Bad(
        "own family without its number that every house has with one",
        swap("3.12", 'id = "over_7"', 'id = "place"'),
        ("3.12", "[[family]]", 1),
        "3.12",
        "every house has place already",
        "offer it, or give the house's own family another id",
    ),
    Bad(
        "own family with a bad id",
        swap("3.12", 'id = "over_7"', 'id = "Over 7"'),
        ("3.12", "[[family]]", 1),
        "3.12",
        "'Over 7' cannot be the id of a family",
        "write 2 to 24 small letters, digits and _, with .* at the end for numbers",
    ),
    Bad(
        "own family that counts without collecting",
        add("3.12", '[[collect]]\nspot = "over_7"\ntimes = 2'),
        ("3.12", "[[collect]]", 1),
        "3.12",
        "the collect fact of over_7 says nothing that a wager could do",
        "give a collecting wager times or enough from 1 up, together = true or in_a_row = true",
    ),
    Bad(
        "price for more than can be collected",
        both(
            swap("3.12", 'shape = "one-roll"', 'shape = "collector"'),
            swap("3.12", "win = [8, 9, 10, 11, 12]", "collect = [8, 9]"),
            swap("3.12", 'lose = ["other"]', "lose = [7]"),
            swap("3.12", 'pays = "1 to 1"', 'collected = [3]\npays = "1 to 1"'),
        ),
        ("3.12", "[[offer]]", 1),
        "3.12",
        "over_7 has a price for 3 collected, and collects 2 at most",
        "correct collected, or times in its [[collect]] fact",
    ),
    Bad(
        "own family that is not offered",
        add("3.12", '[[family]]\nid = "under_7"\nshape = "one-roll"'),
        ("3.12", "[[family]]", 2),
        "3.12",
        "the family fact is used by nothing",
        "remove it, or add the fact it belongs to (is the spot offered?)",
    ),
    Bad(
        "own family stated in two ways",
        add("3.12", '[[family]]\nid = "over_7"\nshape = "number race"'),
        ("3.12", "[[family]]", 2),
        "3.12",
        "two facts disagree about what kind of wager over_7 is: "
        "number race here, one-roll one roll in line LINE under {3.12}",
        correct("3.12"),
        other=("3.12", "[[family]]", 1),
    ),
    Bad(
        "family without numbers",
        swap("3.6", "numbers = [4, 5, 6, 8, 9, 10]\n", ""),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "the offer of place.* and its numbers do not fit",
        "a spot with * needs numbers = [...], one without has none",
    ),
    Bad(
        "numbers without a family",
        swap("3.1", 'name = "Pass"', 'name = "Pass"\nnumbers = [4]'),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "the offer of pass and its numbers do not fit",
        "a spot with * needs numbers = [...], one without has none",
    ),
    Bad(
        "number that no roll is",
        swap("3.6", "numbers = [4, 5, 6, 8, 9, 10]", "numbers = [4, 5, 6, 8, 9, 13]"),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "the offer of place.* has the number 13, which no roll is",
        "numbers are totals from 2 to 12",
    ),
    Bad(
        "nothing offered",
        lambda text: re.sub(r"\[\[(offer)\]\].*\n(?:[^\[`\n].*\n)*\n", "", text),
        None,
        "",
        "the rulebook offers no wager",
        "add an [[offer]] fact",
    ),
    Bad(
        "fact about a spot that is not offered",
        swap("gap-2", '"hard.*"', '"hard.*", "lay.*"'),
        ("gap-2", "[[again]]", 1),
        "gap-2",
        'the again fact speaks of "lay.*", which is not offered here',
        NOT_OFFERED,
    ),
    Bad(
        "fact about a misspelt spot",
        swap("3.9", 'spot = "field"', 'spot = "feild"', 2),
        ("3.9", "[[result]]", 1),
        "3.9",
        'the result fact speaks of "feild", which is not offered here',
        f"did you mean field? {NOT_OFFERED}",
    ),
    Bad(
        "others where it has no meaning",
        swap("3.1", 'spot = "pass"', 'spot = "others"', 5),
        ("3.1", "[[price]]", 1),
        "3.1",
        'the price fact speaks of "others"',
        "name the spots; others stands alone, in window, working, marker and again",
    ),
    Bad(
        "fact nothing consumes",
        add("3.9", '[[price]]\nspot = "field"\non = [7]\npays = "4 to 1"'),
        ("3.9", "[[price]]", 5),
        "3.9",
        "the price fact is used by nothing",
        "remove it, or add the fact it belongs to (is the spot offered?)",
    ),
    Bad(
        "gate of a wager that collects nothing",
        add("3.9", '[[gate]]\nspot = "field"\ngroup = "field"\nuntil = "roll"'),
        ("3.9", "[[gate]]", 1),
        "3.9",
        "the gate fact is used by nothing",
        "remove it, or add the fact it belongs to (is the spot offered?)",
    ),
    Bad(
        "a setting that holds and does not exist",
        add("3.9", '[[fixed]]\nsetting = "colour"'),
        ("3.9", "[[fixed]]", 1),
        "3.9",
        "the fixed fact is used by nothing",
        "remove it, or add the fact it belongs to (is the spot offered?)",
    ),
    Bad(
        "a roll that nobody may take back",
        add("1.5", '[[reversal]]\nreason = "fire"\nwagers = "restore"'),
        ("1.5", "[[reversal]]", 1),
        "1.5",
        "nobody may take a roll back for fire",
        'add a [[may]] fact with call = "void roll" and reason = "fire", or remove this one',
    ),
    Bad(
        "a duty about a spot that does not exist",
        add("3.9", '[[centre]]\nspots = ["field", "feild"]'),
        ("3.9", "[[centre]]", 1),
        "3.9",
        "the centre fact names feild, which is not offered",
        "did you mean field?",
    ),
]

DISAGREE = [
    Bad(
        "two results",
        add("3.4", '[[result]]\nspot = "dont_pass"\npuck = "off"\nwin = [12]'),
        ("3.4", "[[result]]", 1),
        "3.4",
        "two facts disagree about what happens to dont_pass on 12 with the puck off: "
        "win here, push in line LINE under {3.3}",
        correct("3.3"),
        ("3.3", "[[result]]", 1),
    ),
    Bad(
        "two results with a point",
        add("3.1", '[[result]]\nspot = "pass"\npuck = "on"\nlose = [4]'),
        ("3.1", "[[result]]", 3),
        "3.1",
        "two facts disagree about what happens to pass on easy 4 with the puck on 4: "
        "lose here, win in line LINE under {3.1}",
        correct("3.1"),
        ("3.1", "[[result]]", 2),
    ),
    Bad(
        "two prices",
        add("3.10", '[[price]]\nspot = "field"\non = [2]\npays = "3 to 1"'),
        ("3.10", "[[price]]", 3),
        "3.10",
        "two facts disagree about what field pays on 2: 3 to 1 here, 2 to 1 in line LINE "
        "under {3.9}",
        reprice("3.9"),
        ("3.9", "[[price]]", 2),
    ),
    Bad(
        "two windows",
        add("3.4", '[[window]]\nspot = "dont_pass"\nact = ["remove"]\npuck = "off"'),
        ("3.4", "[[window]]", 1),
        "3.4",
        "two facts disagree about when dont_pass may be removed: off here, any in line LINE "
        "under {3.3}",
        correct("3.3"),
        ("3.3", "[[window]]", 2),
    ),
    Bad(
        "two lists of people for one power that overlap",
        add(
            "3.4",
            '[[may]]\ncall = "overrule"\nwho = ["box"]\n\n'
            '[[may]]\ncall = "overrule"\nwho = ["stick", "box"]',
        ),
        ("3.4", "[[may]]", 2),
        "3.4",
        "two facts disagree about who may overrule: box stick here, box in line LINE under {3.4}",
        correct("3.4"),
        ("3.4", "[[may]]", 1),
    ),
    Bad(
        "a power for nobody",
        add("3.4", '[[may]]\ncall = "overrule"\nwho = []'),
        ("3.4", "[[may]]", 1),
        "3.4",
        "the may fact is used by nothing",
        "remove it, or add the fact it belongs to (is the spot offered?)",
    ),
    Bad(
        "two limits of odds",
        add("3.4", '[[behind]]\nspot = "pass.odds"\nmeasure = "stake"\ntimes = 5\nnumber = [6]'),
        ("3.4", "[[behind]]", 1),
        "3.4",
        "two facts disagree about how large pass.odds may be on 6: stake 5 here, "
        "stake 3 in line LINE under {3.2}",
        correct("3.2"),
        ("3.2", "[[behind]]", 1),
    ),
    Bad(
        "two wagers behind which odds stand",
        add("3.4", '[[behind]]\nspot = "pass.odds"\nflat = "dont_pass"'),
        ("3.4", "[[behind]]", 1),
        "3.4",
        "two facts disagree about which wager pass.odds stands behind: dont_pass here, "
        "pass in line LINE under {3.2}",
        correct("3.2"),
        ("3.2", "[[behind]]", 1),
    ),
    Bad(
        "two ways to round",
        add("gap-2", '[[round]]\nwhat = "win"\nway = "up"'),
        ("gap-2", "[[round]]", 1),
        "gap-2",
        "two facts disagree about how a win that chips cannot pay is rounded: up here, "
        "down in line LINE under {gap-1}",
        correct("gap-1"),
        ("gap-1", "[[round]]", 1),
    ),
    Bad(
        "two settings of one name",
        add("3.4", '[[setting]]\nname = "odds"\ntype = "whole"\ntext = "odds"\ndefault = 2'),
        ("3.4", "[[setting]]", 1),
        "3.4",
        "two facts disagree about what the setting odds is: whole, default 2 here, "
        "whole, default 3, least 1, most 10 in line LINE under {3.2}",
        correct("3.2"),
        ("3.2", "[[setting]]", 1),
    ),
    Bad(
        "two moves of the puck",
        add("1.5", "[[puck]]\nno_point = [4]"),
        ("1.5", "[[puck]]", 1),
        "1.5",
        "two facts disagree about what a total of 4 does to the puck: no point here, "
        "4 point in line LINE under {1.4}",
        correct("1.4"),
        ("1.4", "[[puck]]", 1),
    ),
    Bad(
        "two names",
        add("3.4", '[[offer]]\nspot = "pass"\nname = "Pass Line"'),
        ("3.4", "[[offer]]", 1),
        "3.4",
        "two facts disagree about what pass is called: Pass Line here, Pass in line LINE "
        "under {3.1}",
        correct("3.1"),
        ("3.1", "[[offer]]", 1),
    ),
    Bad(
        "two answers to whether it works",
        add("2.6", '[[working]]\nspot = "place.6"\npuck = "off"\nworks = true'),
        ("2.6", "[[working]]", 2),
        "2.6",
        "two facts disagree about whether place.6 works with the puck off: yes here, "
        "no in line LINE under {2.5}",
        correct("2.5"),
        ("2.5", "[[working]]", 1),
    ),
    Bad(
        "two durations of a call",
        add("2.6", '[[marker]]\nspot = "place.6"\ncall = ["on"]\nlasts = "throw"'),
        ("2.6", "[[marker]]", 2),
        "2.6",
        "two facts disagree about how long it lasts when place.6 is called on: throw here, "
        "puck in line LINE under {2.5}",
        correct("2.5"),
        ("2.5", "[[marker]]", 1),
    ),
    Bad(
        "two shares",
        add(
            "gap-2",
            '[[share]]\nspot = "c_and_e"\nparts = ["any_craps", "eleven"]\ndivide = "exact"',
        ),
        ("gap-2", "[[share]]", 1),
        "gap-2",
        "two facts disagree about how c_and_e divides: any_craps eleven exact fixed here, "
        "any_craps eleven equal fixed in line LINE under {3.11}",
        correct("3.11"),
        ("3.11", "[[share]]", 1),
    ),
    Bad(
        "two fees",
        add("gap-2", '[[fee]]\nspot = "buy.4"\ncharged = "placement"'),
        ("gap-2", "[[fee]]", 1),
        "gap-2",
        "two facts disagree about when the fee on buy.4 is charged: placement here, "
        "win in line LINE under {3.7}",
        correct("3.7"),
        ("3.7", "[[fee]]", 1),
    ),
    Bad(
        "two areas of one label",
        add("3.3", '[[area]]\nspot = "dont_pass"\nlabel = "Pass Line"'),
        ("3.3", "[[area]]", 1),
        "3.3",
        "two facts disagree about which spot the area 'pass line' is: dont_pass here, "
        "pass in line LINE under {2.1}",
        correct("2.1"),
        ("2.1", "[[area]]", 1),
    ),
    Bad(
        "one fact with two results",
        swap("3.3", "win = [2, 3]", "win = [2, 3, 12]"),
        ("3.3", "[[result]]", 1),
        "3.3",
        "the fact says two things about what happens to dont_pass on 12 with the puck off: "
        "win and push",
        "keep one of them",
    ),
    Bad(
        "a total that is a point and none",
        swap("1.4", "no_point = [2, 3, 7", "no_point = [2, 3, 4, 7"),
        ("1.4", "[[puck]]", 1),
        "1.4",
        "the fact says two things about what a total of 4 does to the puck: 4 point and no point",
        "keep one of them",
    ),
    Bad(
        "despite that overrides nothing",
        swap("3.4", 'what = "stand-off"', 'what = "stand-off"\ndespite = "3.3"'),
        ("3.4", "[[principle]]", 1),
        "3.4",
        'the principle fact says despite = "3.3", but nothing there says otherwise',
        "leave despite out, or correct the clause it names",
    ),
    Bad(
        "despite a clause that is not there",
        swap("3.4", 'what = "stand-off"', 'what = "stand-off"\ndespite = "3.33"'),
        ("3.4", "[[principle]]", 1),
        "3.4",
        'the principle fact says despite = "3.33", but there is no such clause',
        "leave despite out, or correct the clause it names",
    ),
    Bad(
        "despite the wrong clause",
        add("3.4", '[[price]]\nspot = "pass"\npays = "2 to 1"\ndespite = "3.3"'),
        ("3.4", "[[price]]", 1),
        "3.4",
        "two facts disagree about what pass pays on 7: 2 to 1 here, 1 to 1 in line LINE "
        "under {3.1}",
        reprice("3.1"),
        ("3.1", "[[price]]", 1),
    ),
]

MISSING = [
    Bad(
        "spot without a price",
        drop("3.1", "price"),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "nothing says what pass pays on 7",
        'add a [[price]] fact for spot = "pass"',
    ),
    Bad(
        "one number without a price",
        drop("3.6", "price", 2),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says what place.5 pays on 5",
        'add a [[price]] fact for spot = "place.5"',
    ),
    Bad(
        "one total without a price",
        drop("3.9", "price", 2),
        ("3.9", "[[offer]]", 1),
        "3.9",
        "nothing says what field pays on 2",
        'add a [[price]] fact for spot = "field"',
    ),
    Bad(
        "one-roll wager with an undecided total",
        swap("3.9", 'lose = ["other"]', "lose = [5, 6, 8]"),
        ("3.9", "[[offer]]", 1),
        "3.9",
        "nothing says what happens to field on 7 with the puck off",
        'add a [[result]] fact for spot = "field" that decides it',
    ),
    Bad(
        "line wager with an undecided come-out roll",
        swap("3.3", "push = [12]\n", ""),
        ("3.3", "[[offer]]", 1),
        "3.3",
        "nothing says what happens to dont_pass on 12 with the puck off",
        'add a [[result]] fact for spot = "dont_pass" that decides it',
    ),
    Bad(
        "line wager that a 7 does not decide",
        swap("3.1", "lose = [7]\n", ""),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "nothing says what happens to pass on 7 with the puck on 4",
        'add a [[result]] fact for spot = "pass" that decides it',
    ),
    Bad(
        "come that has nowhere to go",
        swap("3.5", "move = [4, 5, 6, 8, 9, 10]\n", "move = [4, 5, 8, 9, 10]\n"),
        ("3.5", "[[offer]]", 1),
        "3.5",
        "nothing says what happens to come on easy 6 with the puck off",
        'add a [[result]] fact for spot = "come" that decides it',
    ),
    Bad(
        "come that moves to a number not offered",
        swap("3.5", "numbers = [4, 5, 6, 8, 9, 10]", "numbers = [4, 5, 6, 8, 9]"),
        ("3.5", "[[offer]]", 1),
        "3.5",
        "come moves to come.10, which is not offered",
        'offer spot = "come.*" with that number',
    ),
    Bad(
        "race that cannot be lost",
        swap("3.6", "lose = [7]\n", ""),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says on which roll place.4 loses",
        'add a [[result]] fact for spot = "place.4" with lose',
    ),
    Bad(
        "race that cannot be won",
        swap("3.8", 'win = ["hard"]\n', ""),
        ("3.8", "[[offer]]", 1),
        "3.8",
        "nothing says on which roll hard.4 wins",
        'add a [[result]] fact for spot = "hard.4" with win',
    ),
    Bad(
        "odds that cannot be won",
        swap("3.2", 'win = ["point"]\n', ""),
        ("3.2", "[[offer]]", 1),
        "3.2",
        "nothing says on which roll pass.odds wins",
        'add a [[result]] fact for spot = "pass.odds" with win',
    ),
    Bad(
        "odds that outlive the wager they stand behind",
        swap("3.1", "lose = [7]", "lose = [7, 12]"),
        ("3.2", "[[offer]]", 1),
        "3.2",
        "nothing says what happens to pass.odds on 12 with the puck on 4",
        "add a [[result]] fact that decides it: the roll decides pass",
    ),
    Bad(
        "bonus wager that collects nothing",
        insert("gap-1", SMALL.replace("collect = [2, 3, 4, 5, 6]\n", "")),
        ("3.13", "[[offer]]", 1),
        "3.13",
        "nothing says on which roll small collects",
        'add a [[result]] fact for spot = "small" with collect',
    ),
    Bad(
        "result that no roll is",
        swap("3.1", "win = [7, 11]", "win = [7, 1]"),
        ("3.1", "[[result]]", 1),
        "3.1",
        "the result fact names 1, which no roll is for pass with the puck off",
        "totals are 2 to 12; point needs a puck that is on, number a spot with one",
    ),
    Bad(
        "point where there is none",
        swap("3.1", "win = [7, 11]", 'win = [7, 11, "point"]'),
        ("3.1", "[[result]]", 1),
        "3.1",
        "the result fact names 'point', which no roll is for pass with the puck off",
        "totals are 2 to 12; point needs a puck that is on, number a spot with one",
    ),
    Bad(
        "composite that wins where no part does",
        swap("3.11", "win = [2, 3, 11, 12]", "win = [2, 3, 7, 11, 12]"),
        ("3.11", "[[offer]]", 1),
        "3.11",
        "c_and_e and its parts disagree on a roll of 7",
        "correct the result of the wager or of its parts",
    ),
    Bad(
        "part that is not offered",
        swap("3.11", '"any_craps", "eleven"', '"any_craps", "twelve"'),
        ("3.11", "[[share]]", 1),
        "3.11",
        "the part twelve is not offered here",
        "offer it as a wager of its own",
    ),
    Bad(
        "part that is no one-roll wager",
        swap("3.11", '"any_craps", "eleven"', '"any_craps", "c_and_e"'),
        ("3.11", "[[share]]", 1),
        "3.11",
        "the part c_and_e is not a plain one-roll wager",
        "name ones that are",
    ),
    Bad(
        "share of one part",
        swap("3.11", '"any_craps", "eleven"', '"eleven"'),
        ("3.11", "[[share]]", 1),
        "3.11",
        "parts = ['eleven'] and high = 0 do not divide a stake",
        "name two or more different wagers, and no units below 0",
    ),
    Bad(
        "composite without a share",
        drop("3.11", "share"),
        ("3.11", "[[offer]]", 1),
        "3.11",
        "nothing says how c_and_e divides",
        "add a [[share]] fact",
    ),
    Bad(
        "composite without a price",
        drop("3.11", "price"),
        ("3.11", "[[offer]]", 1),
        "3.11",
        "nothing says what c_and_e pays on 2",
        'add a [[price]] fact for spot = "c_and_e"',
    ),
    Bad(
        "plain wager paid as parts",
        swap("3.10", 'pays = "15 to 1"', 'per = "separate"'),
        ("3.10", "[[offer]]", 2),
        "3.10",
        "eleven has no parts to be paid as",
        "give pays",
    ),
    Bad(
        "no window",
        swap("2.4", 'spot = "others"', 'spot = "field"'),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says when place.4 may be made",
        'add a [[window]] fact with act = ["make"]',
    ),
    Bad(
        "no window for one act",
        swap("2.4", ', "remove"', ""),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says when place.4 may be removed",
        'add a [[window]] fact with act = ["remove"]',
    ),
    Bad(
        "no working",
        drop("2.6", "working"),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "nothing says whether pass works with the puck off",
        'add a [[working]] fact with puck = "off"',
    ),
    Bad(
        "no marker",
        drop("2.6", "marker"),
        ("3.1", "[[offer]]", 1),
        "3.1",
        "nothing says whether pass may be called on",
        'add a [[marker]] fact with call = ["on"]',
    ),
    Bad(
        "marker without a scope",
        swap("2.5", 'scope = "wager"\n', ""),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says which wagers count when place.4 is called on",
        "say scope in a [[marker]] fact",
    ),
    Bad(
        "marker without a duration",
        swap("2.5", 'lasts = "puck"\n', ""),
        ("3.6", "[[offer]]", 1),
        "3.6",
        "nothing says how long it lasts when place.4 is called on",
        "say lasts in a [[marker]] fact",
    ),
    Bad(
        "no betting",
        swap("2.2", ', "mark"', ""),
        None,
        "",
        "nothing says when players may no longer mark",
        'add a [[betting]] fact with act = ["mark"]',
    ),
    Bad(
        "no principle",
        swap("1.5", '"no roll"', '"one roll"'),
        None,
        "",
        "nothing says the principle 'no roll'",
        'add a [[principle]] fact with what = "no roll"',
    ),
    Bad(
        "no limit",
        drop("2.3", "limit", 2),
        None,
        "",
        "nothing says what the posted maximum does",
        'add a [[limit]] fact with bound = "maximum"',
    ),
    Bad(
        "no recognise",
        drop("2.3", "recognise", 1),
        None,
        "",
        "nothing says what counts of a stake under minimum (first time)",
        'add a [[recognise]] fact with case = "under minimum"',
    ),
    Bad(
        "recognise only for the first time",
        swap("2.3", 'case = "over maximum"', 'case = "over maximum"\ntime = "first"'),
        None,
        "",
        "nothing says what counts of a stake over maximum (later time)",
        'add a [[recognise]] fact with case = "over maximum"',
    ),
    Bad(
        "no round for the win",
        drop("gap-1", "round", 1),
        None,
        "",
        "nothing says how a win that chips cannot pay is rounded",
        'add a [[round]] fact with what = "win"',
    ),
    Bad(
        "no round for the fee",
        drop("gap-1", "round", 2),
        None,
        "",
        "nothing says how a fee that chips cannot pay is rounded",
        'add a [[round]] fact with what = "fee"',
    ),
    Bad(
        "not said that the list is closed",
        drop("2.1", "listed"),
        None,
        "",
        "nothing says that only listed wagers may be made",
        "add a [[listed]] fact with only = true",
    ),
    Bad(
        "odds behind nothing",
        swap("3.2", 'flat = "pass"\n', ""),
        ("3.2", "[[offer]]", 1),
        "3.2",
        "nothing says which wager pass.odds stands behind",
        "add a [[behind]] fact with flat",
    ),
    Bad(
        "odds behind a wager not offered",
        swap("3.2", 'flat = "pass"', 'flat = "dont_come"'),
        ("3.2", "[[behind]]", 1),
        "3.2",
        "the flat wager dont_come is not offered",
        "offer it, or correct flat",
    ),
    Bad(
        "odds without a limit on one number",
        swap("3.2", 'times = "odds"', 'times = "odds"\nnumber = [4, 5, 6, 8, 9]'),
        ("3.2", "[[offer]]", 1),
        "3.2",
        "nothing says how large pass.odds may be on 10",
        "add a [[behind]] fact with measure and times",
    ),
    Bad(
        "fee never charged",
        swap("3.7", "charged =", "# charged ="),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "nothing says when the fee on buy.4 is charged",
        'say charged = "placement" or "win" in a [[fee]] fact',
    ),
    Bad(
        "fee whose refund is not settled",
        both(
            swap("3.7", 'charged = "win"', 'charged = "placement"'),
            swap("3.7", "refund =", "# refund ="),
        ),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "nothing says whether the fee on buy.4 is given back",
        'say refund = "removal", or a flag, in a [[fee]] fact',
    ),
    Bad(
        "fee of nothing",
        swap("3.7", "base =", "# base ="),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "the fee on buy.4 has no base",
        'say base = "stake" or "win"',
    ),
    Bad(
        "fee beyond the whole",
        swap("3.7", "percent = 5", "percent = 105"),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "the fee fact has percent = 105",
        "percent is a whole number from 1 to 100, or a setting within these",
    ),
    Bad(
        "no gate",
        insert("gap-1", SMALL.replace('group = "small"\n', "")),
        ("3.13", "[[offer]]", 1),
        "3.13",
        "nothing says which gate small shares",
        "add a [[gate]] fact with group",
    ),
    Bad(
        "gate that never shuts",
        insert("gap-1", SMALL.replace('until = "number"\n', "")),
        ("3.13", "[[offer]]", 1),
        "3.13",
        "nothing says until when small may be joined",
        "add a [[gate]] fact with until",
    ),
    Bad(
        "total of which the puck knows nothing",
        swap("1.4", "point = [4, 5, 6, 8, 9, 10]", "point = [4, 5, 6, 8, 9]"),
        ("1.4", "[[puck]]", 1),
        "1.4",
        "nothing says what a total of 10 does to the puck",
        "add it to point or to no_point of a [[puck]] fact",
    ),
    Bad(
        "no puck at all",
        swap(
            "1.4",
            "[[puck]]\npoint = [4, 5, 6, 8, 9, 10]\nno_point = [2, 3, 7, 11, 12]\nmade = true\n"
            "seven_out = true\n",
            '[[principle]]\nwhat = "play starts"\n',
        ),
        None,
        "",
        "nothing says what a total of 2 does to the puck",
        "add it to point or to no_point of a [[puck]] fact",
    ),
    Bad(
        "point that is never made",
        swap("1.4", "made = true\n", ""),
        None,
        "",
        "nothing says what the point does to the puck when it is rolled again",
        "add a [[puck]] fact with made = true",
    ),
    Bad(
        "no seven-out",
        swap("1.4", "seven_out = true\n", ""),
        None,
        "",
        "nothing says what a total of 7 does to the puck",
        "add a [[puck]] fact with seven_out = true",
    ),
]

VALUES = [
    Bad(
        "when of an unknown setting",
        swap("3.9", 'when = {field_12 = ["double"]}', 'when = {field_13 = ["double"]}'),
        ("3.9", "[[price]]", 3),
        "3.9",
        "the price fact depends on a setting field_13 that nothing declares",
        "did you mean field_12? declare it with a [[setting]] fact, or correct the name",
    ),
    Bad(
        "a 5 the hard way",
        swap("3.8", "numbers = [4, 6, 8, 10]", "numbers = [4, 5, 6, 8, 10]"),
        ("3.8", "[[result]]", 1),
        "3.8",
        "the result fact names 'hard', which no roll is for hard.5",
        "only a 4, 6, 8 and 10 can be rolled hard and easy: leave the others out of its numbers",
    ),
    Bad(
        "a price by what was collected and by the roll",
        both(
            insert("gap-1", SMALL),
            swap("3.13", 'pays = "30 to 1"', 'pays = "30 to 1"\ncollected = [5]\non = [6]'),
        ),
        ("3.13", "[[price]]", 1),
        "3.13",
        "the price fact has collected and on",
        "leave on out: what is paid by how much it has is the same whatever the roll",
    ),
    Bad(
        "times of an unknown setting",
        swap("3.2", 'times = "odds"', 'times = "odd"'),
        ("3.2", "[[behind]]", 1),
        "3.2",
        'the behind fact has times = "odd"',
        "did you mean odds? give a whole number from 1 up, or the name of a setting of type whole",
    ),
    Bad(
        "times of a setting that is no number",
        swap("3.2", 'times = "odds"', 'times = "field_12"'),
        ("3.2", "[[behind]]", 1),
        "3.2",
        'the behind fact has times = "field_12"',
        "give a whole number from 1 up, or the name of a setting of type whole",
    ),
    Bad(
        "lift by an unknown setting",
        swap("3.2", 'times = "odds"', 'times = 2\nlift = "more"'),
        ("3.2", "[[behind]]", 1),
        "3.2",
        'the behind fact has lift = "more"',
        "give a whole number from 1 up, or the name of a setting of type whole",
    ),
    Bad(
        "a way to round that is none",
        swap("gap-1", 'way = "down"', 'way = "nearest"'),
        ("gap-1", "[[round]]", 1),
        "gap-1",
        'the round fact has way = "nearest"',
        "use one of up, exact, down, or a setting with these choices",
    ),
    Bad(
        "a moment that is none",
        swap("2.2", 'closes = "throw"', 'closes = "bell"'),
        ("2.2", "[[betting]]", 1),
        "2.2",
        'the betting fact has closes = "bell"',
        "use one of call, throw, rest, or a setting with these choices",
    ),
    Bad(
        "a refund that is none",
        swap("3.7", 'refund = "removal"', 'refund = "always"'),
        ("3.7", "[[fee]]", 1),
        "3.7",
        'the fee fact has refund = "always"',
        'write refund = "removal", or the name of a setting of type flag',
    ),
    Bad(
        "odds without end",
        swap("3.2", 'times = "odds"', f"times = {10**23}"),
        ("3.2", "times = 1", 1),
        "3.2",
        "times = 1e+23 is more than a table could count",
        "give a number up to 1000000",
    ),
    Bad(
        "a total named twice",
        swap("3.9", "win = [2, 3, 4, 9", "win = [2, 3, 4, 4, 9"),
        ("3.9", "win = [2", 1),
        "3.9",
        "the result fact names 4 twice in win",
        "name it once",
    ),
    Bad(
        "a setting waited for that never is",
        swap("3.9", 'when = {field_12 = ["triple"]}', 'when = {field_12 = ["tripel"]}'),
        ("3.9", "[[price]]", 4),
        "3.9",
        "the price fact waits for field_12 = 'tripel', which never is",
        "it can be 'double', 'triple'",
    ),
    Bad(
        "a number waited for that never is",
        swap("3.6", 'pays = "9 to 5"', 'pays = "9 to 5"\nwhen = {odds = [11]}'),
        ("3.6", "[[price]]", 1),
        "3.6",
        "the price fact waits for odds = 11, which never is",
        "it can be a whole number from 1 to 10",
    ),
    Bad(
        "bounds the wrong way round",
        swap("3.2", "least = 1\n", "least = 11\n"),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has least = 11 and most = 10",
        "least is not above most",
    ),
    Bad(
        "choices of a number",
        swap("3.2", "most = 10\n", "most = 10\nchoices = [1, 2]\n"),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has choices = [1, 2]",
        'only a setting of type "choice" has choices',
    ),
    Bad(
        "a fee when nobody charges it",
        swap("3.7", 'charged = "win"', 'charged = "later"'),
        ("3.7", "[[fee]]", 1),
        "3.7",
        'the fee fact has charged = "later"',
        "use one of placement, win, or a setting with these choices",
    ),
    Bad(
        "winners that stay up by something that is no flag",
        swap("gap-2", "[[again]]", '[[again]]\nunasked = "odds"'),
        ("gap-2", "[[again]]", 1),
        "gap-2",
        'the again fact has unasked = "odds"',
        "write unasked = true, or the name of a setting of type flag",
    ),
    Bad(
        "odds that cannot be read",
        swap("3.6", '"9 to 5"', '"9:5"'),
        ("3.6", "[[price]]", 1),
        "3.6",
        'odds are written like "9 to 5", not "9:5"',
        'write pays = "9 to 5"',
    ),
    Bad(
        "odds in another manner",
        swap("3.8", '"7 to 1"', '"7-1"'),
        ("3.8", "[[price]]", 1),
        "3.8",
        'odds are written like "9 to 5", not "7-1"',
        'write pays = "7 to 1"',
    ),
    Bad(
        "even money in words",
        swap("3.1", '"1 to 1"', '"even money"'),
        ("3.1", "[[price]]", 1),
        "3.1",
        'odds are written like "9 to 5", not "even money"',
        'write pays = "1 to 1"',
    ),
    Bad(
        'odds with "for"',
        swap("3.8", '"7 to 1"', '"8 for 1"'),
        ("3.8", "[[price]]", 1),
        "3.8",
        'odds are written like "9 to 5", not "8 for 1"',
        '"8 for 1" counts the stake too: write pays = "7 to 1"',
    ),
    Bad(
        "odds that win nothing",
        swap("3.8", '"7 to 1"', '"0 to 1"'),
        ("3.8", "[[price]]", 1),
        "3.8",
        'odds of "0 to 1" win nothing',
        'write pays = "9 to 5"',
    ),
    Bad(
        "price without odds",
        swap("3.1", 'pays = "1 to 1"\n', ""),
        ("3.1", "[[price]]", 1),
        "3.1",
        "the price fact and its odds do not fit",
        'give pays = "9 to 5", or per = "separate" without pays',
    ),
    Bad(
        "separate price with odds",
        swap("3.11", 'per = "separate"', 'pays = "3 to 1"\nper = "separate"'),
        ("3.11", "[[price]]", 1),
        "3.11",
        "the price fact and its odds do not fit",
        'give pays = "9 to 5", or per = "separate" without pays',
    ),
    Bad(
        "fee where a clause forbids one",
        add("3.8", '[[fee]]\nonly = ["hard.*"]'),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "a fee on buy.4 is forbidden by {3.8}",
        "remove the fee, or add the spot to only",
    ),
    Bad(
        "fee rounded up where nothing beyond it may be charged",
        both(
            add("3.7", '[[fee]]\nonly = ["buy.*"]'),
            swap("gap-1", 'way = "down"', 'way = "up"', 2),
        ),
        ("gap-1", "[[round]]", 2),
        "gap-1",
        "a fee may not be rounded up: nothing beyond it may be charged",
        'write way = "exact" or "down"',
    ),
    Bad(
        "fee of a win that differs by point",
        add("3.2", '[[fee]]\nspot = "pass.odds"\npercent = 5\nbase = "win"\n' + CHARGED),
        ("3.2", "[[fee]]", 1),
        "3.2",
        "the fee on pass.odds is of a win that differs by point",
        'say base = "stake"',
    ),
    Bad(
        "fee on no spot",
        swap("3.7", 'spot = "buy.*"\npercent', "percent"),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "the fee fact is neither a fee on spots nor a list of those that may carry one",
        "give spot with percent, charged or refund; or only, alone",
    ),
    Bad(
        "minimum that only warns",
        swap("2.3", 'breach = "refuse"', 'breach = "warn"'),
        ("2.3", "[[limit]]", 1),
        "2.3",
        "a house cannot accept stakes outside the minimum with a warning",
        'say breach = "refuse"; only multiples may be warned about',
    ),
    Bad(
        "odds before there is a point",
        swap("3.2", 'puck = "on"', 'puck = "any"'),
        ("3.2", "[[window]]", 1),
        "3.2",
        "pass.odds stands behind a point, so it cannot be made without one",
        'say puck = "on"',
    ),
    Bad(
        "odds on a number that is no point",
        both(
            swap("3.5", "numbers = [4, 5, 6, 8, 9, 10]", "numbers = [4, 5, 6, 8, 9, 10, 11]"),
            add("3.5", COME_ODDS),
        ),
        ("3.5", "[[offer]]", 3),
        "3.5",
        "come.odds.11 can never be made: 11 is no point",
        "leave it out",
    ),
    Bad(
        "plain wager that collects",
        swap("3.9", "win = [2,", "collect = [5]\nwin = [2,"),
        ("3.9", "[[offer]]", 1),
        "3.9",
        "field does not collect numbers",
        "only wagers of a collecting shape do; say win or lose",
    ),
    Bad(
        "unit on a number that no part wins on",
        swap("3.11", 'divide = "equal"', 'high = 1\ndivide = "equal"'),
        ("3.11", "[[share]]", 1),
        "3.11",
        "no part of c_and_e wins on its number",
        "correct numbers or parts",
    ),
    Bad(
        "setting whose default is out of bounds",
        swap("3.2", "default = 3", "default = 30"),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has default = 30",
        "give a whole number between least and most",
    ),
    Bad(
        "setting without a default",
        swap("3.9", 'default = "double"\n', ""),
        ("3.9", "[[setting]]", 1),
        "3.9",
        "the setting field_12 has default = None",
        "give choices = [...] and a default that is one of them",
    ),
    Bad(
        "flag that is neither on nor off",
        swap("3.2", 'type = "whole"', 'type = "flag"'),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has default = 3",
        "write default = true or default = false",
    ),
    Bad(
        "price setting of another name",
        swap("3.2", 'type = "whole"', 'type = "price"'),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has the type price",
        'the one setting of type "price" is called price',
    ),
    Bad(
        "setting with a condition",
        swap("3.2", "default = 3", 'default = 3\nwhen = {field_12 = ["double"]}'),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has a condition",
        "leave when out; it belongs to the facts that use the setting",
    ),
]

TEXTS = [
    Bad(
        "house id that is a path",
        swap("", 'id = "mycasino"', 'id = "../mycasino"'),
        ("", "id = ", 1),
        "",
        "../mycasino cannot be the id of a house",
        "write one word of up to 40 letters, digits, _ and -",
    ),
    Bad(
        "house without a name of its currency",
        swap("", 'currency = "$"', 'currency = " "'),
        ("", "currency = ", 1),
        "",
        "currency has 0 characters",
        "write 1 to 8 characters",
    ),
    Bad(
        "name over two lines",
        swap("3.9", 'name = "Field"', 'name = "Fi\\neld"'),
        ("3.9", 'name = "Fi', 1),
        "3.9",
        "a character that nobody sees stands here (U+000A)",
        "delete it",
    ),
    Bad(
        "name turned round",
        swap("3.9", 'name = "Field"', 'name = "Fi\u202eeld"'),
        ("3.9", 'name = "Fi', 1),
        "",
        "a character that nobody sees stands here (U+202E)",
        "delete it",
    ),
    Bad(
        "name without end",
        swap("3.9", 'name = "Field"', f'name = "{"F" * 81}"'),
        ("3.9", 'name = "FF', 1),
        "3.9",
        "name has 81 characters",
        "write 1 to 80 characters",
    ),
    Bad(
        "character nobody sees in the text of a clause",
        swap("3.9", "The field bet", "The\0field bet"),
        ("3.9", "The\0field", 1),
        "",
        "a character that nobody sees stands here (U+0000)",
        "delete it",
    ),
    Bad(
        "number without end",
        swap("3.1", "win = [7, 11]", f"win = [{'7' * 5_000}]"),
        ("3.1", 'pays = "1 to 1"', 1),
        "3.1",
        "a number has thousands of digits",
        "write key = value lines",
    ),
    Bad(
        "price without end",
        swap("3.8", "7 to 1", f"{'7' * 30} to 1"),
        ("3.8", "[[price]]", 1),
        "3.8",
        "odds of more than 20 characters",
        'write pays = "9 to 5"',
    ),
    Bad(
        "commission of nothing",
        swap("3.7", "percent = 5", "percent = 0"),
        ("3.7", "[[fee]]", 1),
        "3.7",
        "the fee fact has percent = 0",
        "give a whole number from 1 up, or the name of a setting of type whole",
    ),
    Bad(
        "odds behind themselves",
        swap("3.2", 'flat = "pass"', 'flat = "pass.odds"'),
        ("3.2", "[[behind]]", 1),
        "3.2",
        "pass.odds stands behind pass.odds, which stands behind another wager itself",
        "name the flat wager: pass, don't pass, a come or don't come on its number",
    ),
    Bad(
        "setting below nothing",
        swap("3.2", "least = 1", "least = -1"),
        ("3.2", "[[setting]]", 1),
        "3.2",
        "the setting odds has least = -1",
        "least is a whole number from 0 up",
    ),
]

ALL = [*FORM, *SPOTS, *TEXTS, *DISAGREE, *MISSING, *VALUES]


def expected(path: Path, text: str, bad: Bad) -> str:
    where = f"{path}:{line_of(text, bad.at)}:" if bad.at else f"{path}:"
    about = f" clause {{{bad.clause}}}:" if bad.clause else ""
    problem = bad.problem
    if bad.other is not None:
        problem = problem.replace("LINE", str(line_of(text, bad.other)))
    return f"{where}{about} {problem}\n  to do: {bad.remedy}\n"


@pytest.mark.parametrize("bad", ALL, ids=lambda bad: bad.name)
def test_message(bad: Bad, tmp_path: Path) -> None:
    text = bad.edit(TEXT)
    assert text != TEXT
    path = tmp_path / "mycasino.md"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["book", "check", str(path)])
    assert result.stderr == expected(path, text, bad)
    assert result.stdout == ""
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)


def test_every_mistake_has_its_own_name() -> None:
    names = [bad.name for bad in ALL]
    assert len(set(names)) == len(names) >= 60


# -- despite that works ------------------------------------------------------------------------


def compiled(*edits: Edit) -> Layout:
    return compile_layout(read_text("mycasino.md", both(*edits)(TEXT)))


def test_despite_overrides_a_window() -> None:
    layout = compiled(
        add(
            "3.4", '[[window]]\nspot = "dont_pass"\nact = ["remove"]\npuck = "off"\ndespite = "3.3"'
        )
    )
    rule = layout.spots["dont_pass"].windows["remove"]
    assert (rule.value, rule.cites) == ("off", ("3.4",))
    kept = layout.spots["dont_pass"].windows["reduce"]
    assert (kept.value, kept.cites) == ("any", ("3.3",))


def test_despite_overrides_a_price() -> None:
    layout = compiled(
        add("3.10", '[[price]]\nspot = "field"\non = [2]\npays = "3 to 1"\ndespite = "3.9"')
    )
    two, three = layout.spots["field"].rows[0][:2]
    assert (two.win, two.said) == (3, ("3.9", "3.10"))
    assert three.win == 1


def test_two_clauses_may_override_the_same_one() -> None:
    fact = '[[round]]\nwhat = "win"\nway = "up"\ndespite = "gap-1"'
    layout = compiled(add("gap-2", fact), add("term-1", fact))
    assert (layout.round_win.value, layout.round_win.cites) == ("up", ("gap-2", "term-1"))


def test_facts_that_agree_are_all_cited() -> None:
    layout = compiled(add("3.4", '[[price]]\nspot = "pass"\npays = "2 to 2"'))
    natural = layout.spots["pass"].rows[0][5]
    assert (natural.win, natural.said) == (1, ("3.1", "3.4"))


# -- files that cannot be read, houses that do not exist ---------------------------------------


def test_no_file(tmp_path: Path) -> None:
    path = str(tmp_path / "none.md")
    with pytest.raises(BookError) as caught:
        read_book(path)
    assert str(caught.value) == (
        f"{path}: the rulebook cannot be read: No such file or directory\n  to do: check the path"
    )


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(BookError) as caught:
        read_book(str(tmp_path))
    assert str(caught.value) == (
        f"{tmp_path}: the rulebook cannot be read: Is a directory\n  to do: check the path"
    )


def test_not_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes("# Caf\xe9".encode("latin-1"))
    with pytest.raises(BookError) as caught:
        read_book(str(path))
    assert str(caught.value) == (
        f"{path}: the rulebook cannot be read: it is not UTF-8 text\n  to do: save it as UTF-8"
    )


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.md"
    path.write_text("")
    with pytest.raises(BookError) as caught:
        read_book(str(path))
    assert str(caught.value) == (
        f"{path}:1: the file has no house block\n"
        "  to do: add a ```house block with id and edition before the first clause"
    )


def test_what_cannot_be_a_path() -> None:
    with pytest.raises(BookError) as caught:
        read_book("a/\0.md")
    assert str(caught.value) == (
        "a/\0.md: the rulebook cannot be read: that is no path\n  to do: check the path"
    )


HOUSES = f"the houses are: {', '.join(houses())}; or give the path of a rulebook file"


@pytest.mark.parametrize(
    ("name", "shown", "hint"),
    [
        ("adelade", "adelade", "did you mean adelaide? "),
        ("perth", "perth", "did you mean perth-crapless? "),
        ("template", "template", ""),
        ("xyzzy", "xyzzy", ""),
        ("", '""', ""),
        ("x" * 300, "x" * 300, ""),
    ],
    ids=["misspelt", "cut short", "the template", "nothing like it", "empty", "long"],
)
def test_unknown_house(name: str, shown: str, hint: str) -> None:
    with pytest.raises(BookError) as caught:
        read_book(name)
    assert str(caught.value) == f"{shown}: there is no house of that name\n  to do: {hint}{HOUSES}"


# -- settings somebody gives -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"oods": "3"},
            "there is no setting oods here; did you mean odds? the settings are: odds, field_12",
        ),
        ({"odds": "11"}, "odds cannot be 11; choose 1 to 10"),
        ({"odds": "0"}, "odds cannot be 0; choose 1 to 10"),
        ({"odds": "-1"}, "odds is a whole number, not -1; 1 to 10"),
        ({"odds": "many"}, "odds is a whole number, not many; 1 to 10"),
        ({"field_12": "quadruple"}, "field_12 cannot be quadruple; choose one of: double, triple"),
    ],
)
def test_bad_setting(given: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        compile_layout(read_text("mycasino.md", TEXT), given)
    assert str(caught.value) == message


def test_choices_may_be_numbers() -> None:
    text = swap("3.9", '["double", "triple"]\ndefault = "double"', "[2, 3]\ndefault = 2")(TEXT)
    text = text.replace('{field_12 = ["double"]}', "{field_12 = [2]}")
    text = text.replace('{field_12 = ["triple"]}', "{field_12 = [3]}")
    layout = compile_layout(read_text("mycasino.md", text), {"field_12": "3"})
    twelve = layout.spots["field"].rows[0][10]
    assert twelve is not None
    assert twelve.win == 3
