"""From lines to a tree: the grammar of the text form, with what to say when it is not met."""

from __future__ import annotations

import re
from collections.abc import Iterable
from keyword import iskeyword
from typing import TypeVar

from boxman.rules.ids import nearest
from boxman.strategy.spots import INDEX
from boxman.strategy.text.nodes import (
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
    When,
)
from boxman.strategy.text.tokens import TextError, TextLine, cut
from boxman.strategy.text.words import (
    COMPARING,
    LINE_WORDS,
    PLAIN_READS,
    RESERVED,
    SPOT_FLAGS,
    SPOT_READS,
    TWO_WORD_READS,
    VERBS,
    WordReader,
    declare,
    is_read,
    one_of,
)
from boxman.words import phrase

FLATS = {spot.replace(".odds", "") for spot in INDEX if ".odds" in spot}
DEEPEST = 12

_Part = TypeVar("_Part", Statement, Statement | Declaration)


def parse(text: str) -> Program:
    """Read a text. Anything wrong raises TextError with line and column."""
    try:
        return _Reader(cut(text)).program()
    except RecursionError:
        raise TextError(
            1,
            1,
            phrase("strategy.text.the-text-is-nested-too"),
            phrase("strategy.text.say-it-more-simply"),
        ) from None


class _Reader(WordReader):
    """Lines being read, one in hand."""

    def __init__(self, lines: list[TextLine]) -> None:
        super().__init__()
        self.lines = lines
        self.next = 0
        self.depth = 0

    # -- lines ---------------------------------------------------------------------------------

    def program(self) -> Program:
        parts: list[Statement | Declaration] = []
        while self.next < len(self.lines):
            line = self._take_line()
            if len(line.tokens) == 1:
                parts.append(Comment(at=(line.number, 1), text=line.comment))
                continue
            if line.indent:
                self._fail(
                    phrase("strategy.text.this-line-is-indented-but"),
                    phrase("strategy.text.begin-at-the-margin"),
                )
            if self._peek("variable"):
                if any(isinstance(part, (TextAct, When)) for part in parts):
                    self._fail(
                        phrase("strategy.text.variables-are-declared-before-the"),
                        phrase("strategy.text.move-it-up"),
                    )
                parts.append(self._declared(line))
            else:
                parts.append(self._statement(line))
        return Program(parts=tuple(_tidy(parts)))

    def _take_line(self) -> TextLine:
        line = self.lines[self.next]
        self.next += 1
        self.tokens, self.at, self.text = line.tokens, 0, line.text
        return line

    def _block(self, indent: int) -> tuple[Statement, ...]:
        """The lines that stand deeper than this indent."""
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(
                phrase("strategy.text.more-than-rules-inside-each", deepest=DEEPEST),
                phrase("strategy.text.say-it-more-simply"),
            )
        parts: list[Statement] = []
        depth = 0
        while self.next < len(self.lines):
            line = self.lines[self.next]
            if len(line.tokens) == 1:
                if not self._goes_on(indent):
                    break
                self.next += 1
                parts.append(Comment(at=(line.number, 1), text=line.comment))
                continue
            if line.indent <= indent:
                break
            depth = depth or line.indent
            if line.indent != depth:
                self._take_line()
                self._fail(
                    phrase(
                        "strategy.text.this-line-is-indented-by", indent=line.indent, depth=depth
                    ),
                    phrase("strategy.text.put-them-under-each-other"),
                )
            self._take_line()
            if self._peek("variable"):
                self._fail(
                    phrase("strategy.text.variables-are-declared-at-the"),
                    phrase("strategy.text.move-it-up"),
                )
            parts.append(self._statement(line))
        self.depth -= 1
        return tuple(_tidy(parts))

    def _goes_on(self, indent: int) -> bool:
        """Whether a deeper line follows the empty lines and comments here."""
        for line in self.lines[self.next :]:
            if len(line.tokens) > 1:
                return line.indent > indent
        return False

    def _declared(self, line: TextLine) -> Declaration:
        first = self._word("variable")
        name = self._token()
        if name.kind != "word" or name.text[0] == "_" or set(name.text) & {".", "-"}:
            self._fail(
                phrase("strategy.text.a-variable-needs-a-name"),
                phrase("strategy.text.write-variable-level-0"),
                name,
            )
        if name.text in RESERVED or name.text in INDEX or iskeyword(name.text):
            self._fail(
                phrase("strategy.text.means-something-already-2", text=name.text),
                phrase("strategy.text.choose-another-name"),
                name,
            )
        if name.text in self.variables:
            self._fail(phrase("strategy.text.is-declared-twice", text=name.text), "", name)
        self._sign("=", phrase("strategy.text.write-variable-0", text=name.text))
        minus = self._accept("-")
        value = self._whole(phrase("strategy.text.the-first-value-of-a"))
        self._end()
        self.variables[name.text] = -value if minus else value
        return Declaration(
            name=name.text,
            value=self.variables[name.text],
            comment=line.comment,
            at=first.at,
        )

    # -- statements ----------------------------------------------------------------------------

    def _statement(self, line: TextLine) -> Statement:
        first = self._ahead()
        if self._peek("when"):
            return self._when(line)
        if self._peek("otherwise"):
            self._fail(
                phrase("strategy.text.otherwise-has-no-when-above"),
                phrase("strategy.text.put-it-right-under-a"),
            )
        if self._accept("always"):
            self._sign(":", phrase("strategy.text.write-always-odds-2x"))
        act = self._act()
        if self._peek(","):
            self._fail(
                phrase("strategy.text.one-act-a-line-here"),
                phrase("strategy.text.begin-a-new-line"),
                self._ahead(),
            )
        self._end()
        found = first.at
        return _with_comment(act, line.comment, found)

    def _when(self, line: TextLine) -> When:
        first = self._word("when")
        condition = self._condition()
        self._sign(":", phrase("strategy.text.write-when-come-out-bet"))
        then, inner = self._body(line)
        comment = "" if inner else line.comment
        otherwise: tuple[Statement, ...] = ()
        other_comment = ""
        if self._next_is_otherwise(line.indent):
            other = self._take_line()
            self._word("otherwise")
            if self._peek("when"):
                otherwise = (self._when(other),)
            else:
                self._sign(":", phrase("strategy.text.write-otherwise-bet-10-come"))
                otherwise, inner = self._body(other)
                other_comment = "" if inner else other.comment
        return When(
            condition=condition,
            then=then,
            otherwise=otherwise,
            comment=comment,
            other_comment=other_comment,
            at=first.at,
        )

    def _next_is_otherwise(self, indent: int) -> bool:
        if self.next >= len(self.lines):
            return False
        line = self.lines[self.next]
        return line.indent == indent and line.tokens[0].text == "otherwise"

    def _body(self, line: TextLine) -> tuple[tuple[Statement, ...], bool]:
        """Acts behind the colon, or the lines under it; and whether they took the comment."""
        if self._ahead().kind == "end":
            end = self._ahead()
            block = self._block(line.indent)
            if not any(not isinstance(part, Comment) for part in block):
                raise TextError(
                    end.line,
                    end.column,
                    phrase("strategy.text.nothing-to-do-here"),
                    phrase("strategy.text.write-an-act-behind-the"),
                )
            return block, False
        if self._peek("when"):
            self._fail(
                phrase("strategy.text.a-when-stands-on-its"),
                phrase("strategy.text.put-it-on-the-next"),
            )
        acts = [self._act()]
        while self._accept(","):
            acts.append(self._act())
        self._end()
        if len(acts) == 1:
            only = acts[0]
            acts = [_with_comment(only, line.comment, only.at)]
            return tuple(acts), True
        return tuple(acts), False

    def _act(self) -> TextAct:
        verb = self._token()
        where = verb.at
        if verb.kind != "word" or verb.text not in VERBS:
            hint = nearest(verb.text, LINE_WORDS) if verb.kind == "word" else ""
            said = verb.text or "nothing"
            self._fail(
                phrase("strategy.text.is-not-something-to-do", said=said),
                hint or one_of(VERBS),
                verb,
            )
        match verb.text:
            case "bet":
                name = "bet about" if self._accept("about") else "bet"
                amount = self._number()
                return TextAct(verb=name, amount=amount, spots=self._spots(), at=where)
            case "press":
                spots = self._spots()
                self._word("by")
                return TextAct(verb="press", spots=spots, amount=self._number(), at=where)
            case "regress":
                spots = self._spots()
                self._word("to")
                return TextAct(verb="regress", spots=spots, amount=self._number(), at=where)
            case "take":
                self._word("down")
                return TextAct(verb="take down", spots=self._spots(), at=where)
            case "turn":
                way = self._token()
                if way.text not in ("on", "off"):
                    self._fail(
                        phrase("strategy.text.a-wager-is-turned-on"),
                        phrase("strategy.text.write-turn-on-place-6"),
                        way,
                    )
                return TextAct(verb=f"turn {way.text}", spots=self._spots(), at=where)
            case "keep":
                self._word("up")
                return TextAct(verb="keep up", spots=self._spots(), at=where)
            case "odds":
                return self._odds(where)
            case "set":
                name = self._variable()
                self._word("to")
                return TextAct(verb="set", name=name, amount=self._number(), at=where)
            case "add" | "subtract":
                amount = self._number()
                self._word("to" if verb.text == "add" else "from")
                return TextAct(verb=verb.text, amount=amount, name=self._variable(), at=where)
            case "use":
                return TextAct(verb="use", name=self._used(), at=where)
        return TextAct(verb="done", at=where)

    def _odds(self, where: tuple[int, int]) -> TextAct:
        if self._accept("max"):
            return TextAct(verb="odds max", at=where)
        amount = self._number()
        if not self._accept("x"):
            self._fail(
                phrase("strategy.text.odds-are-so-many-times"),
                phrase("strategy.text.write-odds-2x-or-odds"),
            )
        if not self._accept("on"):
            return TextAct(verb="odds", amount=amount, at=where)
        token = self._ahead()
        spots = self._spots()
        for spot in spots:
            if spot not in FLATS:
                like = phrase("strategy.text.odds-stand-behind-pass-dont")
                self._fail(phrase("strategy.text.there-are-no-odds-behind", spot=spot), like, token)
        return TextAct(verb="odds on", amount=amount, spots=spots, at=where)

    def _used(self) -> str:
        """The name of another strategy, with its parameters, as written."""
        start = self._ahead()
        match = re.match(r"[A-Za-z][\w-]*(\s*\([^()]*\))?", self.text[start.column - 1 :])
        if match is None:
            self._fail(
                phrase("strategy.text.use-needs-the-name-of"),
                phrase("strategy.text.write-use-molly-unit-25"),
                start,
            )
        end = start.column - 1 + match.end()
        while self._ahead().kind != "end" and self._ahead().column <= end:
            self._token()
        return re.sub(r"\s+", "", match.group()).replace(",", ", ")

    # -- conditions ----------------------------------------------------------------------------

    def _condition(self) -> AnyCondition:
        return self._joined("or")

    def _joined(self, word: str) -> AnyCondition:
        start = self._ahead()
        parts = [self._joined("and") if word == "or" else self._negated()]
        while self._accept(word):
            parts.append(self._joined("and") if word == "or" else self._negated())
        if len(parts) == 1:
            return parts[0]
        return Joined(word=word, parts=tuple(parts), at=start.at)

    def _negated(self) -> AnyCondition:
        start = self._ahead()
        if self._accept("not"):
            return Not(part=self._negated(), at=start.at)
        if self._peek("("):
            saved = self.at
            try:
                self._token()
                inner = self._condition()
                self._sign(")", phrase("strategy.text.close-the-bracket"))
                ahead = self._ahead().text
                if ahead not in (*COMPARING, "+", "-", "*", "/", "is", "at"):
                    return inner
                self.at = saved
            except TextError as error:
                self.at = saved
                return self._compare_or(error)
        return self._atom()

    def _compare_or(self, error: TextError) -> AnyCondition:
        """A bracket that is a number after all; else the first complaint, if it came further."""
        try:
            return self._atom()
        except TextError as other:
            raise (other if other.column > error.column else error) from None

    def _atom(self) -> AnyCondition:
        start = self._ahead()
        where = start.at
        if self._accept("come-out"):
            return Flag(what="come-out", at=where)
        if self._accept("new"):
            self._word("shooter")
            return Flag(what="new shooter", at=where)
        if self._accept("have") or self._peek("no"):
            what = "no" if self._accept("no") else "have"
            return Flag(what=what, spot=self._spot(), at=where)
        if self._accept("house"):
            self._word("offers")
            return Flag(what="house offers", spot=self._spot(), at=where)
        if start.text == "point" and self.tokens[self.at + 1].text == "on":
            self.at += 2
            return Flag(what="point on", at=where)
        if start.kind == "word" and start.text in INDEX:
            self._token()
            state = self._token()
            if state.text not in SPOT_FLAGS:
                self._fail(
                    phrase("strategy.text.what-about", text=start.text),
                    phrase("strategy.text.write-won-lost-or-have", text=start.text),
                    state,
                )
            return Flag(what=state.text, spot=start.text, at=where)
        if start.kind == "word" and start.text not in self.variables and not is_read(start.text):
            self._fail(
                phrase("strategy.text.is-not-a-condition", text=start.text),
                self._condition_hint(),
                start,
            )
        left = self._number()
        return self._comparison(left, where)

    def _condition_hint(self) -> str:
        """What somebody probably meant by the word ahead."""
        word = self._ahead().text
        if self.tokens[self.at + 1].text in SPOT_FLAGS:
            return nearest(word, INDEX)
        known = ["come-out", "point", "new shooter", "have", "no", "house offers"]
        known += [*self.variables, *PLAIN_READS, *SPOT_READS, *TWO_WORD_READS]
        return nearest(word, known) or declare(word)

    def _comparison(self, left: AnyNumber, where: tuple[int, int]) -> AnyCondition:
        sign = self._token()
        if sign.text == "at":
            bound = self._token()
            if bound.text not in ("least", "most"):
                self._fail(phrase("strategy.text.at-least-or-at-most"), "", bound)
            compared = ">=" if bound.text == "least" else "<="
        elif sign.text == "is":
            compared = "is not" if self._accept("not") else "is"
            if self._peek("hard") and isinstance(left, TextRead) and left.what == "last roll":
                self._token()
                hard = Flag(what="last roll is hard", at=where)
                return Not(part=hard, at=where) if compared == "is not" else hard
        elif sign.text in COMPARING:
            compared = COMPARING[sign.text]
        else:
            self._fail(
                phrase("strategy.text.this-number-is-compared-with"),
                phrase("strategy.text.write-is-is-not-at"),
                sign,
            )
        right = [self._number()]
        while (
            compared in ("is", "is not")
            and (self._peek("or") or self._peek(","))
            and self.tokens[self.at + 1].kind == "number"
            and not self._compared_after(self.at + 2)
        ):
            self._token()
            right.append(self._number())
        return Compare(sign=compared, left=left, right=tuple(right), at=where)

    def _compared_after(self, at: int) -> bool:
        """Whether the number before this token begins a comparison of its own."""
        text = self.tokens[at].text
        return text in COMPARING or text in ("is", "at", "+", "-", "*", "/")


def _with_comment(act: TextAct, comment: str, at: tuple[int, int]) -> TextAct:
    return TextAct(
        verb=act.verb, spots=act.spots, amount=act.amount, name=act.name, comment=comment, at=at
    )


def _tidy(parts: Iterable[_Part]) -> list[_Part]:
    """No empty line at either end, never two together."""
    found: list[_Part] = []
    for part in parts:
        empty = isinstance(part, Comment) and not part.text
        if empty and (not found or (isinstance(found[-1], Comment) and not found[-1].text)):
            continue
        found.append(part)
    while found and isinstance(found[-1], Comment) and not found[-1].text:
        found.pop()
    return found
