"""Rows for best play: each question in a process of its own, its processor time and its own memory.

Kernels are in the cache from a first, smaller question. Growth with bankroll and stakes is told.
"""

from __future__ import annotations

import json
import subprocess
import sys

QUESTIONS: dict[str, tuple[dict[str, object], float, float]] = {
    # name: question, seconds and gigabytes allowed
    "best play: line and odds, 300 to 600 in fives": ({"reach": 600}, 5.0, 0.5),
    "best play: both lines, seven stakes": (
        {"reach": 600, "menu": "pass,dont_pass,odds", "stakes": "5,10,20,45,90,150,300"},
        10.0,
        0.5,
    ),
    "best play: line and odds, 200 rolls": ({"reach": 600, "rolls": 200}, 10.0, 1.0),
    "best play: line and odds, 150 to 300": ({"bankroll": 150, "reach": 300}, 5.0, 0.5),
    "best play: line and odds, 300 to 900": ({"reach": 900, "stakes": "5..895:5"}, 60.0, 1.0),
    "best play: line and odds, stakes in tens": ({"reach": 600, "stakes": "10..590:10"}, 5.0, 0.5),
}
WORK = """
import json, resource, sys, time
from pathlib import Path
from boxman.solve import solve
asked = {"house": "rws", "bankroll": 300, **json.loads(sys.argv[1])}
solve("rws", bankroll=20, reach=40, stakes="5,10")
solve("rws", bankroll=20, reach=40, stakes="5,10", rolls=5)
began = time.process_time()
answer = solve(**asked)
seconds = time.process_time() - began
# On Linux a process begins with the peak of the one that started it; this is its own.
status = Path("/proc/self/status")
told = status.read_text().split("VmHWM:")[1].split()[0] if status.exists() else None
peak = int(told or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 2**20
print(json.dumps([seconds, peak, answer.value, len(answer.model.positions), answer.model.acts]))
"""


def measured(question: dict[str, object]) -> tuple[float, float, float, int, int]:
    """Seconds, gigabytes, the answer, positions and acts."""
    command = [sys.executable, "-c", WORK, json.dumps(question)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak, value, positions, acts = json.loads(done.stdout)
    return seconds, peak, value, positions, acts


def rows() -> list[tuple[str, str, str]]:
    """What was measured, and what is allowed."""
    found = []
    for name, (question, limit, most) in QUESTIONS.items():
        seconds, peak, value, positions, acts = measured(question)
        told = f"{seconds:.1f} s, {peak:.2f} GB; {value:.6f} from {acts:,} acts in {positions:,}"
        found.append((name, f"{told} positions", f"< {limit:g} s, {most:g} GB"))
    return found


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ", flush=True)
