"""Completion channel: somebody must hear of the end."""

from gatewright.model import NO_COMPLETION_CHANNEL, Findings, deny
from gatewright.spec import rule


@rule(
    codes=[NO_COMPLETION_CHANNEL],
    fires="completion_channel is None or completion_channel not in channels",
    owns=["completion_channel"],
)
def completion_channel(
    completion_channel: str | None, *, channels: tuple[str, ...] = ("orchestration", "sentinel-log")
) -> Findings:
    """Deny a request that does not say how the end of the work will be told.

    What: looks at the completion channel.
    Why: a worker that reports nowhere looks the same finished, stuck and dead.
    Denies: `NO_COMPLETION_CHANNEL` when there is none, or one that is not listed.
    Options: `channels`, the channels that will do.
    """
    wanted = " or ".join(f"`{name}`" for name in channels)
    if completion_channel is None:
        yield deny(NO_COMPLETION_CHANNEL, "no completion channel is given", hint=f"give {wanted}")
    elif completion_channel not in channels:
        message = f"completion channel `{completion_channel}` is not {wanted}"
        yield deny(NO_COMPLETION_CHANNEL, message, hint=f"give {wanted}, spelt exactly so")
