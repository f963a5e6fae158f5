"""The settings of a server: a TOML file, then the environment, then the command line.

Every setting has one name: `port` in the file, `BOXMAN_PORT` in the environment, `--port`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

LAST_PORT = 65_535


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
    url: str = ""
    """Where other processes find this one, if several share a database."""
    origins: tuple[str, ...] = ()
    """Other origins that may speak to the house, such as https://example.org."""
    token: str = ""
    """A word that everybody needs who comes by the network (`--share` makes one)."""
    setup_code: str = ""
    """The code that makes the first administrator; a new one at every start if not chosen."""
    secure_cookies: bool = False
    """Cookies only over https: set it behind a proxy that speaks https."""
    guests_open_tables: bool = True
    tables: int = 200
    """The most tables that may be open."""
    command_rate: float = 20.0
    """Messages a second of one socket; 0 is no limit."""
    request_rate: float = 50.0
    """Requests a second from one address; 0 is no limit."""
    sign_in_rate: float = 0.2
    message_size: int = 16 * 1024
    idle_seat: int = 15 * 60
    """Seconds after which somebody whose sockets are closed leaves a practice table."""
    log: str = "info"


def read_config(
    path: Path | None, environment: Mapping[str, str], given: Mapping[str, Any]
) -> Config:
    """Settings from a file, the environment and the command line, the later ones first."""
    found: dict[str, Any] = {}
    if path is not None:
        try:
            found.update(tomllib.loads(path.read_text()))
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} is not TOML: {error}") from None
    known = Config.__struct_fields__
    for name in known:
        value = environment.get(f"BOXMAN_{name.upper()}")
        if value is not None:
            found[name] = value.split(",") if name == "origins" else value
    found.update({name: value for name, value in given.items() if value is not None})
    try:
        config = msgspec.convert(found, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"the settings are not right: {error}; they are: {', '.join(known)}"
        ) from None
    if not 0 <= config.port <= LAST_PORT:
        # The system would take the rest of a division for it.
        raise ConfigError(f"a port is from 0 (any that is free) to {LAST_PORT}, not {config.port}")
    return config


def settings_of_this_machine(path: Path | None, given: Mapping[str, Any]) -> Config:
    """As `read_config`, with this process's environment; BOXMAN_CONFIG names a file."""
    named = os.environ.get("BOXMAN_CONFIG")
    if path is None and named:
        path = Path(named)
    return read_config(path, os.environ, given)
