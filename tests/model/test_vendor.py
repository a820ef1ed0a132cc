"""Who makes a model, by the start of its id."""

import pytest

from gatewright.model.tiers import vendor_of


@pytest.mark.parametrize(
    ("model", "vendor"),
    [
        ("claude-opus-5", "claude"),
        ("CLAUDE-OPUS-5", "claude"),
        ("anthropic/claude-opus-5", "claude"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude"),
        ("gpt-5.5", "codex"),
        ("openai/gpt-5.5", "codex"),
        ("o3-mini", "codex"),
        ("o4", "codex"),
        ("codex-mini", "codex"),
        ("grok-4.5", "grok"),
        ("x-ai/grok-4.5", "grok"),
        ("gemini-3.6-flash", "gemini"),
    ],
)
def test_a_vendor_is_known_by_the_start_of_the_id(model, vendor):
    assert vendor_of(model) == vendor


@pytest.mark.parametrize(
    "model",
    ["", " ", "opus", "claude", "gpt", "my-claude-opus-5", "mistral/claude-opus-5", "grok", "x" * 10_000, "클로드"],
)
def test_any_other_id_has_no_known_vendor(model):
    assert vendor_of(model) == "unknown"
