"""What an author wants to know of a rulebook: every error at once, and what looks like one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import astuple

from boxman.odds.quote import price_list
from boxman.rules.book import Book, BookError, houses, read_book
from boxman.rules.compile import compile_layout
from boxman.rules.families import MORE
from boxman.rules.layout import Layout, SettingRule
from boxman.rules.settings import NUMBERS, PRICE, SettingError
from boxman.table.floor.powers import USUAL
from boxman.words import phrase

ERRORS = 20
"""The most errors of one run: more than that are one mistake seen from many sides."""

FOLLOWS = (
    *("silent", "unused", "nothing-says-on-which-roll", "there-is-no-spot", "disagree family"),
    *("the-part-is-not-offered", "the-fact-speaks-of-which", "the-flat-wager-is-not"),
    *("moves-to-which-is-not", "the-fact-names-which-is", "the-fact-depends-on-a"),
    "stands-behind-a-point-so",
)
"""Mistakes that leaving out a fact can bring about."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What was found: errors that must be put right, remarks that may be meant so."""

    book: Book | None
    layout: Layout | None
    errors: tuple[BookError, ...]
    remarks: tuple[str, ...] = ()


def check(path: str) -> Checked:
    """Read and compile a rulebook under every choice of every setting."""
    try:
        book = read_book(path)
    except BookError as error:
        return Checked(book=None, layout=None, errors=(error, *error.others)[:ERRORS])
    errors, layout = _compiled(book)
    if layout is None:
        return Checked(book=book, layout=None, errors=tuple(errors))
    remarks = [
        *_id(book),
        *_gaps(book),
        *_settings(book, layout),
        *_powers(layout),
        *_names(layout),
        *_more(layout),
        *_favours(layout, {}),
    ]
    for given in _choices(layout.setting_rules):
        try:
            other = compile_layout(book, given)
        except SettingError:
            continue  # a choice that a clause forbids: whoever opens a table is told so
        except BookError as error:
            words = ", ".join(f"{name} = {value}" for name, value in given.items())
            at = (error.path, error.line, error.clause)
            errors.append(
                BookError(
                    *at, phrase("check.with", problem=error.problem, words=words), error.remedy
                )
            )
            continue
        known = {name: astuple(spot) for name, spot in layout.spots.items()}
        changed = {name for name, spot in other.spots.items() if astuple(spot) != known.get(name)}
        remarks += _favours(other, given, changed)
    return Checked(book=book, layout=layout, errors=tuple(errors), remarks=tuple(remarks))


def _compiled(book: Book) -> tuple[list[BookError], Layout | None]:
    """Every error of a fact in one run: facts that are wrong are left out, and the rest goes on.

    What is missing or used by nothing then may be missing for that reason, so it ends the search.
    """
    errors: list[BookError] = []
    left = book
    while len(errors) < ERRORS:
        try:
            layout = compile_layout(left)
        except BookError as error:
            found = (error, *error.others)
            fresh = [each for each in found if not errors or each.code not in FOLLOWS]
            errors += fresh[: ERRORS - len(errors)]
            lines = {each.line for each in fresh}
            facts = tuple(stated for stated in left.facts if stated.line not in lines)
            setting = any(s.line in lines and s.kind == "setting" for s in left.facts)
            follows = len(fresh) < len(found)
            if follows or setting or len(facts) == len(left.facts):
                return errors, None
            left = msgspec.structs.replace(left, facts=facts)
        else:
            return errors, None if errors else layout
    return errors, None


def _choices(rules: dict[str, SettingRule]) -> Iterator[dict[str, str]]:
    """Every choice of every setting that is not the default, one at a time."""
    for name, rule in rules.items():
        values: list[object] = list(rule.choices)
        if rule.type == "flag":
            values = ["on", "off"]
        elif rule.type in NUMBERS:
            values = [bound for bound in (rule.least, rule.most) if bound is not None]
        default = rule.default
        if isinstance(default, bool):
            default = "on" if default else "off"
        yield from ({name: str(value)} for value in values if value != default)


def _gaps(book: Book) -> Iterator[str]:
    """Gaps and terms by their headings that are clauses by their ids."""
    for clause in book.clauses.values():
        if clause.sort == "clause" and clause.id.lower().startswith(("gap", "term")):
            yield phrase("check.gaps", id=clause.id)


def _id(book: Book) -> Iterator[str]:
    if book.house.id in houses() and read_book(book.house.id).digest != book.digest:
        yield phrase("check.id", id=book.house.id)


def _settings(book: Book, layout: Layout) -> Iterator[str]:
    named: set[object] = {PRICE}
    for stated in book.facts:
        if stated.kind != "setting":
            named.update(stated.fact.when)
            values = (getattr(stated.fact, key) for key in stated.fact.__struct_fields__)
            named.update(value for value in values if isinstance(value, str))
    idle = [name for name in layout.setting_rules if name not in named]
    if idle:
        yield phrase("check.settings", names=", ".join(idle))


def _powers(layout: Layout) -> Iterator[str]:
    missing = [power for power in USUAL if not layout.procedure.powers.get(power)]
    if missing:
        yield phrase("check.powers", powers=", ".join(missing))


def _names(layout: Layout) -> Iterator[str]:
    called: dict[str, list[str]] = {}
    for spot in layout.spots.values():
        for name in dict.fromkeys((spot.name, *spot.aliases)):
            called.setdefault(name, []).append(spot.id)
    for name, spots in called.items():
        if len(spots) > 1:
            yield phrase("check.names", name=name, spots=", ".join(spots))


def _more(layout: Layout) -> Iterator[str]:
    spots = [spot.id for spot in layout.spots.values() if spot.kind.place == MORE]
    if spots:
        yield phrase("check.more", spots=", ".join(spots))


def _favours(
    layout: Layout, given: Mapping[str, object], only: set[str] | None = None
) -> Iterator[str]:
    """Wagers that somebody can make and that favour him."""
    for name, odds in price_list(layout).items():
        made = odds.spot.windows["make"].value != "never"
        if not made or (only is not None and odds.spot.id not in only) or odds.edge >= 0:
            continue
        words = ", ".join(f"{key} = {value}" for key, value in given.items())
        edge = f"{float(odds.edge):.3%}"
        if words:
            yield phrase("check.favours-set", spot=name, edge=edge, settings=words)
        else:
            yield phrase("check.favours", spot=name, edge=edge)
