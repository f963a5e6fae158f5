"""The pages and their files: HTML shells, ES modules, style sheets, with strict headers.

It serves a fixed list of files read from this package and knows nothing of tables or people; what
a page shows it fetches itself. Nothing inline, nothing from another host.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from pathlib import PurePosixPath

from fastapi import APIRouter, HTTPException, Request, Response

pages = APIRouter(include_in_schema=False)

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

PAGES: dict[str, tuple[str, str]] = {
    "/": ("lobby", "Lobby"),
    "/table/{table}": ("table", "Table"),
    "/rulebook": ("rulebook", "Rulebook"),
    "/rulebook/{house}": ("rulebook", "Rulebook"),
    "/odds": ("odds", "Odds"),
    "/strategy": ("strategy", "Strategies"),
    "/school": ("school", "Dealer school"),
    "/console/{table}": ("console", "Crew console"),
    "/inspect/{table}": ("inspect", "Inspector"),
    "/setup": ("setup", "Set-up"),
    "/sign-in": ("sign-in", "Sign in"),
    "/me": ("me", "Your play"),
}
"""Address, name of its module and style, title."""
STYLES = {
    "table": ("felt",),
    "console": ("felt", "table"),
    "inspect": ("felt",),
    "school": ("felt",),
    "strategy": ("felt",),
}
"""Style sheets of other pages that a page needs too."""


@lru_cache(maxsize=1)
def files() -> dict[str, tuple[bytes, str, str]]:
    """Every static file by its path, with its type and entity tag; read once."""
    found: dict[str, tuple[bytes, str, str]] = {}
    root = resources.files("boxman.pit") / "static"
    waiting = [("", root)]
    while waiting:
        prefix, folder = waiting.pop()
        for entry in folder.iterdir():
            path = f"{prefix}{entry.name}"
            if entry.is_dir():
                waiting.append((f"{path}/", entry))
            elif (kind := KINDS.get(PurePosixPath(path).suffix)) is not None:
                body = entry.read_bytes()
                found[path] = (body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
    return found


@lru_cache(maxsize=1)
def _shell() -> str:
    return (resources.files("boxman.pit") / "templates" / "page.html").read_text("utf-8")


def page(module: str, title: str) -> str:
    """One page's HTML: the shell, with its module, style and title."""
    text = _shell().replace("{title}", title).replace("{module}", module)
    preloads = "".join(
        f'<link rel="modulepreload" href="/static/{path}">\n  '
        for path in sorted(files())
        if path.startswith(("kit/", "felt/") if module == "table" else "kit/")
        and path.endswith(".js")
    )
    styles = "".join(
        f'<link rel="stylesheet" href="/static/style/{name}.css">\n  '
        for name in (*STYLES.get(module, ()), module)
    )
    return text.replace("{preloads}", preloads.rstrip()).replace("{styles}", styles.rstrip())


@pages.get("/static/{path:path}")
def static(path: str, request: Request) -> Response:
    """A file of the pages."""
    known = files().get(path)
    if known is None:
        raise HTTPException(404, f"there is no file {path}")
    body, kind, tag = known
    headers = {**HEADERS, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


def nowhere() -> Response:
    """For an address that leads nowhere: a page that says so and shows the way back."""
    return Response(page("nowhere", "No such page"), 404, media_type="text/html", headers=HEADERS)


@pages.get("/favicon.ico")
def favicon() -> Response:
    """Browsers ask for it unasked."""
    body, kind, _ = files()["icon.svg"]
    return Response(body, media_type=kind, headers=HEADERS)


def _serve(address: str, module: str, title: str) -> None:
    body = None

    def serve() -> Response:
        nonlocal body
        body = body or page(module, title)
        return Response(body, media_type="text/html", headers=HEADERS)

    pages.add_api_route(address, serve, methods=["GET"], name=f"page {address}")


for _address, (_module, _title) in PAGES.items():
    _serve(_address, _module, _title)
