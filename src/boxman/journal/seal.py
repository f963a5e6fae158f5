"""Sealed heads: what the chain of a table was at a moment, signed by the house, kept elsewhere.

A chain shows that a row was changed, but not that somebody wrote the whole of it anew. An inspector
who keeps seals outside the house can tell: the rows up to each seal must be the rows that were
sealed. A seal is an Ed25519 signature over table, number, hash and time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from boxman.journal.codec import UNREADABLE, canonical
from boxman.journal.row import Head, JournalError
from boxman.words import phrase

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_LABEL = b"boxman seal 1\0"
_NEXT = b"boxman key 1\0"
_BEGIN = b'{"table":'
_HEIR = b'{"successor":'
"""How lines begin, and so how half of one does."""


class SealError(JournalError):
    """Something about a key or a seal, in one clear message."""


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed."""

    table: str
    number: int
    hash: str
    at: int
    """Milliseconds since 1970 (UTC)."""


class Seal(Sealed, frozen=True, kw_only=True):
    """The signature with what was signed; one line of JSON."""

    key: str
    """The public key of the house, 64 hexadecimal digits."""
    signature: str


class Heir(msgspec.Struct, frozen=True, kw_only=True):
    """What the old key signs when a house takes a new one."""

    successor: str
    """The new public key."""
    at: int


class Succession(Heir, frozen=True, kw_only=True):
    """The signature with it; one line of JSON among the seals."""

    key: str
    """The old public key."""
    signature: str


_SEAL: msgspec.json.Decoder[Seal] = msgspec.json.Decoder(Seal, strict=True)
_SUCCESSION: msgspec.json.Decoder[Succession] = msgspec.json.Decoder(Succession, strict=True)


def _ed25519() -> ModuleType:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ModuleNotFoundError:  # pragma: no cover
        raise SealError(phrase("journal.wrong.seals-need-cryptography-pip-install")) from None
    return ed25519


def _signed_bytes(seal: Sealed) -> bytes:
    what = Sealed(table=seal.table, number=seal.number, hash=seal.hash, at=seal.at)
    return _LABEL + canonical(what)


class HouseKey:
    """The key a house seals with. Its file is for the house alone; the public half is for all."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private

    @classmethod
    def create(cls, path: str | Path) -> HouseKey:
        """Make a key and its file, readable by nobody else. An existing file is left alone."""
        from cryptography.hazmat.primitives import serialization

        private = _ed25519().Ed25519PrivateKey.generate()
        text = private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise SealError(phrase("journal.wrong.is-there-already-a-house", path=path)) from None
        except OSError as error:
            raise SealError(
                phrase("journal.wrong.cannot-be-written", path=path, strerror=error.strerror)
            ) from None
        with os.fdopen(file, "wb") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        return cls(private)

    @classmethod
    def load(cls, path: str | Path) -> HouseKey:
        """The key in a file that nobody else may read."""
        from cryptography.hazmat.primitives import serialization

        try:
            mode = stat.S_IMODE(os.stat(path).st_mode)
            text = Path(path).read_bytes()
        except OSError as error:
            raise SealError(
                phrase("journal.wrong.the-key-cannot-be-read", path=path, strerror=error.strerror)
            ) from None
        if os.name == "posix" and mode & 0o077:
            raise SealError(phrase("journal.wrong.the-key-can-be-read", path=path))
        try:
            private = serialization.load_pem_private_key(text, None)
        except (ValueError, TypeError):
            private = None
        if not isinstance(private, _ed25519().Ed25519PrivateKey):
            raise SealError(phrase("journal.wrong.holds-no-ed25519-private-key", path=path))
        return cls(private)

    @classmethod
    def at(cls, path: str | Path) -> HouseKey:
        """The key in a file; made if there is none yet."""
        return cls.load(path) if os.path.exists(path) else cls.create(path)

    @property
    def public(self) -> str:
        """The public key, as 64 hexadecimal digits."""
        return str(self._private.public_key().public_bytes_raw().hex())

    def seal(self, table: str, head: Head, at: int) -> Seal:
        """Seal the chain of a table as it stands."""
        what = Sealed(table=table, number=head.number, hash=head.hash, at=at)
        signature = self._private.sign(_signed_bytes(what)).hex()
        return Seal(
            table=table,
            number=head.number,
            hash=head.hash,
            at=at,
            key=self.public,
            signature=signature,
        )

    def succeed(self, successor: str, at: int) -> Succession:
        """Say that another key is the house's from now on."""
        heir = Heir(successor=successor, at=at)
        signature = self._private.sign(_NEXT + canonical(heir)).hex()
        return Succession(successor=successor, at=at, key=self.public, signature=signature)


def _signed(public: str, signature: str, data: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key = _ed25519().Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def genuine(seal: Seal, keys: str | frozenset[str]) -> bool:
    """Whether this house signed this seal, with its key or one of its keys."""
    known = seal.key == keys if isinstance(keys, str) else seal.key in keys
    return known and _signed(seal.key, seal.signature, _signed_bytes(seal))


def keys_of(public: str, successions: Iterable[Succession]) -> frozenset[str]:
    """The keys of a house of which one is known: those that took its place, each signed for by
    the one before. A key has one successor: whoever stole an old one could name another."""
    known = {public}
    heirs: dict[str, str] = {}
    for each in successions:
        heir = Heir(successor=each.successor, at=each.at)
        if each.key in known and _signed(each.key, each.signature, _NEXT + canonical(heir)):
            if heirs.setdefault(each.key, each.successor) != each.successor:
                raise SealError(phrase("journal.wrong.the-key-has-two", key=each.key[:12]))
            known.add(each.successor)
    return frozenset(known)


def read_public(path: str | Path) -> str:
    """A public key from its file: 64 hexadecimal digits."""
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SealError(
            phrase("journal.wrong.the-key-cannot-be-read", path=path, strerror=error.strerror)
        ) from None
    except UnicodeDecodeError:
        text = ""
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise SealError(phrase("journal.wrong.holds-no-public-key-64", path=path))
    return text


def write_seal(seal: Seal | Succession) -> bytes:
    """A seal, or a change of keys, as one line."""
    return canonical(seal) + b"\n"


def append_line(path: str | Path, lines: bytes) -> None:
    """Write lines at the end of a file of seals, for its owner alone, on disk when it returns."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(file, "r+b") as out:
            if out.seek(0, os.SEEK_END):
                out.seek(-1, os.SEEK_END)
                if out.read(1) != b"\n":  # a crash left half a line
                    lines = b"\n" + lines
            out.write(lines)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise SealError(
            phrase("journal.wrong.cannot-be-written", path=path, strerror=error.strerror)
        ) from None


def rotated(key: str | Path, seals: str | Path, at: int) -> str:
    """Give a house a new key, signed for by the old one in its file of seals; says what was done.

    The old key is kept beside the new one: seals signed with it stay what they are. Cut short, it
    is done to its end the next time: a key that signed for two others would pass for stolen.
    """
    old = HouseKey.load(key)
    aside = Path(f"{key}.{at}")
    try:
        with open(seals, "rb") as lines:
            kept = read_seals(lines, str(seals))
    except OSError as error:
        raise SealError(
            phrase("journal.wrong.cannot-be-read-3", path=seals, error=error.strerror)
        ) from None
    new = HouseKey.at(f"{key}.new")
    if new.public not in keys_of(old.public, kept.successions):
        append_line(seals, write_seal(old.succeed(new.public, at)))
    try:
        os.link(key, aside)
        os.rename(f"{key}.new", key)
    except OSError as error:
        raise SealError(
            phrase("journal.wrong.cannot-be-replaced", key=key, strerror=error.strerror)
        ) from None
    return phrase("journal.wrong.the-key-of-the-house", public=new.public, aside=aside)


class Seals(msgspec.Struct, frozen=True):
    """What a file of seals holds, in its order."""

    seals: tuple[Seal, ...] = ()
    successions: tuple[Succession, ...] = ()
    torn: int = 0
    """Half lines, which a crash or a full disk left behind: they prove nothing and hide nothing."""


def read_seals(lines: Iterable[bytes], name: str) -> Seals:
    """Seals from the lines of a file. What was written after half a line is found again."""
    seals: list[Seal] = []
    successions: list[Succession] = []
    torn = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            seals.append(_SEAL.decode(line))
            continue
        except UNREADABLE as error:
            problem = error
        try:
            successions.append(_SUCCESSION.decode(line))
            continue
        except UNREADABLE:
            pass
        last = line.rfind(_BEGIN)
        half = line[:last] if last > 0 else line.rstrip(b"\n")
        if _whole(line) or not any(each.startswith(half[: len(each)]) for each in (_BEGIN, _HEIR)):
            raise SealError(
                phrase("journal.wrong.this-is-no-seal", name=name, number=number, problem=problem)
            ) from None
        torn += 1
        if last > 0:
            with suppress(*UNREADABLE):
                seals.append(_SEAL.decode(line[last:]))
    return Seals(tuple(seals), tuple(successions), torn)


def _whole(line: bytes) -> bool:
    """Whether a line is JSON to its end."""
    try:
        msgspec.json.decode(line)
    except UNREADABLE:
        return False
    return True
