"""What a search did, step by step: sentences for a person, records for a program."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from workers.engines.formula.expression import format_number
from workers.engines.formula.network import Edge, Network
from workers.engines.formula.search import DONE, ERROR, Event, Try
from workers.engines.formula.solve import Solved, error_words

DECIMALS = 8
MOST_WAYS = 256


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


class Line(NamedTuple):
    """A step as it is for all tasks that went the same way: what stands before and behind the
    value, and which evaluation gave it (-1: none)."""

    step: Step
    behind: str
    number: int


def journal(solved: Solved) -> list[Step]:
    """The steps of a search in order; of every evaluation what came of it."""
    trail = solved.walk.trail
    return [
        line.step if line.number < 0 else _with_value(line, trail[line.number][0])
        for line in _lines(solved)
    ]


def journal_text(solved: Solved) -> list[str]:
    """The journal as numbered lines."""
    trail = solved.walk.trail
    return [
        before if number < 0 else f"{before}{shown(trail[number][0])}{behind}"
        for before, behind, number in _numbered(solved)
    ]


def _with_value(line: Line, value: float) -> Step:
    text = f"{line.step.text}{shown(value)}{line.behind}"
    return line.step._replace(text=text, value=value)


def _numbered(solved: Solved) -> list[tuple[str, str, int]]:
    """The lines with their numbers, kept for tasks that go the same way."""
    kept = _kept(solved)
    if len(kept) == 1:
        lines = kept[0]
        width = len(str(len(lines)))
        kept.append([(f"{number:>{width}}. {line.step.text}", line.behind, line.number)
                     for number, line in enumerate(lines, start=1)])  # fmt: skip
    numbered: list[tuple[str, str, int]] = kept[1]
    return numbered


def _lines(solved: Solved) -> list[Line]:
    lines: list[Line] = _kept(solved)[0]
    return lines


def _kept(solved: Solved) -> list[list[Any]]:
    """What is kept with a pattern for the way that a walk went."""
    way = tuple([(outcome, which) for _, outcome, which in solved.walk.trail])
    kept = solved.pattern.journals
    if way not in kept:
        if len(kept) >= MOST_WAYS:
            kept.clear()
        kept[way] = [_made(solved)]
    return kept[way]


def _made(solved: Solved) -> list[Line]:
    network = solved.pattern.network
    trail = solved.walk.trail
    lines: list[Line] = []
    number = 0
    for event in solved.events:
        if event.code == "try":
            _, outcome, which = trail[number]
            lines.append(_evaluation(network, event.others[0], (outcome, which), number))
            number += 1
        elif event.code != "answer":
            lines.append(Line(_said(network, event), "", -1))
    return lines


def _evaluation(network: Network, move: Try, came: tuple[int, int], number: int) -> Line:
    edge = move.edge
    outcome, which = came
    name = network.names[edge.target]
    formula = network.text(edge, move.root)
    uses = tuple(network.names[need] for need in edge.needs)
    if outcome == ERROR:
        text = f"{name}: {error_words(move, which)}"
        return Line(Step("error", text, name, formula, None, uses), "", -1)
    before = f"{formula} = "
    if outcome == DONE:
        return Line(Step("value", before, name, formula, None, uses), "", number)
    checks = network.checks_for(edge.target, move.known)
    if which < len(checks):
        why = f": rejected by {checks[which].text}"
    else:
        why = f": rejected, contradicts {network.text(move.crossed[which - len(checks)])}"
    return Line(Step("rejected", before, name, formula, None, uses), why, number)


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
