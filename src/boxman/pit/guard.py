"""What stands before every request: its size, where it comes from, how often, and strict headers.

A plain ASGI layer that knows addresses and headers, and nothing of tables.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxman.pit.metrics import METRICS

BODY = 64 * 1024
"""The largest body of a request, in bytes."""
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS = ("/healthz", "/readyz")
SHARE = "boxman_share"

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
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
    ) -> None:
        self.app = app
        self.origins = frozenset(origins)
        self.token = token
        self.rate, self.sign_ins = rate, sign_ins
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
        give = self._entering(scope)
        if give:
            await _redirect(scope, send, give)
            return
        await self.app(scope, _bounded(receive), _strict(send))

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
        if self.token and scope["path"] not in OPEN_PATHS and not self._has_token(scope, headers):
            return 403, "token", "this house is open to those with its link"
        host = (scope.get("client") or ("",))[0]
        if scope["path"] == "/api/session" and changes and not self._may(host, "in", self.sign_ins):
            return 429, "too-fast", "too many attempts; wait a minute"
        if not self._may(host, "any", self.rate):
            return 429, "too-fast", "too many requests; wait a moment"
        return None

    def _same_origin(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            # Browsers send it with every request that changes something; others need no cookie.
            return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
        return urlsplit(origin).netloc == headers.get("host", "")

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if hmac.compare_digest(given.encode(), self.token.encode()):
            return True
        return hmac.compare_digest(
            cookie(headers, SHARE).encode(), share_cookie(self.token).encode()
        )

    def _entering(self, scope: Scope) -> str:
        """The address to go to with the token in a cookie, if the token stands in this one."""
        if not self.token or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return ""
        return str(scope["path"]) if b"token=" in scope["query_string"] else ""

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


def share_cookie(token: str) -> str:
    """What the cookie has of a shared house's token."""
    return hashlib.sha256(b"boxman share\0" + token.encode()).hexdigest()


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


def _strict(send: Send) -> Send:
    async def strict(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            have = {key.lower() for key, _ in headers}
            headers += [pair for pair in HEADERS if pair[0] not in have]
            if b"content-security-policy" not in have:
                headers.append((b"content-security-policy", CSP))
            if b"cache-control" not in have:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return strict


async def _redirect(scope: Scope, send: Send, path: str) -> None:
    token = parse_qs(scope["query_string"].decode("latin-1"))["token"][0]
    value = f"{SHARE}={share_cookie(token)}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000"
    headers = [(b"location", path.encode()), (b"set-cookie", value.encode())]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _turn_away(
    scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": message})
        return
    body = msgspec.json.encode({"code": code, "message": message})
    headers = [(b"content-type", b"application/json"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
