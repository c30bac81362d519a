"""The options of methods: which of them were given, for a kind to check."""

from collections.abc import Callable
from typing import Any, TypeAlias

import click

Options: TypeAlias = dict[str, Any]
NAMES = ("max_level", "max_depth", "budget", "last")


def method_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of methods of solving; the command gets those that were given, see `given`."""
    decorators = (
        click.option("--max-level", metavar="N", type=click.IntRange(0),
                     help="analytic: the highest level of reasoning, 0 to 3."),
        click.option("--max-depth", metavar="N", type=click.IntRange(0),
                     help="Cells filled in (brute, backtrack), guesses standing (human-path) or "
                     "suppositions nested (analytic) at a time, at most."),
        click.option("--by", type=click.Choice(["rows", "columns", "boxes"]), multiple=True,
                     help="models: units that are filled (all sorts); may be repeated."),
        click.option("--once/--until-stable", "once", default=None,
                     help="models: fill what lacks one digit now, or look again until nothing "
                     "changes (default)."),
        click.option("--last", metavar="N", type=click.IntRange(0),
                     help="human-path: index of the hardest method; 10 leaves out the guess."),
        click.option("--budget", metavar="N", type=click.IntRange(1),
                     help="Calls, suppositions or positions after which a method gives up."),
    )  # fmt: skip
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def given(options: Options) -> Options:
    """The options of a method among a command's own, by the names that kinds give them."""
    once, by = options.pop("once"), options.pop("by")
    found = {
        **{name: options.pop(name) for name in NAMES},
        "by": list(by) or None,
        "until_stable": None if once is None else not once,
    }
    return {name: value for name, value in found.items() if value is not None}
