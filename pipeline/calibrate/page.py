"""The report of a study: one HTML file that needs no network, made from the study's own tables."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from pipeline.calibrate import figures

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #22303c; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .7rem .15rem 0; text-align: right; border-bottom: 1px solid #e3e8ec }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto } .broken { color: #a02020; font-weight: 600 }
.scroll { overflow-x: auto } footer { margin-top: 3rem; color: #667 }
"""
MODEL_SHOWN = "ridge"
SHOWN_ROWS = 40
Facts = Mapping[str, Any]
Tables = Mapping[str, pd.DataFrame]


def report_page(facts: Facts, tables: Tables, predictions: pd.DataFrame) -> str:
    """The page as text; every text in it is escaped."""
    title = f"Calibration on {facts['source']}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY, quote=False)}">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *_summary(facts),
        *_floors(tables),
        *_agreement(tables),
        *_models(tables, facts, predictions),
        *_differences(tables),
        *_columns(facts, tables),
        *_fallen(tables),
        "<footer>Made by puzzlemill calibrate; the tables lie beside this page.</footer>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _summary(facts: Facts) -> Iterator[str]:
    targets = ", ".join(facts["targets"]) or "none"
    yield (f"<p>{facts['puzzles']:,} puzzles with one solution; observations of the form "
           f"{escape(facts['form'])}, targets: {escape(targets)}. Simulated solvers per puzzle: "
           f"{facts['human_runs']}. Bootstrap samples: {facts['samples']:,}; folds: "
           f"{facts['folds']}.</p>")  # fmt: skip
    if facts.get("shuffled") is not None:
        yield '<p class="broken">Targets were shuffled: a negative control, not a result.</p>'
    strata = ", ".join(f"{name}: {count:,}" for name, count in facts["strata"].items())
    yield f"<p>Strata: {escape(strata)}.</p>"
    if facts.get("players"):
        one = facts["players"]
        variances = ", ".join(f"{name} {value:.3g}" for name, value in one["variances"].items())
        yield (f"<p>{one['games']:,} games of {one['players']:,} players; variances of "
               f"ln(seconds): {escape(variances)}.</p>")  # fmt: skip
    if facts.get("calibration"):
        one = facts["calibration"]
        yield (f"<p>The calibration <code>{escape(one['name'])}</code> (model.json) has the levels "
               f"{escape(', '.join(one['levels']))}; "
               f"{one['interval_coverage']:.1%} of the observed times lie in the "
               "intervals of folds without them.</p>")  # fmt: skip


def _floors(tables: Tables) -> Iterator[str]:
    floors = tables.get("floors")
    if floors is None:
        return
    broken = int((~floors["passed"]).sum())
    yield "<h2>Asserted figures</h2>"
    verdict = "all hold" if not broken else f"{broken} do not hold"
    yield f'<p class="{"broken" if broken else ""}">{len(floors)} floors, {verdict}.</p>'
    yield _table(floors)


def _agreement(tables: Tables) -> Iterator[str]:
    metrics = tables.get("metrics")
    if metrics is None or metrics.empty:
        return
    yield "<h2>Agreement with people</h2>"
    yield ("<p>Rank correlation of each column (blue) and of each model's predictions for puzzles "
           "it had not seen (orange) with the target. Values that are lower bounds are left out: "
           "see coverage.</p>")  # fmt: skip
    yield figures.svg(figures.draw_agreement, 5.2, metrics)
    if metrics["metric"].str.startswith("dependency_").any():
        yield figures.svg(figures.draw_dependency, 3.2, metrics)
    names = ["metric", "target", "n", "coverage", "ties", "spearman", "spearman_low",
             "spearman_high", "kendall", "pearson_log"]  # fmt: skip
    yield _table(metrics.loc[metrics["stratum"] == "all", names])


def _models(tables: Tables, facts: Facts, predictions: pd.DataFrame) -> Iterator[str]:
    models = tables.get("models")
    if models is None or models.empty:
        return
    yield "<h2>Models</h2>"
    yield (f"<p>Pearson on logarithms, cross-validated in {facts['folds']} folds over canonical "
           "forms; features and penalties are chosen inside the folds. rd_halves: the published "
           "linear model, fitted on one half and tested on the other.</p>")  # fmt: skip
    yield _table(models)
    for target in facts["targets"]:
        if f"{target}_model_{MODEL_SHOWN}" in predictions:
            shown = (predictions, target, MODEL_SHOWN)
            yield figures.svg(figures.draw_scatter, 3.6, *shown)
            yield figures.svg(figures.draw_reliability, 3.0, *shown)
    if "levels" in tables and not tables["levels"].empty:
        yield "<h2>Levels by ordered logit, out of fold</h2>"
        yield _table(tables["levels"])


def _differences(tables: Tables) -> Iterator[str]:
    differences = tables.get("differences")
    if differences is None or differences.empty:
        return
    yield "<h2>Paired differences of |Spearman|</h2>"
    yield "<p>Over the same bootstrap samples; p adjusted by Holm within each target.</p>"
    largest = differences["difference"].abs().sort_values(ascending=False, kind="stable")
    yield _table(differences.loc[largest.index])


def _columns(facts: Facts, tables: Tables) -> Iterator[str]:
    yield "<h2>Columns</h2>"
    share = facts["inf_steps_share"]
    yield (f"<p>inf_steps is above 0 on {share:.1%} of the puzzles: at some step nothing could be "
           "refuted by simple moves. Their refutation_sum is a lower bound (censored), and "
           "is left out of its figures.</p>")  # fmt: skip
    yield _table(tables["columns"])


def _fallen(tables: Tables) -> Iterator[str]:
    yield "<h2>What became of the lines</h2>"
    yield _table(tables["match"])
    rejects = tables.get("rejects")
    if rejects is not None and len(rejects):
        yield _table(rejects)


def _table(table: pd.DataFrame) -> str:
    """A table; long ones are cut, the files are whole."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(value))}</td>" for value in row) + "</tr>"
        for row in table.head(SHOWN_ROWS).itertuples(index=False)
    )
    more = f"<p>and {len(table) - SHOWN_ROWS} more</p>" if len(table) > SHOWN_ROWS else ""
    return (f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>{more}")  # fmt: skip


def _shown(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return "-" if not np.isfinite(value) else f"{value:.4g}"
    return str(value)
