"""What stands before every request: its size, where it comes from, how often, and strict headers.

A plain ASGI layer that knows addresses and headers, and nothing of tables.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxman.pit.links import EVERYWHERE, opened_by, opened_by_kept, table_in, to_keep
from boxman.pit.metrics import METRICS

BODY = 64 * 1024
"""The largest body of a request, in bytes."""
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS = ("/healthz", "/readyz")
GUESSING = ("/api/session", "/api/setup")
"""Where somebody could try one password or code after the other."""
SHARE = "boxman_share"

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


class Bucket:
    """So many a second on average, and so many at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.left, self.at = rate, burst, burst, 0.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Guard:
    """Wraps the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        origins: Iterable[str] = (),
        token: str = "",
        rate: float = 50.0,
        sign_ins: float = 0.2,
        secure: bool = False,
    ) -> None:
        self.app = app
        self.origins = frozenset(origins)
        self.token = token
        self.rate, self.sign_ins, self.secure = rate, sign_ins, secure
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        refused = self._refused(scope, headers)
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
        await self.app(scope, _bounded(receive), _strict(send, trusted))

    def _refused(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, str] | None:
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not self._same_origin(headers):
            return 403, "origin", "this address may not speak to this house"
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return 400, "length", "the length of the request is no number"
        if length > BODY:
            return 413, "too-large", f"a request has at most {BODY} bytes"
        if self.token and scope["path"] not in OPEN_PATHS:
            beyond = self._beyond(scope, headers)
            if beyond:
                return 403, "token", beyond
        host = (scope.get("client") or ("",))[0]
        if scope["path"] in GUESSING and changes and not self._may(host, "in", self.sign_ins):
            return 429, "too-fast", "too many attempts; wait a minute"
        if not self._may(host, "any", self.rate):
            return 429, "too-fast", "too many requests; wait a moment"
        return None

    def _same_origin(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            # Browsers send it with every request that changes something; others need no cookie.
            return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
        return origin.partition("://")[2] == headers.get("host", "")

    def _opened(self, scope: Scope, headers: dict[str, str]) -> str:
        """What somebody may open in a shared house: by the link he follows, or followed once."""
        given = _given(scope)
        found = opened_by(self.token, given, scope["path"]) if given else ""
        return found or opened_by_kept(self.token, cookie(headers, SHARE))

    def _beyond(self, scope: Scope, headers: dict[str, str]) -> str:
        """Why somebody is not let in to a shared house, or not to this part of it."""
        opens = self._opened(scope, headers)
        if not opens:
            return "this house is open to those with its link"
        if opens == EVERYWHERE:
            return ""
        table = table_in(scope["path"])
        opening = scope["path"].rstrip("/") == "/api/tables" and scope["method"] not in SAFE
        if opening or (table and table != opens):
            return "your link is for one table and not for this"
        scope.setdefault("state", {})["only"] = opens
        return ""

    def _entering(self, scope: Scope) -> str:
        """What is opened by the token that stands in this address of a page, if one does."""
        if not self.token or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return ""
        return opened_by(self.token, _given(scope), scope["path"])

    def _may(self, host: str, what: str, rate: float) -> bool:
        if not rate:
            return True
        key = (host, what)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(rate, max(10.0, rate * 4))
            if len(self._buckets) > 10_000:
                self._buckets.popitem(last=False)
        return bucket.take(time.monotonic())


def cookie(headers: dict[str, str], name: str) -> str:
    """One cookie of a request."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


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


def _loopback(host: str) -> bool:
    """Whether a page comes from this machine itself."""
    name = host.rpartition(":")[0] or host
    return name in ("localhost", "[::1]") or name.startswith("127.")


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


def _given(scope: Scope) -> str:
    """The token in an address."""
    found: list[str] = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
    return found[0]


async def _redirect(scope: Scope, send: Send, kept: str) -> None:
    """To the same page without the token in its address: what it opens is in a cookie now."""
    value = f"{SHARE}={kept}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"
    headers = [(b"location", quote(scope["path"]).encode()), (b"set-cookie", value.encode())]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def wants_page(method: str, headers: dict[str, str]) -> bool:
    """Whether somebody with a browser asks, who wants to read a page and not JSON."""
    return method == "GET" and "text/html" in headers.get("accept", "")


PLAIN = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not let in · Boxman</title></head>
<body><main><h1>Not let in</h1><p>{}</p></main></body>
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
        body = PLAIN.format(text).encode()
    else:
        kind, body = b"application/json", msgspec.json.encode({"code": code, "message": message})
    headers = [(b"content-type", kind), (b"content-security-policy", CSP), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
