"""Read a rulebook: a Markdown file of clauses, each with its block of facts.

The reader is strict and knows only the form: headings, blocks, the vocabulary of facts. What facts
mean together is the compiler's business (compile.py). Every error names file, line and clause and
says what to do.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple, TypeVar, get_type_hints

import msgspec

from boxman.rules.facts import MONEY, Fact
from boxman.rules.ids import LONGEST_WORD, around, nearest, wholes
from boxman.rules.named import meant
from boxman.rules.procedure import DUTIES
from boxman.rules.wanted import (
    UNSEEN,
    as_toml,
    house_id_wrong,
    nobody_sees,
    rather,
    read_toml,
    toml_wrong,
    value_wrong,
    wanted_in,
)
from boxman.words import phrase, say

REASONS = ("physical", "display", "open")
LARGEST = 1 << 22
"""Characters of the largest rulebook that is read."""
FACT_KINDS: dict[str, type[Fact]] = MONEY | DUTIES
R = TypeVar("R", bound=msgspec.Struct)


class BookError(ValueError):
    """Something wrong in a rulebook: where it is, what it is, what to do about it.

    `others` are mistakes after this one that were found in the same reading.
    """

    def __init__(
        self, path: str, line: int, clause: str, problem: str, remedy: str, code: str = ""
    ) -> None:
        self.code = code
        """Which mistake it is, for those who have to tell; not of every one."""
        self.path, self.line, self.clause = path, line, clause
        self.problem, self.remedy = problem, remedy
        self.others: tuple[BookError, ...] = ()
        where = f"{path}:{line}" if line else path
        values = {"where": where, "clause": clause, "problem": problem, "remedy": remedy}
        super().__init__(say("books.wrong-in-clause" if clause else "books.wrong-in-file", values))


SILENT = "silent"
"""The code of what no fact says."""


def raise_all(errors: list[BookError]) -> None:
    """Raise the first of some mistakes with all others: one of a line, one for each thing to do."""
    found: list[BookError] = []
    for each in (each for error in errors for each in (error, *error.others)):
        alike = [other for other in found if each.code and each.code == other.code]
        if each.code == SILENT and each.remedy in {other.remedy for other in alike}:
            continue
        if not each.line or each.line not in {other.line for other in alike}:
            found.append(each)
    if found:
        found[0].others = tuple(found[1:])
        raise found[0]


class Stated(NamedTuple):
    """A fact, where it stands, and so what it cites."""

    kind: str
    fact: Fact
    clause: str
    line: int


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause, gap or term: its id, our heading and words, its facts or the reason for none."""

    id: str
    title: str
    text: str
    line: int
    reason: str = ""
    chapter: str = ""
    """The heading it stands under, if the file has any."""

    @property
    def sort(self) -> str:
        """What it is: a clause of the document, a gap in it, or a term of the house."""
        return next((sort for sort in ("gap", "term") if self.id.startswith(f"{sort}-")), "clause")


class Imprint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a rulebook says of itself."""

    id: str
    edition: str
    currency: str = "$"
    example: bool = False
    """No casino's document, but an example of a house."""


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook as read: not yet compiled."""

    path: str
    title: str
    house: Imprint
    clauses: dict[str, Clause]
    facts: tuple[Stated, ...]
    text: str
    digest: str
    """Of the text: what an edition is known by."""

    def under(self, number: str) -> list[Clause]:
        """The clauses of a number or a name, as the document writes it, with all their parts."""
        return [self.clauses[each] for each in meant(self, number)] or [self.clause(number)]

    def clause(self, clause_id: str) -> Clause:
        """The clause of that id, or a KeyError whose text names the nearest ones."""
        if clause_id in self.clauses:
            return self.clauses[clause_id]
        own = [each.id for each in self.clauses.values() if each.sort == "clause"]
        part, near = around(clause_id, own)
        there = {"part": part or self.house.id, "first": near[0], "last": near[-1]}
        if not re.search(r"\w", clause_id):
            raise KeyError(say("books.no-number", there))
        goes = phrase("books.goes-from" if len(near) > 1 else "books.has-no-parts", **there)
        hint = f"{nearest(clause_id, near)} {goes}".strip()
        if parts := wholes(clause_id, own):
            hint = say("books.of-which", {"numbers": tuple(parts)})
        values = {"house": self.house.id, "clause": clause_id[:LONGEST_WORD], "hint": hint}
        raise KeyError(say("books.no-clause-near", values))


_HEADING = re.compile(r"### (`?)([^`]+?)\1(?:\s+(.*))?")
_BEGINS = re.compile(r"\[\[\s*(.*?)\s*\]\]")
_FENCE = re.compile(r"(```|~~~)\s*(\w*)\s*")
_ORDER = {"clause": 0, "gap": 1, "term": 2}


class _Reader:
    """Walks the lines of one file once."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text, self.lines = path, text, text.splitlines()
        self.title = ""
        self.house: Imprint | None = None
        self.clauses: dict[str, Clause] = {}
        self.facts: list[Stated] = []
        self.chapters: dict[int, str] = {}
        """What stands over each heading of a clause, by its line."""
        over = ""
        for number, line in enumerate(self.lines):
            if line.startswith("## "):
                over = line[3:].strip()
            elif line.startswith("### "):
                self.chapters[number] = over

    def fail(self, line: int, clause: str, problem: str, remedy: str) -> BookError:
        return BookError(self.path, line, clause, problem, remedy)

    def read(self) -> Book:
        heads = list(self.chapters)
        unseen = UNSEEN.search(self.text, 1)  # a mark of the byte order may come first
        if unseen is not None:
            line = len(self.text[: unseen.start()].splitlines()) or 1
            raise self.fail(line, "", *nobody_sees(unseen.group()))
        self._read_preface(heads[0] if heads else len(self.lines))
        if self.house is None:
            raise self.fail(
                1,
                "",
                phrase("books.the-file-has-no-house"),
                phrase("books.add-a-house-block-with"),
            )
        if not heads:
            raise self.fail(
                1,
                "",
                phrase("books.the-file-has-no-clauses"),
                phrase("books.add-headings-like-1-title"),
            )
        ends = [*heads[1:], len(self.lines)]
        errors: list[BookError] = []
        for head, end in zip(heads, ends, strict=True):
            try:
                self._read_clause(head, end)
            except BookError as error:
                errors.append(error)
        raise_all(errors)
        return Book(
            path=self.path,
            title=self.title or self.house.id,
            house=self.house,
            clauses=self.clauses,
            facts=tuple(self.facts),
            text=self.text,
            digest=text_digest(self.text),
        )

    def _blocks(self, start: int, end: int, clause: str) -> Iterator[tuple[str, int, str]]:
        """The fenced blocks between two lines, as (kind, first line inside, text)."""
        number = start
        while number < end:
            fence = _FENCE.fullmatch(self.lines[number])
            if fence is None:
                number += 1
                continue
            ends = (n for n in range(number + 1, end) if self.lines[n].rstrip() == fence.group(1))
            close = next(ends, None)
            if close is None:
                raise self.fail(
                    number + 1,
                    clause,
                    phrase("books.the-block-is-never-closed", kind=fence.group(2) or "code"),
                    phrase("books.end-it-with-a-line", group=fence.group(1)),
                )
            yield fence.group(2), number + 2, "\n".join(self.lines[number + 1 : close])
            number = close + 1

    def _toml(self, text: str, first: int, clause: str) -> dict[str, object]:
        try:
            return read_toml(text)
        except RecursionError:
            raise self.fail(
                first,
                clause,
                phrase("books.the-block-is-nested-too"),
                phrase("books.write-key-value-lines"),
            ) from None
        except ValueError as error:
            found = re.search(r"at line (\d+), column (\d+)", str(error))
            line = first + (int(found.group(1)) - 1 if found else text.count("\n"))
            raise self.fail(line, clause, *toml_wrong(str(error), self.lines[line - 1])) from None

    def _read_preface(self, end: int) -> None:
        for line in self.lines[:end]:
            if line.startswith("# ") and not self.title:
                self.title = line[2:].strip()
        for kind, first, text in self._blocks(0, end, ""):
            if kind != "house":
                raise self.fail(
                    first - 1,
                    "",
                    phrase("books.a-block-stands-before-the", kind=kind or "code"),
                    phrase("books.put-facts-under-a-clause"),
                )
            if self.house is not None:
                raise self.fail(
                    first - 1,
                    "",
                    phrase("books.the-file-has-two-house"),
                    phrase("books.keep-one-of-them"),
                )
            self.house = self._record(
                phrase("books.house-block"), Imprint, "", first, self._toml(text, first, "")
            )
            for key in ("id", "edition", "currency"):
                self._value(key, getattr(self.house, key), "", first)
            wrong = house_id_wrong(self.house.id)
            if wrong is not None:
                raise self.fail(self._line_of("id", first), "", *wrong)

    def _read_clause(self, head: int, end: int) -> None:
        match = _HEADING.fullmatch(self.lines[head].rstrip())
        if match is None or not match.group(1):
            raise self.fail(
                head + 1,
                "",
                phrase("books.the-heading-has-no-clause", lines=self.lines[head]),
                phrase("books.write-the-id-in-backticks"),
            )
        clause_id, title = match.group(2), match.group(3) or ""
        if clause_id in self.clauses:
            raise self.fail(
                head + 1,
                clause_id,
                phrase("books.the-clause-stands-twice-first", line=self.clauses[clause_id].line),
                phrase("books.join-the-two-or-correct"),
            )
        if set(clause_id) & set("{}"):
            raise self.fail(
                head + 1,
                clause_id,
                phrase("books.an-id-may-not-hold"),
                phrase("books.leave-them-out"),
            )
        blocks = list(self._blocks(head + 1, end, clause_id))
        known = [block for block in blocks if block[0] in ("facts", "none")]
        if len(blocks) != len(known):
            other = next(block for block in blocks if block not in known)
            raise self.fail(
                other[1] - 1,
                clause_id,
                phrase("books.a-block-of-unknown-kind", value=other[0] or phrase("books.no-kind")),
                phrase("books.use-facts-or-none"),
            )
        if not known:
            raise self.fail(
                head + 1,
                clause_id,
                phrase("books.the-clause-has-no-block"),
                phrase("books.add-a-facts-block-or"),
            )
        if len(known) > 1:
            raise self.fail(
                known[1][1] - 1,
                clause_id,
                phrase("books.the-clause-has-blocks", n=len(known)),
                phrase("books.put-all-its-facts-into"),
            )
        kind, first, body = known[0]
        reason = self._none(clause_id, first, body) if kind == "none" else ""
        if kind == "facts":
            self._facts(clause_id, first, body)
        clause = Clause(
            id=clause_id,
            title=title,
            text="\n".join(self.lines[head + 1 : first - 2]).strip(),
            line=head + 1,
            reason=reason,
            chapter=self.chapters[head],
        )
        last = next(reversed(self.clauses.values()), None)
        if last is not None and _ORDER[last.sort] > _ORDER[clause.sort]:
            problem = phrase("books.stands-before-the", sort=clause.sort, id=clause_id)
            order = phrase("books.order-the-file-clauses-then")
            raise BookError(self.path, last.line, last.id, problem, order, "order")
        self.clauses[clause_id] = clause

    def _none(self, clause_id: str, first: int, body: str) -> str:
        reason = " ".join(body.split())
        if reason.partition(":")[0] not in REASONS or not reason.partition(":")[2].strip():
            raise self.fail(
                first,
                clause_id,
                phrase(
                    "books.the-none-block-does-not", value=reason or phrase("books.it-is-empty")
                ),
                phrase("books.begin-with-physical-display-or"),
            )
        return reason

    def _facts(self, clause_id: str, first: int, body: str) -> None:
        tables = self._toml(body, first, clause_id)
        if not tables:
            raise self.fail(
                first,
                clause_id,
                phrase("books.the-facts-block-is-empty"),
                phrase("books.state-a-fact-or-use"),
            )
        errors: list[BookError] = []
        begun: dict[str, list[int]] = {}
        for number, text in enumerate(body.splitlines(), first):
            if found := _BEGINS.fullmatch(text.partition("#")[0].strip()):
                begun.setdefault(found[1], []).append(number)
        for kind, items in tables.items():
            lines = begun.get(kind, [])
            if kind not in FACT_KINDS:
                hint = f"{nearest(kind, FACT_KINDS)} ".lstrip()
                problem = phrase("books.there-is-no-kind-of", kind=kind)
                kinds = phrase("books.the-kinds-are", hint=hint, fact_kinds=" ".join(FACT_KINDS))
                errors.append(self.fail(lines[0] if lines else first, clause_id, problem, kinds))
                continue
            if not isinstance(items, list) or len(lines) != len(items):
                problem = phrase("books.is-not-written-as-a", kind=kind)
                begin = phrase("books.begin-each-with-a-line", kind=kind)
                errors.append(self.fail(self._line_of(kind, first), clause_id, problem, begin))
                continue
            for line, item in zip(lines, items, strict=True):
                try:
                    fact = self._fact(clause_id, kind, line, item)
                    self.facts.append(Stated(kind, fact, clause_id, line))
                except BookError as error:
                    errors.append(error)
        raise_all(errors)

    def _fact(self, clause_id: str, kind: str, line: int, item: object) -> Fact:
        fact = self._record(f"{kind} fact", FACT_KINDS[kind], clause_id, line + 1, item)
        lists = {key: getattr(fact, key) for key in fact.__struct_fields__}
        for key in item if isinstance(item, dict) else ():
            for value in lists[key] if _is_list(lists[key]) else [lists[key]]:
                self._value(key, value, clause_id, line + 1)
        for key, values in (lists | fact.when).items():
            counted = Counter(map(as_toml, values) if _is_list(values) else ())
            twice = [value for value, count in counted.items() if count > 1]
            if twice:
                raise self.fail(
                    self._line_of(key if key in lists else "when", line + 1),
                    clause_id,
                    phrase("books.the-fact-names-twice-in", kind=kind, twice=twice[0], key=key),
                    phrase("books.name-it-once"),
                )
        return fact

    def _value(self, key: str, value: object, clause_id: str, first: int) -> None:
        wrong = value_wrong(key, value)
        if wrong is not None:
            raise self.fail(self._line_of(key, first), clause_id, *wrong)

    def _record(self, what: str, of: type[R], clause_id: str, first: int, item: object) -> R:
        """The record that the keys from this line on are meant to make."""
        try:
            return msgspec.convert(item, of)
        except msgspec.ValidationError as error:
            line, problem, remedy = self._wrong(str(error), of, first, item)
            raise self.fail(
                line, clause_id, phrase("books.the-has", what=what, problem=problem), remedy
            ) from None

    def _wrong(self, error: str, of: type[R], first: int, item: object) -> tuple[int, str, str]:
        """What msgspec found wrong, in our words: the line, the problem, the remedy."""
        hints = get_type_hints(of)
        named = re.match(r"Object (contains unknown|missing required) field `(.*?)`", error)
        if named is not None and named.group(1).startswith("contains"):
            key = named.group(2)
            keys = sorted(of.__struct_fields__, key=lambda each: each in ("when", "despite"))
            hint = f"{nearest(key, keys)} ".lstrip()
            remedy = phrase("books.its-keys-are", hint=hint, keys=", ".join(keys))
            return self._line_of(key, first), phrase("books.an-unknown-key", key=key), remedy
        if named is not None:
            key = named.group(2)
            return (
                first - 1,
                phrase("books.no-key", key=key),
                phrase("books.add-which-is", key=key, wanted=wanted_in(key, hints[key])),
            )
        path = re.search(r"`\$\.(\w+)", error)
        key = path.group(1) if path else ""
        value = item.get(key) if isinstance(item, dict) else str(item)
        wanted = wanted_in(key, hints.get(key)) + rather(hints.get(key, str), value)
        remedy = phrase("books.key-is", key=key, wanted=wanted)
        return self._line_of(key, first), f"{key} = {as_toml(value)}", remedy

    def _line_of(self, key: str, first: int) -> int:
        """The line from this one on that gives a key; the one before if there is none."""
        for number in range(first, len(self.lines) + 1):
            line = self.lines[number - 1].strip()
            if re.match(rf"\[?\s*{re.escape(key)}\s*[=\].]", line):
                return number
            if line.startswith(("```", "~~~", "[[")):
                break
        return first - 1


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def text_digest(text: str) -> str:
    """What an edition of a rulebook is known by."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(32)
def read_text(path: str, text: str) -> Book:
    """Read a rulebook from its text."""
    return _Reader(path, text).read()


def houses() -> list[str]:
    """The ids of the houses that come with Boxman: official documents, then examples."""
    return list(_own_houses())


@lru_cache
def _own_houses() -> tuple[str, ...]:
    folder = resources.files("boxman") / "rulebooks"
    names = (entry.name for entry in folder.iterdir() if entry.name.endswith(".md"))
    ours = (name.removesuffix(".md") for name in names if name != "template.md")
    return tuple(sorted(ours, key=lambda name: (is_example(name), name)))


def is_example(house: str) -> bool:
    """Whether a house that comes with Boxman is an example, and no casino's document."""
    preface = _own_text(house).partition("\n### ")[0]  # the book itself takes long to read
    return re.search("^example = true$", preface, re.MULTILINE) is not None


_FILES: list[str] = []
"""Rulebook files, and folders of them, that are houses of this process too."""


def all_houses() -> list[str]:
    """The ids of all houses of this process: those in the box, then those of files."""
    return [*houses(), *_added(tuple(_FILES))]


def house_files() -> tuple[str, ...]:
    """The files and folders that `add_houses` was given: for a process that this one starts."""
    return tuple(_FILES)


def add_houses(paths: Iterable[str]) -> list[str]:
    """Have rulebook files, or folders of them, known by their ids; gives the ids."""
    given = [str(Path(path).absolute()) for path in paths]
    known = tuple(dict.fromkeys([*_FILES, *given]))
    found = _added(known)
    _FILES[:] = known
    return [house for house, path in found.items() if any(_within(path, each) for each in given)]


def _within(path: str, given: str) -> bool:
    return path == given or str(Path(path).parent) == given


@lru_cache(maxsize=4)
def _added(files: tuple[str, ...]) -> dict[str, str]:
    """Houses of files by their ids."""
    found: dict[str, str] = {}
    for given in files:
        folder = Path(given)
        paths = sorted(map(str, folder.glob("*.md"))) if folder.is_dir() else [given]
        if not paths:
            none, put = phrase("books.a-folder-without"), phrase("books.put-one-there")
            raise BookError(given, 0, "", none, put)
        for path in paths:
            house = read_book(path).house.id
            other = f"{house}.md" if house in _own_houses() else found.get(house, path)
            if other != path:
                taken = phrase("books.there-is-a-house-already", house=house, other=other)
                raise BookError(path, 0, "", taken, phrase("books.give-one-of-them-another"))
            found[house] = path
    return found


def read_book(house: str) -> Book:
    """Read the rulebook of a house: one of `all_houses`, or a path to a file."""
    if house in _own_houses():
        return _read_own(house)
    if _FILES and not house.endswith(".md"):
        house = _added(tuple(_FILES)).get(house, house)
    if not (house.endswith(".md") or "/" in house or _exists(house)):
        there = phrase("books.a-file-is-there", house=house) if _exists(f"{house}.md") else ""
        hint = f"{there or nearest(house, all_houses())} ".lstrip()
        do = phrase("books.the-houses-are-or-give", hint=hint, join=", ".join(all_houses()))
        raise BookError(house or '""', 0, "", phrase("books.there-is-no-house-of"), do)
    try:
        state = Path(house).stat()
        return _read_file(house, state.st_mtime_ns, state.st_size)
    except BookError:
        raise
    except OSError as error:
        reason = error.strerror or phrase("books.it-cannot-be-opened")
        problem, do = phrase("books.the-rulebook-cannot-be-read", reason=reason), "check-the-path"
    except UnicodeDecodeError:
        problem, do = phrase("books.the-rulebook-cannot-be-read-2"), "save-it-as-utf-8"
    except ValueError:
        problem, do = phrase("books.the-rulebook-cannot-be-read-3"), "check-the-path"
    raise BookError(house, 0, "", problem, say(f"books.{do}", {}))


@lru_cache(maxsize=16)
def _read_file(path: str, changed: int, size: int) -> Book:
    """A file as it was when it was last changed."""
    with Path(path).open(encoding="utf-8") as file:
        text = file.read(LARGEST + 1)  # some files have no end
    if len(text) > LARGEST:
        raise BookError(
            path,
            0,
            "",
            phrase("books.this-is-too-large-for"),
            phrase("books.the-largest-of-ours-has"),
        )
    return read_text(path, text)


def _exists(house: str) -> bool:
    try:
        return bool(house) and Path(house).exists()
    except OSError:
        return False


@lru_cache
def _read_own(house: str) -> Book:
    return read_text(f"{house}.md", _own_text(house))


def _own_text(house: str) -> str:
    return (resources.files("boxman") / "rulebooks" / f"{house}.md").read_text(encoding="utf-8")
