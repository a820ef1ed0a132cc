"""A small policy for dry runs."""

POLICY = """\
gatewright: 1
policy: fan
stage: check
params: {most: 3}
codes: {TOO_MANY: more agents than the team may start}
rules:
  - id: few
    deny: agents > params.most
    code: TOO_MANY
    message: "{agents} agents"
  - id: costly
    warn: runtime == "fable"
    code: HIGH_COST_RUNTIME
"""
