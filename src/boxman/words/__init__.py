"""The phrase book: every sentence Boxman says, by key, one folder a language."""

from __future__ import annotations

from boxman.words.say import ENGLISH, Value, Values, languages, phrase, say, speaking, spoken, under

__all__ = [
    "ENGLISH",
    "Value",
    "Values",
    "languages",
    "phrase",
    "say",
    "speaking",
    "spoken",
    "under",
]
