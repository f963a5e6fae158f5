"""Names of people: as the notation writes them, one script each, no two that look alike.

A name is brought to one form (NFKC) before anything else is asked of it, and what tells two names
apart is that form without capitals, without what capitals do not show (the dot of an i), and with
one letter for those of one script that are drawn alike. What some fonts draw alike and others do
not (I, l and 1) is told apart. It knows letters, and nobody.
"""

from __future__ import annotations

import re
import unicodedata

from boxman.pit.live.stations import ALL_STATIONS
from boxman.table.lines.spoken import RESERVED_WORDS
from boxman.words import phrase

NAME = re.compile(r"[^\W\d_][\w-]{0,23}")
TOGETHER = (frozenset(("CJK", "HIRAGANA", "KATAKANA")), frozenset(("CJK", "HANGUL")))
"""Scripts that are written together."""
LIKE_LATIN = frozenset(
    "АВЕЅІЈКМНОРСТУХаеорсухіјѕһԁԛԝӀӏѴѵҮүҺԀԌԚԜ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυικϳͿ"  # Greek
    "ՏԼՍՕհյոսցօզ"  # Armenian
)
"""Letters of other scripts that nobody tells from Latin ones."""
_ALIKE = {
    **{"j": "ȷ", "k": "ĸ", "d": "ðđ"},  # Latin: no dot, kra, capitals that are the same
    **{"ي": "ىی", "ك": "ک", "ه": "ہھ"},  # Arabic as Arabic, Persian and Urdu write it
    **{"ヘ": "へ", "ベ": "べ", "ペ": "ぺ", "リ": "り"},  # kana beside kana, and beside characters
    **dict(zip("力口二工夕卜八才千一", "カロニエタトハオチー", strict=True)),
}
ALIKE = str.maketrans({other: kept for kept, others in _ALIKE.items() for other in others})
"""Letters of one script, or of scripts that are written together, that nobody tells apart."""
OLD = frozenset(("CHEROKEE", "LISU", "COPTIC", "DESERET", "OSAGE"))
"""Scripts that borrowed the shapes of Latin capitals."""
LATIN = frozenset((*range(0x0250), *range(0x1E00, 0x1F00)))
"""Where the Latin letters of names are; others are for phoneticians, and look like these."""
WORDS = frozenset(word.casefold() for word in (*RESERVED_WORDS, *ALL_STATIONS, "players"))
"""What somebody at a table is called already, with capitals or without."""


def normal(name: str) -> str:
    """A name in the form in which it is kept."""
    return unicodedata.normalize("NFKC", name.strip())


def key_of(name: str) -> str:
    """What tells two names apart; empty where nobody can have such a name.

    >>> key_of("ＡＮＮ") == key_of("ann")
    True
    >>> key_of("a\\0b")
    ''
    >>> key_of("ılk") == key_of("İLK") == key_of("Ilk") == key_of("ilk")
    True
    >>> key_of("Đan") == key_of("Ðan"), key_of("カ") == key_of("力"), key_of("علی") == key_of("علي")
    (True, True, True)
    """
    made = normal(name[:64])
    if not NAME.fullmatch(made):
        return ""
    # Dotless and dotted have one capital, and the dot of a capital is a mark of its own below.
    return normal(made.upper().casefold().replace("i\u0307", "i")).translate(ALIKE)


def problem(name: str) -> str:
    """Why nobody may be called so, in one sentence; empty if somebody may.

    >>> problem("ann"), problem("анна"), problem("зоя-2")
    ('', '', '')
    >>> problem("аnn")
    'a name is written in one script, not in Cyrillic and Latin'
    >>> problem("асе")
    'this name looks like another in Latin letters'
    >>> problem("ɑnn") == problem("aǀǀ") == problem("ᎪᎷᎷ") == problem("асе")
    True
    >>> problem("Box") == problem("box") == problem("stıck") != ""
    True
    """
    if not NAME.fullmatch(name) or key_of(name) in WORDS:
        return phrase("pit.people.a-name-is-to")
    letters = [letter for letter in name if not (letter.isascii() and not letter.isalpha())]
    scripts = {unicodedata.name(letter, "unknown").split()[0] for letter in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        written = sorted(script.capitalize() for script in scripts)
        return phrase("pit.people.a-name-is-written", written=written)
    if all(letter in LIKE_LATIN for letter in letters) or any(map(_odd, letters)):
        return phrase("pit.people.this-name-looks-like")
    return ""


def _odd(letter: str) -> bool:
    """Whether a letter is one that no name has, and that looks like one that many have."""
    script = unicodedata.name(letter, "unknown").split()[0]
    clicks = unicodedata.category(letter) == "Lo"  # they look like an l or a !
    # A capital is judged by its small letter too, which others may write.
    outside = any(ord(each) not in LATIN for each in letter + letter.lower() if each != "\u0307")
    return script in OLD or (script == "LATIN" and (outside or clicks))
