"""Tasks as people write them: one line, a text with sections, or a table (TOML, JSON).

    template = uniform-acceleration        uniform-acceleration data: xs=30 vs=10 astart=-9.8
    [data]                                     rules: v=0 goals: x
    xs = 30
    vs = 10, astart = -9.8                 a line of its own for each task, as in lists
    [rules]
    v = 0
    [goals]
    x

The name of the domain stands first, or in a section `template`, unless the caller names it. `#`
starts a comment.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from workers.engines.formula.expression import format_number
from workers.engines.formula.faults import Fault
from workers.engines.formula.shipped import known_names, template_named
from workers.engines.formula.task import (
    HEAD,
    LONGEST_TEXT,
    Statement,
    Task,
    TaskError,
    read_task,
    sections,
)
from workers.engines.formula.template import SECTIONS, Template

COMMENT = re.compile(r"#[^\n]*")
TEMPLATE = re.compile(r"(?:template=)?([A-Za-z][A-Za-z0-9-]*)")


def parse_task(text: str, template: Template | None = None) -> Task:
    """The task in a text; TaskError says what is wrong and where.

    `template` is the domain for a text that names none; a text that names another is refused.
    """
    if len(text) > LONGEST_TEXT:
        what = f"of more than {LONGEST_TEXT} characters"
        raise TaskError(Fault.LINE, Fault.LINE.says(what=what), LONGEST_TEXT)
    plain = COMMENT.sub(lambda found: " " * len(found[0]), text)
    parts = sections(plain)
    return read_task(parts, _template(parts.get("template", []), template))


def task_texts(text: str) -> list[tuple[int, str]]:
    """The tasks in a text, each with its first line (from 1): the whole text is one task, unless
    several lines have goals of their own."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1)
             if _has_goals(line)]  # fmt: skip
    return lines if len(lines) > 1 else [(1, text)]


def names_domain(text: str) -> bool:
    """True when a task's text says of which domain it is, or is no task at all."""
    try:
        return bool(sections(COMMENT.sub("", text)).get("template"))
    except TaskError:
        return True


def _has_goals(line: str) -> bool:
    return any("goals" in head.groups() for head in HEAD.finditer(COMMENT.sub("", line)))


def table_text(table: Mapping[str, Any]) -> str:
    """The text of a task in a table with keys template, data, rules, goals, environment.

    data: name -> number; rules: name -> expression, or texts; the others: a text or several.
    Raises TaskError for what has no such form.
    """
    parts = []
    for key in table:
        if key not in SECTIONS:
            _refuse(f"key {key!r}; keys: {', '.join(SECTIONS)}")
    for key in SECTIONS:
        if key in table:
            parts.append(f"[{key}]\n" + "\n".join(_lines(key, table[key])))
    return "\n".join(parts)


def _template(named: Sequence[Statement], template: Template | None) -> Template:
    if not named:
        if template is None:
            raise TaskError(Fault.NOT_SET, Fault.NOT_SET.says(what="the domain"), None)
        return template
    if len(named) > 1:
        raise TaskError(Fault.LINE, Fault.LINE.says(what=repr(named[1].text[:40])), named[1].at(0))
    found = TEMPLATE.fullmatch(named[0].text)
    if found is None:
        raise TaskError(Fault.LINE, Fault.LINE.says(what=repr(named[0].text[:40])), named[0].at(0))
    known = template_named(found[1])
    if known is None:
        what = f"{found[1]!r} (domains: {', '.join(known_names())})"
        raise TaskError(Fault.NOT_SET, Fault.NOT_SET.says(what=f"the domain {what}"),
                        named[0].at(0))  # fmt: skip
    if template is not None and template is not known:
        what = f"{found[1]!r}: the domain is {template.id!r}"
        raise TaskError(Fault.LINE, Fault.LINE.says(what=what), named[0].at(0))
    return known


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        if key in ("data", "rules"):
            return [f"{name} = {_word(one)}" for name, one in value.items()]
        _refuse(f"{key}: a table")
    items = value if isinstance(value, list) else [value]
    return [_word(one) for one in items]


def _word(value: Any) -> str:
    if isinstance(value, str) and not HEAD.search(value):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return format_number(float(value)) if abs(value) < 1e300 else str(value)
    _refuse(repr(value)[:40])
    return ""


def _refuse(what: str) -> None:
    raise TaskError(Fault.LINE, Fault.LINE.says(what=what), None)
