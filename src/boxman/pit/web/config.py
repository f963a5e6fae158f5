"""The settings of a server: a TOML file, then the environment, then the command line.

Every setting has one name: `port` in the file, `BOXMAN_PORT` in the environment, `--port`.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec

from boxman.journal.store import PATIENCE
from boxman.rules.ids import nearest
from boxman.rules.wanted import as_toml, read_toml, wanted_in
from boxman.words import phrase

LAST_PORT = 65_535
LISTS = ("hosts", "proxies", "origins", "houses")
"""Settings of several values: a list, or one text with commas."""
ANY = ("0.0.0.0", "::", "")
"""Hosts that are every address of the machine."""
SECRETS = ("token", "metrics_token", "setup_code", "database")
"""Settings that no message repeats."""
LONGEST_SHOWN = 60
"""Characters of a value that a message repeats, at most."""
LONGEST = 1 << 20
"""Bytes of the longest file of settings that is read."""
Number = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Rate = Annotated[float, msgspec.Meta(ge=0, le=10**6)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]


class ConfigError(ValueError):
    """A setting that cannot be, in one message."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server runs."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "boxman.db"
    """A file, `memory:`, or postgresql://..."""
    key: str = ""
    """The file with the house's key for seals; beside the database file if not named."""
    seals: str = ""
    """The file that seals are written to; beside the database file if not named."""
    seals_folder: str = ""
    """A folder outside the house that seals are written to by a schedule."""
    seals_every: Number = 3600
    """Seconds between two seals there."""
    url: str = ""
    """Where other processes find this one, if several share a database."""
    hosts: tuple[str, ...] = ()
    """Names by which the house is asked for, besides this machine's; `*` is any."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies whose word is taken for who asks and by which scheme."""
    metrics_token: str = ""
    """The word that lets somebody read the metrics; without one nobody does."""
    origins: tuple[str, ...] = ()
    """Other origins that may speak to the house, such as https://example.org."""
    houses: tuple[str, ...] = ()
    """Rulebook files, or folders of them, that are houses here besides those in the box."""
    token: str = ""
    """A word that everybody needs who comes by the network (`--share` makes one)."""
    setup_code: str = ""
    """The code that makes the first administrator; a new one at every start if not chosen."""
    secure_cookies: bool = False
    """Cookies only over https: set it behind a proxy that speaks https."""
    guests_open_tables: bool = True
    tables: Number = 200
    """The most tables that may be open; the last tenth is for those who run the house."""
    tables_each: Number = 4
    """The most tables that one visitor may have open; an address has room for a class."""
    idle_table: Number = 30 * 60
    """Seconds after which a practice table without people, or a closed one, is put away."""
    command_rate: Rate = 20.0
    """Messages a second of one socket; 0 is no limit."""
    request_rate: Rate = 20.0
    """Requests a second of one visitor, and thirty times as many of an address; 0 is no limit."""
    sign_in_rate: Rate = 0.2
    """Sign-ins a second of one address; 0 is no limit."""
    database_seconds: Seconds = PATIENCE
    """Seconds for which a call waits for a PostgreSQL that is away, before it is told so."""
    request_seconds: Seconds = 15.0
    """Seconds in which a request is said to its end."""
    message_size: Annotated[int, msgspec.Meta(ge=1024, le=1 << 20)] = 16 * 1024
    """Bytes of the largest message of a socket."""
    idle_seat: Number = 15 * 60
    """Seconds after which somebody whose sockets are closed leaves a practice table."""
    log: Literal["debug", "info", "warning", "error"] = "info"


def read_config(
    path: Path | None, environment: Mapping[str, str], given: Mapping[str, object]
) -> Config:
    """Settings from a file, the environment and the command line, the later ones first."""
    found: dict[str, object] = {}
    if path is not None:
        try:
            with path.open("rb") as file:
                data = file.read(LONGEST + 1)
            if len(data) > LONGEST:
                raise ConfigError(phrase("pit.config.too-long", path=path))
            found.update(read_toml(data.decode()))
        except OSError as error:
            raise ConfigError(
                phrase("pit.config.cannot-be-read", path=path, why=error.strerror)
            ) from None
        except RecursionError:
            raise ConfigError(phrase("pit.config.too-deep", path=path)) from None
        except ConfigError:
            raise
        except ValueError as error:
            endless = "integer string conversion" in str(error)
            why = phrase("books.toml.without-end.says") if endless else str(error)
            raise ConfigError(phrase("pit.config.not-toml", path=path, why=why)) from None
    known = Config.__struct_fields__
    for name in known:
        value = environment.get(f"BOXMAN_{name.upper()}")
        if value is not None:
            found[name] = value
    found.update({name: value for name, value in given.items() if value is not None})
    found |= {
        name: value.split(",")
        for name, value in found.items()
        if name in LISTS and isinstance(value, str)
    }
    hints = get_type_hints(Config, include_extras=True)
    for name, said in found.items():
        if name not in hints:
            hint = f"{nearest(name, known)} ".lstrip()
            raise ConfigError(phrase("pit.config.unknown", name=name, hint=hint, known=known))
        try:
            msgspec.convert(said, hints[name], strict=False)
        except (msgspec.ValidationError, OverflowError):
            # A word that ought to be kept is not told.
            shown = "..." if name in SECRETS else as_toml(said)[:LONGEST_SHOWN]
            told = {"name": name, "value": shown, "wanted": _wanted(name, hints[name])}
            raise ConfigError(phrase("pit.config.wrong", **told)) from None
    config = msgspec.convert(found, Config, strict=False)
    _check(config)
    return config


def _wanted(name: str, hint: object) -> str:
    """What a setting takes, in words."""
    of, *bounds = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    kind = phrase("pit.config.number") if of is float else wanted_in(name, of)
    for each in bounds:
        above = each.gt is not None
        told = {"least": each.gt if above else each.ge, "most": f"{each.le:,}"}
        return phrase(f"pit.config.{'above' if above else 'from'}", kind=kind, **told)
    return kind


def _check(config: Config) -> None:
    """Refuse what would be taken for something else without a word."""
    if not 0 <= config.port <= LAST_PORT:
        # The system would take the rest of a division for it.
        raise ConfigError(phrase("pit.config.port", last=LAST_PORT, port=config.port))
    for proxy in config.proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise ConfigError(phrase("pit.config.proxy", proxy=proxy)) from None
    for name in filter(None, (config.url, *config.origins)):
        try:
            known = urlsplit(name).hostname
        except ValueError:
            known = None
        if not known:
            raise ConfigError(phrase("pit.config.origin", name=name))
    named = (config.database, config.key, config.seals, config.seals_folder, config.host)
    if "\0" in "".join((*named, *config.houses)):
        raise ConfigError(phrase("pit.config.zero-byte"))


def settings_of_this_machine(path: Path | None, given: Mapping[str, object]) -> Config:
    """As `read_config`, with this process's environment; BOXMAN_CONFIG names a file."""
    named = os.environ.get("BOXMAN_CONFIG")
    if path is None and named:
        path = Path(named)
    return read_config(path, os.environ, given)


def hosts_of(config: Config) -> frozenset[str]:
    """The names by which a house may be asked for; empty where any will do."""
    if "*" in config.hosts:
        return frozenset()
    found = {"localhost", "127.0.0.1", "[::1]", config.host.lower(), *config.hosts}
    for address in (config.url, *config.origins):
        if name := urlsplit(address).hostname:
            found.add(name)
    if config.host in ANY:
        own = socket.gethostname()
        found |= {own, f"{own}.local"}
        with contextlib.suppress(OSError):
            found |= {str(each[4][0]) for each in socket.getaddrinfo(own, None)}
        found.add(own_address())
    return frozenset(name.lower() for name in found) | {
        f"[{name.lower()}]" for name in found if ":" in name and not name.startswith("[")
    }


def own_address() -> str:
    """The address of this machine on its network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only picks an interface
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
