"""`boxman simulate` as a user meets it: summary, exact, compare, sweep, files, errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.sim.players import choose
from boxman.sim.results import Result
from boxman.strategy.library import find

RUN = CliRunner()


def run(*words: str) -> str:
    done = RUN.invoke(app, ["simulate", *words])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def refused(*words: str) -> str:
    done = RUN.invoke(app, ["simulate", *words])
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def test_a_summary_names_what_matters() -> None:
    text = run("pass-odds(odds=2)", "--house", "nsw", "--sessions", "2000", "--seed", "7")
    for word in ("2,000 sessions, seed 7", "bankroll 500", "net", "broke", "drawdown", "luckiest"):
        assert word in text
    assert "pass.odds" in text
    assert "█" in text


def test_the_same_seed_gives_the_same_figures_by_every_executor() -> None:
    found = {
        executor: json.loads(
            run("molly", "--house", "rws", "--sessions", "300", "--bankroll", "120", "--json")
            if executor == "auto"
            else run(
                *("molly", "--house", "rws", "--sessions", "300", "--bankroll", "120", "--json"),
                *("--executor", executor),
            )
        )["figures"]
        for executor in ("auto", "numpy", "numba", "kernel", "reference")
    }
    assert len({figures["digest"] for figures in found.values()}) == 1
    assert len({figures["executor"] for figures in found.values()}) >= 4


def test_json_is_a_result_that_can_be_read_back() -> None:
    text = run("pass", "--house", "rws", "--sessions", "500", "--json")
    result = Result.from_json(text)
    assert result.sessions == 500
    assert json.loads(text)["figures"]["digest"] == result.digest()


def test_csv_adds_up_to_the_sessions() -> None:
    rows = list(csv.DictReader(io.StringIO(run("pass", "--sessions", "700", "--csv"))))
    assert sum(int(row["sessions"]) for row in rows) == 700
    assert all(float(row["net"]) >= -500 for row in rows)


def test_files_by_their_endings(tmp_path: Path) -> None:
    import pyarrow.parquet

    page = tmp_path / "r.html"
    run("pass-odds", "--house", "nsw", "--sessions", "2000", "-o", str(page))
    text = page.read_text()
    for title in ("Results of a session", "Fan of bankrolls", "Still in the game"):
        assert f"<figcaption>{title}</figcaption>" in text
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    table = tmp_path / "r.parquet"
    run("pass", "--sessions", "300", "--parquet", str(table), "--csv")
    assert sum(pyarrow.parquet.read_table(table)["sessions"].to_pylist()) == 300
    both = tmp_path / "c.html"
    run("--compare", "pass", "dont", "--house", "nsw", "--sessions", "500", "-o", str(both))
    assert "Differences on the same dice" in both.read_text()
    solved = tmp_path / "e.html"
    run("pass", "--house", "nsw", "--exact", "--rolls", "50", "-o", str(solved))
    assert "exactly" in solved.read_text()


def test_exact_says_what_enumeration_says() -> None:
    """One roll of the pass line: 8 of 36 win, 4 of 36 lose, the rest stays up at face."""
    found = json.loads(run("pass", "--house", "rws", "--rolls", "1", "--exact", "--json"))
    nets = {int(net): chance for net, chance in found["nets"].items()}
    assert nets == {
        -1000: pytest.approx(4 / 36, abs=1e-15),
        0: pytest.approx(24 / 36, abs=1e-15),
        1000: pytest.approx(8 / 36, abs=1e-15),
    }
    assert found["mean"] == pytest.approx(1000 * 4 / 36, abs=1e-9)


def test_what_cannot_be_solved_says_why_and_is_simulated() -> None:
    done = RUN.invoke(app, ["simulate", "percent", "--exact", "--sessions", "200"])
    assert done.exit_code == 0
    assert "t.cash is not part of the felt" in done.stderr
    assert "200 sessions" in done.stdout


def test_a_comparison_is_on_common_dice() -> None:
    words = ("--compare", "pass", "pass-odds(odds=1)", "--house", "nsw", "--sessions", "1000")
    text = run(*words)
    assert "same dice" in text
    found = json.loads(run(*words, "--json"))
    first, second = found["results"]
    pair = found["pairs"][0]
    assert pair["mean"] == pytest.approx(first["mean"] - second["mean"], abs=1e-6)
    low, high = pair["interval"]
    assert low < pair["mean"] < high


def test_a_sweep_has_a_line_for_each_combination() -> None:
    text = run(
        *("pass-odds", "--sweep", "odds=0..2", "bankroll=100..300:100", "--house", "nsw"),
        *("--exact", "--rolls", "40", "--csv"),
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(int(r["odds"]), int(r["bankroll"])) for r in rows] == [
        (odds, bankroll) for odds in range(3) for bankroll in (100, 200, 300)
    ]
    # A larger bankroll is never broke more often.
    for odds in range(3):
        broke = [float(row["broke"]) for row in rows if int(row["odds"]) == odds]
        assert broke == sorted(broke, reverse=True)


@pytest.mark.parametrize("which", ["worst", "median", "luckiest", "17"])
def test_a_session_runs_on_the_table_to_the_same_cent(which: str, tmp_path: Path) -> None:
    words = ("molly", "--house", "nsw", "--sessions", "400", "--bankroll", "200", "--rolls", "60")
    path = tmp_path / "one.craps"
    run(*words, "--session", which, "-o", str(path))
    replayed = RUN.invoke(app, ["replay", str(path), "--json"])
    assert replayed.exit_code == 0, replayed.output
    last = json.loads(replayed.stdout.splitlines()[-1])
    up = sum(wager["stake"] for wager in last["wagers"]["ann"].values())
    net = round((last["rails"]["ann"] + up - 200) * 100)
    result = Result.from_json(run(*words, "--json"))
    number = {"worst": result.worst, "median": result.typical, "luckiest": result.luckiest}
    index = number.get(which, 17)
    player, _ = choose(find("molly"), result.session)
    lanes = player.play(result.seed, index, 1).in_minor_units()
    assert lanes.net.tolist() == [net]
    assert which == "17" or net in (result.nets[0], result.median, result.nets[-1])


WRONG = [
    (("nosuch",), "no strategy is called nosuch"),
    (("mollly",), "did you mean molly"),
    (("molly", "dolly"), "several strategies are compared with --compare"),
    (("--compare", "molly"), "at least two"),
    (("molly", "--house", "nowhere"), "no house of that name"),
    (("molly", "--sessions", "0"), "at least one session"),
    (("molly", "--seed", "-1"), "a seed is a whole number"),
    (("molly", "--end", "later"), "face, run-out or value"),
    (("molly", "--shooter", "bob"), "guest or self"),
    (("molly", "--bankroll", "x"), "x"),
    (("molly", "--limits", "5"), "minimum-maximum"),
    (("molly(unit=x)",), "unit"),
    (("molly", "--with", "unit"), "name=value"),
    (("molly", "--sweep", "odds=5..1"), "high to low"),
    (("molly", "--sweep"), "a sweep is written"),
    (("molly", "--session", "best"), "worst, median or luckiest"),
    (("molly", "--json", "--csv"), "choose one"),
    (("molly", "--executor", "gpu"), "no executor gpu"),
    (("molly", "--sessions", "10", "-o", "x.txt"), ".html"),
    (("missing.py",), "no file missing.py"),
    (("molly", "-o", "nowhere/x.html"), "no such folder"),
    (("molly", "--sweep", "odds=0..1", "-o", "x.html"), ".json or .csv"),
    (("molly", "--hours", "nan"), "a number of hours above 0"),
    (("molly", "--threads", "-3"), "threads are 1 or more"),
    (("molly", "--ever"), "--ever goes with --exact"),
    (("molly", "--exact", "--ever"), "needs something that ends the session"),
    (("molly", "--exact", "--session", "3"), "leave --session and --parquet out"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: str(value))
def test_bad_input_gets_one_clear_message(words: tuple[str, ...], said: str) -> None:
    message = refused(*words)
    assert said in message
    assert len(message.splitlines()) <= 2


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxman.sim.cluster.PATIENCE", "1s")
    message = refused("molly", "--cluster", "tcp://127.0.0.1:1", "--sessions", "10")
    assert "no Dask scheduler at tcp://127.0.0.1:1" in message


def test_an_exception_is_shown_with_its_true_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from boxman.strategy.api import strategy\n"
        "from boxman.strategy.spots import PASS\n"
        "@strategy\n"
        "def mine(t):\n"
        "    t.bet(PASS, 10)\n"
        "    if t.rolls == 93:\n"
        "        t.bet(PASS, 10 // (t.rolls - 93))\n"
    )
    done = RUN.invoke(app, ["simulate", str(path), "--sessions", "50", "--house", "nsw"])
    assert done.exit_code == 2
    assert "mine.py:7" in done.stderr
    shown = done.stderr.splitlines()
    assert shown[0] == "Traceback (most recent call last):"
    assert "10 // (t.rolls - 93)" in done.stderr
    assert sum("ZeroDivisionError" in line for line in shown) == 2, "the traceback, the message"
    assert "roll 93" in shown[-1]


def test_an_interrupted_start_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("boxman.sim.run.choose", stopped)
    assert refused("molly", "--sessions", "10") == "stopped before there was anything to show"


def test_every_answer_can_be_a_file(tmp_path: Path) -> None:
    common = ("--house", "rws", "--sessions", "50", "--rolls", "20")
    swept, solved = tmp_path / "sweep.csv", tmp_path / "exact.json"
    assert run("pass-odds", "--sweep", "odds=0..2", *common, "-o", str(swept)) == ""
    assert [row["odds"] for row in csv.DictReader(io.StringIO(swept.read_text()))] == list("012")
    assert run("pass", "--exact", "--end", "run-out", *common, "-o", str(solved)) == ""
    figures = json.loads(solved.read_text())
    assert sum(figures["nets"].values()) == pytest.approx(1, abs=1e-12)
    pairs = tmp_path / "pairs.csv"
    run("--compare", "pass", "dont", *common, "-o", str(pairs))
    assert len(pairs.read_text().splitlines()) == 2


def test_a_page_fetches_nothing(tmp_path: Path) -> None:
    page = tmp_path / "result.html"
    run("pass", "--house", "rws", "--sessions", "50", "--rolls", "20", "-o", str(page))
    text = page.read_text()
    assert "<svg" in text
    for word in ("http://", "https://", "src=", "<script", "<link", "@import", "url("):
        assert word not in text.replace("http://www.w3.org", ""), word
