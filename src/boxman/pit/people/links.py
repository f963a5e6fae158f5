"""Links that let people in: one word for the whole house, and from it one for each table.

A table's token is made from the house's, so nothing has to be kept; it opens that table and no
other. What a browser keeps in a cookie is a hash of the token. This module knows no request.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

EVERYWHERE = "*"
"""What the house's own token opens."""
_TABLES = ("table", "console", "inspect")


def table_token(token: str, table: str) -> str:
    """The token of the link to one table of a shared house."""
    made = hmac.digest(token.encode(), b"boxman table\0" + table.encode(), "sha256")
    return base64.urlsafe_b64encode(made[:12]).decode()


def table_in(path: str) -> str:
    """The table that an address is about, if it is about one."""
    parts = path.strip("/").split("/")
    if parts[0] in _TABLES and len(parts) > 1:
        return parts[1]
    return parts[2] if parts[:2] in (["api", "tables"], ["ws", "tables"]) and parts[2:] else ""


def opened_by(token: str, given: str, path: str) -> str:
    """What a token in an address opens: everything, the address's own table, or nothing."""
    if _same(given, token):
        return EVERYWHERE
    table = table_in(path)
    return table if table and _same(given, table_token(token, table)) else ""


def to_keep(token: str, opens: str) -> str:
    """What a browser keeps that was let in."""
    if opens == EVERYWHERE:
        return _hash(token)
    return f"{opens}.{_hash(table_token(token, opens))}"


def opened_by_kept(token: str, kept: str) -> str:
    """What somebody may open by what his browser kept."""
    opens = kept.rpartition(".")[0] or EVERYWHERE
    return opens if _same(kept, to_keep(token, opens)) else ""


def _hash(token: str) -> str:
    return hashlib.sha256(b"boxman share\0" + token.encode()).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
