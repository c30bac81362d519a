"""A found formula over the range of a given, as plain data for a plot."""

import math
from typing import Any

from workers.engines.formula.curve import curve
from workers.engines.formula.task import Task, split_name


def curve_row(task: Task, name: str, over: str | None) -> dict[str, Any]:
    """`name`, `over`, their `labels` and `units`, the `formula`, `points` ([given, value], None
    where there is no value) and `at`, the point of the task itself."""
    found = curve(task, name, over)
    points = zip(found.inputs, found.values, strict=True)
    template = task.template
    variables = [template.variables[template.names.index(split_name(one)[0])]
                 for one in (found.over, found.name)]  # fmt: skip
    return {
        "name": found.name,
        "over": found.over,
        "labels": [one.texts["en"] for one in variables],
        "units": [one.unit for one in variables],
        "title": template.texts["en"].title,
        "formula": found.formula,
        "points": [[one, None if math.isnan(value) else value] for one, value in points],
        "at": list(found.at),
    }
