"""Everything that is installed is named with its licence, and nothing copyleft is in the core."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tools.licences import CORE, DEVELOPMENT, NAMED, PAGE, locked, told, write_sbom


def test_every_package_of_the_locks_is_on_the_page_with_a_licence() -> None:
    found = told()
    assert set(found) == set(locked(CORE)) | set(locked(DEVELOPMENT)), "run `make docs`"
    assert [name for name, words in found.items() if not words] == []
    text = PAGE.read_text()
    for file in (CORE, DEVELOPMENT):
        for name, version in locked(file).items():
            assert f"| `{name}` | {version} |" in text, "run `make docs`"


def test_what_runs_is_free_of_copyleft() -> None:
    core = {name: words for name, words in told().items() if name in locked(CORE)}
    strict = [name for name, words in core.items() if "GPL" in words or "AGPL" in words]
    assert strict == []


def test_the_locks_agree() -> None:
    development = locked(DEVELOPMENT)
    assert {name: development.get(name) for name in locked(CORE)} == locked(CORE)


def test_the_bill_of_materials_names_every_package_with_its_hashes(tmp_path: Path) -> None:
    file = tmp_path / "sbom.json"
    write_sbom(file)
    bill = json.loads(file.read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "boxman"
    found = {(each["name"], each["version"]) for each in bill["components"]}
    lock = Path(__file__).parents[1] / CORE
    assert found == set(NAMED.findall(lock.read_text()))
    assert all(each.get("externalReferences") or each.get("hashes") for each in bill["components"])
