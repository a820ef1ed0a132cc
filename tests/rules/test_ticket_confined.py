"""Ticket confined: the ticket of an allowed check is written into the ticket folder and nowhere else."""

import pytest
from tests.rules.calls import DENY, findings_of, fires, levels_of

from gatewright.model import INVALID_REQUEST, TicketPath
from gatewright_rules import ticket_confined


@pytest.mark.parametrize("path", [None, "", "../elsewhere.json", "x" * 10_000])
@pytest.mark.parametrize(("inside", "found"), [(True, []), (False, [(INVALID_REQUEST, DENY)])])
def test_a_ticket_outside_its_folder_is_denied_whatever_its_path_is(inside, found, path):
    given = {"ticket_path": TicketPath(inside=inside, path=path)}
    assert levels_of(ticket_confined, **given) == found
    assert fires(ticket_confined, **given) is not inside


def test_the_denial_names_the_file():
    (finding,) = findings_of(ticket_confined, ticket_path=TicketPath(inside=False, path="../x.json"))
    assert "`../x.json`" in finding.message
