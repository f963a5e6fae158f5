"""Pages in another language: what they say themselves comes from the phrase book."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.felt.conftest import Visitor
from tests.pseudo import PSEUDO, pseudo_language

Visit = Callable[..., Visitor]
OWN = "h1, .lead, nav a, .field-label, form button, summary, caption"
"""What a page says itself, whatever house or table it shows."""
HOUSES = """each => !each.closest('.clause, .difference, .contents')
  && !each.closest('label:has([data-parameter], [name^="set."])')
  && !/^[\\s\\d]*$/.test(each.textContent) && !each.textContent.includes('⟦')"""


@pytest.fixture(autouse=True)
def pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("/", "form.new-table button.main"),
        ("/odds", "#main[data-ready]"),
        ("/strategy", "form.question"),
        ("/rulebook", ".grid article"),
        ("/sign-in", "form.account"),
        ("/me", "h1"),
        ("/nothing-here", "h1"),
    ],
)
def test_what_a_page_says_comes_from_the_book(visit: Visit, address: str, ready: str) -> None:
    visitor = visit()
    visitor.expected = "404"
    page = visitor.page
    page.goto(f"{address}?language={PSEUDO}")
    page.locator(ready).first.wait_for(timeout=60_000)
    left = page.locator(OWN).evaluate_all(
        f"all => all.filter({HOUSES}).map(each => each.textContent)"
    )
    assert [text for text in left if "Boxman" not in text] == []
