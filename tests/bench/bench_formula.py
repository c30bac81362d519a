"""Formula tasks per CPU-second: `python tests/bench/bench_formula.py [COUNT]`.

Full solves of the worked examples, each with other numbers every time, as a reader of values sees
them (record of every step, sentences on demand) and with all sentences written; then tasks
generated and graded, first with cold trees of moves, then with warm ones. Medians of ROUNDS.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from workers.engines.formula.document import parse_task
from workers.engines.formula.generate import Order, made_tasks
from workers.engines.formula.journal import journal_text
from workers.engines.formula.shipped import shipped_names, template_named
from workers.engines.formula.solve import solve
from workers.kinds import registry

EXAMPLES = {
    "first example": "xs=30 vs=10 astart=-10 x=10 goals: to tt environment: to>0",
    "second example": "xs=30 vs=10 astart=-9.8 rules: v=0 goals: x",
    "two roots": "xs=30 vs=10 astart=-10 x=10 goals: t",
}
ROUNDS = 5


def per_second(work: Callable[[], Any], count: int) -> int:
    """Median rate of `work`, which does `count` of something."""
    spent = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        spent.append(time.process_time() - started)
    return round(count / statistics.median(spent))


def main(count: int) -> None:
    for name, text in EXAMPLES.items():
        first = parse_task(f"uniform-acceleration data: {text}")
        tasks = [
            first._replace(data=tuple((one, value * (1 + number * 1e-7))
                                      for one, value in first.data))
            for number in range(count)
        ]  # fmt: skip
        for search in ("seed", "best"):
            rate = per_second(lambda: [solve(task, search).answers for task in tasks], count)  # noqa: B023
            some = tasks[: count // 10]
            told = per_second(lambda: [journal_text(solve(task, search)) for task in some],  # noqa: B023
                              len(some))  # fmt: skip
            print(f"{name:16} {search:5} {rate:>9,} solves  {told:>9,} with all sentences written")
    domains = tuple(found for one in shipped_names() if (found := template_named(one)))
    order = Order(domains, (1, 6), (1, 6), (0, 1))
    for state in ("cold", "warm"):
        started = time.process_time()
        made = sum(1 for _ in made_tasks(1, count // 4, order))
        print(f"made tasks, {state}: {made / (time.process_time() - started):,.0f}")
    kind = registry.get("formula")
    params = kind.params_type()
    columns = kind.generate(1, count // 4, params, kind.default_raters)
    rate = per_second(lambda: kind.grade(columns["puzzle"], params, kind.default_raters),
                      count // 4)  # fmt: skip
    print(f"graded texts: {rate:,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
