"""Sealed heads: what the chain of a table was at a moment, signed by the house, kept elsewhere.

A chain shows that a row was changed, but not that somebody wrote the whole of it anew. An inspector
who keeps seals outside the house can tell: the rows up to each seal must be the rows that were
sealed. A seal is an Ed25519 signature over table, number, hash and time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from boxman.journal.codec import UNREADABLE, canonical
from boxman.journal.row import Head, JournalError

_LABEL = b"boxman seal 1\0"


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


_SEAL: msgspec.json.Decoder[Seal] = msgspec.json.Decoder(Seal, strict=True)


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ModuleNotFoundError:  # pragma: no cover
        raise SealError("seals need cryptography: pip install 'boxman[web]'") from None
    return ed25519


def _signed_bytes(seal: Sealed) -> bytes:
    what = Sealed(table=seal.table, number=seal.number, hash=seal.hash, at=seal.at)
    return _LABEL + canonical(what)


class HouseKey:
    """The key a house seals with. Its file is for the house alone; the public half is for all."""

    def __init__(self, private: Any) -> None:
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
            raise SealError(f"{path} is there already: a house keeps its key") from None
        except OSError as error:
            raise SealError(f"{path} cannot be written: {error.strerror}") from None
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
            raise SealError(f"the key {path} cannot be read: {error.strerror}") from None
        if os.name == "posix" and mode & 0o077:
            raise SealError(f"the key {path} can be read by others: chmod 600 {path}")
        try:
            private = serialization.load_pem_private_key(text, None)
        except (ValueError, TypeError):
            private = None
        if not isinstance(private, _ed25519().Ed25519PrivateKey):
            raise SealError(f"{path} holds no Ed25519 private key")
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


def genuine(seal: Seal, public: str) -> bool:
    """Whether this house signed this seal."""
    from cryptography.exceptions import InvalidSignature

    if seal.key != public:
        return False
    try:
        key = _ed25519().Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(seal.signature), _signed_bytes(seal))
    except (InvalidSignature, ValueError):
        return False
    return True


def read_public(path: str | Path) -> str:
    """A public key from its file: 64 hexadecimal digits."""
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SealError(f"the key {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        text = ""
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise SealError(f"{path} holds no public key (64 hexadecimal digits on one line)")
    return text


def write_seal(seal: Seal) -> bytes:
    """A seal as one line."""
    return canonical(seal) + b"\n"


def read_seals(lines: Iterable[bytes], name: str) -> list[Seal]:
    """Seals from the lines of a file."""
    seals = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            seals.append(_SEAL.decode(line))
        except UNREADABLE as error:
            raise SealError(f"{name}:{number}: this is no seal: {error}") from None
    return seals
