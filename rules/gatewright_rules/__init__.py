"""The gate checks that ship with gatewright: the first plugin, with no privileges."""

from gatewright_rules.accept_facts import FACTS as ACCEPT_FACTS
from gatewright_rules.accepted_model import accepted_model
from gatewright_rules.channel_unchanged import channel_unchanged
from gatewright_rules.commit_rules import commit_rules
from gatewright_rules.completion_channel import completion_channel
from gatewright_rules.contract_readable import contract_readable
from gatewright_rules.contract_size import contract_size
from gatewright_rules.contract_terms import contract_terms
from gatewright_rules.declared_model import declared_model
from gatewright_rules.deliver_facts import FACTS as DELIVER_FACTS
from gatewright_rules.dispatch_budget import dispatch_budget
from gatewright_rules.dispatch_facts import FACTS as DISPATCH_FACTS
from gatewright_rules.edit_surface import edit_surface
from gatewright_rules.evidence_made import evidence_made
from gatewright_rules.facts import FACTS as CHECK_FACTS
from gatewright_rules.fan_out_cap import fan_out_cap
from gatewright_rules.host_diversity import host_diversity
from gatewright_rules.job_once import job_once
from gatewright_rules.job_proof import job_proof
from gatewright_rules.job_registered import job_registered
from gatewright_rules.known_roots import known_roots
from gatewright_rules.ledger_clock import ledger_clock
from gatewright_rules.mcp_trust import mcp_trust
from gatewright_rules.model_escalation import model_escalation
from gatewright_rules.model_match import model_match
from gatewright_rules.model_named import model_named
from gatewright_rules.model_tier import model_tier
from gatewright_rules.open_question import open_question
from gatewright_rules.orchestration_proof import orchestration_proof
from gatewright_rules.probe_content import probe_content
from gatewright_rules.register_facts import FACTS as REGISTER_FACTS
from gatewright_rules.register_shape import register_shape
from gatewright_rules.request_shape import request_shape
from gatewright_rules.runtime_routing import runtime_routing
from gatewright_rules.runtime_vendor import runtime_vendor
from gatewright_rules.start_evidence import start_evidence
from gatewright_rules.terms_readable import terms_readable
from gatewright_rules.ticket_choice import ticket_choice
from gatewright_rules.ticket_confined import ticket_confined
from gatewright_rules.tier_policy_loaded import tier_policy_loaded
from gatewright_rules.tiers_known import tiers_known
from gatewright_rules.top_approval import top_approval
from gatewright_rules.unknown_model import unknown_model
from gatewright_rules.used_up_limit import used_up_limit
from gatewright_rules.worker_alive import worker_alive
from gatewright_rules.worker_placement import worker_placement
from gatewright_rules.worktree_root import worktree_root

RULES = (
    # Those of the stage `dispatch`.
    tiers_known,
    runtime_vendor,
    top_approval,
    contract_terms,
    host_diversity,
    # Those of the stage `check`.
    contract_size,
    completion_channel,
    model_named,
    request_shape,
    tier_policy_loaded,
    fan_out_cap,
    model_tier,
    unknown_model,
    contract_readable,
    mcp_trust,
    known_roots,
    worktree_root,
    ticket_confined,
    dispatch_budget,
    runtime_routing,
    ledger_clock,
    # Those of the stage `register`.
    orchestration_proof,
    job_proof,
    probe_content,
    model_escalation,
    model_match,
    register_shape,
    ticket_choice,
    channel_unchanged,
    declared_model,
    job_once,
    # Those of the stage `deliver`.
    open_question,
    used_up_limit,
    worker_alive,
    start_evidence,
    # Those of the stage `accept`.
    terms_readable,
    job_registered,
    accepted_model,
    worker_placement,
    edit_surface,
    commit_rules,
    evidence_made,
)
FACTS = (*DISPATCH_FACTS, *CHECK_FACTS, *REGISTER_FACTS, *DELIVER_FACTS, *ACCEPT_FACTS)
