"""SHA-256, without the cost of loading OpenSSL at every start.

CPython's own module computes it; `hashlib` would load OpenSSL first, which takes longer than a check's rules do. Where
that module is not built in, `hashlib` answers the same.
"""

try:
    from _sha2 import sha256 as _sha256
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # the module's name before Python 3.12
    except ImportError:
        from hashlib import sha256 as _sha256


def sha256(data: bytes) -> bytes:
    """The SHA-256 of bytes, as 32 bytes."""
    return bytes(_sha256(data).digest())


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of bytes, 64 lower-case hex digits."""
    return str(_sha256(data).hexdigest())
