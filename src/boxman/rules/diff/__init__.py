"""What differs between two houses, in words; `boxman diff`."""

from boxman.rules.diff.alike import grouped
from boxman.rules.diff.houses import differences
from boxman.rules.diff.row import HouseDifference
from boxman.rules.diff.spots import rules_of, verdict_words

__all__ = ["HouseDifference", "differences", "grouped", "rules_of", "verdict_words"]
