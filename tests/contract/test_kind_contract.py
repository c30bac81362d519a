"""What every registered kind promises, whatever its puzzles are.

A new kind needs an entry in KINDS below and its lines in tests/golden/kind_rows.txt, nothing else.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.errors import ParamsError, ParseError, PuzzleError
from workers.jobs import current_versions
from workers.kinds import registry
from workers.kinds.columns import level_column
from workers.tables import Origin, content_hash, shard_schema, table_from_columns

GOLDEN = Path(__file__).parents[1] / "golden" / "kind_rows.txt"
SEED, COUNT = 20261201, 30


class Example(NamedTuple):
    """What the contract needs to know of a kind."""

    texts: tuple[str, ...]  # sound ones, in every state a row can have, hard ones among them
    equivalent: Callable[[str, np.random.Generator], str]
    different: tuple[str, str]
    malformed: tuple[str, ...]
    near: st.SearchStrategy[str]  # texts of about the right shape


def isomorph(text, rng):
    lines = [
        np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
        for _ in range(2)
    ]
    square = np.array(list(text)).reshape(9, 9)[lines[0]][:, lines[1]]
    names = dict(zip("123456789", rng.permutation(list("123456789")), strict=True))
    return "".join(names.get(sign, sign) for sign in (square.T if rng.integers(2) else square).flat)


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def renamed(text, rng):
    """The same sum: other letters, its words in another order."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    names = dict(zip(letters, rng.permutation(list(letters)), strict=True))
    left, right = "".join(names.get(sign, sign) for sign in text).split("=")
    words = [str(word) for word in rng.permutation(left.split("+"))]
    if rng.integers(2):
        return f"{right}={'+'.join(words)}"
    return f"{right}-{'-'.join(words[1:])}={words[0]}"


def reordered(text, rng):
    head, rest = text.split(" data: ")
    data, goals = rest.split(" goals: ")
    listed = data.split(" ")
    return f"{head} data: {', '.join(rng.permutation(listed))}; goals: {goals}"


MOTION = "uniform-acceleration data: xs=30 vs=10 astart=-10 x=10"
KINDS = {
    "cryptarithm": Example(
        texts=(
            "TO+GO=OUT",
            "BAGS+RATES=TREAT",
            "AS*A=LAP",
            "A+B=C&&C*C=AB",
            "ODD+ODD=EVEN",  # two solutions
            "AB+AB=AB",  # none: A is not 0
            "AA+B=11@2",
            "ये+ये=है@10-marks",
            "A-A=0@16",  # sixteen solutions
        ),
        equivalent=renamed,
        different=("TO+GO=OUT", "TO+GO=OUR"),
        malformed=("", "A", "A=B=C", "A+=B", "ABCDEFGHIJ=K", "A/B=C", "1=1", "A=B@17", "(A=B"),
        near=st.one_of(
            st.text("ABCDE1+-*()=& ", min_size=0, max_size=14),
            st.from_regex(r"[A-D]{1,3}([+*-][A-D]{1,3}){1,2}=[A-D]{1,3}", fullmatch=True),
            st.from_regex(
                r"[A-C2]{1,2}[+-]\([A-C]{1,2}\+[A-C]\)=[A-C]{1,2}(@([2-9]|1[0-6])(-symbols)?)?",
                fullmatch=True,
            ),
        ),
    ),
    "formula": Example(
        texts=(
            MOTION + " goals: t",  # a constraint chooses the root
            "uniform-acceleration data: xs=30 vs=10 astart=-9.8 rules: v=0 goals: x",
            MOTION + " goals: to tt environment: to>0",  # one goal has no value
            "projectile data: v=20 w=30 goals: alpha",  # several values
            "uniform-acceleration data: xs=30 vs=10 goals: x",  # a cycle
            "ideal-gas goals: p",
            "electric-circuit data: u=12 i=0 goals: r",  # outside its domain
            "uniform-acceleration data: x=3 xs=3 v=1 vs=1 goals: astart",  # no evaluation
            "uniform-acceleration data: v=5 goals: v",
            "uniform-acceleration data: xs1=0 vs1=10 astart1=-1 t1=2 astart2=3 t2=1 "
            "rules: vs2=v1 xs2=x1 goals: x2 v2",
        ),
        equivalent=reordered,
        different=(MOTION + " goals: t", MOTION.replace("vs=10", "vs=11") + " goals: t"),
        malformed=(
            "",
            MOTION,
            "nowhere data: x=1 goals: y",
            MOTION + " goals: y",
            MOTION + " rules: v goals: t",
            MOTION + "0 x=1 goals: t",
            MOTION + " goals: t environment: __import__('os')>0",
        ),
        near=st.builds(
            "uniform-acceleration data: {} goals: {} environment: {}".format,
            st.lists(
                st.builds(
                    "{}={}".format,
                    st.sampled_from(["x", "xs", "v", "vs", "astart", "t", "to", "m", "f", "x1"]),
                    st.floats(-100, 100, width=16)
                    | st.integers(-9, 9)
                    | st.sampled_from(["1e99", "1e-99", "1e101", "²", "0x1", "--1"]),
                ),
                max_size=6,
            ).map(" ".join),
            st.sampled_from(["x", "t", "v1", "m", "x t", "tt", "sqrt", ""]),
            st.sampled_from(["t>0", "x>=xs", "v**2<v", "1>0", "t>1/v", ""]),
        ),
    ),
    "null": Example(
        texts=("000000000", "123456789", "000000042"),
        equivalent=lambda text, rng: text.lstrip("0").rjust(int(rng.integers(1, 9)), "0"),
        different=("1", "10"),
        malformed=("", "x", "12345678901", "-4", "1.5"),
        near=st.text("0123456789 ", min_size=0, max_size=11),
    ),
    "sudoku": Example(
        texts=(
            EASY,
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
            "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
            SOLVED,
            "." * 81,  # all solutions
            "11" + "." * 79,  # a digit twice in a row
            "12345678.........9".ljust(81, "."),  # no digit for r1c9
            EASY[:60] + "." * 21,  # several solutions
        ),
        equivalent=isomorph,
        different=(EASY, EASY[:3] + "4" + EASY[4:]),
        malformed=("", "." * 80, "." * 82, "A" + "." * 80, "53.." * 20),
        near=st.one_of(
            st.text("123456789.", min_size=79, max_size=83),
            st.lists(st.sampled_from(SOLVED), min_size=0, max_size=60).map(
                lambda digits: "".join(digits).ljust(81, ".")
            ),
            st.sets(st.integers(0, 80), max_size=60).map(
                lambda empty: "".join("." if i in empty else d for i, d in enumerate(SOLVED))
            ),
        ),
    ),
}
pytestmark = pytest.mark.parametrize("name", sorted(registry.KINDS.keys() & KINDS.keys()))


def packed(texts):
    lines = [text.encode() for text in texts]
    width = max(map(len, lines))
    return np.array([list(line.ljust(width)) for line in lines], np.uint8)


def rated(kind, raters=None):
    return tuple(kind.rater_versions) if raters is None else raters


def table(kind, columns, raters):
    return table_from_columns(columns, shard_schema(kind.schema(raters)), Origin(0, 1, None))


def graded(kind, texts, raters=None):
    raters = rated(kind, raters)
    parsed = [kind.parse(text) for text in texts]
    return table(kind, kind.grade(packed(parsed), kind.params_type(), raters), raters)


def generated(kind, seed=SEED, count=COUNT, raters=None):
    raters = rated(kind, raters)
    return table(kind, kind.generate(seed, count, kind.params_type(), raters), raters)


def test_every_registered_kind_is_tested_here(name):
    assert set(registry.names()) == set(KINDS)


def test_the_kind_is_what_it_is_registered_as(name):
    kind = registry.get(name)
    assert kind.name == name
    assert set(kind.default_raters) <= set(kind.rater_versions)
    assert current_versions(name, kind.default_raters).kind_version == kind.version >= 1


@pytest.mark.parametrize("only_default", [False, True])
def test_columns_are_those_of_the_schema_and_every_row_is_there(name, only_default):
    kind = registry.get(name)
    raters = kind.default_raters if only_default else None
    rows = graded(kind, KINDS[name].texts, raters)
    assert rows.schema.equals(shard_schema(kind.schema(rated(kind, raters))))
    assert rows.column("puzzle").to_pylist() == [kind.parse(t) for t in KINDS[name].texts]
    rows.validate(full=True)


def test_every_column_is_explained_and_no_name_is_used_twice(name):
    kind = registry.get(name)
    schema = shard_schema(kind.schema(tuple(kind.rater_versions)))
    assert len(set(schema.names)) == len(schema.names)
    for field in schema:
        assert field.metadata[b"description"]
        assert field.metadata[b"unit"]
    assert {"key", "puzzle", "reason"} <= set(schema.names)
    assert schema.field("key").type == pa.binary(16)


def test_a_rater_adds_columns_and_changes_none(name):
    kind = registry.get(name)
    alone = graded(kind, KINDS[name].texts, ())
    everything = graded(kind, KINDS[name].texts)
    assert everything.select(alone.schema.names).equals(alone)


def test_equal_arguments_give_equal_rows_and_other_seeds_others(name):
    kind = registry.get(name)
    rows = generated(kind)
    assert content_hash(rows) == content_hash(generated(kind))
    other = generated(kind, seed=SEED + 1)
    assert rows.column("puzzle").to_pylist() != other.column("puzzle").to_pylist()


def test_generated_puzzles_are_sound_and_graded_like_read_ones(name):
    kind = registry.get(name)
    rows = generated(kind)
    assert rows.num_rows == COUNT
    assert rows.column("reason").null_count == COUNT
    again = graded(kind, rows.column("puzzle").to_pylist())
    assert content_hash(again) == content_hash(rows)


def test_a_row_does_not_depend_on_its_neighbours(name):
    kind = registry.get(name)
    texts = KINDS[name].texts
    together = graded(kind, texts).drop_columns(["row"])
    apart = pa.concat_tables(graded(kind, [text]).drop_columns(["row"]) for text in texts)
    assert content_hash(together) == content_hash(apart)
    turned = graded(kind, texts[::-1]).drop_columns(["row"])
    assert turned.to_pylist() == together.to_pylist()[::-1]


def test_no_rows_are_rows_too(name):
    kind = registry.get(name)
    params = kind.params_type()
    width = len(kind.parse(KINDS[name].texts[0]))
    columns = kind.grade(np.zeros((0, width), np.uint8), params, rated(kind))
    assert table(kind, columns, rated(kind)).num_rows == 0


def test_keys_are_those_of_the_rows_and_equal_exactly_for_equivalent_texts(name):
    kind = registry.get(name)
    example = KINDS[name]
    texts = [kind.parse(text) for text in (*example.texts, *example.different)]
    keys = kind.key(packed(texts))
    assert keys.dtype == np.uint8
    assert keys.shape == (len(texts), 16)
    assert [bytes(key) for key in keys[: len(example.texts)]] == graded(
        kind, example.texts, ()
    ).column("key").to_pylist()
    assert (keys[-1] != keys[-2]).any()
    rng = np.random.default_rng(SEED)
    for text in generated(kind, raters=()).column("puzzle").to_pylist():
        other = kind.parse(example.equivalent(text, rng))
        pair = kind.key(packed([text, other]))
        assert (pair[0] == pair[1]).all(), (text, other)


def test_puzzles_are_texts_whose_keys_can_be_repeated(name):
    kind = registry.get(name)
    columns = kind.generate(SEED, COUNT, kind.params_type(), ())
    assert columns["puzzle"].dtype == np.uint8
    assert (kind.key(columns["puzzle"]) == columns["key"]).all()


def test_malformed_text_is_refused(name):
    kind = registry.get(name)
    for text in KINDS[name].malformed:
        with pytest.raises(ParseError):
            kind.parse(text)


def test_what_the_parser_takes_never_fails_later(name):
    kind = registry.get(name)
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    refused = []

    @settings(max_examples=60, deadline=None, suppress_health_check=slow, database=None)
    @given(st.one_of(KINDS[name].near, st.text(max_size=90)))
    def check(text):
        try:
            parsed = kind.parse(text)
        except ParseError as error:
            refused.append((text, error.position))
            return
        assert kind.parse(parsed) == parsed
        rows = graded(kind, [parsed])
        assert rows.column("puzzle").to_pylist() == [parsed]
        if rows.column("reason").null_count:
            assert kind.solve(parsed)["n_solutions"] == 1
        try:
            kind.explain(parsed)
        except PuzzleError:
            assert rows.column("reason").null_count == 0

    check()
    assert all(at is None or 0 <= at <= len(text) for text, at in refused)


def test_solving_and_explaining_give_json(name):
    kind = registry.get(name)
    text = KINDS[name].texts[0]
    row = kind.solve(kind.parse(text))
    assert {"puzzle", "n_solutions", "solution", "method"} <= set(row)
    assert json.loads(json.dumps(row)) == row
    steps = kind.explain(text)
    assert json.loads(json.dumps(steps)) == steps
    assert all({"technique", "text", "cells"} <= set(step) for step in steps)


def test_unknown_parameters_and_methods_are_refused(name):
    import msgspec

    kind = registry.get(name)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"no such parameter": 1}, kind.params_type)
    with pytest.raises(ParamsError, match="method"):
        kind.solve(KINDS[name].texts[0], "no such method")
    with pytest.raises(ParamsError, match="scheme"):
        kind.explain(KINDS[name].texts[0], "no such scheme")


def test_every_method_solves_or_says_that_it_did_not(name):
    kind = registry.get(name)
    assert next(iter(kind.methods)) == kind.solve(KINDS[name].texts[0])["method"]
    for text in KINDS[name].texts:
        expected = kind.solve(kind.parse(text))
        for method in kind.methods:
            row = kind.solve(kind.parse(text), method)
            assert json.loads(json.dumps(row)) == row
            assert row["method"] == method
            assert row["n_solutions"] == expected["n_solutions"]
            if row["n_solutions"] == 1:
                assert row["solution"] in (expected["solution"], None)
            with pytest.raises(ParamsError, match="no_such_option"):
                kind.solve(kind.parse(text), method, options={"no_such_option": 1})


def test_every_scheme_tells_steps_of_one_form(name):
    kind = registry.get(name)
    text = kind.parse(KINDS[name].texts[0])
    for scheme in kind.schemes:
        steps = kind.explain(text, scheme)
        assert json.loads(json.dumps(steps)) == steps
        for step in steps:
            assert {"technique", "text", "cells"} <= set(step)
            if "values" in step:
                assert {"units", "placements", "eliminations", "candidates"} <= set(step)
                assert len(step["values"]) == len(step["candidates"])
        with pytest.raises(ParamsError, match="no_such_option"):
            kind.explain(text, scheme, {"no_such_option": 1})


def test_the_level_column_if_any_is_a_text_of_the_schema(name):
    kind = registry.get(name)
    schema = kind.schema(tuple(kind.rater_versions))
    level = level_column(schema)
    assert (level is None) == (kind.default_levels is None)
    if level is not None:
        assert schema.field(level).type == pa.string()


def golden():
    lines = [line.split(" : ") for line in GOLDEN.read_text().splitlines() if " : " in line]
    return {who.strip(): expected.strip() for who, expected, *_ in lines}


def test_rows_change_only_with_the_version(name):
    """A hash that differs means: raise the version of the kind or rater, add a golden line."""
    kind = registry.get(name)
    base = generated(kind, raters=())
    listed = graded(kind, [*KINDS[name].texts, *base.column("puzzle").to_pylist()])
    basic = kind.schema(()).names
    found = {
        f"{name} {kind.version}": content_hash(base),
        f"{name} basic {kind.rater_versions['basic']}": content_hash(listed.select(basic)),
    }
    for rater, version in kind.rater_versions.items():
        own = [column for column in kind.schema((rater,)).names if column not in basic]
        if own:
            found[f"{name} {rater} {version}"] = content_hash(listed.select(own))
    expected = golden()
    assert {who: expected.get(who) for who in found} == found
