"""What a search did, step by step: sentences for a person, records for a program."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from workers.engines.formula.expression import format_number
from workers.engines.formula.network import Edge, Network
from workers.engines.formula.search import DONE, ERROR, Event, Try
from workers.engines.formula.solve import Solved, error_words

DECIMALS = 8


class Step(NamedTuple):
    """One line of a journal; `name` is sought or found, `uses` are the names it is made from."""

    event: str  # goal, auxiliary, missing, value, rejected, error, rule, cycle, ...
    text: str
    name: str | None
    formula: str | None
    value: float | None
    uses: tuple[str, ...]


def shown(value: float) -> str:
    """A value for a person: eight decimals, or ten digits where that is little or too much."""
    if value == 0 or 1 <= abs(value) < 1e9:
        return format_number(round(value, DECIMALS) + 0.0)
    return format_number(float(f"{value:.10g}"))


def journal(solved: Solved) -> list[Step]:
    """The steps of a search in order; of every evaluation what came of it."""
    network = solved.pattern.network
    trail = iter(solved.walk.trail)
    steps: list[Step] = []
    for event in solved.events:
        if event.code == "try":
            move: Try = event.others[0]
            steps.append(_evaluation(network, move, *next(trail)))
        elif event.code != "answer":
            steps.append(_said(network, event))
    return steps


def journal_text(solved: Solved) -> list[str]:
    """The journal as numbered lines."""
    steps = journal(solved)
    width = len(str(len(steps)))
    return [f"{number:>{width}}. {step.text}" for number, step in enumerate(steps, start=1)]


def _evaluation(network: Network, move: Try, value: float, outcome: int, which: int) -> Step:
    edge = move.edge
    name = network.names[edge.target]
    formula = network.text(edge, move.root)
    uses = tuple(network.names[need] for need in edge.needs)
    if outcome == ERROR:
        return Step("error", f"{name}: {error_words(move, which)}", name, formula, None, uses)
    text = f"{formula} = {shown(value)}"
    if outcome == DONE:
        return Step("value", text, name, formula, value, uses)
    checks = network.checks_for(edge.target, move.known)
    if which < len(checks):
        why = f"rejected by {checks[which].text}"
    else:
        why = f"rejected, contradicts {network.text(move.crossed[which - len(checks)])}"
    return Step("rejected", f"{text}: {why}", name, formula, value, uses)


def _said(network: Network, event: Event) -> Step:
    name = network.names[event.place] if event.place >= 0 else None
    formula = network.text(event.edge) if event.edge is not None else None
    uses = tuple(_used(network, event))
    sentence = SENTENCES[event.code](name or "", formula or "", uses)
    return Step(event.code, sentence, name, formula, None, uses)


def _used(network: Network, event: Event) -> Iterator[str]:
    for other in event.others:
        if isinstance(other, Edge):
            yield network.text(other)
        elif event.code != "back":
            yield network.names[other]


SENTENCES: Mapping[str, Callable[[str, str, tuple[str, ...]], str]] = {
    "rule": lambda name, formula, _: f"rule {formula} is applied",
    "known": lambda name, *_: f"{name} is known already",
    "goal": lambda name, *_: f"goal: {name}",
    "auxiliary": lambda name, _, chain: f"auxiliary task: {name} (for {chain[-1]})",
    "missing": lambda name, formula, _: f"{formula}: {name} is not known",
    "cycle": lambda name, formula, chain: (
        f"{formula}: {name} is being looked for already (cycle {' > '.join(chain)})"
    ),
    "gives up": lambda name, formula, missing: f"{formula}: {missing[0]} cannot be found",
    "no formula": lambda name, *_: f"{name} is used but not given, and no formula gives it",
    "back": lambda name, formula, _: f"{formula}: the choice of a root is taken back",
    "limit": lambda *_: "the limit of attempts is reached",
    "derivation": lambda name, _, plan: f"derivation of {name}: {'; '.join(plan)}",
    "no derivation": lambda name, *_: f"no derivation of {name} is left",
}
"""Event -> its sentence, from name, formula and further names."""
