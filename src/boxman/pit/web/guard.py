"""What stands before every request: its size, where it comes from, how often, and strict headers.

A plain ASGI layer that knows addresses and headers, and nothing of tables.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import parse_qs, quote

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxman.pit.people.bucket import Buckets
from boxman.pit.people.links import EVERYWHERE, opened_by, opened_by_kept, table_in, to_keep
from boxman.pit.people.quotas import address_of
from boxman.pit.web.costs import (
    AT_HAND,
    COST,
    FREE,
    READING,
    SET_UP,
    SIGN_IN,
    WORKING,
    Cost,
    Costs,
)
from boxman.pit.web.metrics import METRICS
from boxman.words import languages, phrase, speaking, spoken

BODY = 64 * 1024
"""The largest body of a request, in bytes."""
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS = ("/healthz", "/readyz")
SHARE = "boxman_share"
SESSION = "boxman_session"
LANGUAGE = "boxman_language"
CLASS = 30
"""People who may sit behind one address: it may do so many times what one of them may."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
ALONE = (b"cross-origin-opener-policy", b"same-origin")
"""Browsers heed it, and complain about it, depending on whether they trust where a page is from."""
CSP = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
"""For answers that are no pages; pages bring their own."""


class Guard:
    """Wraps the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        origins: Iterable[str] = (),
        token: str = "",
        rate: float = 20.0,
        sign_ins: float = 0.2,
        secure: bool = False,
        hosts: Iterable[str] = (),
        costs: Costs | None = None,
    ) -> None:
        self.app, self.costs = app, costs or Costs()
        self.origins = frozenset(origins)
        self.token = token
        self.secure, self.hosts = secure, frozenset(hosts)
        self.any, self.any_all = Buckets(rate, 4 * rate), Buckets(CLASS * rate, 4 * CLASS * rate)
        self.coming_in = Buckets(CLASS * rate / 4, CLASS * rate)
        self.dear = Buckets(rate / 10, max(rate / 2, 1.0))
        self.dear_all = Buckets(CLASS * rate / 40, max(CLASS * rate / 8, 1.0))
        self.reads, self.reads_all = Buckets(rate / 2, 3 * rate), Buckets(3 * rate, 15 * rate)
        self.working, self.reading = asyncio.Semaphore(1), asyncio.Semaphore(2)
        self.set_ups = Buckets(sign_ins, 10.0)
        self.sign_ins = Buckets(sign_ins, max(2.0 * CLASS, 4 * sign_ins))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = {**scope, "headers": _plain(scope["headers"])}
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        wished = _asked(scope, "language")
        wished = wished if wished in languages() else ""
        kept = wished or cookie(headers, LANGUAGE)
        with speaking(kept if kept in languages() else spoken()):
            await self._let_in(scope, receive, _keeping(send, wished), headers)

    async def _let_in(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]
    ) -> None:
        cost = self.costs.of(scope.get("method", ""), scope["path"], scope["query_string"])
        refused = self._refused(scope, headers, cost)
        if refused is not None:
            METRICS.turned_away.labels(refused[1]).inc()
            await _turn_away(scope, receive, send, *refused)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        opens = self._entering(scope)
        if opens:
            await _redirect(scope, send, to_keep(self.token, opens))
            return
        trusted = self.secure or scope["scheme"] == "https" or _loopback(headers.get("host", ""))
        receive, send = _bounded(receive), _strict(send, trusted)
        turn = self._turn(cost)
        if turn is None:
            await self.app(scope, receive, send)
        else:
            await _in_turn(turn, self.app, scope, receive, send)

    def _turn(self, cost: Cost) -> asyncio.Semaphore | None:
        """Whose turn it is among those who have something worked out: tables come first."""
        if cost in (WORKING, AT_HAND):
            return self.working
        return self.reading if cost == READING else None

    def _refused(
        self, scope: Scope, headers: dict[str, str], cost: Cost
    ) -> tuple[int, str, str] | None:
        open_to_all = scope["path"] in OPEN_PATHS
        if self.hosts and not open_to_all and not self._named(headers.get("host", "")):
            return 421, "host", phrase("pit.web.this-house-has-another")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not self._same_origin(headers):
            return 403, "origin", phrase("pit.web.this-address-may-not")
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return 400, "length", phrase("pit.web.the-length-of-the")
        if "transfer-encoding" in headers and "content-length" in headers:
            return 400, "length", phrase("pit.web.a-request-says-its")
        if length > BODY:
            return 413, "too-large", phrase("pit.web.a-request-has-at", body=BODY)
        if self.token and not open_to_all:
            beyond = self._beyond(scope, headers)
            if beyond:
                return 403, "token", beyond
        wait = self._too_often(scope, headers, cost)
        return (429, "too-fast", wait) if wait else None

    def _named(self, host: str) -> bool:
        """Whether somebody asked for this house, and not for a name that was pointed at it."""
        port = host[len(_name_in(host)) + 1 :]
        if port and not port.isdecimal():  # links are built of it
            return False
        return _name_in(host) in self.hosts or _loopback(host)

    def _same_origin(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is None:
            # Browsers send it with every request that changes something; others need no cookie.
            return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
        return origin in self.origins or origin.partition("://")[2] == headers.get("host", "")

    def _opened(self, scope: Scope, headers: dict[str, str]) -> str:
        """What somebody may open in a shared house: by the link he follows, or followed once."""
        given = _asked(scope, "token")
        found = opened_by(self.token, given, scope["path"]) if given else ""
        return found or opened_by_kept(self.token, cookie(headers, SHARE))

    def _beyond(self, scope: Scope, headers: dict[str, str]) -> str:
        """Why somebody is not let in to a shared house, or not to this part of it."""
        opens = self._opened(scope, headers)
        if not opens:
            return phrase("pit.web.this-house-is-open")
        if opens == EVERYWHERE:
            return ""
        table = table_in(scope["path"])
        opening = scope["path"].rstrip("/") == "/api/tables" and scope["method"] not in SAFE
        if opening or (table and table != opens):
            return phrase("pit.web.your-link-is-for")
        scope.setdefault("state", {})["only"] = opens
        return ""

    def _entering(self, scope: Scope) -> str:
        """What is opened by the token that stands in this address of a page, if one does."""
        if not self.token or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return ""
        return opened_by(self.token, _asked(scope, "token"), scope["path"])

    def _too_often(self, scope: Scope, headers: dict[str, str], cost: Cost) -> str:
        """Why somebody has to wait, if so: by visitor first, then for all of an address, where a
        whole class may sit. Files of the pages are free."""
        if cost == FREE:
            return ""
        now, address = time.monotonic(), address_of(scope.get("client"))
        session = cookie(headers, SESSION)[:64]
        visitor = f"{address} {session}"
        # Who has no session yet cannot be told from others there: a class that comes in at once.
        own = self.any if session else self.coming_in
        tries = {SIGN_IN[COST]: self.sign_ins, SET_UP[COST]: self.set_ups}.get(cost[COST])
        if tries is not None and not tries.take(address, now):
            return phrase("pit.web.too-many-attempts-wait")
        if cost == WORKING:
            may = not session or self.dear.take(visitor, now)
            if not (may and self.dear_all.take(address, now)):
                return phrase("pit.web.that-takes-the-house")
        if cost == READING and not (
            self.reads.take(visitor, now) and self.reads_all.take(address, now)
        ):
            return phrase("pit.web.that-takes-the-house")
        if not (own.take(visitor, now) and self.any_all.take(address, now)):
            return phrase("pit.web.too-many-requests-wait")
        return ""


def cookie(headers: dict[str, str], name: str) -> str:
    """One cookie of a request."""
    for each in headers.get("cookie", "").split("; "):
        key, _, value = each.partition("=")
        if key == name:
            return value
    return ""


def _plain(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Headers with the cookies that are written plainly, as those of the house are. Python unfolds
    a quoted one in time by the square of its length: thirty kilobytes stopped everybody for a
    quarter of a minute."""
    made, plain = [], []
    for name, value in headers:
        if name == b"cookie":
            found = (each.strip() for each in value.split(b";"))
            plain += [each for each in found if b'"' not in each and b"\\" not in each]
        else:
            made.append((name, value))
    return [*made, (b"cookie", b"; ".join(plain))] if plain else made


def _bounded(receive: Receive) -> Receive:
    """A body that is cut off when it is larger than it may be."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > BODY:
            return {"type": "http.disconnect"}
        return message

    return bounded


async def _in_turn(
    turn: asyncio.Semaphore, app: ASGIApp, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer when it is somebody's turn: who has said all they have to say. It is over when the
    answer is known, read or not."""
    heard = [await receive()]
    while heard[-1].get("more_body"):
        heard.append(await receive())

    async def again() -> Message:
        return heard.pop(0) if heard else await receive()

    await turn.acquire()
    held = True

    async def known(message: Message) -> None:
        nonlocal held
        if held:
            held = False
            turn.release()
        await send(message)

    try:
        await app(scope, again, known)
    finally:
        if held:
            turn.release()


def _name_in(host: str) -> str:
    """The name or address that somebody asked for, without the port.

    >>> _name_in("Craps.example:8000"), _name_in("[::1]"), _name_in("[::1]:80")
    ('craps.example', '[::1]', '[::1]')
    """
    host = host.lower()
    return host if host.endswith("]") else host.rpartition(":")[0] or host


def _loopback(host: str) -> bool:
    """Whether a page comes from this machine itself."""
    name = _name_in(host)
    try:
        return name == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False  # a name: 127.0.0.1.evil.example is anybody's


def _strict(send: Send, trusted: bool) -> Send:
    wanted = (*HEADERS, ALONE) if trusted else HEADERS

    async def strict(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            have = {key.lower() for key, _ in headers}
            headers += [pair for pair in wanted if pair[0] not in have]
            if b"content-security-policy" not in have:
                headers.append((b"content-security-policy", CSP))
            if b"cache-control" not in have:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return strict


def _asked(scope: Scope, name: str) -> str:
    """One value in an address."""
    found: list[str] = parse_qs(scope["query_string"].decode("latin-1")).get(name, [""])
    return found[0]


def _keeping(send: Send, language: str) -> Send:
    """What is sent, with the language that was wished in the address kept for all later pages."""
    if not language:
        return send
    value = f"{LANGUAGE}={language}; SameSite=Lax; Path=/; Max-Age=31536000".encode()

    async def keeping(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", []), (b"set-cookie", value)]
            message = {**message, "headers": headers}
        await send(message)

    return keeping


async def _redirect(scope: Scope, send: Send, kept: str) -> None:
    """To the same page without the token in its address: what it opens is in a cookie now."""
    value = f"{SHARE}={kept}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"
    # What begins with two slashes names another host: whoever wrote the link would choose it.
    path = "/" + quote(scope["path"]).lstrip("/")
    headers = [(b"location", path.encode()), (b"set-cookie", value.encode())]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def wants_page(method: str, headers: dict[str, str]) -> bool:
    """Whether somebody with a browser asks, who wants to read a page and not JSON."""
    return method == "GET" and "text/html" in headers.get("accept", "")


PLAIN = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title} · Boxman</title></head>
<body><main><h1>{title}</h1><p>{text}</p></main></body>
</html>
"""
"""Whoever is not let in is shown no file of the house either."""


async def _turn_away(
    scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": message})
        return
    asked = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    if wants_page(scope["method"], asked):
        kind, text = b"text/html; charset=utf-8", f"{message[:1].upper()}{message[1:]}."
        title = phrase("pit.web.not-let-in")
        body = PLAIN.format(language=spoken(), title=title, text=text).encode()
    else:
        kind, body = b"application/json", msgspec.json.encode({"code": code, "message": message})
    headers = [(b"content-type", kind), (b"content-security-policy", CSP), *HEADERS]
    if status == 400:
        headers.append((b"connection", b"close"))  # what follows may not be what it seems
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
