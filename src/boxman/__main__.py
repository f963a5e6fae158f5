"""`python -m boxman`, and the command `boxman`.

It sets up what a command may rely on before anything large is imported: streams that are there,
and a Ctrl-C that ends the process without a word while there is nothing to put in order.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself takes a while to import
import os
import sys

if __name__ == "__main__" and _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def main() -> None:
    """Run the command line."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    _streams()
    from boxman.cli import main as run

    run()


def _streams() -> None:
    """Take the place of streams that were closed: a file opened next would be taken for them."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (for as long as the process lives)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


if __name__ == "__main__":
    main()
