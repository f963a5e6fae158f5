"""Who speaks: stations, players who try a station's call, and people named to stand in for one.

Which station may make which call is in powers.py; this only knows that some calls are staff's.
"""

from __future__ import annotations

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.calls import (
    Call,
    CallIt,
    CallNoRoll,
    CallRoll,
    CancelPoint,
    CloseBets,
    DecideFaces,
    Find,
    GiveBack,
    OfferDice,
    OrderPass,
    Overrule,
    VoidRoll,
)
from boxman.table.floor import change
from boxman.table.floor_calls import (
    ChangeStick,
    Choose,
    CloseTable,
    Confirm,
    GiveVoucher,
    GrantLimits,
    HandleDice,
    JudgeDispute,
    KeepLimits,
    LinkPartners,
    PlaceFor,
    PostLimits,
    Record,
    Sanction,
    ShowNotice,
    StandIn,
    Tell,
)
from boxman.table.powers import role_cites
from boxman.table.rulings import refuse
from boxman.table.state import Cites, Floored, Table

STAFF: dict[type[Call], tuple[str, ...]] = {
    CallRoll: ("call roll",),
    CallNoRoll: ("no roll",),
    CloseBets: ("close bets",),
    OfferDice: ("offer dice",),
    OrderPass: ("order to pass",),
    CancelPoint: ("offer dice",),
    CallIt: ("call roll",),
    DecideFaces: ("decide faces",),
    Overrule: ("overrule",),
    VoidRoll: ("void roll", "void round"),
    Find: (),
    GiveBack: ("give back",),
    Confirm: (),
    PlaceFor: ("place for player",),
    Record: (),
    Tell: (),
    ShowNotice: ("post limits",),
    PostLimits: ("post limits",),
    GrantLimits: ("grant limits",),
    KeepLimits: ("keep limits",),
    ChangeStick: (),
    Sanction: ("exclude", "refuse wagers", "void wagers", "vacate"),
    LinkPartners: ("link partners",),
    JudgeDispute: ("decide dispute",),
    HandleDice: ("handle dice",),
    StandIn: ("stand in",),
    GiveVoucher: (),
    CloseTable: ("close table",),
    Choose: (),
}
"""Calls only staff make, and the powers whose clauses say whose they are."""


def _given_by(layout: Layout, call: Call) -> Cites:
    """The clauses that give a call to somebody."""
    wanted = STAFF[type(call)]
    found = join(*(p.cites for (power, _), p in layout.procedure.powers.items() if power in wanted))
    return found or join(role_cites(layout, "stick"), role_cites(layout, "dealer")) or layout.listed


def check_speaker(layout: Layout, call: Call) -> None:
    """Refuse a player who makes a call that is staff's."""
    asks = isinstance(call, HandleDice) and call.event == "asked"
    if type(call) in STAFF and not asks:
        refuse(
            "not-your-call",
            f"{call.by} is no member of the crew",
            _given_by(layout, call),
            "leave it to the crew",
        )


def check_stand_in(layout: Layout, table: Table, call: Call) -> None:
    """Refuse somebody who was not named for the station whose work he does."""
    power = layout.procedure.powers.get(("stand in", ""))
    cites = power.cites if power else layout.listed
    named = table.floor.stand_ins.get(call.stand_in, "")
    if type(call) not in STAFF or named != call.by:
        what = f"stands in for the {named}" if named else "was named for no station"
        refuse("no-stand-in", f"{call.stand_in} {what}", cites, "have them named for it")


def stood_in(layout: Layout, table: Table, call: Call) -> Floored:
    """The record of who acted, and in whose place."""
    power = layout.procedure.powers.get(("stand in", ""))
    noted = (*table.floor.records, ("stand-in", f"{call.stand_in} for {call.by}"))
    words = f"{call.stand_in} acts for the {call.by}"
    return change(table, words, power.cites if power else layout.listed, records=noted)
