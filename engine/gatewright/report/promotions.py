"""What a step of a rule would have done, for people and programs."""

from gatewright.model.backtests import Promotion
from gatewright.model.decisions import Plain
from gatewright.report import backtests
from gatewright.report.formats import escaped
from gatewright.text import counted, printable


def sentence(promotion: Promotion) -> str:
    """What it would have done, in a sentence."""
    denials, checks = promotion.denials, promotion.found.replayed
    would = f"would have denied {counted(denials, 'more check')} of {checks:,}" if denials else _harmless(checks)
    step = f"rule {promotion.rule} from {promotion.before} to {promotion.after}"
    return f"{step}: it {would}{_limit(promotion)}{_unknown(promotion)}"


def _limit(promotion: Promotion) -> str:
    if promotion.limit is None or not promotion.too_many:
        return ""
    return f", and {promotion.limit:,} {'is' if promotion.limit == 1 else 'are'} put up with"


def _unknown(promotion: Promotion) -> str:
    """How many checks nothing is known of: a step that few checks could show is not shown to be harmless."""
    left = promotion.found.checks - promotion.found.replayed
    return f"; nothing is known of {left:,} that could not be replayed" if left else ""


def _harmless(checks: int) -> str:
    return f"would have denied no more than now of {counted(checks, 'check')}"


def text(promotion: Promotion, *, style: str = "", width: int = 0) -> str:
    """What would have been denied, the change of the policy, and the sentence."""
    parts = [backtests.text(promotion.found, style=style, width=width)]
    parts += ["".join(f"{line}\n" for line in _diff(promotion))] if promotion.edit else []
    return "\n".join([*parts, f"{printable(sentence(promotion))}\n"])


def _diff(promotion: Promotion) -> list[str]:
    return [printable(line) for line in promotion.edit.splitlines()]


def plain(promotion: Promotion) -> dict[str, Plain]:
    """The same as plain data."""
    return {
        "rule": promotion.rule,
        "from": promotion.before,
        "to": promotion.after,
        "new_denials": promotion.denials,
        "max_new_denials": promotion.limit,
        "too_many": promotion.too_many,
        "edit": promotion.edit,
        "backtest": backtests.plain(promotion.found),
    }


def markdown(promotion: Promotion) -> str:
    """The same as a page of Markdown."""
    page = backtests.markdown(promotion.found).replace("# Back-test", "# Promotion", 1)
    lines = ["", "## The change", "", "```diff", *_diff(promotion), "```"] if promotion.edit else []
    return "".join(f"{line}\n" for line in [*page.splitlines(), *lines, "", f"{escaped(sentence(promotion))}."])
