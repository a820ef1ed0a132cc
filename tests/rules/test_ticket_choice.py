import pytest
from tests.rules.calls import DENY, WARN, findings_of, levels_of

from gatewright.model import (
    AMBIGUOUS_TICKET,
    NO_MATCHING_TICKET,
    TICKET_EXPIRED,
    TICKET_MISSING,
    Level,
    PendingChecks,
    TicketChoice,
)
from gatewright_rules import ticket_choice

ONE, NONE = PendingChecks(count=1), PendingChecks(count=0)
NOTHING_FITS = [(NO_MATCHING_TICKET, DENY)]


@pytest.mark.parametrize(
    ("state", "age", "pending", "found"),
    [
        ("one", 5.0, ONE, []),
        ("one", None, PendingChecks(count=3), []),
        ("one", 5.0, NONE, NOTHING_FITS),
        ("none", None, NONE, NOTHING_FITS),
        ("none", None, ONE, NOTHING_FITS),
        ("something", None, ONE, NOTHING_FITS),
        ("", None, ONE, NOTHING_FITS),
        ("several", None, ONE, [(AMBIGUOUS_TICKET, DENY)]),
        ("several", None, NONE, [(AMBIGUOUS_TICKET, DENY)]),
        ("expired", 601.0, ONE, [(TICKET_EXPIRED, WARN)]),
        ("expired", 601.0, NONE, NOTHING_FITS),
        ("absent", 600.0, ONE, [(TICKET_MISSING, Level.NOTE)]),
        ("absent", None, ONE, [(TICKET_MISSING, Level.NOTE)]),
        ("absent", 601.0, ONE, [(TICKET_MISSING, Level.NOTE), (TICKET_EXPIRED, WARN)]),
        ("absent", 5.0, NONE, NOTHING_FITS),
    ],
)
def test_one_check_is_settled_and_it_is_clear_which(state, age, pending, found):
    assert levels_of(ticket_choice, ticket=TicketChoice(state=state, age=age), pending=pending) == found


@pytest.mark.acceptance("R14")
@pytest.mark.parametrize(
    ("state", "candidates", "said"),
    [
        ("none", (), "candidate_contract_shas=<none>"),
        ("none", ("aa", "bb"), "candidate_contract_shas=aa,bb"),
        ("several", ("aa", "bb"), "candidate_contract_shas=aa,bb"),
    ],
)
def test_a_denial_lists_the_hashes_that_there_are(state, candidates, said):
    (finding,) = findings_of(ticket_choice, ticket=TicketChoice(state=state, candidates=candidates), pending=NONE)
    assert (finding.message, finding.data) == (said, {"candidates": list(candidates)})


def test_from_which_age_on_a_check_without_its_ticket_is_warned_of_is_an_option():
    gone = TicketChoice(state="absent", age=50.0)
    assert levels_of(ticket_choice, ticket=gone, pending=ONE, good_seconds=49)[1:] == [(TICKET_EXPIRED, WARN)]
