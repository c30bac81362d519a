"""calibrate fit, evaluate, compare-versions, invariance, cutpoints, report."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workers.errors import UsageError

if TYPE_CHECKING:
    from pipeline.calibrate.observations import Observations
    from pipeline.calibrate.study import Options, Study

OBSERVATIONS = click.argument("observations", metavar="[FILE]", required=False,
                              type=click.Path(path_type=Path, dir_okay=False))  # fmt: skip
DIR = click.option("-o", "--output", "folder", metavar="DIR", required=True,
                   type=click.Path(path_type=Path, file_okay=False),
                   help="Folder of the results; an older study there is replaced.")  # fmt: skip
RUNS = click.option("--runs", metavar="N", type=click.IntRange(2, 200), default=30,
                    show_default=True, help="Simulated solvers for each puzzle.")  # fmt: skip
WORKERS = click.option("--workers", metavar="N", type=click.IntRange(1, 256), default=1,
                       show_default=True, help="Processes that rate; results are equal for any "
                       "number.")  # fmt: skip
SHOWN_FLOORS = 20


def _study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of the commands that study observations."""
    options = (
        click.option("--target", "targets", metavar="COLUMN", multiple=True,
                     help="Column of an aggregated file that is a target; may be repeated."),
        click.option("--order", metavar="A,B", help="The labels of a labelled file, easiest "
                     "first."),
        click.option("--corpus", metavar="DIR", type=click.Path(path_type=Path),
                     help="Take the columns from this corpus; other puzzles are rejects."),
        click.option("--folds", metavar="N", type=click.IntRange(2, 50), default=5,
                     show_default=True, help="Folds of cross-validation."),
        click.option("--samples", metavar="N", type=click.IntRange(20, 100_000), default=1000,
                     show_default=True, help="Bootstrap samples."),
        click.option("--name", metavar="NAME", default="calibrated", show_default=True,
                     help="Name of the levels file."),
        click.option("--levels", metavar="N", type=click.IntRange(1, 20), default=5,
                     show_default=True, help="How many levels."),
        click.option("--cut", "method", type=click.Choice(["quantile", "jenks", "cost"]),
                     default="quantile", show_default=True, help="How minutes are cut: equal "
                     "shares, natural breaks, or the least misjudged levels."),
        click.option("--at", metavar="M,M", help="Cut at these minutes instead."),
        RUNS,
        WORKERS,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def calibrate() -> None:
    """Hold the columns of a corpus against people.

    FILE is a CSV file of solving times or labels: player, puzzle, seconds[, completed]; or puzzle,
    n and mean (or other targets); or puzzle and label. Without FILE the data that ship with the
    program are taken: 1,533 Sudokus with the mean times of 10 to 43 people (CC0).
    """


@calibrate.command()
@OBSERVATIONS
@DIR
@_study_options
@click.option("--floors", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="TOML file of figures that must hold, else the exit code is 1. Without FILE "
              "of observations: those of the shipped data.")  # fmt: skip
@click.option("--shuffle", metavar="SEED", type=click.IntRange(0), help="Exchange the targets "
              "among the puzzles: a negative control.")  # fmt: skip
def evaluate(observations: Path | None, folder: Path, floors: Path | None, **chosen: Any) -> int:
    """Measure every metric and model against the observations, with intervals.

    Writes metrics.csv and further tables, model.json, predictions.parquet and report.html to DIR.
    """
    from pipeline.calibrate.floors import load_floors
    from pipeline.calibrate.shipped import FLOORS, shipped

    standard = observations is None and chosen.get("shuffle") is None and not chosen["targets"]
    if floors is None and standard:
        floors = shipped(FLOORS)
    observed, options = _asked(observations, folder, chosen)
    result = _studied(observed, options, None if floors is None else load_floors(floors))
    return _written(result, folder)


@calibrate.command()
@OBSERVATIONS
@DIR
@_study_options
def fit(observations: Path | None, folder: Path, **chosen: Any) -> int:
    """Fit the time model and freeze it: model.json is a levels file that a plan can name.

    A corpus with `levels = "DIR/model.json"` and the raters human-model and static has predicted
    minutes with an interval, and a level cut from them. Writes tables and a report, too.
    """
    observed, options = _asked(observations, folder, chosen)
    result = _studied(observed, options, None)
    if result.frozen is None:
        raise UsageError(observed.source, "has no times in seconds of 30 puzzles or more to fit")
    code = _written(result, folder)
    click.echo(f"levels file: {folder / 'model.json'}", err=True)
    return code


@calibrate.command()
@OBSERVATIONS
@click.option("-o", "--output", "out", metavar="FILE", required=True,
              type=click.Path(path_type=Path, dir_okay=False), help="The levels file, "
              ".json.")  # fmt: skip
@_study_options
def cutpoints(observations: Path | None, out: Path, **chosen: Any) -> int:
    """Fit the time model and cut its minutes into levels; print the cut points."""
    from pipeline.calibrate.frozen import write_levels
    from pipeline.calibrate.study import calibration

    if out.suffix != ".json":
        raise UsageError("-o", f"{out}: the name must end in .json")
    observed, options = _asked(observations, out.parent, chosen, check=False)
    frozen = calibration(observed, options)
    write_levels(frozen.levels, out)
    for level in frozen.levels.level:
        click.echo(f"{level.name:10}  {level.description}".rstrip())
    return 0


@calibrate.command()
@click.argument("puzzles", metavar="[FILE]", required=False,
                type=click.Path(path_type=Path, dir_okay=False))  # fmt: skip
@click.option("--puzzles", "count", metavar="N", type=click.IntRange(1), default=20,
              show_default=True, help="The first N puzzles of FILE.")  # fmt: skip
@click.option("--isomorphs", metavar="N", type=click.IntRange(1), default=100, show_default=True,
              help="Random isomorphs of each.")  # fmt: skip
@click.option("--seed", metavar="S", type=click.IntRange(0), default=1, show_default=True,
              help="Equal seeds, equal isomorphs.")  # fmt: skip
@click.option("-o", "--output", "out", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the table to a CSV file, too.")  # fmt: skip
@RUNS
@WORKERS
def invariance(
    puzzles: Path | None, count: int, isomorphs: int, seed: int, out: Path | None, runs: int,
    workers: int,
) -> int:  # fmt: skip
    """Rate random isomorphs of puzzles; exit code 1 when a column is not the same for all."""
    from pipeline.calibrate.invariance import invariance as compare

    texts = list(_observed(puzzles, {}).rows["puzzle"])[:count]
    table = compare(texts, isomorphs, seed, runs, workers)
    _save(table, out)
    broken = table[table["different"] > 0]
    rows = len(texts) * isomorphs
    click.echo(f"{len(table)} columns of {rows:,} isomorphs: {len(broken)} differ")
    for row in broken.itertuples():
        click.echo(f"{row.column}: {row.different} of {row.rows} rows differ")
    return 1 if len(broken) else 0


@calibrate.command(name="compare-versions")
@click.argument("panel", metavar="[PANEL]", required=False,
                type=click.Path(path_type=Path, dir_okay=False))  # fmt: skip
@click.option("--freeze", metavar="LIST", type=click.Path(path_type=Path, dir_okay=False),
              help="Make PANEL from the puzzles of LIST as rated here, instead.")  # fmt: skip
@click.option("-o", "--output", "out", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the table to a CSV file, too.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit code 1 when anything changed.")
@WORKERS
def compare_versions(
    panel: Path | None, freeze: Path | None, out: Path | None, strict: bool, workers: int
) -> int:
    """Rate a frozen panel of puzzles again and tell what changed since.

    Without PANEL the one that ships with the program is taken. A changed column whose rater still
    has the version of the panel is a defect: the exit code is 1.
    """
    from pipeline.calibrate import drift
    from pipeline.calibrate.shipped import PANEL, shipped

    if freeze is not None:
        if panel is None:
            raise click.UsageError("--freeze needs PANEL, the file to write")
        panel.write_text(drift.panel_text(list(_observed(freeze, {}).rows["puzzle"])), "utf-8")
        click.echo(str(panel))
        return 0
    frozen = drift.read_panel(panel or shipped(PANEL))
    versions, table = drift.version_table(frozen), drift.drift(frozen, workers)
    _save(table, out)
    same = bool((versions["then"] == versions["now"]).all())
    for row in versions.itertuples():
        click.echo(f"{row.rater}: version {row.then} then, {row.now} now")
    changed = table[table["changed"] > 0]
    click.echo(f"{len(frozen.rows)} puzzles, {len(table)} columns: {len(changed)} changed")
    for row in changed.itertuples():
        click.echo(f"{row.column}: {row.changed} rows, mean difference {row.mean_difference:.4g}, "
                   f"rank correlation {row.spearman:.4f}")  # fmt: skip
    return 1 if len(changed) and (strict or same) else 0


@calibrate.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def report(folder: Path) -> int:
    """Make report.html anew from the tables of a study; print its path."""
    from pipeline.calibrate.study import write_report

    click.echo(str(write_report(folder)))
    return 0


@calibrate.command()
@click.option("-o", "--output", "out", metavar="FILE", required=True,
              type=click.Path(path_type=Path, dir_okay=False), help="The new file.")  # fmt: skip
def template(out: Path) -> int:
    """Write a template for one's own solving times, which explains itself."""
    from pipeline.calibrate.shipped import TEMPLATE, shipped

    if out.exists():
        raise UsageError("-o", f"{out} exists already")
    out.write_bytes(shipped(TEMPLATE).read_bytes())
    click.echo(str(out))
    return 0


def _observed(path: Path | None, chosen: dict[str, Any]) -> "Observations":
    from pipeline.calibrate.observations import read_observations
    from pipeline.calibrate.shipped import HUMAN_TIMES, shipped

    order = [word.strip() for word in (chosen.get("order") or "").split(",") if word.strip()]
    return read_observations(path or shipped(HUMAN_TIMES), chosen.get("targets", ()), order)


def _asked(
    path: Path | None, folder: Path, chosen: dict[str, Any], check: bool = True
) -> "tuple[Observations, Options]":
    """Observations and options; refuses early what would fail late."""
    from pipeline.calibrate.extra import need
    from pipeline.calibrate.frozen import Cuts
    from pipeline.calibrate.study import Options
    from pipeline.calibrate.tables import check_place
    from pipeline.plots import require_matplotlib

    for module in ("scipy", "sklearn", "statsmodels"):
        need(module)
    if check:
        check_place(folder)
        require_matplotlib()
    cuts = Cuts(chosen["levels"], chosen["method"], _minutes(chosen["at"]))
    names = ("runs", "workers", "folds", "samples", "name", "corpus")
    given = {name: chosen[name] for name in names}
    options = Options(cuts=cuts, shuffle=chosen.get("shuffle"), **given)
    return _observed(path, chosen), options


def _minutes(text: str | None) -> tuple[float, ...]:
    try:
        points = tuple(float(word) for word in text.split(",")) if text else ()
    except ValueError:
        raise UsageError("--at", f"{text!r} is not a list of minutes") from None
    if any(later <= earlier for earlier, later in zip((0.0, *points), points, strict=False)):
        raise UsageError("--at", f"{text}: minutes must be above 0 and ascend")
    return points


def _studied(observed: "Observations", options: "Options", floors: Any) -> "Study":
    from pipeline.api import find_kind
    from pipeline.calibrate.features import KIND, RATERS
    from pipeline.calibrate.study import study
    from pipeline.commands.kernels import prepare

    prepare(find_kind(KIND, []), "grade", RATERS)
    return study(observed, options, floors)


def _written(result: "Study", folder: Path) -> int:
    """Write the study, say in a few lines what it found; 1 when a floor is broken."""
    from pipeline.calibrate.study import write_study

    write_study(result, folder)
    match = ", ".join(f"{name} {count:,}" for name, count in result.facts["match"].items())
    click.echo(f"{result.facts['source']}: {match}", err=True)
    for row in result.tables["models"].to_dict("records"):
        if row["model"] != "rd_halves":
            click.echo(f"{row['target']}, {row['model']}: Pearson {row['pearson_log']:.3f} on logs "
                       f"({row['pearson_log_low']:.3f} to {row['pearson_log_high']:.3f}), "
                       f"n {row['n']:,}", err=True)  # fmt: skip
    floors = result.tables.get("floors")
    if floors is not None:
        for floor in floors[~floors["passed"]].head(SHOWN_FLOORS).itertuples():
            click.echo(f"broken floor: {floor.floor} is {floor.value:.4g}", err=True)
        click.echo(f"{int(floors['passed'].sum())} of {len(floors)} floors hold", err=True)
    click.echo(str(folder / "report.html"))
    return 0 if result.passed else 1


def _save(table: Any, out: Path | None) -> None:
    if out is not None:
        from pipeline.calibrate.tables import write_table

        if out.suffix != ".csv":
            raise UsageError("-o", f"{out}: the name must end in .csv")
        write_table(out.parent, out.stem, table)
