"""Counting answers by model, in bounded room however many there are."""

from collections import Counter, deque

MAX_ID = 200  #: characters of a model's id
_KEPT_ANSWERS = 1 << 16  #: answers whose ids are kept, so that one written in several rows counts once
_KEPT_MODELS = 1_000
MISSING, TOO_LONG, OTHERS = "<missing>", "<too long>", "<others>"


def named(value: object) -> str:
    """The id of a model as a row gives it; a placeholder in angle brackets for what is none."""
    text = value.strip() if isinstance(value, str) else ""
    return (text or MISSING) if len(text) <= MAX_ID else TOO_LONG


def is_placeholder(model: str) -> bool:
    """Whether it stands where no model answered."""
    return model.startswith("<") and model.endswith(">")


class Tally:
    """The answers of one thread."""

    def __init__(self, limit: int) -> None:
        self.models: Counter[str] = Counter()
        self.placeholders: Counter[str] = Counter()
        self.newest: str | None = None
        self._recent: deque[str] = deque(maxlen=limit)
        self._known: dict[tuple[str, str], None] = {}

    @property
    def recent(self) -> Counter[str]:
        """The models of the last answers, placeholders among them."""
        return Counter(self._recent)

    def add(self, model: str, answer: str | None) -> bool:
        """Count an answer, once however many rows it takes; whether it is a new one of a model.

        answer: its id, where it has one.
        """
        if not is_placeholder(model):
            self.newest = model
        if answer is not None and not self._is_new((answer, model)):
            return False
        self._recent.append(model)
        count(self.placeholders if is_placeholder(model) else self.models, model)
        return not is_placeholder(model)

    def _is_new(self, key: tuple[str, str]) -> bool:
        if key in self._known:
            return False
        if len(self._known) >= _KEPT_ANSWERS:
            del self._known[next(iter(self._known))]
        self._known[key] = None
        return True


def count(counter: Counter[str], model: str) -> None:
    """Count a model; beyond a thousand different ones, among the others."""
    counter[model if model in counter or len(counter) < _KEPT_MODELS else OTHERS] += 1
