"""What mutation costs: the mutants of the shipped policies, beside a plain run of the fixtures that judge them.

    python tests/benchmarks/bench_mutation.py [MUTANTS]

MUTANTS (default 200) are taken from the start; a ratio says how many runs of all fixtures they cost.
"""

import os
import sys
import time
from itertools import cycle, islice

from gatewright.app import catalog_of
from gatewright.model.mutations import Fate
from gatewright.trials.collecting import cases_of
from gatewright.trials.mutation import Bench
from gatewright.trials.runs import Runner

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FIXTURES = os.path.join(ROOT, "fixtures")


def main(wanted: int) -> None:
    catalog = catalog_of()
    names = sorted(name for name in os.listdir(FIXTURES) if name.endswith(".yaml"))
    cases = [case for name in names for case in cases_of(os.path.join(FIXTURES, name), catalog)]
    runner = Runner(catalog, os.path.join(ROOT, "policies", "tiers.yaml"))
    for case in cases:  # policies are loaded and compiled once
        runner.run(case)
    start = time.perf_counter()
    trials = [runner.run(case) for case in cases]
    plain = time.perf_counter() - start

    start = time.perf_counter()
    bench = Bench(runner, trials)
    mutants = [(policy, each) for policy in bench.policies.values() for each in bench.mutants(policy)]
    prepared = time.perf_counter() - start
    todo = list(islice(cycle(mutants), wanted))
    start = time.perf_counter()
    fates = [bench.fate(each, policy).fate for policy, each in todo]
    taken = time.perf_counter() - start

    print(f"{len(cases)} cases, run once                  {plain * 1000:9.0f} ms")
    print(f"{len(mutants)} mutants made                      {prepared * 1000:9.0f} ms")
    print(
        f"{len(todo)} mutants judged                    {taken * 1000:9.0f} ms, {taken / len(todo) * 1000:.1f} ms each"
    )
    print(f"as many runs of all cases would take  {plain * len(todo) * 1000:9.0f} ms")
    print(f"ratio to one plain run                {(prepared + taken) / plain:9.1f}")
    print(", ".join(f"{fates.count(fate)} {fate.value}" for fate in Fate))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
