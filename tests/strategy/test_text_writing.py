"""The text form written from its tree: it reads back, and writing it again changes nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boxman.rules.book import houses
from boxman.strategy.spots import SPOTS
from boxman.strategy.text import format_text, parse, read
from boxman.strategy.text.nodes import (
    Addition,
    Comment,
    Compare,
    Declaration,
    Flag,
    Joined,
    Not,
    Program,
    TextAct,
    TextNode,
    TextRead,
    Variable,
    When,
    Whole,
)
from boxman.strategy.text.words import PLAIN_READS, SPOT_READS, TWO_WORD_READS
from boxman.strategy.text.writing import write
from tests.strategy.test_text import same

SPOT = st.sampled_from(SPOTS)
VARIABLE = st.sampled_from(["level", "count_down"])
NUMBER = st.recursive(
    st.one_of(
        st.builds(lambda v: Whole(value=v), st.integers(0, 999)),
        st.builds(lambda n: Variable(name=n), VARIABLE),
        st.builds(lambda w: TextRead(what=w), st.sampled_from([*PLAIN_READS, *TWO_WORD_READS])),
        st.builds(lambda w, s: TextRead(what=w, spot=s), st.sampled_from(list(SPOT_READS)), SPOT),
    ),
    lambda inner: st.builds(
        lambda s, a, b: Addition(sign=s, left=a, right=b), st.sampled_from("+-*"), inner, inner
    ),
    max_leaves=4,
)
CONDITION = st.recursive(
    st.one_of(
        st.builds(
            lambda w: Flag(what=w),
            st.sampled_from(["come-out", "point on", "new shooter", "last roll is hard"]),
        ),
        st.builds(
            lambda w, s: Flag(what=w, spot=s),
            st.sampled_from(["won", "lost", "working", "have", "no", "house offers"]),
            SPOT,
        ),
        st.builds(
            lambda s, a, b: Compare(sign=s, left=a, right=(b,)),
            st.sampled_from(["is", "is not", "<", ">", "<=", ">="]),
            NUMBER,
            NUMBER,
        ),
        st.builds(
            lambda n: Compare(
                sign="is", left=TextRead(what="point"), right=tuple(Whole(value=v) for v in n)
            ),
            st.lists(st.integers(2, 12), min_size=2, max_size=3),
        ),
    ),
    lambda inner: st.one_of(
        st.builds(lambda c: Not(part=c), inner),
        st.builds(
            lambda w, p: Joined(word=w, parts=tuple(p)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
    ),
    max_leaves=4,
)
WORDS = st.sampled_from(["", "", "why not", "six: the best"])
ACT = st.one_of(
    st.builds(
        lambda v, a, s, c: TextAct(verb=v, amount=a, spots=tuple(s), comment=c),
        st.sampled_from(["bet", "bet about", "press", "regress"]),
        NUMBER,
        st.lists(SPOT, min_size=1, max_size=3),
        WORDS,
    ),
    st.builds(
        lambda v, s, c: TextAct(verb=v, spots=tuple(s), comment=c),
        st.sampled_from(["take down", "turn on", "turn off", "keep up"]),
        st.lists(SPOT, min_size=1, max_size=2),
        WORDS,
    ),
    st.builds(
        lambda v, n, a: TextAct(verb=v, name=n, amount=a),
        st.sampled_from(["set", "add", "subtract"]),
        VARIABLE,
        NUMBER,
    ),
    st.builds(lambda a: TextAct(verb="odds", amount=a), NUMBER),
    st.builds(lambda a: TextAct(verb="odds on", amount=a, spots=("pass", "come.6")), NUMBER),
    st.sampled_from(
        [
            TextAct(verb="odds max"),
            TextAct(verb="done"),
            TextAct(verb="use", name="molly(unit=5, odds=1)"),
        ]
    ),
)


def _whens(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    body = st.lists(inner, min_size=1, max_size=2).map(tuple)
    return st.builds(
        lambda c, t, o, w: When(condition=c, then=t, otherwise=o, comment=w),
        CONDITION,
        body,
        st.one_of(st.just(()), body),
        WORDS,
    )


STATEMENT = st.recursive(ACT, lambda inner: st.one_of(ACT, _whens(inner)), max_leaves=4)
PROGRAM = st.builds(
    lambda body, note: Program(
        parts=(
            *((Comment(text=note),) if note else ()),
            Declaration(name="level", value=-3),
            Declaration(name="count_down", value=4, comment="so many"),
            Comment(),
            *body,
        )
    ),
    st.lists(STATEMENT, min_size=1, max_size=4),
    WORDS,
)


def bare(node: Any) -> Any:
    """A tree without places."""
    if isinstance(node, tuple):
        return tuple(bare(each) for each in node)
    if not isinstance(node, (TextNode, Program)):
        return node
    changes = {name: bare(getattr(node, name)) for name in node.__struct_fields__ if name != "at"}
    return type(node)(**changes)


@settings(max_examples=300, deadline=None)
@given(PROGRAM)
def test_what_is_written_reads_back_to_the_same_tree(program: Program) -> None:
    text = write(program)
    again = parse(text)
    assert bare(again) == bare(program), text
    assert write(again) == text
    assert format_text(text) == text


def test_formatting_keeps_what_a_text_means() -> None:
    text = (
        "\n\nvariable  level=0 -- x\n\n\nwhen come-out : bet 10 pass,bet 5 field\nalways: odds 2x\n"
    )
    wanted = (
        "variable level = 0  -- x\n\nwhen come-out:\n    bet 10 pass\n    bet 5 field\nodds 2x\n"
    )
    assert format_text(text) == wanted
    same(read(text), read(wanted), houses()[0])
