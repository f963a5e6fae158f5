"""The phrase book: every reason has its sentence, and every sentence the values it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from boxman.cli import app
from boxman.journal.codec import EveryCall  # noqa: F401 (every call is declared)
from boxman.pit.web.pages import PHRASES
from boxman.table.call import DECLARED
from boxman.table.lines.fields import OneOf
from boxman.words.say import (
    PLACES,
    MissingPhrase,
    book,
    languages,
    say,
    speaking,
    spoken,
    texts,
)

SOURCE = Path(__file__).parents[1] / "src" / "boxman"
SECTIONS = {
    "refuse": "refusals",
    "Refusal": "refusals",
    "_refusal": "refusals",
    "Notice": "warnings",
}


class Site(NamedTuple):
    """A place of the code that gives a reason: what is known of it without running it."""

    place: str
    section: str
    code: str | None
    why: str | None
    """None where it is worked out."""
    values: set[str] | None
    """None where they are gathered elsewhere."""


def text(node: ast.expr | None) -> str | None:
    if node is None:
        return ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def sites() -> Iterator[Site]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            section = SECTIONS.get(node.func.id)
            if section is None or len(node.args) < 2:
                continue
            named = {word.arg: word.value for word in node.keywords}
            why = text(node.args[2] if len(node.args) > 2 else None)
            values: set[str] | None = {name for name in named if name and name != "do"}
            if node.func.id in ("Refusal", "Notice"):
                given = named.get("values")
                values = set() if given is None else None
                if isinstance(given, ast.Dict):
                    values = {key for each in given.keys if (key := text(each)) is not None}
                if len(node.args) > 3:
                    values = None
            if None in named:
                values = None
            place = f"{path.relative_to(SOURCE)}:{node.lineno}"
            yield Site(place, section, text(node.args[0]), why, values)


def wants(section: str, key: str) -> set[str]:
    """The values that the sentence and the remedy of a key name."""
    phrases = book("en")
    found = [phrases[f"{section}.{key}.says"], phrases.get(f"{section}.{key}.remedy", ())]
    return {part.name for phrase in found for part in phrase if part.name}


def test_every_reason_in_the_code_has_its_sentence_and_its_values() -> None:
    offences = []
    known = list(sites())
    assert len(known) > 180
    for site in known:
        if site.code is None or site.why is None:
            continue
        key = f"{site.code}.{site.why}" if site.why else site.code
        if f"{site.section}.{key}.says" not in book("en"):
            offences.append(f"{site.place}: the book has no {site.section}.{key}")
        elif site.values is not None and (missing := wants(site.section, key) - site.values):
            offences.append(f"{site.place}: {key} wants {sorted(missing)}")
    assert offences == []


def test_no_sentence_is_left_that_nothing_says() -> None:
    said: dict[str | None, set[str | None]] = {None: set()}
    for site in sites():
        said.setdefault(site.code, set()).add(site.why)
    for key in book("en"):
        section, _, rest = key.partition(".")
        if section in ("refusals", "warnings") and not rest.startswith("as told"):
            code, _, why = rest.removesuffix(".says").removesuffix(".remedy").partition(".")
            reasons = said.get(code, set()) | said[None]
            assert why in reasons or None in reasons or code in WORKED_OUT, key


WORKED_OUT = {"setting-out-of-bounds", "bad-limits"}
"""Codes whose reasons are gathered elsewhere, so that no call has them by name."""


def test_what_is_missing_is_named() -> None:
    with pytest.raises(MissingPhrase, match=r"refusals\.rail-short\.says .*rail"):
        say("refusals.rail-short.says", {"seat": "ann"})
    with pytest.raises(MissingPhrase, match="nonsense"):
        say("nonsense")


def test_values_are_written_as_the_phrase_says() -> None:
    names = ("stickperson", "dealer")
    assert say("refusals.not-inspected.says", {"names": names}) == (
        "the stickperson and the dealer have not inspected the dice"
    )
    assert say("refusals.not-inspected.says", {"names": names[:1]}) == (
        "the stickperson has not inspected the dice"
    )
    assert say("refusals.rail-short.says", {"seat": "ann", "rail": 250}) == (
        "ann has 2.50 on the rail"
    )
    assert say("refusals.not-met.says", {"need": "note"}) == "a note has to say why"


@pytest.mark.parametrize("language", languages())
def test_a_language_says_all_that_english_says_with_the_same_values(language: str) -> None:
    def names(which: str) -> dict[str, set[str | None]]:
        return {key: {part.name for part in phrase} for key, phrase in book(which).items()}

    assert names(language) == names("en")


def spoken_keys() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where, which key (up to what is worked out, then with a `*`), with which values."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in ("phrase", "say") or not node.args:
                continue
            key = text(node.args[0])
            if key is None and isinstance(node.args[0], ast.JoinedStr):
                key = f"{text(node.args[0].values[0]) or ''}*"
            values = {word.arg for word in node.keywords if word.arg}
            gathered = node.func.id == "say" or any(word.arg is None for word in node.keywords)
            yield (
                f"{path.relative_to(SOURCE)}:{node.lineno}",
                key or "*",
                (None if gathered else values),
            )


def test_whatever_the_code_says_is_in_the_book_with_its_values() -> None:
    phrases, offences, named = book("en"), [], set()
    for place, key, values in spoken_keys():
        named.add(key)
        if key.endswith("*"):
            continue
        if key not in phrases:
            offences.append(f"{place}: the book has no {key}")
        elif values is not None:
            wanted = {part.name for part in phrases[key] if part.name}
            offences += [f"{place}: {key} wants {name}" for name in sorted(wanted - values)]
            offences += [f"{place}: {key} does not say {name}" for name in sorted(values - wanted)]
    assert offences == []
    for path in SOURCE.rglob("*.py"):
        named |= set(re.findall(r'"([\w. -]+)"', path.read_text())) & phrases.keys()
    above = tuple(key.removesuffix("*") for key in named if key.endswith("*") and key != "*")
    inner = tuple(re.findall(r":in ([\w.-]+)\}", " ".join(texts("en").values())))
    known = (*above, *inner, *GATHERED, *PHRASES)
    left = [key for key in phrases if key not in named and not key.startswith(known)]
    assert left == []


GATHERED = ("refusals.", "warnings.", "remedies.", "floor.", "parts.")
"""Sections whose keys stand in records."""


def test_every_call_of_a_console_has_its_label_and_its_choices() -> None:
    missing = []
    for kind, declared in DECLARED.items():
        tag = kind.__struct_config__.tag
        wanted = [f"fields.{each.label}" for each in declared.fields.values() if each.label]
        if declared.console is not None:
            wanted.append(f"calls.{tag}")
            wanted += [
                f"choices.{tag}.{name}.{str(value).lower()}"
                for name, each in declared.fields.items()
                if isinstance(each, OneOf)
                for value in each.words
            ]
        missing += [key for key in wanted if key not in book("en")]
    assert missing == []


def test_every_option_of_every_command_is_told_and_its_first_line_fits() -> None:
    group = typer.main.get_command(app)
    commands = {"boxman": group, **group.commands}  # type: ignore[attr-defined]
    wanted = {
        f"help.{name}.{parameter.name}"
        for name, command in commands.items()
        for parameter in command.params
        if parameter.name != "help"
    } | {f"help.{name}.about" for name in commands}
    assert {key for key in book("en") if key.startswith("help.")} == wanted
    for name in commands:
        first = texts("en")[f"help.{name}.about"].splitlines()[0]
        assert len(first) <= (78 if name == "boxman" else 66), f"{name}: {first}"


STATIC = SOURCE / "pit" / "static"
SAYS = re.compile(r"""\b(?:say|pieces)\(\s*["']([^"']+)["']""")
MADE = re.compile(r"\b(?:say|pieces|has)\(\s*`([^`$]+)\.\$\{")


def test_pages_say_what_the_book_has_and_the_book_nothing_more() -> None:
    scripts = {path: path.read_text() for path in STATIC.rglob("*.js") if path.name != "say.js"}
    said = {key: path.name for path, text in scripts.items() for key in SAYS.findall(text)}
    made = {key for text in scripts.values() for key in MADE.findall(text)}
    made |= {"titles", "joined", "template"}
    phrases = {
        key.removeprefix("pages."): text
        for key, text in texts("en").items()
        if key.startswith(PHRASES)
    }
    assert [f"{file}: {key}" for key, file in said.items() if key not in phrases] == []
    named = {key for text in scripts.values() for key in re.findall(r'"([\w.-]+)"', text)}
    inner = set(re.findall(r":in ([\w.-]+)\}", " ".join(phrases.values())))
    above = tuple(f"{key}." for key in made | inner)
    left = [key for key in phrases if key not in named and not key.startswith(above)]
    assert left == []


def test_a_language_has_its_own_forms_for_numbers(tmp_path: Path) -> None:
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "refusals.toml").write_text(
        "dice = '{n:many kość|kości|kości.}'\njoined.forms = '^1$ (?<!1)[2-4]$'"
    )
    PLACES.append(tmp_path)
    try:
        with speaking("forms"):
            said = {n: say("dice", {"n": n}) for n in (1, 2, 5, 12, 22, 111)}
    finally:
        PLACES.remove(tmp_path)
    assert said == {1: "kość", 2: "kości", 5: "kości.", 12: "kości.", 22: "kości", 111: "kości."}
    assert spoken() == "en"
