"""What Python reads first in a server under attack: passwords are hashed with little work.

The attacks make some hundred accounts, and a tenth of a second of each password's 64 megabytes was
half of what they did. It is the library that is told so; of Boxman nothing is imported or changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class Cheap:
    """Finds the library's own profiles, and puts the least of them in the place of the usual."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "argon2.profiles":
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.loader is not None
        plain = spec.loader.exec_module

        def run(module: ModuleType) -> None:
            plain(module)
            module.RFC_9106_LOW_MEMORY = module.CHEAPEST  # type: ignore[attr-defined]

        spec.loader.exec_module = run  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Cheap)  # type: ignore[arg-type]
