"""The cryptarithm kind: generation as ordered, rows, word lists, and the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pipeline import api
from pipeline.corpus.reading import open_corpus
from workers.errors import BudgetError, ParamsError
from workers.kinds import registry
from workers.kinds.cryptarithm_params import CryptarithmParams
from workers.kinds.cryptarithm_words import doubly_true, is_offensive, listed

Call = Callable[..., tuple[int, str, str]]
THEME = ("mars", "venus", "saturn", "pluto", "neptune", "earth", "uranus", "sun", "moon", "comet")
PLAN = """name = "theme"
kind = "cryptarithm"
seed = 5
rows = 12
job_rows = 6
[params]
word_length = [2, 9]
words = { file = "theme.txt" }
"""


def made(count=6, **params):
    kind = registry.get("cryptarithm")
    return kind.generate(11, count, CryptarithmParams(**params), ("basic", "logic"))


def texts(columns):
    return [bytes(row).decode().rstrip() for row in columns["puzzle"]]


@pytest.mark.parametrize("language", ["en", "es", "fr", "it"])
def test_doubly_true_puzzles_are_true_in_numbers(language):
    rows = made(2, method="doubly-true", language=language, addends=(2, 5))
    assert list(rows["doubly_true"]) == [language] * 2


def test_doubly_true_needs_numbers_that_add_up():
    assert doubly_true(["FORTY", "TEN", "TEN", "SIXTY"]) == "en"
    assert doubly_true(["FORTY", "TEN", "SIXTY"]) is None


@pytest.mark.parametrize(
    ("params", "mark"),
    [({"method": "difference"}, "-"), ({"method": "product"}, "*"), ({"language": "de"}, "+"),
     ({"base": 8, "letters": (5, 8)}, "@8"), ({"level": 1}, "+")],
)  # fmt: skip
def test_puzzles_are_as_ordered(params, mark):
    rows = made(4, **params)
    assert all(mark in text for text in texts(rows))
    assert rows["n_solutions"].tolist() == [1] * 4
    if "level" in params:
        assert rows["logic_level"].tolist() == [1] * 4


def test_rows_take_the_numbers_of_letters_in_turn():
    rows = made(6, letter_turns=((3, 7), (9, 9), (10, 10)))
    letters = rows["letters"].tolist()
    assert max(letters[0::3]) <= 7
    assert letters[1::3] + letters[2::3] == [9, 9, 10, 10]
    assert made(3, letter_turns=((3, 7), (9, 9)))["puzzle"].shape[0] == 3


def test_own_words_replace_those_of_the_language_and_offensive_ones_are_left_out():
    known = {word.upper() for word in THEME}
    for text in texts(made(5, words=THEME, word_length=(2, 9))):
        assert set(text.replace("=", "+").split("+")) <= known
    assert is_offensive("Shit")
    assert not is_offensive("moon")
    assert not any(is_offensive(word) for word, _ in listed("en"))
    with pytest.raises(ParamsError, match="2 words are left"):
        made(1, words=("shit", "sun", "moon"))
    with pytest.raises(ParamsError, match="'a b'"):
        made(1, words=("a b", "sun", "moon"))


def test_an_order_that_is_too_rare_ends():
    with pytest.raises(BudgetError, match="of 1 puzzles found"):
        made(1, words=("sun", "moon", "star"), attempts=1000)


@pytest.mark.parametrize(
    "params",
    [{"letters": [9, 5]}, {"letters": [9, 10], "base": 8}, {"language": "it"}, {"base": 17},
     {"level": 2, "levels": [1, 2]}, {"method": "product", "level": 1},
     {"method": "doubly-true", "words": ["a", "b", "c"]}],
)  # fmt: skip
def test_orders_that_make_no_sense_are_refused(params):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(params, CryptarithmParams)


def test_rows_tell_what_a_puzzle_is():
    frame = api.grade(["forty+ten+ten=sixty", "two*two=square", "a-b=c", "a+b=c&&c=d"])
    assert frame["form"].tolist() == ["sum", "product", "difference", "system"]
    assert frame["doubly_true"].tolist()[0] == "en"
    assert frame["ideal"].tolist() == [True, False, False, False]
    assert frame["addends"].tolist() == [3, 2, 2, 3]
    first = frame.iloc[0]
    assert first["solution"] == "29786+850+850=31486"
    assert (first["level"], first["max_carry"]) == ("medium", 2)
    assert frame["level"].isna().tolist() == [False, True, True, True]


def test_the_explanation_names_columns_and_ends_with_the_solution():
    steps = api.explain("SEND+MORE=MONEY")
    assert steps[0]["text"] == "Column 5: c5 = M; so M is 1."
    assert any(step["technique"] == "split_carry" for step in steps)
    assert sum("9567+1085=10652" in step["text"] for step in steps) == 1
    product = api.explain("AS*A=LAP")
    assert product[-1]["text"] == "One is left: 85*8=680."


def test_the_command_line_solves_with_all_methods(call: Call) -> None:
    for method in ("search", "columns", "permutations", "recursive"):
        code, out, _ = call("solve", "TWO+TWO=FOUR", "--all", "--method", method, "--json")
        row = json.loads(out)
        assert (code, len(row["solutions"])) == (0, 7)
    code, out, _ = call("solve", "ODD+ODD=EVEN", "--method", "recursive", "--first", "--json")
    assert json.loads(out)["iterations"] < 24_192
    assert json.loads(out)["assignment"]["E"] == 1


def test_a_malformed_text_is_told_with_its_column(call: Call, tmp_path: Path) -> None:
    code, _, err = call("solve", "SEND+MORE=MON!Y")
    assert (code, err) == (2, "TEXT:1:14: '!' is no operator\n")
    sums = tmp_path / "sums.txt"
    sums.write_text("TO + GO = OUT\nA+=B\n")
    code, out, err = call("grade", str(sums), "--csv")
    assert code == 2
    assert "TO+GO=OUT" in out
    assert f"{sums}:2:3: a word is missing" in err


def test_explain_grade_generate_and_task_take_cryptarithms(call: Call, tmp_path: Path) -> None:
    code, out, _ = call("explain", "TO+GO=OUT")
    assert (code, out.splitlines()[-1].split(". ")[1]) == (0, "All letters are known: 21+81=102.")
    code, out, _ = call("grade", "TO+GO=OUT")
    assert (code, "trivial" in out) == (0, True)
    code, out, _ = call(
        "generate", "--kind", "cryptarithm", "--seed", "3", "--level", "2", "--json"
    )
    assert (code, json.loads(out)["logic_level"]) == (0, 2)
    sums, solved = tmp_path / "sums.txt", tmp_path / "solved.txt"
    sums.write_text("TO+GO=OUT\n")
    code, *_ = call("task", "-t", "cryptarithm", "-a", "solve", "-i", str(sums), "-o", str(solved))
    assert (code, solved.read_text()) == (0, "21+81=102\n")
    wanted = tmp_path / "wanted.toml"
    wanted.write_text('seed = 3\ncount = 2\nlanguage = "fr"\n')
    words = ("task", "-t", "cryptarithm", "-a", "generate", "-m", "difference", "-i", str(wanted))
    code, out, _ = call(*words)
    assert (code, out.count("-") >= 2) == (0, True)


def test_a_plan_takes_words_from_a_file_and_the_corpus_names_whom_it_owes(
    call: Call, tmp_path: Path
) -> None:
    (tmp_path / "theme.txt").write_text("# planets\n" + "\n".join(THEME) + "\n")
    plan = tmp_path / "theme.toml"
    plan.write_text(PLAN)
    store = ("--store", str(tmp_path / "runs"), "--executor", "serial")
    code, out, _ = call("run", str(plan), *store)
    assert code == 0
    manifest = open_corpus(out.splitlines()[-1]).manifest
    assert manifest.credits == ["words of the plan's own list"]
    code, out, _ = call("run", str(plan), *store, "--set", "params.words=[]", "--new-run")
    assert code == 0
    assert any("wordfreq" in line for line in open_corpus(out.splitlines()[-1]).manifest.credits)
    code, _, err = call("run", str(plan), *store, "--set", 'params.words={file="none.txt"}')
    assert code == 2
    assert "none.txt" in err
