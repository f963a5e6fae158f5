"""From the tree back to text, always in the same form: reading what is written changes nothing."""

from __future__ import annotations

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
from boxman.strategy.text.tokens import COMMENT
from boxman.strategy.text.words import SPOT_READS

STEP = "    "
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}


def write(program: Program) -> str:
    """The text of a program."""
    lines: list[str] = []
    for part in program.parts:
        if isinstance(part, Declaration):
            value = f"variable {part.name} = {part.value}"
            lines.append(_commented(value, part.comment))
        else:
            _statement(part, "", lines)
    return "\n".join(lines) + "\n" if lines else ""


def _commented(text: str, comment: str) -> str:
    return f"{text}  {COMMENT} {comment}" if comment else text


def _statement(part: Statement, margin: str, lines: list[str]) -> None:
    match part:
        case Comment():
            lines.append(f"{margin}{COMMENT} {part.text}" if part.text else "")
        case TextAct():
            lines.append(_commented(margin + write_act(part), part.comment))
        case When():
            _when(part, "", margin, lines)


def _when(part: When, before: str, margin: str, lines: list[str]) -> None:
    head = f"{margin}{before}when {write_condition(part.condition)}:"
    _body(head, part.then, part.comment, margin, lines)
    if not part.otherwise:
        return
    only = part.otherwise[0]
    if len(part.otherwise) == 1 and isinstance(only, When) and not part.other_comment:
        _when(only, "otherwise ", margin, lines)
    else:
        _body(f"{margin}otherwise:", part.otherwise, part.other_comment, margin, lines)


def _body(
    head: str, body: tuple[Statement, ...], comment: str, margin: str, lines: list[str]
) -> None:
    only = body[0]
    if len(body) == 1 and isinstance(only, TextAct) and not comment:
        lines.append(_commented(f"{head} {write_act(only)}", only.comment))
        return
    lines.append(_commented(head, comment))
    for part in body:
        _statement(part, margin + STEP, lines)


def write_act(act: TextAct) -> str:
    """One act."""
    spots = " and ".join(act.spots)
    amount = write_number(act.amount) if act.amount is not None else ""
    match act.verb:
        case "bet" | "bet about":
            return f"{act.verb} {amount} {spots}"
        case "press":
            return f"press {spots} by {amount}"
        case "regress":
            return f"regress {spots} to {amount}"
        case "odds" | "odds on":
            times = f"{amount}x" if isinstance(act.amount, Whole) else f"{amount} x"
            return f"odds {times} on {spots}" if spots else f"odds {times}"
        case "set":
            return f"set {act.name} to {amount}"
        case "add":
            return f"add {amount} to {act.name}"
        case "subtract":
            return f"subtract {amount} from {act.name}"
        case "use":
            return f"use {act.name}"
    return f"{act.verb} {spots}".rstrip()


def write_condition(node: AnyCondition) -> str:
    """One condition."""
    match node:
        case Flag():
            if node.what in ("won", "lost", "working"):
                return f"{node.spot} {node.what}"
            return f"{node.what} {node.spot}".rstrip()
        case Compare():
            right = " or ".join(write_number(each) for each in node.right)
            return f"{write_number(node.left)} {node.sign} {right}"
        case Not():
            inner = write_condition(node.part)
            return f"not ({inner})" if isinstance(node.part, Joined) else f"not {inner}"
        case Joined():
            return f" {node.word} ".join(_part(node.word, part) for part in node.parts)


def _part(word: str, part: AnyCondition) -> str:
    text = write_condition(part)
    loose = isinstance(part, Joined) and (word == "and" or part.word == word)
    return f"({text})" if loose else text


def write_number(node: AnyNumber) -> str:
    """One number."""
    match node:
        case Whole():
            return str(node.value)
        case Variable():
            return node.name
        case TextRead():
            return f"{node.what} {SPOT_READS[node.what]} {node.spot}" if node.spot else node.what
        case Addition():
            if node.sign == "-" and node.left == Whole(value=0, at=node.at):
                return f"-{_operand(node.right, 3)}"
            bind = _BINDS[node.sign]
            return f"{_operand(node.left, bind)} {node.sign} {_operand(node.right, bind + 1)}"


def _operand(node: AnyNumber, least: int) -> str:
    text = write_number(node)
    return f"({text})" if isinstance(node, Addition) and _BINDS[node.sign] < least else text
