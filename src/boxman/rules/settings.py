"""What a house may choose, within the bounds its clauses give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boxman.chips import format_ratio, parse_ratio
from boxman.rules.book import Book, BookError, Stated
from boxman.rules.facts import Setting
from boxman.rules.layout import SettingRule
from boxman.rules.ledger import Cites, Ledger
from boxman.rules.nearest import nearest

PRICE = "price"


class SettingError(ValueError):
    """A setting the house may not make: what is wrong, the clauses, what would be right."""

    def __init__(self, sentence: str, cites: Cites, remedy: str) -> None:
        self.sentence, self.cites, self.remedy = sentence, cites, remedy
        super().__init__(f"{sentence}; {remedy}")


def setting_rules(book: Book, ledger: Ledger) -> dict[str, SettingRule]:
    """All settings a rulebook declares."""
    for stated in book.facts:
        if stated.kind == "setting":
            fact = stated.fact
            assert isinstance(fact, Setting)
            wrong = _wrong(fact)
            if wrong:
                raise BookError(
                    book.path,
                    stated.line,
                    stated.clause,
                    f"the setting {fact.name} has {wrong[0]}",
                    wrong[1],
                )
            ledger.enter(("setting", fact.name), _bounds(fact), stated)
    rules: dict[str, SettingRule] = {}
    for question in list(ledger.answers):
        if question[0] != "setting":
            continue
        answer = ledger.ask(question)
        assert answer is not None
        fact = answer.stated[0].fact
        assert isinstance(fact, Setting)
        rules[fact.name] = SettingRule(
            name=fact.name,
            type=fact.type,
            text=fact.text,
            default=fact.default,
            least=fact.least,
            most=fact.most,
            choices=tuple(fact.choices),
            cites=answer.cites,
        )
    return rules


def _bounds(fact: Setting) -> str:
    """What two facts about one setting must agree on."""
    parts = {"default": fact.default, "least": fact.least, "most": fact.most}
    given = [f"{key} {value!r}" for key, value in parts.items() if value is not None]
    return ", ".join([fact.type, *given, *([f"choices {fact.choices}"] if fact.choices else [])])


def _wrong(fact: Setting) -> tuple[str, str] | None:
    """Why a setting could not be used, and what to do; nothing if it could."""
    default = fact.default
    if fact.when:
        return "a condition", "leave when out; it belongs to the facts that use the setting"
    if (fact.type == PRICE) != (fact.name == PRICE):
        return f"the type {fact.type}", 'the one setting of type "price" is called price'
    if fact.type == "flag" and not isinstance(default, bool):
        return f"default = {default!r}", "write default = true or default = false"
    if fact.type == "choice" and default not in fact.choices:
        return f"default = {default!r}", "give choices = [...] and a default that is one of them"
    if fact.type == "whole":
        low, high = fact.least or 0, fact.most
        if type(default) is not int or default < low or (high is not None and default > high):
            return f"default = {default!r}", "give a whole number between least and most"
    return None


def choose(rules: Mapping[str, SettingRule], given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every setting: what was given, checked, or the default."""
    values = {name: rule.default for name, rule in rules.items() if rule.type != PRICE}
    for name, value in given.items():
        if name.startswith(f"{PRICE}.") and PRICE in rules:
            values[name] = value
            continue
        if name not in values:
            hint = f"{nearest(name, values)} ".lstrip()
            known = ", ".join(values) or "none"
            raise SettingError(
                f"there is no setting {name} here", (), f"{hint}the settings are: {known}"
            )
        values[name] = _checked(rules[name], value)
    return values


def _checked(rule: SettingRule, value: Any) -> Any:
    if rule.type == "flag":
        flag = {"on": True, "off": False, "true": True, "false": False}.get(str(value).lower())
        if flag is None:
            raise SettingError(f"{rule.name} is a switch", rule.cites, "say on or off")
        return flag
    if rule.type == "choice":
        for choice in rule.choices:
            if str(choice) == str(value):
                return choice
        raise SettingError(
            f"{rule.name} cannot be {value}",
            rule.cites,
            f"choose one of: {', '.join(map(str, rule.choices))}",
        )
    low = rule.least if rule.least is not None else 0
    span = f"{low} to {rule.most}" if rule.most is not None else f"{low} or more"
    text = str(value)
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise SettingError(f"{rule.name} is a whole number, not {value}", rule.cites, span)
    number = int(text)
    if number < low or (rule.most is not None and number > rule.most):
        raise SettingError(f"{rule.name} cannot be {number}", rule.cites, f"choose {span}")
    return number


def price_floor(rules: Mapping[str, SettingRule], spot: str, listed: Any, value: Any) -> Any:
    """A price the house pays instead of the list: never below it."""
    rule = rules[PRICE]
    try:
        ratio = parse_ratio(str(value))
    except ValueError:
        raise SettingError(f"{value} is not odds", rule.cites, "write odds like 33-to-1") from None
    if ratio < listed:
        raise SettingError(
            f"{spot} may not be paid below the list",
            rule.cites,
            f"pay {format_ratio(listed)} or more",
        )
    return ratio


def in_force(stated: Stated, values: Mapping[str, Any]) -> bool:
    """Whether a fact holds under these settings; a KeyError names a setting that is not one."""
    return all(values[name] in allowed for name, allowed in stated.fact.when.items())
