"""Screens: what is known of those that agents show, what one says, and what two of them say of a delivery."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct


class PaneClass(Enum):
    """What a screen shows."""

    HOOK_TRUST = "hook-trust"  #: a question that has to be answered by a person first
    LIMIT = "limit"  #: a quota, a rate or credits are used up
    BUSY = "busy"  #: a turn is running
    PREPARED_PROMPT = "prepared-prompt"  #: an agent waits for its next task, or has one typed in and not sent
    UNKNOWN = "unknown"  #: nothing that is known


class DeliveryClass(Enum):
    """What became of a task that was typed into a terminal."""

    AGENT_STARTED = "agent-started"  #: the prompt that was there has taken it
    HOOK_TRUST = "hook-trust"  #: a question stands in the way; the task was not read
    LIMIT = "limit"  #: a limit stands in the way
    UNKNOWN = "unknown"  #: nothing tells

    @property
    def failed(self) -> bool:
        """Whether the task is known not to have arrived."""
        return self in {DeliveryClass.HOOK_TRUST, DeliveryClass.LIMIT}


class GateKind(Enum):
    """What exactly stands on a screen; finer than its class."""

    TRUST = "trust"
    HOOK_TRUST = "hook-trust"
    START_MENU = "start-menu"
    LOGIN = "login"
    APPROVAL = "approval"
    POSTURE = "posture"
    SURVEY = "survey"
    QUOTA = "quota"
    SERVICE = "service"  #: transient, and no quota
    DEAD = "dead"  #: there is no agent
    ADVISORY = "advisory"  #: a warning, and no block


class Form(Enum):
    """How a marker stands on a screen, and with it what ends its being in force."""

    DIALOG = "dialog"  #: owns the bottom of the screen until it is answered
    NOTICE = "notice"  #: part of the last turn; a prompt may stand below it
    STATUS = "status"  #: in brackets or behind a dot, while a turn runs
    PROMPT = "prompt"  #: a sign at the start of a line; what comes behind it is typed in


class KnownScreen(Struct, frozen=True, kw_only=True):
    """One screen that is known by its words."""

    name: str
    product: str
    pane_class: PaneClass
    form: Form
    markers: tuple[str, ...]  #: any of them will do; `…` stands for at most 60 characters
    least: int = 1  #: how many of them have to be there
    reasons: tuple[str, ...] = ()  #: the words that an orchestrator has for it
    gate_kind: GateKind | None = None
    versions: str = ""
    source: str = ""


class KnownScreens(Struct, frozen=True):
    """All screens that are known, by name."""

    by_name: Mapping[str, KnownScreen]

    def merged(self, other: "KnownScreens") -> "KnownScreens":
        """These, with another list's in the place of those of the same name."""
        return KnownScreens({**self.by_name, **other.by_name})


class Pane(Struct, frozen=True, kw_only=True):
    """What was read off one screen."""

    pane_class: PaneClass
    gate_kind: GateKind | None = None
    screen: str | None = None  #: the name of the known screen
    product: str | None = None
    marker: str | None = None  #: the words that it was known by
    reset_text: str | None = None  #: when a limit ends, as it was written
    reset_at: str | None = None  #: the same in RFC 3339; None where the words do not tell a moment


class Delivery(Struct, frozen=True, kw_only=True):
    """What two screens, and the worker's own transcript, say of a delivery."""

    delivery_class: DeliveryClass
    before: Pane | None
    after: Pane
    evidence: str | None = None  #: `screen` or `transcript`, whichever shows that the agent started
