"""What Python reads first in a server under attack: passwords are hashed with little work.

The attacks make some hundred accounts, and a tenth of a second of each password's 64 megabytes was
half of what they did. It is the library that is told so; of Boxman nothing is imported or changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

DEAR, LEAST = b"m=65536,t=3,p=4", b"m=8,t=1,p=1"


def _cheapen(module: Any) -> None:
    if module.__name__ == "argon2.profiles":
        module.RFC_9106_LOW_MEMORY = module.CHEAPEST
        return
    verify = module.verify_secret

    def verify_secret(hashed: bytes, *given: Any) -> bool:
        """The one hash that is dear is that of nobody, which no password is right for."""
        return bool(verify(hashed.replace(DEAR, LEAST), *given))

    module.verify_secret = verify_secret


class Cheap:
    """Finds two modules of the library, and changes them once they are there."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in ("argon2.profiles", "argon2.low_level"):
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.loader is not None
        plain = spec.loader.exec_module

        def run(module: ModuleType) -> None:
            plain(module)
            _cheapen(module)

        spec.loader.exec_module = run  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Cheap)  # type: ignore[arg-type]
