"""`python -m tests.tools.shape`: measures of the house; `--write` puts them into
docs/architecture.md.

Everything is read from the source with `ast`; nothing of Boxman is imported or run.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

SOURCE = Path(__file__).parents[2] / "src" / "boxman"
COMPLEX = 20
"""Functions of a complexity above this are counted."""
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
TYPE = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
Function = ast.FunctionDef | ast.AsyncFunctionDef


HEADING = "| measure | today | wanted |\n|---|---|---|"
WANTED = {
    "files of `src` that name a call, mean": "under 2.5",
    f"functions of cyclomatic complexity over {COMPLEX}": "under 12",
    "lookups by string pair": "0",
    "`Any` in `src` outside `sim`": "under 100",
    "public names with two meanings": "0",
}
DOCUMENT = SOURCE.parents[1] / "docs" / "architecture.md"
BEGIN, END = "<!-- measures -->", "<!-- end of measures -->"


class House:
    """The parsed source."""

    def __init__(self, source: Path = SOURCE) -> None:
        self.source = source
        self.files = {path: path.read_text() for path in sorted(source.rglob("*.py"))}
        self.trees = {path: ast.parse(text) for path, text in self.files.items()}

    def nodes(self) -> Iterator[tuple[Path, ast.AST]]:
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                yield path, node

    def lines(self) -> int:
        return sum(text.count("\n") for text in self.files.values())

    def statements(self) -> int:
        """All but docstrings."""
        return sum(
            isinstance(node, ast.stmt)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            for _, node in self.nodes()
        )

    def calls(self) -> set[str]:
        """The classes that derive from the table's `Call`."""
        bases: dict[str, set[str]] = defaultdict(set)
        for path, node in self.nodes():
            if isinstance(node, ast.ClassDef) and "table" in path.relative_to(self.source).parts:
                bases[node.name] |= {base.id for base in node.bases if isinstance(base, ast.Name)}
        found = {"Call"}
        while more := {name for name, base in bases.items() if base & found} - found:
            found |= more
        inner = set().union(*(bases[name] for name in found))
        return found - inner

    def files_of_a_call(self) -> float:
        """How many files name a call, on average."""
        calls = self.calls()
        named: dict[str, set[Path]] = {call: set() for call in calls}
        for path, node in self.nodes():
            for name in _names(node):
                if name in calls:
                    named[name].add(path)
        return mean(map(len, named.values()))

    def complex_functions(self) -> list[tuple[int, str]]:
        found = []
        for path, node in self.nodes():
            if isinstance(node, Function) and (many := complexity(node)) > COMPLEX:
                found.append((many, f"{path.relative_to(self.source)}:{node.name}"))
        return sorted(found, reverse=True)

    def string_pairs(self) -> list[str]:
        """Rules asked by two strings: a misspelt one is a rule that is silently not applied."""
        return [
            f"{path.relative_to(self.source)}:{getattr(node, 'lineno', 0)}"
            for path, node in self.nodes()
            if _is_pair(node)
        ]

    def any_outside_sim(self) -> int:
        return sum(
            isinstance(node, ast.Name)
            and node.id == "Any"
            and "sim" not in path.relative_to(self.source).parts
            for path, node in self.nodes()
        )

    def two_meanings(self) -> dict[str, list[str]]:
        """Public names that more than one module defines.

        Every class is public, and every constant that another module imports by its name; one that
        only its own file knows, or that is always said with its module, means nothing elsewhere.
        """
        imported = self._imported()
        found: dict[str, list[str]] = defaultdict(list)
        for path, tree in self.trees.items():
            parts = path.relative_to(self.source.parent).with_suffix("").parts
            module = ".".join(parts).removesuffix(".__init__")
            classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
            for name in sorted(set(_defined(tree))):
                if name in classes or (module, name) in imported:
                    found[name].append(str(path.relative_to(self.source)))
        return {name: where for name, where in sorted(found.items()) if len(where) > 1}

    def _imported(self) -> set[tuple[str, str]]:
        """What modules of the house take from others by name, with where it comes from."""
        return {
            (node.module, alias.name)
            for _, node in self.nodes()
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

    def largest_folder(self) -> tuple[int, str]:
        counted: dict[str, int] = defaultdict(int)
        for path in self.files:
            counted[str(path.parent.relative_to(self.source.parent))] += 1
        return max((many, folder) for folder, many in counted.items())


def complexity(function: Function) -> int:
    """Ways through a function as radon counts them, without those of functions inside it."""
    return 1 + sum(_ways(child) for child in function.body)


def _ways(node: ast.AST) -> int:
    if isinstance(node, Function | ast.ClassDef):
        return 0
    ways = 0
    if isinstance(node, ast.If | ast.IfExp | ast.Assert):
        ways = 1
    elif isinstance(node, ast.BoolOp):
        ways = len(node.values) - 1
    elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
        ways = 1 + bool(node.orelse)
    elif isinstance(node, ast.comprehension):
        ways = 1 + len(node.ifs)
    elif isinstance(node, ast.Try):
        ways = len(node.handlers) + bool(node.orelse)
    elif isinstance(node, ast.Match):
        rest = any(isinstance(c.pattern, ast.MatchAs) and not c.pattern.pattern for c in node.cases)
        ways = len(node.cases) - rest
    return ways + sum(_ways(child) for child in ast.iter_child_nodes(node))


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.alias | ast.ClassDef):
        return [node.name]
    return []


def _is_pair(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return _is_rules(node.value) and isinstance(node.slice, ast.Tuple)
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Attribute) and called.attr == "get" and _is_rules(called.value):
        return isinstance(node.args[0], ast.Tuple)
    return isinstance(called, ast.Name) and called.id == "rule_of" and len(node.args) > 2


def _is_rules(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "rules") or (
        isinstance(node, ast.Name) and node.id == "rules"
    )


def _defined(tree: ast.Module) -> Iterator[str]:
    """Public classes, types and constants a module defines at its top."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        targets: Sequence[ast.expr] = ()
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = (node.target,)
        for target in targets:
            for each in target.elts if isinstance(target, ast.Tuple) else (target,):
                if isinstance(each, ast.Name) and (
                    CONSTANT.fullmatch(each.id) or TYPE.fullmatch(each.id)
                ):
                    yield each.id


def table(house: House) -> str:
    """The measures as rows of a Markdown table."""
    many, folder = house.largest_folder()
    rows = [
        ("Python under `src`, lines", f"{house.lines():,}"),
        ("Python under `src`, statements", f"{house.statements():,}"),
        ("calls", f"{len(house.calls())}"),
        ("files of `src` that name a call, mean", f"{house.files_of_a_call():.1f}"),
        (f"functions of cyclomatic complexity over {COMPLEX}", f"{len(house.complex_functions())}"),
        ("lookups by string pair", f"{len(house.string_pairs())}"),
        ("`Any` in `src` outside `sim`", f"{house.any_outside_sim():,}"),
        ("public names with two meanings", f"{len(house.two_meanings())}"),
        (f"files in the largest flat folder (`{folder}`)", f"{many}"),
    ]
    return "\n".join(f"| {what} | {figure} | {WANTED.get(what, '')} |" for what, figure in rows)


def with_measures(text: str, house: House) -> str:
    """The document with the measures as they are now."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{HEADING}\n{table(house)}\n\n{END}{rest.split(END)[1]}"


def details(house: House) -> Iterator[str]:
    """What is behind the measures that should come down."""
    for many, where in house.complex_functions():
        yield f"complexity {many}: {where}"
    for where in house.string_pairs():
        yield f"string pair: {where}"
    for name, files in house.two_meanings().items():
        yield f"two meanings: {name}: {', '.join(files)}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        DOCUMENT.write_text(with_measures(DOCUMENT.read_text(), House()))
        sys.exit()
    shape = House(Path(sys.argv[1])) if len(sys.argv) > 1 else House()
    print(f"{HEADING}\n{table(shape)}\n")
    print("\n".join(details(shape)))
