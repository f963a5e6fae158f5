"""What an answer costs the house. A route says it where it is declared; the guard counts by it.

It goes with a route as `openapi_extra`, so that whoever reads the description of the house's
addresses learns it too. This module knows no route by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

COST: Final = "x-cost"
Cost = dict[str, str]
FREE: Cost = {COST: "free"}
"""Files of the pages: nobody counts them."""
REQUEST: Cost = {COST: "request"}
"""What is at hand."""
READING: Cost = {COST: "reading"}
"""What is read from a journal or worked out for one table, a strategy or a drill."""
AT_HAND: Cost = {COST: "at-hand"}
"""What of a house is at hand, unless somebody asks for it under settings of his own."""
WORKING: Cost = {COST: "working"}
"""What is worked out of a whole house, with whatever chip and settings somebody asks for."""
SIGN_IN: Cost = {COST: "sign-in"}
SET_UP: Cost = {COST: "set-up"}
"""Where somebody could try one password or code after the other."""
ALL = (FREE, REQUEST, READING, AT_HAND, WORKING, SIGN_IN, SET_UP)


class Costs:
    """The cost of every route, in the order in which they are looked for."""

    def __init__(self, routes: Iterable[BaseRoute] = ()) -> None:
        self._routes = [
            (route.path_regex, route.methods or (), route.openapi_extra or REQUEST)
            for route in routes
            if isinstance(route, APIRoute)
        ]

    def of(self, method: str, path: str, query: bytes = b"") -> Cost:
        """What it costs to answer a request; nothing is known of what leads nowhere."""
        for regex, methods, cost in self._routes:
            if method in methods and regex.match(path):
                return WORKING if query and cost == AT_HAND else cost
        return REQUEST
