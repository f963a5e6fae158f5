"""A process that writes rows and says so, to be killed: `python -m tests.journal.writing WHERE`.

It says a row's number and hash on a line of its own after `append` has returned, never before.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from boxman.journal.open import open_journal
from boxman.journal.row import head_of
from tests.journal.evening import plain_row


def main(where: str, tables: list[str]) -> None:
    journal = open_journal(where)
    saying = Lock()

    def write(table: str) -> None:
        while not journal.claim(table):
            pass
        head = journal.head(table)
        while True:
            rows = []
            for _ in range(3):
                rows.append(plain_row(head, table))
                head = head_of(rows[-1])
            journal.append(rows)
            with saying:
                for row in rows:
                    sys.stdout.write(f"{table} {row.number} {row.hash}\n")
                sys.stdout.flush()

    with ThreadPoolExecutor(len(tables)) as pool:
        for done in [pool.submit(write, table) for table in tables]:
            done.result()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
