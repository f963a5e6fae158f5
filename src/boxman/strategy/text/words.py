"""The words of the text form: wagers, variables and numbers, read from one line of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from boxman.rules.ids import nearest
from boxman.strategy.spots import INDEX
from boxman.strategy.text.nodes import Addition, AnyNumber, TextRead, Variable, Whole
from boxman.strategy.text.tokens import TextError, Token
from boxman.words import phrase

PLAIN_READS = ("point", "cash", "net", "rolls", "shooters", "minimum", "maximum")
TWO_WORD_READS = ("last roll", "shooter rolls", "total won", "total lost")
SPOT_READS = {
    "stake": "on",
    "won": "on",
    "lost": "on",
    "count": "of",
    "least": "on",
    "most": "on",
    "unit": "on",
}
SPOT_FLAGS = ("won", "lost", "working")
VERBS = (
    *("bet", "press", "regress", "take", "odds", "turn", "keep"),
    *("set", "add", "subtract", "use", "done"),
)
LINE_WORDS = ("when", "otherwise", "variable", *VERBS)
COMPARING = {"under": "<", "over": ">", "=": "is", "!=": "is not", "<": "<", ">": ">"}
COMPARING |= {"<=": "<=", ">=": ">="}
RESERVED = {
    *LINE_WORDS,
    *PLAIN_READS,
    *SPOT_READS,
    *("last", "roll", "shooter", "total", "new", "have", "no", "house", "offers", "working"),
    *("and", "or", "not", "is", "at", "under", "over", "hard", "down", "about", "max", "x"),
    *("on", "off", "up", "by", "to", "from", "of", "won", "lost", "come-out", "always"),
}
MOST = 10**12


class WordReader:
    """A line being read; `at` is its next token."""

    def __init__(self) -> None:
        self.tokens: tuple[Token, ...] = ()
        self.at = 0
        self.text = ""
        self.variables: dict[str, int] = {}

    # -- numbers -------------------------------------------------------------------------------

    def _number(self) -> AnyNumber:
        start = self._ahead()
        left = self._product()
        while self._peek("+") or self._peek("-"):
            sign = self._token().text
            left = Addition(sign=sign, left=left, right=self._product(), at=start.at)
        return left

    def _product(self) -> AnyNumber:
        start = self._ahead()
        left = self._factor()
        while self._peek("*") or self._peek("/"):
            sign = self._token()
            right = self._factor()
            if sign.text == "/" and isinstance(right, Whole) and right.value == 0:
                self._fail(phrase("strategy.text.nothing-is-divided-by-0"), "", sign)
            left = Addition(sign=sign.text, left=left, right=right, at=start.at)
        return left

    def _factor(self) -> AnyNumber:
        token = self._token()
        where = token.at
        if token.kind == "number":
            return Whole(value=self._value(token), at=where)
        if token.text == "-":
            inner = self._factor()
            return Addition(sign="-", left=Whole(value=0, at=where), right=inner, at=where)
        if token.text == "(":
            number = self._number()
            self._sign(")", phrase("strategy.text.close-the-bracket"))
            return number
        if token.kind != "word":
            self._fail(
                phrase(
                    "strategy.text.a-number-is-missing-before",
                    value=token.text or phrase("strategy.text.the-end-of-the-line"),
                ),
                "",
                token,
            )
        if token.text in PLAIN_READS:
            return TextRead(what=token.text, at=where)
        pairs = [words for words in TWO_WORD_READS if words.split()[0] == token.text]
        for words in pairs:
            if self._accept(words.split()[1]):
                return TextRead(what=words, at=where)
        if pairs:
            self._fail(
                phrase("strategy.text.alone-says-nothing", text=token.text),
                phrase("strategy.text.write-one-of", pairs=pairs),
                token,
            )
        if token.text in SPOT_READS:
            self._word(SPOT_READS[token.text])
            return TextRead(what=token.text, spot=self._spot(), at=where)
        if token.text in self.variables:
            return Variable(name=token.text, at=where)
        known = [*self.variables, *PLAIN_READS, *SPOT_READS, *TWO_WORD_READS]
        hint = nearest(token.text, known) or declare(token.text)
        if token.text in INDEX:
            hint = phrase("strategy.text.write-stake-on", text=token.text)
        self._fail(phrase("strategy.text.is-not-a-number", text=token.text), hint, token)

    # -- words ---------------------------------------------------------------------------------

    def _spots(self) -> tuple[str, ...]:
        found = [self._spot()]
        while self._accept("and"):
            found.append(self._spot())
        return tuple(found)

    def _spot(self) -> str:
        token = self._token()
        if token.text in INDEX:
            return token.text
        if token.kind == "end":
            self._fail(
                phrase("strategy.text.the-wager-is-missing"),
                phrase("strategy.text.write-one-like-pass-or"),
                token,
            )
        if token.kind == "word" and any(spot.startswith(f"{token.text}.") for spot in INDEX):
            same = [spot for spot in INDEX if spot.startswith(f"{token.text}.")]
            self._fail(
                phrase("strategy.text.needs-its-number", text=token.text), one_of(same), token
            )
        self._fail(
            phrase("strategy.text.no-wager-is-called", text=token.text),
            nearest(token.text, INDEX),
            token,
        )

    def _variable(self) -> str:
        token = self._token()
        if token.text in self.variables:
            return token.text
        hint = nearest(token.text, self.variables) or phrase("strategy.text.declare-it-at-the-top")
        self._fail(
            phrase("strategy.text.there-is-no-variable", text=token.text).rstrip(), hint, token
        )

    def _whole(self, message: str) -> int:
        token = self._token()
        if token.kind != "number":
            self._fail(message, "", token)
        return self._value(token)

    def _value(self, token: Token) -> int:
        """A whole number, which is not longer than anybody can read."""
        digits = token.text.lstrip("0") or "0"
        if len(digits) > len(str(MOST)) or int(digits) > MOST:
            said = token.text if len(token.text) <= 20 else f"{token.text[:20]}..."
            self._fail(
                phrase("strategy.text.is-too-large", said=said),
                phrase("strategy.text.at-most", most=MOST),
                token,
            )
        return int(digits)

    def _ahead(self) -> Token:
        return self.tokens[self.at]

    def _token(self) -> Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def _peek(self, text: str) -> bool:
        return self.tokens[self.at].text == text

    def _accept(self, text: str) -> bool:
        if self._peek(text):
            self.at += 1
            return True
        return False

    def _word(self, text: str) -> Token:
        token = self._token()
        if token.text != text:
            said = token.text or phrase("strategy.text.the-end-of-the-line")
            self._fail(
                phrase("strategy.text.the-word-belongs-here", text=text, said=said), "", token
            )
        return token

    def _sign(self, text: str, remedy: str) -> None:
        token = self._token()
        if token.text != text:
            said = token.text or phrase("strategy.text.the-end-of-the-line")
            self._fail(
                phrase("strategy.text.belongs-here-not", text=text, said=said), remedy, token
            )

    def _end(self) -> None:
        token = self._ahead()
        if token.kind != "end":
            self._fail(
                phrase("strategy.text.is-more-than-the-line", text=token.text),
                phrase("strategy.text.begin-a-new-line"),
                token,
            )

    def _fail(self, message: str, remedy: str = "", token: Token | None = None) -> NoReturn:
        where = token or self._ahead()
        raise TextError(where.line, where.column, message, remedy)


def is_read(word: str) -> bool:
    """Whether a number may begin with this word."""
    firsts = {words.split()[0] for words in TWO_WORD_READS}
    return word in PLAIN_READS or word in SPOT_READS or word in firsts


def declare(word: str) -> str:
    """What to do about a word that might be a variable."""
    if word in RESERVED or "-" in word or "." in word:
        return ""
    return phrase("strategy.text.declare-it-at-the-top-2", word=word)


def one_of(words: Iterable[str]) -> str:
    return phrase("strategy.text.one-of", words=", ".join(words))
