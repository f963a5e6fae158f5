"""The house from outside, as somebody who means it harm: nothing of `boxman` is imported here."""
