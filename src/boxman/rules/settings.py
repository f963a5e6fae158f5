"""What a house may choose, within the bounds its clauses give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from boxman.chips import AmountError, format_ratio, parse_amount, parse_ratio
from boxman.rules.book import Book, BookError, Stated
from boxman.rules.facts import SettingFact
from boxman.rules.ids import near
from boxman.rules.layout import SettingRule
from boxman.rules.ledger import Cites, Ledger
from boxman.rules.wanted import LARGEST_NUMBER, as_toml
from boxman.words import phrase
from boxman.words.say import Value, say

PRICE, SIGN, MULTIPLE = "price", "sign", "times"
NUMBERS = ("whole", MULTIPLE, SIGN)
"""Types whose settings are numbers within bounds: whole, whole or not, and a sign may say more."""
OUT_OF_BOUNDS = "setting-out-of-bounds"
"""The code of a refused setting."""


ANY_NUMBER = 0
"""The number of what a sign allows on every number that it does not name."""
SHORT_SIGNS = {"3-4-5": "4-10:3,5-9:4,6-8:5"}
_PART = re.compile(r"(?:([1-9]\d?(?:-[1-9]\d?)*):)?(.+)")
_TIMES = re.compile(r"\d{1,6}(?:\.\d{1,4}|/[1-9]\d{0,3})?")

SWITCH = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}
"""How a switch is set."""


class Allowed(msgspec.Struct, frozen=True):
    """What a sign allows on a number: times the flat, or an amount in minor units."""

    times: Fraction = Fraction(0)
    amount: int = 0


class SettingError(ValueError):
    """A setting the house may not make: what is wrong, the clauses, what would be right."""

    def __init__(self, why: str, cites: Cites, **values: Value) -> None:
        self.why, self.cites, self.values = why, cites, values
        super().__init__(why)

    def __str__(self) -> str:
        key = f"refusals.{OUT_OF_BOUNDS}.{self.why}"
        return f"{say(f'{key}.says', self.values)}; {say(f'{key}.remedy', self.values)}"


def setting_rules(book: Book, ledger: Ledger) -> dict[str, SettingRule]:
    """All settings a rulebook declares."""
    for stated in book.facts:
        if stated.kind == "setting":
            fact = stated.fact
            assert isinstance(fact, SettingFact)
            wrong = _wrong(fact)
            if wrong:
                raise BookError(
                    book.path,
                    stated.line,
                    stated.clause,
                    phrase("books.the-setting-has", name=fact.name, wrong=wrong[0]),
                    wrong[1],
                )
            ledger.enter(("setting", fact.name), _bounds(fact), stated)
    rules: dict[str, SettingRule] = {}
    for question in list(ledger.answers):
        if question[0] != "setting":
            continue
        answer = ledger.ask(question)
        assert answer is not None
        rules[question[1]] = answer.whole(SettingRule)
    return rules


def _bounds(fact: SettingFact) -> str:
    """What two facts about one setting must agree on."""
    parts = {"default": fact.default, "least": fact.least, "most": fact.most}
    given = [f"{key} {value!r}" for key, value in parts.items() if value is not None]
    return ", ".join([fact.type, *given, *([f"choices {fact.choices}"] if fact.choices else [])])


def _wrong(fact: SettingFact) -> tuple[str, str] | None:
    """Why a setting could not be used, and what to do; nothing if it could."""
    if fact.when:
        return phrase("books.a-condition"), phrase("books.leave-when-out-it-belongs")
    if (fact.type == PRICE) != (fact.name == PRICE):
        return phrase("books.the-type", type=fact.type), phrase("books.the-one-setting-of-type")
    if fact.type == "flag" and not isinstance(fact.default, bool):
        return phrase("books.default", default=as_toml(fact.default)), phrase(
            "books.write-default-true-or-default"
        )
    if fact.least is not None and fact.most is not None and fact.least > fact.most:
        return phrase("books.least-and-most", least=fact.least, most=fact.most), phrase(
            "books.least-is-not-above-most"
        )
    if fact.least is not None and fact.least < 0:
        return phrase("books.least", least=fact.least), phrase("books.least-is-0-or-more")
    if fact.type != "choice" and fact.choices:
        return phrase("books.choices", choices=as_toml(fact.choices)), phrase(
            "books.only-a-setting-of-type"
        )
    if fact.type not in NUMBERS and (fact.least is not None or fact.most is not None):
        return phrase("books.least-or-most"), phrase("books.only-a-setting-of-type-2")
    if fact.type == "choice" and fact.default not in fact.choices:
        told = phrase("books.default", default=as_toml(fact.default))
        return told, phrase("books.give-choices-and-a-default")
    if fact.type in NUMBERS and not _between(fact.default, fact.least or 0, fact.most):
        return phrase("books.default", default=as_toml(fact.default)), phrase(
            "books.give-a-whole-number-between"
        )
    return None


def _between(value: object, low: int, high: int | None) -> bool:
    return type(value) is int and value >= low and (high is None or value <= high)


def choose(rules: Mapping[str, SettingRule], given: Mapping[str, object]) -> dict[str, object]:
    """The value of every setting: what was given, checked, or the default."""
    values = {name: rule.default for name, rule in rules.items() if rule.type != PRICE}
    for name, value in given.items():
        if name.startswith(f"{PRICE}.") and PRICE in rules:
            values[name] = value
            continue
        if name not in values:
            meant, known = near(name, values), tuple(values)
            why = "unknown, perhaps" if meant else "unknown" if known else "no settings"
            raise SettingError(why, (), name=name, meant=meant, known=known)
        values[name] = _checked(rules[name], value)
    return values


def _checked(rule: SettingRule, value: object) -> object:
    if rule.type == "flag":
        flag = SWITCH.get(str(value).lower())
        if flag is None:
            raise SettingError("switch", rule.cites, name=rule.name)
        return flag
    if rule.type == "choice":
        for choice in rule.choices:
            if str(choice) == str(value):
                return choice
        choices = tuple(map(str, rule.choices))
        raise SettingError("choice", rule.cites, name=rule.name, value=str(value), choices=choices)
    if rule.type == SIGN and not str(value).isdigit():
        return _signed(rule, str(value))
    text, low = str(value), rule.least or 0
    bounds: dict[str, Value] = {"name": rule.name, "low": low, "high": rule.most or 0}
    if rule.type == MULTIPLE and not text.isdigit():
        times = Fraction(text) if is_times(text) else Fraction(-1)
        if _outside(rule, times):
            raise SettingError("times", rule.cites, **bounds, value=text)
        return text
    open_ended = " or more" if rule.most is None else ""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise SettingError(f"number{open_ended}", rule.cites, **bounds, value=text)
    number = int(text)
    if _outside(rule, number):
        raise SettingError(f"bounds{open_ended}", rule.cites, **bounds, value=number)
    return number


def _outside(rule: SettingRule, number: int | Fraction) -> bool:
    """Whether a number is not between what the house allows."""
    return not (rule.least or 0) <= number <= (LARGEST_NUMBER if rule.most is None else rule.most)


def _signed(rule: SettingRule, text: str) -> str:
    """A sign that is not one whole number: times the flat or amounts, by number."""
    low = rule.least or 0
    try:
        signed = read_sign(text).values()
    except ValueError:
        raise SettingError("sign", rule.cites, name=rule.name, value=text) from None
    if any(each.times < low for each in signed if not each.amount):
        raise SettingError("bounds or more", rule.cites, name=rule.name, low=low, value=text)
    return text


def read_sign(text: str) -> dict[int, Allowed]:
    """What a sign for odds allows by number; ValueError if nobody could follow it.

    >>> read_sign("1.5")
    {0: Allowed(times=Fraction(3, 2), amount=0)}
    >>> [str(each.times) for each in read_sign("3-4-5").values()]
    ['3', '3', '4', '4', '5', '5']
    >>> read_sign("6-8:$50")[8].amount
    5000
    """
    found: dict[int, Allowed] = {}
    for part in SHORT_SIGNS.get(text, text).split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(part)
        named = match.group(1)
        for n in map(int, named.split("-")) if named else [ANY_NUMBER]:
            if n in found:
                raise ValueError(part)
            found[n] = _allowed(match.group(2))
    return found


def sign_for(name: str, text: str, points: Iterable[int], cites: Cites) -> dict[int, Allowed]:
    """What a sign allows, at a table with these points."""
    signed = read_sign(text)
    if wrong := sorted(set(signed) - {ANY_NUMBER, *points}):
        told: dict[str, Value] = {"number": str(wrong[0]), "points": tuple(map(str, points))}
        raise SettingError("sign number", cites, name=name, **told)
    return signed


def is_times(text: str) -> bool:
    """Whether a text is a number of times, whole or not."""
    return _TIMES.fullmatch(text) is not None


def _allowed(text: str) -> Allowed:
    if text.startswith("$"):
        try:
            return Allowed(amount=parse_amount(text))
        except AmountError as error:
            raise ValueError(text) from error
    if not is_times(text):
        raise ValueError(text)
    return Allowed(times=Fraction(text))


def price_floor(
    rules: Mapping[str, SettingRule], spot: str, listed: Fraction, text: str, written: Cites
) -> Fraction:
    """A price the house pays instead of the list: never below it, and written as clauses say."""
    rule = rules[PRICE]
    try:
        ratio = parse_ratio(text.replace("-to-", " to "))
    except ValueError:
        raise SettingError("odds", written or rule.cites, value=text) from None
    if ratio < listed:
        raise SettingError("list", rule.cites, spot=spot, listed=format_ratio(listed))
    return ratio


def in_force(stated: Stated, values: Mapping[str, object]) -> bool:
    """Whether a fact holds under these settings."""
    return all(values[name] in allowed for name, allowed in stated.fact.when.items())


def never(stated: Stated, rules: Mapping[str, SettingRule]) -> tuple[str, str] | None:
    """What a fact's `when` asks of a setting that it can never be, and what it can."""
    for name, allowed in stated.fact.when.items():
        rule = rules.get(name)
        for value in allowed if rule is not None else ():
            assert rule is not None
            if rule.type == "choice" and value not in rule.choices:
                return f"{name} = {value!r}", phrase(
                    "books.it-can-be", repr=", ".join(map(repr, rule.choices))
                )
            if rule.type == "flag" and not isinstance(value, bool):
                return f"{name} = {value!r}", phrase("books.it-can-be-true-or")
            low, high = rule.least or 0, rule.most
            if rule.type == "whole" and (
                type(value) is not int or value < low or (high is not None and value > high)
            ):
                whole = (
                    phrase("books.whole-from", low=low)
                    if high is None
                    else phrase("books.whole-between", low=low, high=high)
                )
                return f"{name} = {value!r}", whole
    return None
