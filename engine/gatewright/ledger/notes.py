"""Signed notes: a text, an empty line, and a line for each signature (Ed25519), in the form that transparency logs use.

Keys are lines of text too: `NAME+HASH+KEY` to verify with, and `PRIVATE+KEY+NAME+HASH+KEY` to sign with.
"""

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.ledger.errors import LedgerError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_ED25519 = b"\x01"
_KEY_BYTES, _HASH_BYTES = 32, 4
_PRIVATE = "PRIVATE+KEY+"
_NAME = re.compile(r"[^\s+]+")
_SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")


class PublicKey(Struct, frozen=True):
    """A key to verify with."""

    name: str
    key: bytes

    @property
    def hash(self) -> bytes:
        """By what a signature names its key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.key).digest()[:_HASH_BYTES]

    def text(self) -> str:
        """The line of text that it is."""
        return f"{self.name}+{self.hash.hex()}+{b64encode(_ED25519 + self.key).decode()}"

    def verifies(self, signature: bytes, text: bytes) -> bool:
        """Whether a signature is of this key, over this text."""
        ed25519 = _ed25519()
        from cryptography.exceptions import InvalidSignature

        try:
            ed25519.from_public_bytes(self.key).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


class PrivateKey(Struct, frozen=True):
    """A key to sign with."""

    name: str
    seed: bytes

    @property
    def public(self) -> PublicKey:
        """The key to verify with."""
        return PublicKey(self.name, self._key().public_key().public_bytes_raw())

    def text(self) -> str:
        """The line of text that it is."""
        return f"{_PRIVATE}{self.name}+{self.public.hash.hex()}+{b64encode(_ED25519 + self.seed).decode()}"

    def sign(self, text: str) -> str:
        """The note of a text."""
        signature = b64encode(self.public.hash + self._key().sign(text.encode())).decode()
        return f"{text}\n— {self.name} {signature}\n"

    def _key(self) -> "Ed25519PrivateKey":
        _ed25519()
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed)


def _ed25519() -> "type[Ed25519PublicKey]":
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        hint = "install gatewright with its extra: `pip install 'gatewright[evidence]'`"
        raise LedgerError("checkpoints", "signatures need the package `cryptography`", hint) from None
    return Ed25519PublicKey


def new_key(name: str) -> PrivateKey:
    """A new key of a name. Raises LedgerError for a name with blanks or `+` in it."""
    import secrets

    if not _NAME.fullmatch(name):
        raise LedgerError(name, "no key can be called so", "leave out blanks and `+`")
    return PrivateKey(name, secrets.token_bytes(_KEY_BYTES))


def read_private_key(text: str, path: str) -> PrivateKey:
    """The key in a text. Raises LedgerError."""
    text = text.strip()
    if not text.startswith(_PRIVATE):
        raise LedgerError(path, "it holds no private key", "`gatewright ledger checkpoint --new-key FILE` makes one")
    name, _, seed = _parts(text.removeprefix(_PRIVATE), path)
    return PrivateKey(name, seed)


def read_public_key(text: str, path: str) -> PublicKey:
    """The key in a text. Raises LedgerError."""
    text = text.strip()
    if text.startswith(_PRIVATE):
        raise LedgerError(path, "it holds a private key", "give the public one, which ends in .pub")
    name, named, key = _parts(text, path)
    found = PublicKey(name, key)
    if found.hash != named:
        raise LedgerError(path, "the hash in the key is not that of the key", "copy the whole line")
    return found


def _parts(text: str, path: str) -> tuple[str, bytes, bytes]:
    """Name, hash and key of the text of a key."""
    name, _, rest = text.partition("+")
    named, _, key = rest.partition("+")
    try:
        data, hashed = b64decode(key, validate=True), bytes.fromhex(named)
    except ValueError:
        data, hashed = b"", b""
    if not _NAME.fullmatch(name) or data[:1] != _ED25519 or len(data) != 1 + _KEY_BYTES:
        raise LedgerError(path, "it holds no Ed25519 key", "a key is a line `NAME+HASH+KEY`")
    return name, hashed, data[1:]


def opened(note: str, keys: list[PublicKey], path: str) -> str:
    """The text of a note that one of these keys has signed. Raises LedgerError for any other."""
    text, blank, signed = note.rpartition("\n\n")
    lines = signed.splitlines()
    found = [match for line in lines if (match := _SIGNATURE.fullmatch(line)) is not None]
    if not blank or len(found) != len(lines) or not found or not note.endswith("\n"):
        raise LedgerError(path, "it is no signed note", "a text, an empty line, and a signature a line are wanted")
    text += "\n"
    for match in found:
        for key in keys:
            signature = _bytes_of(match[2])
            known = match[1] == key.name and signature[:_HASH_BYTES] == key.hash
            if known and not key.verifies(signature[_HASH_BYTES:], text.encode()):
                raise LedgerError(path, f"the signature of `{key.name}` does not fit its text", "it was changed")
            if known:
                return text
    names = ", ".join(f"`{match[1]}`" for match in found)
    raise LedgerError(path, f"none of the keys has signed it, but {names}", "name the key with --public-key")


def _bytes_of(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""
