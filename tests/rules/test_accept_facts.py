"""The facts of the stage `accept`: each without which work cannot be judged carries the code that refuses it."""

from gatewright_rules.accept_facts import FACTS


def test_what_cannot_be_had_refuses_with_a_code_of_its_own():
    codes = {fact.name: fact.code for fact in FACTS}
    assert codes == {
        "job_id": "NO_REGISTRATION",
        "terms": "CONTRACT_UNREADABLE",
        "registration": "NO_REGISTRATION",
        "surface": "SURFACE_VIOLATION",
        "commits": "FACT_UNAVAILABLE",
        "evidence": "FACT_UNAVAILABLE",
        "placement": "FACT_UNAVAILABLE",
    }
