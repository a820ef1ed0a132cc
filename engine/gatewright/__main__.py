"""The two programs. Both are short-lived and are started once a dispatch, so they begin by not collecting garbage."""

import gc

_ALLOCATIONS = 100_000  #: between collections; importing alone would else trigger dozens of them, a tenth of the start


def main() -> None:
    """Run `gatewright`."""
    gc.set_threshold(_ALLOCATIONS)
    from gatewright.cli import main as run

    run()


def dispatch_gate() -> None:
    """Run `dispatch-gate`."""
    gc.set_threshold(_ALLOCATIONS)
    from gatewright.cli.drop_in import main as run

    run()


if __name__ == "__main__":
    main()
