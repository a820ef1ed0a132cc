"""Checkpoints: signed notes in the form that others read too, and what is refused."""

import sys

import pytest

from gatewright.ledger import notes
from gatewright.ledger.checkpoints import Checkpoint, read_checkpoint
from gatewright.ledger.errors import LedgerError

#: The example key and note of the reference implementation of signed notes.
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"


def test_a_note_is_signed_as_the_reference_does_it():
    key = notes.read_private_key(PRIVATE + "\n", "key")
    assert key.public.text() == PUBLIC
    assert key.text() == PRIVATE
    assert key.sign(TEXT) == f"{TEXT}\n{SIGNED}"
    assert notes.opened(f"{TEXT}\n{SIGNED}", [notes.read_public_key(PUBLIC, "key.pub")], "note") == TEXT


def test_a_note_with_other_signatures_beside_is_good():
    other = notes.new_key("somebody")
    note = f"{TEXT}\n{other.sign(TEXT).splitlines()[-1]}\n{SIGNED}"
    for key in (PUBLIC, other.public.text()):
        assert notes.opened(note, [notes.read_public_key(key, "key.pub")], "note") == TEXT


@pytest.mark.parametrize(
    ("note", "words"),
    [
        (f"{TEXT.replace('you', 'we')}\n{SIGNED}", "does not fit"),
        (f"{TEXT}\n{SIGNED.replace('x08go/ZJ', 'x08go/ZK')}", "does not fit"),
        (f"{TEXT}\n{SIGNED.replace('x08go', 'y08go')}", "none of the keys"),
        (f"{TEXT}\n{SIGNED.replace('PeterNeumann', 'Peter')}", "none of the keys"),
        (f"{TEXT}{SIGNED}", "no signed note"),
        (TEXT, "no signed note"),
        (f"{TEXT}\n{SIGNED}and more\n", "no signed note"),
        (f"{TEXT}\n{SIGNED}"[:-1], "no signed note"),
        ("", "no signed note"),
    ],
)
def test_a_note_that_was_changed_is_refused(note, words):
    with pytest.raises(LedgerError) as caught:
        notes.opened(note, [notes.read_public_key(PUBLIC, "key.pub")], "note")
    assert words in caught.value.problem


@pytest.mark.parametrize(
    "text", ["", "x", PRIVATE, PUBLIC.replace("c74f", "c75f"), PUBLIC[:-4], PUBLIC.replace("+A", "+B"), "a+b+c+d"]
)
def test_what_is_no_public_key_is_refused(text):
    with pytest.raises(LedgerError):
        notes.read_public_key(text, "key.pub")


@pytest.mark.parametrize("text", ["", PUBLIC, PRIVATE[:-4], "PRIVATE+KEY+"])
def test_what_is_no_private_key_is_refused(text):
    with pytest.raises(LedgerError):
        notes.read_private_key(text, "key")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb"])
def test_a_key_is_called_by_one_word(name):
    with pytest.raises(LedgerError):
        notes.new_key(name)


ROOT = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_a_checkpoint_is_three_lines_and_one_of_ours():
    text = f"gatewright/1\n7\n{ROOT}\nchain {ROOT}\n"
    found = read_checkpoint(text, "monday")
    assert (found.origin, found.size, found.root, found.head) == ("gatewright/1", 7, found.root, found.root)
    assert found.text() == text
    plain = read_checkpoint(f"gatewright/1\n7\n{ROOT}\nsomething else\n", "monday")
    assert plain == Checkpoint(name="monday", origin="gatewright/1", size=7, root=found.root)


@pytest.mark.parametrize(
    "text",
    ["", "a\n", "a\n1\n", f"\n1\n{ROOT}\n", f"a\n-1\n{ROOT}\n", f"a\n01\n{ROOT}\n", f"a\n1\n{ROOT[4:]}\n", "a\n1\n?\n"],
)
def test_what_is_no_checkpoint_is_refused(text):
    with pytest.raises(LedgerError, match="no checkpoint"):
        read_checkpoint(text, "monday")


def test_without_the_package_that_signs_it_is_said_what_to_install(monkeypatch):
    for name in list(sys.modules):
        if name.startswith("cryptography"):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for use in (lambda: notes.new_key("a").sign("x\n"), lambda: notes.PublicKey("a", b"\0" * 32).verifies(b"", b"")):
        with pytest.raises(LedgerError) as caught:
            use()
        assert "gatewright[evidence]" in caught.value.hint
