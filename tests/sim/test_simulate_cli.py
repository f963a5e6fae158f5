"""`boxman simulate` as a user meets it: summary, exact, compare, sweep, files, errors."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import boxman.sim.run
from boxman.cli import app
from boxman.sim.executors import choose
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.results import Result
from boxman.strategy.library import find

RUN = CliRunner()
PLAIN = ("--executor", "reference")
"""Nothing is compiled where a few sessions will do."""


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


def test_a_unit_below_the_minimum_is_told() -> None:
    """To people, whoever plays it; figures for programs stay as they are."""
    words = ["--house", "nsw", "--limits", "20-4000"]
    raised = "pass(unit=5): a unit of 5 is below the minimum of 20; stakes below it are raised"
    for command in (["simulate", "--sessions", "9", "--json"], ["debug", "--rolls", "1"]):
        done = RUN.invoke(app, [*command, "pass", "--with", "unit=5", *words])
        assert done.exit_code == 0, done.output
        assert raised in done.stderr
        fits = RUN.invoke(app, [*command, "pass", "--with", "unit=20", *words])
        assert "raised" not in fits.output


def test_the_same_seed_gives_the_same_figures_by_every_executor() -> None:
    words = ("molly(comes=1)", "--house", "rws", "--sessions", "60", "--bankroll", "120", "--json")
    found = {
        executor: json.loads(
            run(*words, *(("--executor", executor) if executor != "auto" else ()))
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
    # Strategies are called as on the page.
    assert "Pass odds (unit 10, odds 2) at New South Wales: craps</h1>" in text
    assert "pass-odds" not in text
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    table = tmp_path / "r.parquet"
    run("pass", "--sessions", "300", "--parquet", str(table), "--csv")
    assert sum(pyarrow.parquet.read_table(table)["sessions"].to_pylist()) == 300
    both = tmp_path / "c.html"
    run("--compare", "pass", "dont", "--house", "nsw", "--sessions", "500", "-o", str(both))
    assert "Differences on the same dice" in both.read_text()
    assert "Fan of bankrolls of Don&#39;t Pass (unit 10)" in both.read_text()
    solved = tmp_path / "e.html"
    run("pass", "--house", "nsw", "--exact", "--rolls", "50", "-o", str(solved))
    assert "exactly" in solved.read_text()


def test_exact_says_what_enumeration_says() -> None:
    """One roll of the pass line: 8 of 36 win, 4 of 36 lose, the rest stays up; in the mean it is
    worth what it comes to, so that the house keeps 7/495 of a bet."""
    found = json.loads(run("pass", "--house", "rws", "--rolls", "1", "--exact", "--json"))
    nets = {int(net): chance for net, chance in found["nets"].items()}
    assert nets == {
        -1000: pytest.approx(4 / 36, abs=1e-15),
        0: pytest.approx(24 / 36, abs=1e-15),
        1000: pytest.approx(8 / 36, abs=1e-15),
    }
    assert found["mean"] == pytest.approx(-1000 * 7 / 495, abs=1e-9)


def test_what_cannot_be_solved_says_why_and_is_simulated() -> None:
    done = RUN.invoke(app, ["simulate", "percent", "--exact", "--sessions", "200", *PLAIN])
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


def test_a_sweep_is_in_minor_units_for_programs_and_in_currency_units_for_people() -> None:
    words = (
        "pass",
        "--sweep",
        "bankroll=100..200:100",
        "--house",
        "nsw",
        "--exact",
        "--rolls",
        "9",
        "--limits",
        "5-1000",
    )
    cents = json.loads(run(*words, "--json"))
    units = list(csv.DictReader(io.StringIO(run(*words, "--csv"))))
    assert [row["bankroll"] for row in cents] == [100_00, 200_00]
    for program, person in zip(cents, units, strict=True):
        for name in ("bankroll", "net", "error", "deviation", "loss_an_hour"):
            assert program[name] == pytest.approx(100 * float(person[name])), name
        assert program["ahead"] == float(person["ahead"])
    # One bet of 10 on the line at most: its deviation is about 10 a bet.
    assert 1_000 < cents[0]["deviation"] < 3_000


@pytest.mark.parametrize("which", ["worst", "median", "luckiest", "17"])
def test_a_session_runs_on_the_table_to_the_same_cent(which: str, tmp_path: Path) -> None:
    words = ("pass-odds", "--house", "nsw", "--sessions", "400", "--bankroll", "200")
    path = tmp_path / "one.craps"
    run(*words, "--session", which, "-o", str(path))
    replayed = RUN.invoke(app, ["replay", str(path), "--json"])
    assert replayed.exit_code == 0, replayed.output
    last = json.loads(replayed.stdout.splitlines()[-1])
    (ann,) = last["table"]["seats"]
    net = ann["rail"] + sum(wager["stake"] for wager in ann["wagers"]) - 200_00
    result = Result.from_json(run(*words, "--json"))
    number = {"worst": result.worst, "median": result.typical, "luckiest": result.luckiest}
    index = number.get(which, 17)
    player, _ = choose(find("pass-odds"), result.session)
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
    (("pass", "rws"), "rws is a house and not a strategy: name it with --house rws"),
    (("molly", "-o", "nowhere/x.html"), "no such folder"),
    (("molly", "--sweep", "odds=0..1", "-o", "x.html"), ".json or .csv"),
    (("molly", "--hours", "nan"), "a number of hours above 0"),
    (("molly", "--threads", "-3"), "threads are 1 or more"),
    (("molly", "--ever"), "--ever goes with --exact"),
    (("molly", "--exact", "--ever"), "needs something that ends the session"),
    (("molly", "--exact", "--session", "3"), "--exact and --session do not go together"),
    (("molly", "--exact", "--parquet", "x.parquet"), "--exact and --parquet"),
    (("--compare", "molly", "dolly", "--exact"), "--exact and --compare"),
    (("--compare", "pass", "--sweep", "unit=5..6"), "--compare and --sweep"),
    (("pass", "--sweep", "unit=5..6", "--session", "3"), "--sweep and --session"),
    (("pass", "--sweep", "unit=5..6", "--parquet", "x.parquet"), "--sweep and --parquet"),
    (("pass", "--sweep", "unit=5..6", "--first", "9"), "--sweep and --first"),
    (("pass", "--session", "3", "--json"), "--session and --json"),
    (("pass", "--session", "3", "-o", "x.html"), "this is written as .craps, not as x.html"),
    (("pass", "--session", "worst", "-o", "nowhere/x.craps"), "no such folder"),
    (("pass", "--parquet", "nowhere/x.parquet"), "no such folder"),
    (("pass", "--sweep", "unit=5..6", "unit=7..8"), "unit has two ranges"),
    (("pass", "--sweep", "bankroll=0..50:50"), "bankroll=0: an amount must be more than zero"),
    (("pass", "--sweep", "sessions=1..2"), "of the session bankroll, rolls, shooters, stop-win"),
    (("pass", "--sweep", "unit=1..9000:1"), "9,000 combinations or more are too many"),
    (("pass", "--sweep", "unit=1..999999999999:1", "rolls=1..9"), "are too many"),
    (("pass", "--sweep", "unit=5..6", "--exact", "--ever"), "needs something that ends"),
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


def test_a_stop_lost_in_compiled_code_is_heard_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An exception raised in a callback of the compiler is swallowed there."""
    true = boxman.sim.run.choose

    def interrupted(*words: Any) -> Any:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return true(*words)

    monkeypatch.setattr("boxman.sim.run.choose", interrupted)
    before = signal.getsignal(signal.SIGINT)
    done = RUN.invoke(app, ["simulate", "pass", "--sessions", "90000", "--json"])
    assert done.exit_code == 0
    figures = json.loads(done.stdout)["figures"]
    assert figures["partial"]
    assert 0 < figures["sessions"] < 90_000
    assert f"stopped after {figures['sessions']:,} of 90,000 sessions" in done.stderr
    assert signal.getsignal(signal.SIGINT) is before


def test_a_sweep_that_is_stopped_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """301 sessions are 1 and three pieces of 100: the sixth piece is the second one's second."""
    monkeypatch.setattr(ReferencePlayer, "pace", ReferencePlayer.pace._replace(piece=100 * 30))
    true, calls = boxman.sim.run.Simulation.add, []

    def interrupted(*words: Any) -> None:
        true(*words)
        calls.append(words)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("boxman.sim.run.Simulation.add", interrupted)
    words = ["simulate", "pass", "--sweep", "unit=5..9", "--sessions", "301", "--rolls", "30"]
    done = RUN.invoke(app, [*words, "--executor", "reference", "--threads", "1", "--csv"])
    assert done.exit_code == 0, done.stderr
    rows = [(row["unit"], row["how"]) for row in csv.DictReader(io.StringIO(done.stdout))]
    assert rows == [("5", "301 sessions"), ("6", "101 sessions (partial)")]
    assert "stopped after 2 of 5 combinations" in done.stderr


def test_a_sweep_says_what_was_not_solved_and_why() -> None:
    words = ["simulate", "percent", "--sweep", "percent=1..2", "--exact", "--csv"]
    done = RUN.invoke(app, [*words, "--sessions", "20", "--rolls", "20", *PLAIN])
    assert done.exit_code == 0
    assert "2 of 2 combinations were simulated, not solved exactly" in done.stderr
    assert "t.cash is not part of the felt" in done.stderr
    assert [row["how"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["20 sessions"] * 2


def test_a_sweep_of_a_game_without_a_last_roll() -> None:
    """Gambler's ruin: 10 a hand, 244 ways of 495 to win one, from 100 to 100 + the stop."""
    text = run(
        *("pass", "--sweep", "stop-win=50..100:50", "--exact", "--ever", "--csv"),
        *("--bankroll", "100", "--house", "rws"),
    )
    odds = 251 / 244
    for row in csv.DictReader(io.StringIO(text)):
        hands = 10 + int(row["stop_win"]) // 10
        assert float(row["ahead"]) == pytest.approx((1 - odds**10) / (1 - odds**hands), abs=1e-9)


def test_a_part_of_a_run_begins_where_it_is_told() -> None:
    common = ("pass", "--house", "rws", "--rolls", "30", "--json")
    whole = Result.from_json(run(*common, "--sessions", "50"))
    parts = [
        Result.from_json(run(*common, "--sessions", sessions, "--first", first))
        for first, sessions in (("0", "20"), ("20", "30"))
    ]
    assert parts[0].merged(parts[1]).digest() == whole.digest()


@pytest.mark.parametrize(
    ("gone", "words", "said"),
    [
        ("numpy", ("pass",), r".* need NumPy, .*: pip install 'boxman\[sim\]'"),
        (
            "pyarrow",
            ("pass", "--parquet", "x.parquet"),
            ".* needs pyarrow, .*: pip install pyarrow",
        ),
    ],
)
def test_what_is_not_installed_is_named(gone: str, words: tuple[str, ...], said: str) -> None:
    code = (
        f"import sys; sys.modules[{gone!r}] = None; sys.argv = ['boxman', 'simulate', "
        f"*{words!r}, '--sessions', '99999999999']; from boxman.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(said, done.stderr.strip())


def test_a_file_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path) -> None:
    taken = tmp_path / "taken.html"
    taken.mkdir()
    message = refused("molly", "--sessions", "99999999999", "-o", str(taken))
    assert message == f"{taken} cannot be written: Is a directory"
    kept = tmp_path / "kept.html"
    kept.write_text("mine")
    assert "no house of that name" in refused("pass", "--house", "nowhere", "-o", str(kept))
    assert kept.read_text() == "mine"
    missing = tmp_path / "new.html"
    assert "no house of that name" in refused("pass", "--house", "nowhere", "-o", str(missing))
    assert not missing.exists()


def test_a_page_of_a_game_without_a_last_roll_says_so_and_is_small(tmp_path: Path) -> None:
    page = tmp_path / "ever.html"
    words = ("pass", "--house", "rws", "--bankroll", "200", "--stop-win", "200")
    run(*words, "--exact", "--ever", "-o", str(page))
    text = page.read_text()
    assert "at most" not in text
    assert "<p>rws, bankroll 200, limits 5-1000, however many rolls it takes" in text
    assert len(text) < 50_000, "a curve has no more points than can be seen"
    assert text.count(",") > 300, "and no fewer"


def test_strategies_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name, stake in (("one", 10), ("two", 20)):
        (tmp_path / f"{name}.strategy").write_text(f"when come-out: bet {stake} pass\n")
        (tmp_path / f"{name}.py").write_text(
            "from boxman.strategy.api import strategy\nfrom boxman.strategy.spots import PASS\n"
            f"@strategy\ndef play(t):\n    t.bet(PASS, {stake})\n"
        )
    files = [str(tmp_path / "one.py"), str(tmp_path / "two.py")]
    words = ("--house", "rws", "--sessions", "50", "--rolls", "20")
    found = json.loads(run("--compare", *files, *words, "--json"))
    assert [result["strategy"] for result in found["results"]] == files
    assert found["results"][1]["mean"] == 2 * found["results"][0]["mean"]
    page = tmp_path / "pair.html"
    run("--compare", *files, *words, "-o", str(page))
    for file in files:
        assert f"Fan of bankrolls of {file}" in page.read_text()
    assert "pass (1) - pass (2)" in run("--compare", "pass", "pass", *words)


def test_where_nobody_goes_broke_the_axis_ends_at_all(tmp_path: Path) -> None:
    page = tmp_path / "rich.html"
    words = ("--house", "rws", "--sessions", "50", "--rolls", "20", "--bankroll", "900")
    run("pass", *words, "-o", str(page))
    picture = page.read_text().partition("Still in the game")[2].partition("</svg>")[0]
    shares = [float(share) for share in re.findall(r">([\d.]+)%<", picture)]
    assert max(shares) == 100
    assert min(shares) < 100


ROOT = Path(__file__).parents[2]
WRITTEN = [
    line.strip()
    for page in ("README.md", "docs/strategies.md")
    for line in (ROOT / page).read_text().splitlines()
    if re.match(r"(    )?boxman (simulate|debug) ", line)
]


@pytest.mark.parametrize("line", WRITTEN)
def test_commands_in_documents_run(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(WRITTEN) >= 10
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)[1:]
    few = ["--sessions", "50"] if words[0] == "simulate" else []
    done = RUN.invoke(app, [*words, "--rolls", "20", *few])
    assert done.exit_code == 0, done.stderr
    named = [Path(words[n + 1]) for n, word in enumerate(words) if word == "-o"]
    assert [path for path in named if not path.stat().st_size] == []
    assert done.stdout or named


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


IDLE = """from boxman.strategy.api import strategy
from boxman.strategy.spots import ALL


@strategy
def idle(t):
    {line}
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "t.bet(ALL, 5)",
            "Nothing was staked: rws takes no wager that idle makes. First refused: all is not "
            "offered here {2.1.1} {3.3 #1} {App.D intro}.",
        ),
        ("t.bet(ALL, 0) if t.puck > 99 else None", "Nothing was staked: idle never made a wager."),
    ],
)
def test_a_strategy_that_stakes_nothing_says_why(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "idle.py"
    file.write_text(IDLE.format(line=line))
    how = ("--house", "rws", "--sessions", "20", "--rolls", "20")
    assert said in run(str(file), *how)
    assert said in run("--compare", str(file), "pass", *how)
    told = run(str(file), "--house", "rws", "--rolls", "20", "--exact")
    assert "no wager of idle is taken" in told
    assert "Nothing was staked" not in run("pass", *how)
