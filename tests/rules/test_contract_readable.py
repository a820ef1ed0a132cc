"""Contract readable: a worker is started on a file that exists, and whose hash is known."""

import pytest
from tests.rules.calls import DENY, codes_of, findings_of, fires, levels_of

from gatewright.model import CONTRACT_UNREADABLE, Contract
from gatewright_rules import contract_readable


@pytest.mark.parametrize("error", [None, "", "permission denied", "it is a folder"])
def test_a_contract_that_was_not_read_is_denied(error):
    unread = Contract(path="job.md", readable=False, error=error)
    assert levels_of(contract_readable, contract=unread) == [(CONTRACT_UNREADABLE, DENY)]
    assert fires(contract_readable, contract=unread)


def test_a_contract_that_was_read_passes_even_if_it_is_empty():
    read = Contract(path="job.md", readable=True, sha256="e3b0c442" * 8, chars=0)
    assert codes_of(contract_readable, contract=read) == []
    assert not fires(contract_readable, contract=read)


def test_the_denial_names_the_path_and_the_reason():
    unread = Contract(path="deep/job.md", readable=False, error="it is a folder")
    (finding,) = findings_of(contract_readable, contract=unread)
    assert "`deep/job.md`" in finding.message
    assert "it is a folder" in finding.message


def test_it_answers_for_a_contract_that_cannot_be_had():
    assert contract_readable.owns == ("contract",)
