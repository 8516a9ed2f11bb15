"""DSSE envelopes: a document and an ed25519 signature over it, by the protocol of
secure-systems-lab/dsse, version 1.0.0.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from plumbline.reports.report_errors import ReportError, unreadable
from plumbline.spec.strict_json import AmbiguousJsonError, parsed

IN_TOTO = "application/vnd.in-toto+json"
MAKE_KEY = "plumbline keygen key.pem"
MAKE_PUBLIC_KEY = "openssl pkey -in key.pem -pubout -out key.pem.pub"


def new_pair() -> tuple[Ed25519PublicKey, tuple[bytes, bytes]]:
    """A new key, and the PEM of its private and its public half."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return key.public_key(), (private, public)


def private_key(path: Path) -> Ed25519PrivateKey:
    """A signing key in PEM.

    Raises:
        ReportError: the file holds none that can be used.
    """
    content = _content(path)
    try:
        key = load_pem_private_key(content, password=None)
    except TypeError:
        raise ReportError(
            f"{path}: is protected by a passphrase; write it without one: openssl pkey -in {path}."
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise ReportError(
            f"{path}: is no private key in PEM; make one with `{MAKE_KEY}`."
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ReportError(f"{path}: is no ed25519 key; make one with `{MAKE_KEY}`.")
    return key


def public_key(path: Path) -> Ed25519PublicKey:
    """The key that a signature is held against, in PEM.

    Raises:
        ReportError: the file holds none that can be used.
    """
    content = _content(path)
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise ReportError(
            f"{path}: is no public key in PEM; write it with `{MAKE_PUBLIC_KEY}`."
        ) from None
    if not isinstance(key, Ed25519PublicKey):
        raise ReportError(f"{path}: is no ed25519 key; ask the signer for the right one.")
    return key


def key_id(key: Ed25519PublicKey) -> str:
    """SHA-256 of a public key (SubjectPublicKeyInfo in DER), in hex: what people compare over the
    telephone.
    """
    return hashlib.sha256(
        key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    ).hexdigest()


def signed(document: Mapping[str, Any], key: Ed25519PrivateKey) -> dict[str, Any]:
    """An envelope with a document in it."""
    payload = json.dumps(document, ensure_ascii=False).encode()
    signature = key.sign(encoded(IN_TOTO, payload))
    return {
        "payloadType": IN_TOTO,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [
            {"keyid": key_id(key.public_key()), "sig": base64.b64encode(signature).decode()}
        ],
    }


def opened(envelope: Mapping[str, Any], key: Ed25519PublicKey) -> dict[str, Any]:
    """The document of an envelope, once one of the signatures has been found to be by the key.

    Raises:
        ReportError: none is, or it is no envelope.
    """
    try:
        kind, payload = str(envelope["payloadType"]), _decoded(envelope["payload"])
        signatures = [_decoded(signature["sig"]) for signature in envelope["signatures"]]
    except (KeyError, TypeError, ValueError):
        raise ReportError(
            "The statement is no DSSE envelope; make it with `plumbline statement`."
        ) from None
    if not any(_fits(signature, encoded(kind, payload), key) for signature in signatures):
        raise ReportError(
            f"The statement is not signed by the key {key_id(key)[:16]}, or it was changed after it"
            " was signed."
        )
    try:
        document = parsed(payload) if kind == IN_TOTO else None
    except AmbiguousJsonError as error:
        raise ReportError(
            f"What was signed {error}; ask the signer for a statement that was made with `plumbline"
            " statement`."
        ) from None
    if not isinstance(document, dict):
        raise ReportError(f"The envelope holds no in-toto statement but {kind!r}.")
    return document


def encoded(kind: str, payload: bytes) -> bytes:
    """What is signed: the type and the payload, each with its length (pre-authentication
    encoding).
    """
    return b"DSSEv1 %d %s %d %s" % (len(kind.encode()), kind.encode(), len(payload), payload)


def _fits(signature: bytes, content: bytes, key: Ed25519PublicKey) -> bool:
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True


def _decoded(text: Any) -> bytes:
    """Bytes from base64, in the alphabet of files or of URLs, for the protocol leaves both."""
    try:
        return base64.b64decode(str(text).replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error, "name a file with a key.") from None
