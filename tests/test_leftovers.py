"""No sentence is left in the code: whatever a person may read comes from the phrase book.

The code is read, not run. A text that looks like English and is no key of the book, no code and no
notation is a sentence that a language could not change. What is exempt is listed, with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from boxman.strategy.library import ENTRIES, PAGES
from boxman.words.say import texts

SOURCE = Path(__file__).parents[1] / "src" / "boxman"
WORDS = re.compile(r"(?:^|[^\w.{}=\"'~-])[A-Za-z][a-z']* [a-z][a-z']+\b")
"""Two words, the second of them in small letters."""
WORD = re.compile(r"(?:^|\s)[a-z']{3,}(?:[\s,.:;]|$)")
"""One word beside something else: enough in what is raised or printed."""
SQL = re.compile(r"\s*(?:select|insert|update|delete|create|pragma|begin|with recursive)\b")
MARKUP = re.compile(r"<[^>]*>")
FAULTS = {"AssertionError", "AttributeError", "NotImplementedError", "MissingPhrase"}
"""Faults of the code itself: what they say is for whoever mends it."""
LOGS = {"log", "logger", "logging", "re"}
"""Whose methods take log lines, or patterns."""
BOOK = {"phrase", "say", "has", "saying", "entry", "call", "Line"}
"""What takes keys of the book, spots, or patterns of the notation."""
SPOKEN = {"echo", "print", "secho"}

EXEMPT: dict[str, tuple[str, ...]] = {
    "notation, of calls and of strategies": (
        *("cli/terminal.py", "strategy/session.py", "strategy/text/", "table/call.py"),
        *("table/calls/", "table/lines/", "table/said/items.py", "table/said/menu.py"),
    ),
    "codes of records and rulebooks": (
        *("gym/actions.py", "pit/people/cage.py"),
        *("pit/people/door.py", "rules/compile.py", "rules/duty_entries.py", "rules/entries.py"),
        *("rules/procedure.py", "rules/settings.py", "strategy/view.py"),
        *("table/automatic.py", "table/floor/people.py"),
        *("table/floor/signs.py", "table/stakes.py", "table/wagers.py", "workshop/check.py"),
    ),
    "places on the cloth, classes of a picture": (
        *("pit/told/cloth.py", "report/charts.py", "rules/families.py"),
    ),
    "headings of a rulebook's own wagers": ("rules/families.py",),
    "names of executors, and what docs/strategies.md has of them": ("sim/executors/",),
    "what the compiler says, and code that is compiled: the reference finds the words": (
        *("sim/kernel/check.py", "sim/kernel/whole.py"),
    ),
    "why a proof holds, beside the code that makes it": ("solve/proof.py",),
    "names of authors, books and pages": ("strategy/library/catalogue.py",),
    "logs, measures and threads: for whoever runs the server": (
        *("journal/writer.py", "pit/logs.py", "pit/web/metrics.py"),
    ),
    "the description of the interface, and its protocol, for programs": (
        *("pit/told/drills.py", "pit/web/api/houses.py", "pit/web/app.py"),
        *("pit/web/protocols.py", "pit/web/requests.py"),
    ),
    "names of the library": ("__init__.py",),
    "faults of a phrase book": ("words/say.py",),
}
"""Files, or folders, that have texts which no language changes. What they raise or print is held to
the book all the same, and so is every sentence of theirs in the next list."""
RAISED = {
    "sim/kernel/whole.py": "compiled code: the reference finds the words",
    "words/say.py": "faults of a phrase book",
    "rules/ledger.py": "a key of the book, put together",
    "cli/__init__.py": "the name and the version",
}
"""Files that raise or print what is in no book."""
LONGEST = 5
"""Words of a text that can be a code; in a file of codes a longer one is a sentence."""
LONG = (
    *("pit/told/drills.py", "pit/web/", "sim/executors/__init__.py", "solve/proof.py"),
    *("strategy/library/catalogue.py", "__init__.py"),
)
"""Where texts that are not codes stand: descriptions and names."""


@cache
def codes() -> frozenset[str]:
    """Parts of the book's keys, and words that a type names: records hold them."""
    found = {part for key in texts("en") for part in key.split(".")}
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
                found |= {each for each in map(literal, ast.walk(node.slice)) if each}
    return frozenset(found)


@cache
def sources() -> dict[str, ast.Module]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def literal(node: ast.AST) -> str:
    """A text as it is written, `{}` for what is worked out; empty if it is none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            literal(each) if isinstance(each, ast.Constant) else "{}" for each in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def named(function: ast.expr) -> str:
    """The last name of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)


def unspoken(node: ast.AST) -> list[ast.AST]:
    """What of a node no person reads: docstrings, log lines, keys, patterns, faults of ours."""
    match node:
        case ast.Expr(value=ast.Constant() | ast.JoinedStr()):
            return [node.value]
        case ast.Assert(msg=ast.expr() as words):
            return [words]
        case ast.Raise(exc=ast.Call(func=function) as raised) if named(function) in FAULTS:
            return [raised]
        case ast.Call(func=ast.Attribute(value=owner)) if ast.unparse(owner).lower() in LOGS:
            return [*node.args]
        case ast.Call(func=function) if named(function) in BOOK:
            return [*node.args, *node.keywords]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Dict():
            return [key for key in node.keys if key is not None]
        case _:
            return []


def leftovers(tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """Sentences in the code: their line, their text, whether they are raised or printed."""
    silent: set[ast.AST] = set()
    told: set[ast.AST] = set()
    printed: set[ast.AST] = set()
    for node in ast.walk(tree):
        silent.update(inner for each in unspoken(node) for inner in ast.walk(each))
        if isinstance(node, ast.JoinedStr):
            silent.update(each for each in node.values if isinstance(each, ast.Constant))
        if isinstance(node, ast.Raise):
            told.update(ast.walk(node))
        if isinstance(node, ast.Call) and named(node.func) in SPOKEN:
            printed.update(ast.walk(node))
    told |= printed
    for node in ast.walk(tree):
        text = MARKUP.sub("", literal(node))
        if not text or node in silent or SQL.match(text):
            continue
        if text in codes() and node not in printed:
            continue
        if WORDS.search(text) or (node in told and " " in text.strip() and WORD.search(text)):
            yield getattr(node, "lineno", 0), text, node in told


def excused(file: str, text: str, told: bool) -> bool:
    """Whether the list exempts such a text in such a file."""
    if told:
        return file in RAISED
    if not any(file.startswith(each) for files in EXEMPT.values() for each in files):
        return False
    return file.startswith(LONG) or len(re.findall(r"[A-Za-z']+", text)) <= LONGEST


def test_no_sentence_is_left_in_the_code() -> None:
    left = [
        f"{file}:{line}: {text}"
        for file, tree in sources().items()
        for line, text, told in leftovers(tree)
        if not excused(file, text, told)
    ]
    assert left == []


def test_nothing_is_exempt_that_need_not_be() -> None:
    found = {file for file, tree in sources().items() if [*leftovers(tree)]}
    for files in (*EXEMPT.values(), tuple(RAISED)):
        for each in files:
            assert any(file.startswith(each) for file in found), f"{each} has no such text"


QUOTED = re.compile(r"""(["'`])((?:(?!\1)[^\\\n])*)\1""")
SENTENCE = re.compile(r"\b[A-Za-z']+(?: [a-z']+){3,}\b")


def written_in(script: str) -> list[str]:
    """Sentences between quotes in a script of a page, comments and faults of ours apart."""
    lines = [line for line in script.splitlines() if not line.lstrip().startswith("//")]
    texts = [text for line in lines if "new Error(" not in line for _, text in QUOTED.findall(line)]
    return [text for text in texts if SENTENCE.search(text)]


def test_no_sentence_is_left_in_the_scripts_of_the_pages() -> None:
    scripts = {path.name: path.read_text() for path in (SOURCE / "pit/static").rglob("*.js")}
    found = [f"{name}: {text}" for name, script in scripts.items() for text in written_in(script)]
    assert found == []
    assert written_in('done({ sentence: "a roll came while we were away" });')
    assert not written_in('  // "a roll came while we were away"')


PLANTED = [
    'raise UserError("no such file here")',
    'raise UserError(f"{name} missing")',
    'raise ValueError(f"{house} has no {spot}; {hint}")',
    'typer.echo("nothing up")',
    'def why():\n    return "the table is closed for good"',
    'what = "sound" if whole else "not sound: look again"',
    'row = {"message": "please come back later"}',
    'HELP = """Type a call.\nMore follows below."""',
    'page = "<h1>Not let in</h1>"',
]
SOUND = [
    'raise UserError(phrase("cli.no-such-file", file=file))',
    'raise AssertionError("the dice change hands without money")',
    'log.info("table runs here", table=name)',
    '"""A docstring says what it does."""',
    'store.execute("select number from row limit 1")',
    'refuse("not-now", cites, "new set")',
    'if "is not" in words: pass',
    'known = re.compile("two words")',
]


@pytest.mark.parametrize("line", PLANTED)
def test_a_sentence_that_is_planted_is_found(line: str) -> None:
    found = [*leftovers(ast.parse(line))]
    assert found
    assert not all(excused("cli/odds.py", text, told) for _, text, told in found)


def test_a_planted_refusal_is_found_in_a_file_of_codes_too() -> None:
    ((_, text, told),) = leftovers(ast.parse(PLANTED[0]))
    assert not excused("table/stakes.py", text, told)
    ((_, text, told),) = leftovers(ast.parse(PLANTED[4]))
    assert not excused("table/stakes.py", text, told)


@pytest.mark.parametrize("line", SOUND)
def test_what_no_person_reads_is_left_alone(line: str) -> None:
    assert [*leftovers(ast.parse(line))] == []


def test_every_strategy_and_every_page_of_the_library_has_its_words() -> None:
    known = set(texts("en"))
    for part, names in (
        ("summaries", set(ENTRIES)),
        ("pages", {page.__name__.rpartition(".")[2] for page in PAGES}),
    ):
        assert {f"strategies.{part}.{name}" for name in names} == {
            key for key in known if key.startswith(f"strategies.{part}.")
        }
