"""Craps for Gymnasium: `import boxman.gym`, then `gymnasium.make("boxman/Craps-v0", house=...)`.

Importing this module registers the environment. The table is the reference table with every rule of
its house (env.py); `gymnasium.make_vec` gives many tables at once over arrays (vector.py), exactly
as if each were played alone. Needs the extra: `pip install 'boxman[gym]'`.
"""

from __future__ import annotations

from boxman.words import phrase

NAME = "boxman/Craps-v0"

try:
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(phrase("gym.wrong.needs-gymnasium"), name=error.name) from error

if NAME not in registry:
    register(
        id=NAME,
        entry_point="boxman.gym.env:CrapsEnv",
        vector_entry_point="boxman.gym.vector:CrapsVectorEnv",
    )
