"""The pages and their files: HTML shells, ES modules, style sheets, with strict headers.

It serves a fixed list of files read from this package and knows nothing of tables or people; what
a page shows it fetches itself. Nothing inline, nothing from another host.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
import re
from functools import cache, lru_cache
from importlib import resources
from pathlib import PurePosixPath

from fastapi import APIRouter, HTTPException, Request, Response

from boxman.pit.web.costs import FREE, REQUEST
from boxman.report.page import sheet
from boxman.words import phrase
from boxman.words.say import languages, say, spoken, texts

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

FOR_EVER = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
"""For what has another address as soon as it is different."""

PAGES: dict[str, str] = {
    "/": "lobby",
    "/table/{table}": "table",
    "/rulebook": "rulebook",
    "/rulebook/{house}": "rulebook",
    "/preview/{house}": "preview",
    "/odds": "odds",
    "/strategy": "strategy",
    "/solve": "solve",
    "/school": "school",
    "/hand": "hand",
    "/console/{table}": "console",
    "/inspect/{table}": "inspect",
    "/setup": "setup",
    "/sign-in": "sign-in",
    "/me": "me",
}
"""Address and name of its module and, in the phrase book, of its title."""
IMPORT = re.compile(r"""(?:from|import)\s*["'](\.[^"']+)["']""")
"""How a module names another."""
PHRASES = ("pages.", "joined.")
"""The phrases that pages say themselves, by how their keys begin."""
STYLES = {
    "table": ("felt", "table"),
    "console": ("felt", "table", "console"),
    **dict.fromkeys(("inspect", "preview", "school", "hand"), ("felt", "pages")),
    "strategy": ("felt", "charts", "pages"),
    **dict.fromkeys(("solve", "odds"), ("charts", "pages")),
}
"""The style sheets of a page besides those of all; `pages` where it has none of its own."""


@lru_cache(maxsize=1)
def files() -> dict[str, tuple[bytes, str, str]]:
    """Every static file by its path, with its type and entity tag; read once. The style of the
    charts is the report kit's."""
    found = {"style/charts.css": _file(sheet("charts.css").encode(), KINDS[".css"])}
    root = resources.files("boxman.pit") / "static"
    waiting = [("", root)]
    while waiting:
        prefix, folder = waiting.pop()
        for entry in folder.iterdir():
            path = f"{prefix}{entry.name}"
            if entry.is_dir():
                waiting.append((f"{path}/", entry))
            elif (kind := KINDS.get(PurePosixPath(path).suffix)) is not None:
                found[path] = _file(entry.read_bytes(), kind)
    return found


def _file(body: bytes, kind: str) -> tuple[bytes, str, str]:
    return body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"'


@lru_cache(maxsize=1)
def _shell() -> str:
    return (resources.files("boxman.pit") / "templates" / "page.html").read_text("utf-8")


@cache
def phrases(language: str) -> tuple[str, bytes]:
    """The address of the phrases that pages say in a language, and the script that brings them."""
    wanted = {
        key.removeprefix(PHRASES[0]): text
        for key, text in texts(language).items()
        if key.startswith(PHRASES)
    }
    body = f"self.WORDS = {json.dumps(wanted, ensure_ascii=False)};\n".encode()
    return f"/words/{language}-{hashlib.sha256(body).hexdigest()[:20]}.js", body


@cache
def page(module: str, language: str) -> str:
    """One page's HTML in a language: the shell, with its module, style, title and phrases."""
    text = _shell().replace("{module}", module).replace("{language}", language)
    for name in ("skip", "no-script"):
        text = text.replace(f"{{{name}}}", say(f"pages.template.{name}", language=language))
    text = text.replace("{title}", say(f"pages.titles.{module}", language=language))
    text = text.replace("{words}", phrases(language)[0])
    preloads = "".join(
        f'<link rel="modulepreload" href="/static/{path}">\n  '
        for path in sorted(modules(f"pages/{module}.js"))
    )
    styles = "".join(
        f'<link rel="stylesheet" href="/static/style/{name}.css">\n  '
        for name in STYLES.get(module, ("pages",))
    )
    return text.replace("{preloads}", preloads.rstrip()).replace("{styles}", styles.rstrip())


def modules(path: str) -> set[str]:
    """A module and all that it imports, by their paths."""
    found, waiting = {path}, [path]
    while waiting:
        path = waiting.pop()
        for name in IMPORT.findall(files()[path][0].decode()):
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


@cache
def _squeezed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _sent(request: Request, body: bytes, kind: str, headers: dict[str, str]) -> Response:
    """A file as it is sent: compressed for whoever can read that."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = _squeezed(body), "gzip"
    return Response(body, media_type=kind, headers=headers)


@pages.get("/words/{name}", openapi_extra=FREE)
def words(name: str, request: Request) -> Response:
    """The phrases of the pages in a language; the address changes with them."""
    for language in languages():
        address, body = phrases(language)
        if address == f"/words/{name}":
            return _sent(request, body, "text/javascript", FOR_EVER)
    raise HTTPException(404, phrase("pit.wrong.no-file", path=name))


@pages.get("/static/{path:path}", openapi_extra=FREE)
def static(path: str, request: Request) -> Response:
    """A file of the pages."""
    known = files().get(path)
    if known is None:
        raise HTTPException(404, phrase("pit.wrong.no-file", path=path))
    body, kind, tag = known
    headers = {**HEADERS, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return _sent(request, body, kind, headers)


def nowhere() -> Response:
    """For an address that leads nowhere: a page that says so and shows the way back."""
    return _page("nowhere", 404)


def _page(module: str, status: int = 200) -> Response:
    headers = {**HEADERS, "Vary": "Cookie"}
    return Response(page(module, spoken()), status, media_type="text/html", headers=headers)


@pages.get("/favicon.ico", openapi_extra=FREE)
def favicon() -> Response:
    """Browsers ask for it unasked."""
    body, kind, _ = files()["icon.svg"]
    return Response(body, media_type=kind, headers=HEADERS)


def _serve(address: str, module: str) -> None:
    def serve() -> Response:
        return _page(module)

    name = f"page {address}"
    pages.add_api_route(address, serve, methods=["GET"], name=name, openapi_extra=REQUEST)


for _address, _module in PAGES.items():
    _serve(_address, _module)
