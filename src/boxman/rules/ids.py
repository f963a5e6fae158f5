"""Ids as text: of spots a family with `*` for the number, a member, its number; of clauses those
of a number as the document writes it; of any word the one that was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from boxman.words import phrase

LONGEST_WORD = 60
"""No word that is known here is longer, so a longer one is near to none."""


@lru_cache(2048)
def family(spot: str) -> str:
    """The family a spot id belongs to; the id itself where it has no number.

    >>> family("come.odds.6"), family("pass.odds"), family("come")
    ('come.odds.*', 'pass.odds', 'come')
    """
    return re.sub(r"\.\d+$", ".*", spot)


@lru_cache(2048)
def number(spot: str) -> int:
    """The number of a spot, or 0.

    >>> number("place.6"), number("pass")
    (6, 0)
    """
    tail = spot.rpartition(".")[2]
    return int(tail) if tail.isdecimal() and len(tail) < 3 else 0


def with_number(pattern: str, n: int) -> str:
    """A member of a family.

    >>> with_number("come.odds.*", 6)
    'come.odds.6'
    """
    return pattern.replace("*", str(n))


def under(number: str, clauses: Iterable[str]) -> list[str]:
    """The clauses of a number as the document itself writes it: its own, and all its parts.

    >>> under("Rule 9.2 (b)", ["9.2", "9.2(a)", "9.2(b)i", "9.2(b)ii", "9.20"])
    ['9.2(b)i', '9.2(b)ii']
    >>> under("subparagraphs (a) and (c) of rule 9.2", ["9.2(a)", "9.2(b)", "9.2(c)#1", "9.2(c)#2"])
    ['9.2(a)', '9.2(c)#1', '9.2(c)#2']
    >>> under("Dead Die", ["1[Die]", "1[Dead Die]#1", "2 Dead Die / Cocked", "9[Dead Dies]"])
    ['1[Dead Die]#1', '2 Dead Die / Cocked']
    >>> under("“Dead Die: winning No’s 5 & 6” (both)", ["9[Dead Die, 5 or 6]", "9[Dead Die, 5]"])
    ['9[Dead Die, 5 or 6]']
    >>> under("clause 9.2(a) to (c)", ["9.1", "9.2(a)", "9.2(b)#1", "9.2(b)#2", "9.2(c)", "9.3"])
    ['9.2(a)', '9.2(b)#1', '9.2(b)#2', '9.2(c)']
    >>> under("9. The Dice", ["8.1", "9.2(a)", "App.Z 22"]), under("22.", ["8.1", "App.Z 22"])
    (['9.2(a)'], ['App.Z 22'])
    """
    known, written = list(clauses), " ".join(number.lower().replace("’", "'").split())
    written = re.sub(_PART_OF, r"\2 \1", re.sub('["“”]', "", written))
    # What a row of a table has in brackets, as in `Any Craps (2, 3 or 12)`, is no part of a number.
    named = re.sub(r"([a-z]{3}.*?) ?\([^()]* [^()]*\)", r"\1", written)
    for said in dict.fromkeys((written, named)):
        found = _under(_bare(said), known) or _row(_bare(said), known)
        if found:
            return found
    heading = re.match(r"\W*(\d+)\.0? +[A-Z]\D*$", number)
    return (
        _together(_several(written), known)
        or _within(_bare(written), known)
        or (_under(heading[1], known) if heading else [])
    )


def _bare(written: str) -> str:
    """A number without what it may be called before it."""
    return re.sub(r"^appendix\b", "app", re.sub(_CALLED, "", written))


_CALLED = (
    r"^\W*(the )?((sub[- ]?)?(rule|clause|section|paragraph|type)s?|table (?=layout))(?!\w*[a-z])"
    r"|^\W*(r|cl|para|part|s(ec)?)\.?(?=\W*\d)"
)
"""What may stand before the number of a clause: it is no part of it."""
_PART_OF = (
    r"^(?:(?:(?:sub[- ]?)?(?:paragraph|rule|clause)|item|type)s? )?(\S.*)"
    r" of (?:rule |clause |section |(?=appendix ))(\S.*)$"
)
"""A part that is named before what it is a part of: `paragraph (a) of rule 9.2`."""


def around(number: str, clauses: Iterable[str]) -> tuple[str, list[str]]:
    """The longest beginning of a number that there is, with its clauses; all without one.

    >>> around("9.2(z)", ["1", "9.2(a)", "9.2(b)", "9.3"])
    ('9.2', ['9.2(a)', '9.2(b)'])
    """
    known, part = list(clauses), number
    while part:
        if found := under(part, known):
            return part, found
        part = re.sub(r"[.\s(]*[^.\s(]*$", "", part)
    return "", known


_TO = r" to |(?<=[\d)]) ?[-–] ?(?=[(\d]|[a-z]\d)"
_JOINED = rf"({_TO}| or | and |, | & |(?<=\)) (?=\())"
"""What stands between numbers that are written together."""


def wholes(number: str, clauses: Iterable[str]) -> list[str]:
    """What a part that is named alone may be a part of, the nearest to whole rules.

    >>> wholes("subparagraph (y) of this rule", ["7(y)", "8(y)#1", "9.2(z)(y)", "9.3"])
    ['7(y)', '8(y)']
    """
    part = re.match(r"\(\w+\)", _bare(number.lower()).strip())
    found = [id_[: id_.index(part[0]) + len(part[0])] for id_ in clauses if part and part[0] in id_]
    few = min((id_.count("(") for id_ in found), default=0)
    return list(dict.fromkeys(id_ for id_ in found if id_.count("(") == few))


def _several(numbers: str) -> list[tuple[str, str]]:
    """Numbers that are written together, each in full with what stands before it: `9.2 (b) or (c)`,
    `layout 1 or 3`, `9.2(a) to (c)`, `9.2(b)ii.1-3`."""
    found: list[tuple[str, str]] = []
    split = ["", *re.split(_JOINED, numbers)]
    for join, each in zip(split[::2], split[1::2], strict=True):
        head, each = found[-1][1] if found else "", _bare(each)
        if each.startswith("("):
            # Of a part of a part, as in 9(a)(i) to (iv), the last is another one.
            parts = re.findall(r"\([^()]*\)", head)
            same = len(parts) > 1 and _roman(parts[-1]) and _roman(each)
            each = (head[: head.rindex("(")] if same else head.partition("(")[0]).strip() + each
        elif re.fullmatch(r"[a-z]?\d+", each) and " " in head:
            each = f"{head.rpartition(' ')[0]} {each}"
        elif each.isdigit() and "(" in head and join.strip() in ("-", "–"):
            each = re.sub(r"\d+$", each, head)
        found.append((join, each))
    return found


def _roman(part: str) -> bool:
    return re.fullmatch(r"\([ivx]+\)", part) is not None


def _together(numbers: list[tuple[str, str]], known: list[str]) -> list[str]:
    """The clauses of numbers that are written together; from one to another, those between."""
    found: list[list[str]] = []
    for join, number in numbers:
        ids = _under(number, known)
        if ids and found and join.strip() in ("to", "-", "–"):
            first, last = known.index(found[-1][0]), known.index(ids[-1])
            ids = known[first : last + 1] if first < known.index(ids[0]) else []
        if not ids:
            return []
        found.append(ids)
    return list(dict.fromkeys(id_ for ids in found for id_ in ids))


def _within(wanted: str, known: list[str]) -> list[str]:
    """The clauses of a number that a document writes without its appendix or its table: `22.` for
    `App.D 22`, the row `11`."""
    tails = ((id_, *id_.partition(" ")[::2]) for id_ in known)
    alone = [(id_, tail) for id_, head, tail in tails if tail and not re.search(r"[(\[]", head)]
    several = wanted.split("/")
    return [id_ for id_, tail in alone if any(_is_part(tail, each) for each in several)]


def _under(wanted: str, known: list[str]) -> list[str]:
    """The clauses of one number."""
    head, _, last = wanted.rpartition(" ")
    several = [f"{head} {each}" for each in last.split("/")] if "/" in last else []
    for said in ([wanted], several, [re.sub(r"\.0\W*$", "", wanted)]):
        found = [id_ for id_ in known if any(_is_part(id_, each) for each in said)]
        if found:
            return found
    return _named(wanted, known)


def _named(wanted: str, known: list[str]) -> list[str]:
    """The clauses that are of a name, as definitions are: `1[Name]`, `1 Name`, `1 Name / Other`;
    a number may stand before it."""
    if not re.search("[a-z]", wanted):
        return []
    names = {id_: re.sub(r"^[^ []*[ []|\].*$", "", id_.lower()).split(" / ") for id_ in known}
    found = [id_ for id_ in known if any(_is_part(name, wanted) for name in names[id_])]
    return found or _longer(wanted, known, names)


def _longer(wanted: str, known: list[str], names: Mapping[str, list[str]]) -> list[str]:
    """The clauses of a name before which the document has words more; its number may stand there
    too."""
    head, _, name = wanted.partition(" ") if re.match(r"\d", wanted) else ("", "", wanted)
    both = [(id_, own) for id_ in known for own in names[id_] if not head or _is_part(id_, head)]
    longer = [id_ for id_, own in both if re.search("[a-z]{3}.* ", own) and wanted.endswith(own)]
    # Of a table with several columns the row is named last.
    rows = [id_ for id_ in known if " " in wanted and id_.lower().endswith(f" {wanted}")]
    if not rows and re.search("[a-z]{3}.* ", name):
        rows = [id_ for id_, own in both if own.endswith(f" {name}")]
    return longer or rows


def _row(wanted: str, known: list[str]) -> list[str]:
    """The row of a table that a document names with more words than we do: ours in their order,
    with the same numbers. `Horn Bet Winning No's 2 or 12` is the row `[Horn Bet 2 or 12]`."""
    steps, fits = _words(wanted), dict[str, int]()
    for id_ in known:
        name = re.sub(r"^[^ []*[ []|\]$", "", id_.lower())
        if name == id_.lower() or not re.search(r"[a-z]{3}.*\d", name):
            continue
        for own in (_words(id_), _words(name)):
            said = iter(steps)
            inside = own[:1] == steps[:1] and all(word in said for word in own)
            if inside and {*filter(str.isdigit, steps)} <= {*own}:
                fits[id_] = len(own)
    return [id_ for id_, size in fits.items() if size == max(fits.values())]


def _words(number: str) -> list[str]:
    """The steps of a number or a name, without what joins several numbers."""
    return [step for step in _steps(number) if re.match(r"\w", step) and step not in ("or", "and")]


@lru_cache(4096)
def _steps(number: str) -> list[str]:
    """A number or a name step by step, in whatever brackets: `9.2 (b)(ii)` is `9.2(b)ii`. What
    stands between several numbers is a step too."""
    return re.findall(r"#?\w+(?:['’]\w+)*|(?<=\d) ?[-–,;]", number.lower())


def _is_part(clause: str, number: str) -> bool:
    """Whether a clause is that of a number or a part of it: words of ours between two parts of a
    number, as in `9(z) win(i)`, are not the document's."""
    steps = _steps(number)
    written = (clause, re.sub(r" [a-z ]*(?=\()", "", clause.lower()))
    return bool(steps) and any(_steps(each)[: len(steps)] == steps for each in written)


def near(word: str, words: Iterable[str]) -> str:
    """The nearest known word, or nothing; capitals do not matter.

    >>> near("plcae.6", ["place.6", "field"]), near("PASS", ["pass"])
    ('place.6', 'pass')
    >>> near("seven", ["eleven", "any_seven"])
    'any_seven'
    """
    return _near(word, tuple(words)) if len(word) <= LONGEST_WORD else ""


@lru_cache(maxsize=1024)
def _near(word: str, known: tuple[str, ...]) -> str:
    word, small = word.lower(), {each.lower(): each for each in reversed(known)}
    names = list(reversed(small))
    found = [each for each in names if word and each.startswith(word)]
    found = found or [each for each in names if word and word in re.split(r"[._-]", each)]
    found = found or difflib.get_close_matches(word, names, 1)
    return small[found[0]] if found else ""


def nearest(word: str, words: Iterable[str]) -> str:
    """A question that names the nearest known word, or nothing.

    >>> nearest("plcae.6", ["place.6", "field"])
    'did you mean place.6?'
    """
    found = near(word, words)
    return phrase("books.did-you-mean", found=found) if found else ""
