"""Facts x rules x policy -> GateDecision: one fused function for speed, rule by rule where something is found."""

from gatewright.runner.facts import Facts as Facts
from gatewright.runner.gate import Gate as Gate
