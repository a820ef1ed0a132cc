"""Twelve checks of one request, beside the same checks in other languages for policies and expressions.

`make bench-languages` installs those into a virtual environment of their own; `make bench` names the ones that are
missing and goes on. Each language gets its checks read beforehand and its request in the form that it likes best,
where it can keep one. What it reports is that no check fires.
"""

import importlib
from collections.abc import Callable, Mapping

from tests.benchmarks.timing import side_by_side, table
from tests.runner.gates import gate_of

FACTS: dict[str, object] = {
    "runtime": "codex",
    "model": "gpt-5.5",
    "agents": 2,
    "est_chars": 3000,
    "completion_channel": "orchestration",
    "tier_override": "",
    "labels": {"team": "core"},
    "known_roots": ["/srv", "/home"],
    "window": {"used": 3, "cap": 8},
}
OURS = (
    "agents < 1",
    "agents > 8",
    "runtime == 'fable'",
    "completion_channel not in ['orchestration', 'sentinel-log']",
    "model is None or model == ''",
    "starts_with(default(model, 'none'), 'retired-')",
    "est_chars > 500000",
    "est_chars * agents > 1000000",
    "window.cap is not None and window.used + agents > window.cap and tier_override == ''",
    "has(labels.frozen)",
    "'/' in known_roots",
    "len(known_roots) > 50",
)
PYTHONS = (
    *OURS[:5],
    "startswith(model, 'retired-')",
    *OURS[6:9],
    "'frozen' in labels",
    *OURS[10:],
)
CELS = (
    *OURS[:3],
    "!(completion_channel in ['orchestration', 'sentinel-log'])",
    "model == null || model == ''",
    "model.startsWith('retired-')",
    *OURS[6:8],
    "window.cap != null && window.used + agents > window.cap && tier_override == ''",
    "has(labels.frozen)",
    "'/' in known_roots",
    "size(known_roots) > 50",
)
CEDARS = (
    "context.agents < 1",
    "context.agents > 8",
    'context.runtime == "fable"',
    '!(["orchestration", "sentinel-log"].contains(context.completion_channel))',
    '!(context has model) || context.model == ""',
    'context.model like "retired-*"',
    "context.est_chars > 500000",
    "context.est_chars * context.agents > 1000000",
    (
        "context.window has cap && context.window.used + context.agents > context.window.cap"
        ' && context.tier_override == ""'
    ),
    "context.labels has frozen",
    'context.known_roots.contains("/")',
    # Cedar counts no sets, so that it is spared the last check.
)

Check = Callable[[], object]


def gatewright() -> Mapping[str, Check]:
    """Ours: a whole decision, of facts that are admitted and of facts that are not."""
    gate = gate_of("\n".join(f'- {{id: r{at}, deny: "{text}"}}' for at, text in enumerate(OURS)))
    kept = gate.admit(FACTS)
    assert gate.decide(kept).allow
    return {"gatewright, admitted": lambda: gate.decide(kept), "gatewright": lambda: gate.decide(FACTS)}


def simpleeval() -> Mapping[str, Check]:
    """simpleeval: trees parsed beforehand, one evaluator kept."""
    evaluator = importlib.import_module("simpleeval").EvalWithCompoundTypes(
        names=dict(FACTS), functions={"len": len, "startswith": str.startswith}
    )
    trees = [(text, evaluator.parse(text)) for text in PYTHONS]
    return {"simpleeval": lambda: any(evaluator.eval(text, previously_parsed=tree) for text, tree in trees)}


def cel_python() -> Mapping[str, Check]:
    """cel-python: programs and a converted request kept."""
    celpy = importlib.import_module("celpy")
    environment = celpy.Environment()
    programs = [environment.program(environment.compile(text)) for text in CELS]
    converted = {name: celpy.json_to_cel(value) for name, value in FACTS.items()}
    return {"cel-python": lambda: any(program.evaluate(converted) for program in programs)}


def common_expression_language() -> Mapping[str, Check]:
    """common-expression-language: programs kept; a context kept, and one made anew for each request."""
    cel = importlib.import_module("cel")
    programs = [cel.compile(text) for text in CELS]
    kept = cel.Context(variables=FACTS)
    return {
        "common-expression-language, kept": lambda: any(program.execute(kept) for program in programs),
        "common-expression-language": lambda: _fresh(cel, programs),
    }


def _fresh(cel: object, programs: list[object]) -> bool:
    context = cel.Context(variables=FACTS)  # type: ignore[attr-defined]  # no stubs: it is no dependency
    return any(program.execute(context) for program in programs)  # type: ignore[attr-defined]


def cedarpy() -> Mapping[str, Check]:
    """cedarpy: the policy set and no entities kept; a request is handed over whole each time."""
    cedar = importlib.import_module("cedarpy")
    head = "forbid(principal, action, resource) when { "
    text = "permit(principal, action, resource);\n" + "".join(f"{head}{check} }};\n" for check in CEDARS)
    policies, entities = cedar.PolicySet.from_str(text), cedar.Entities.from_json_str("[]")
    request = {"principal": 'A::"a"', "action": 'B::"b"', "resource": 'C::"c"', "context": FACTS}

    def decide() -> bool:
        return not cedar.is_authorized(request, policies, entities).allowed

    return {"cedarpy": decide}


def main() -> None:
    """Print the ratios of those that are installed."""
    checks = dict(gatewright())
    for name, language in {
        "simpleeval": simpleeval,
        "cel-python": cel_python,
        "common-expression-language": common_expression_language,
        "cedarpy": cedarpy,
    }.items():
        try:
            found = language()
        except ImportError:
            print(f"{name} is not installed here: `make bench-languages` measures it")
            continue
        assert not any(check() for check in found.values()), f"{name} finds something"
        checks |= found
    print(table(side_by_side(checks, rounds=7, calls=100), "gatewright, admitted"))


if __name__ == "__main__":
    main()
