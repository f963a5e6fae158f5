"""What a house may choose, within the bounds its clauses give."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from boxman.chips import parse_ratio
from boxman.rules.book import Book, Stated
from boxman.rules.facts import Setting
from boxman.rules.layout import SettingRule
from boxman.rules.ledger import Cites, Ledger

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
            ledger.enter(("setting", fact.name), _as_tuple(fact), stated)
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


def _as_tuple(fact: Setting) -> tuple[Any, ...]:
    return (fact.type, fact.default, fact.least, fact.most, tuple(fact.choices))


def choose(rules: Mapping[str, SettingRule], given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every setting: what was given, checked, or the default."""
    values = {name: rule.default for name, rule in rules.items() if rule.type != PRICE}
    for name, value in given.items():
        if name.startswith(f"{PRICE}.") and PRICE in rules:
            values[name] = value
            continue
        if name not in values:
            near = difflib.get_close_matches(name, values, 1)
            hint = f"did you mean {near[0]}? " if near else ""
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
        if value not in rule.choices:
            raise SettingError(
                f"{rule.name} cannot be {value}",
                rule.cites,
                f"choose one of: {', '.join(map(str, rule.choices))}",
            )
        return value
    low = rule.least if rule.least is not None else 0
    span = f"{low} to {rule.most}" if rule.most is not None else f"{low} or more"
    text = str(value)
    if not text.isdigit() or len(text) > 9:
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
    except ValueError as error:
        raise SettingError(str(error), rule.cites, "write odds like 33 to 1") from None
    if ratio < listed:
        raise SettingError(
            f"{spot} may not be paid below the list", rule.cites, f"pay {listed} to 1 or more"
        )
    return ratio


def in_force(stated: Stated, values: Mapping[str, Any]) -> bool:
    """Whether a fact holds under these settings; a KeyError names a setting that is not one."""
    return all(values[name] in allowed for name, allowed in stated.fact.when.items())
