"""The options of a method: a frozen Struct with limits on every field, filled from a mapping."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from workers.errors import ParamsError

S = TypeVar("S", bound=Struct)


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A method that leaves nothing to choose."""


def chosen(
    what: str,
    known: Mapping[str, type[Struct]],
    name: str | None,
    given: Mapping[str, Any] | None,
) -> tuple[str, Any]:
    """The name, or the first of `known`, and its options with the values `given`.

    ParamsError names `what` when the name is unknown, else the option that is wrong.
    """
    if name is None:
        name = next(iter(known))
    if name not in known:
        raise ParamsError(what, f"{name!r} is not one of {', '.join(known)}")
    return name, checked(known[name], given or {}, f"{what} {name}")


def checked(options_type: type[S], given: Mapping[str, Any], owner: str) -> S:
    """`given` as options of that type; ParamsError names the one that is unknown or wrong."""
    fields = [field.name for field in msgspec.structs.fields(options_type)]
    for name in given:
        if name not in fields:
            listed = ", ".join(fields) or "none"
            raise ParamsError(name, f"no option of {owner} (known: {listed})")
    try:
        return msgspec.convert(dict(given), options_type)
    except msgspec.ValidationError as wrong:
        problem, _, where = str(wrong).partition(" - at `$.")
        raise ParamsError(where.rstrip("`") or owner, problem) from None
