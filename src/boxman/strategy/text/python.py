"""From the tree of a text to Python: a function of the turn, line by line.

Every generated line keeps the line and column of the text behind it, so that errors and the
debugger name the author's own lines.
"""

from __future__ import annotations

from boxman.strategy.spots import INDEX
from boxman.strategy.text.nodes import (
    Addition,
    AnyCondition,
    AnyNumber,
    Comment,
    Compare,
    Declaration,
    Flag,
    Joined,
    Not,
    Program,
    Statement,
    TextAct,
    TextRead,
    Variable,
    When,
    Whole,
)

Places = dict[int, tuple[int, int]]

_READS = {
    "point": "puck",
    "cash": "cash",
    "net": "net",
    "rolls": "rolls",
    "shooters": "shooters",
    "minimum": "minimum",
    "maximum": "maximum",
    "last roll": "last",
    "shooter rolls": "shooter_rolls",
    "total won": "won_total",
    "total lost": "lost_total",
}
_SPOT_READS = {
    "stake": "on",
    "won": "won",
    "lost": "lost",
    "count": "count",
    "least": "low",
    "most": "high",
    "unit": "unit",
}
_FLAGS = {
    "come-out": "t.coming_out",
    "point on": "t.puck != 0",
    "new shooter": "t.new_shooter",
    "last roll is hard": "t.last_hard",
    "won": "t.won({spot}) > 0",
    "lost": "t.lost({spot}) > 0",
    "working": "t.working({spot})",
    "have": "t.count({spot}) > 0",
    "no": "t.count({spot}) == 0",
    "house offers": "t.offers({spot})",
}
_SIGNS = {"is": "==", "is not": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_ACTS = {
    "bet": "t.bet({spot}, {amount})",
    "bet about": "t.bet({spot}, t.fit({spot}, {amount}))",
    "press": "t.press({spot}, {amount})",
    "regress": "t.regress({spot}, {amount})",
    "take down": "t.down({spot})",
    "turn on": "t.turn_on({spot})",
    "turn off": "t.turn_off({spot})",
    "keep up": "t.stay_up({spot})",
    "odds on": "t.odds_on({spot}, {amount})",
    "odds": "t.odds({amount})",
    "odds max": "t.odds_max()",
    "set": "t.{name} = {amount}",
    "add": "t.{name} += {amount}",
    "subtract": "t.{name} -= {amount}",
    "use": "{name}(t)",
    "done": "return",
}


def python_source(program: Program, used: dict[str, str]) -> tuple[str, Places]:
    """The source of a function `play(t)`, and the place in the text behind each of its lines.

    `used` gives the name by which the function calls each strategy the text uses.
    """
    lines = ["def play(t):"]
    places: Places = {}
    _write(program.parts, 1, lines, places, used)
    if len(lines) == 1:
        lines.append("    return")
    return "\n".join(lines) + "\n", places or {1: (1, 1)}


def _write(
    parts: tuple[Statement | Declaration, ...],
    depth: int,
    lines: list[str],
    places: Places,
    used: dict[str, str],
) -> None:
    margin = "    " * depth
    for part in parts:
        if isinstance(part, (Comment, Declaration)):
            continue
        place = part.line, part.column
        if isinstance(part, TextAct):
            for text in _act(part, used):
                lines.append(margin + text)
                places[len(lines)] = place
            continue
        word = "if"
        rule: When | None = part
        while rule is not None:
            lines.append(f"{margin}{word} {_condition(rule.condition)}:")
            places[len(lines)] = rule.line, rule.column
            _write(rule.then, depth + 1, lines, places, used)
            other = rule.otherwise
            rule, word = None, "elif"
            if len(other) == 1 and isinstance(other[0], When):
                rule = other[0]
            elif other:
                lines.append(f"{margin}else:")
                _write(other, depth + 1, lines, places, used)


def _act(act: TextAct, used: dict[str, str]) -> list[str]:
    pattern = _ACTS[act.verb]
    amount = _number(act.amount) if act.amount is not None else ""
    name = used[act.name] if act.verb == "use" else act.name
    if not act.spots:
        return [pattern.format(amount=amount, name=name)]
    return [pattern.format(spot=INDEX[spot], amount=amount) for spot in act.spots]


def _condition(node: AnyCondition) -> str:
    match node:
        case Flag():
            spot = INDEX[node.spot] if node.spot else ""
            return _FLAGS[node.what].format(spot=spot)
        case Compare():
            left, sign = _number(node.left), _SIGNS[node.sign]
            joined = " and " if node.sign == "is not" else " or "
            parts = [f"{left} {sign} {_number(right)}" for right in node.right]
            return parts[0] if len(parts) == 1 else f"({joined.join(parts)})"
        case Not():
            return f"not ({_condition(node.part)})"
        case Joined():
            return f" {node.word} ".join(f"({_condition(part)})" for part in node.parts)


def _number(node: AnyNumber) -> str:
    match node:
        case Whole():
            return str(node.value)
        case Variable():
            return f"t.{node.name}"
        case TextRead():
            if node.spot:
                return f"t.{_SPOT_READS[node.what]}({INDEX[node.spot]})"
            return f"t.{_READS[node.what]}"
        case Addition():
            sign = "//" if node.sign == "/" else node.sign
            return f"({_number(node.left)} {sign} {_number(node.right)})"
