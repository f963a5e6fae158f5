"""What each document says of its floor: the houses of the naive model, side by side."""

from __future__ import annotations

from dataclasses import dataclass, field

STICK = "stick"
STATIONS = ("stick", "dealer", "box", "supervisor", "senior", "manager", "inspector")
LEAST, MOST = 10, 500
"""The limits of every table here."""
UNREAD = ("unreadable", "no-fall", "unclear-face")
"""How dice came to lie: nothing that a shooter makes, and for those who decide faces to say."""


@dataclass(frozen=True)
class House:
    """What a document says of its floor; the defaults are what most of them say."""

    # -- the dice in people's hands
    lines: tuple[str, ...] = ("pass", "dont_pass")
    """The wagers with which a player may throw."""
    begins: str = "box"
    """From whose left the dice go round at the commencement of play."""
    everybody_between_rounds: bool = False
    """Later, while there is no point, everybody is asked and not only holders of a line wager."""
    line_to_take: bool = False
    """Who takes the dice has the line wager already; elsewhere it is asked for at the throw."""
    lacking: str = "refused"
    """A throw without the line wager: refused, void, or the shooter is asked for a small one."""
    nobody: str = "wait"
    """When nobody will throw: wait, the stick throws, or the point is cancelled."""
    point_lives_by: str = "line"
    """A point ends when there is no line wager, or no wager at all, or only by a call."""
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For what the box orders a shooter to pass, and what else that wants."""
    # -- the throw
    closing: str = ""
    """Who calls no more bets before a throw, where the text has such a call."""
    may_close: tuple[str, ...] = STATIONS[:-1]
    """Who may say it at all; where no text speaks of it, nobody is kept from saying it."""
    landing: bool = False
    """Whether the moment the dice land is named."""
    down_until: str = "throw"
    """Until when wagers come down: the throw, or the dice at rest."""
    void: tuple[str, ...] = ()
    """Grounds for which a throw is no roll, whatever is called."""
    due: tuple[str, ...] = ()
    """Grounds for which no roll has to be called: until then nothing is decided."""
    may: tuple[str, ...] = ()
    """Grounds for which it may be called."""
    never: tuple[str, ...] = ()
    """What is no ground."""
    others: tuple[str, ...] = ()
    """Of these, those that somebody else than the shooter gives."""
    named: tuple[str, ...] = ()
    """Of these, those for which somebody has to be named."""
    of_players: tuple[str, ...] = ()
    """Of these, those for which nobody but a player is named."""
    ineligible: str = ""
    """The ground that the shooter has no line wager."""
    calls_no_roll: tuple[str, ...] = ("stick", "box")
    announces_void: tuple[str, ...] = ()
    """Who else says that a throw is invalid of itself, where the text names nobody."""
    judges: tuple[str, ...] = ()
    """Grounds left to the judgement of stick or box, whoever else may call no roll."""
    of_the_box: tuple[str, ...] = ()
    """Of those for which it may be called, those that only the box calls."""
    bare: bool = False
    """No roll may be called without a ground."""
    void_faces: bool = True
    """Disputed faces may be decided as no throw."""
    call_it: tuple[str, ...] = ()
    """Who confirms faces the stick cannot read, where the text says so."""
    disaster: str = ""
    """An order to void for a fire or the like, as it is said."""
    # -- confirmations
    late: tuple[str, ...] = ()
    """Who confirms a wager made while the dice are in the air; nobody: it cannot be made."""
    late_both: bool = False
    """All of them have to."""
    spoken: tuple[str, ...] = ()
    """Who confirms a wager called out (not one in the centre, which is not modelled)."""
    on: tuple[str, ...] = ()
    """Who confirms a call on; nobody: it counts at once."""
    on_only_when_off: bool = False
    """A wager is called on or off only while there is no point."""
    # -- what is corrected, voided, disputed and closed
    overrules: tuple[str, ...] = ()
    """Who corrects a call, in the order in which they stand above each other."""
    by_dispute: bool = False
    """A settled call is corrected only by deciding a dispute about it."""
    on_review: tuple[str, ...] = ()
    """Who corrects, besides, what was decided about it: as a review, and never first."""
    voids: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    """For what an order takes a roll back: who gives it, and what it has to name."""
    void_ground: tuple[str, ...] = ()
    """Who takes a settled roll back for a ground that makes a throw invalid of itself."""
    hands_back: bool = False
    """What an order has voided is handed back; elsewhere it lies there again."""
    rounds: bool = False
    """Such an order may be for the whole round."""
    forfeits: str = ""
    """For what somebody's wagers are kept instead."""
    settles: tuple[str, ...] = ()
    """Who decides a dispute."""
    reviews: tuple[str, ...] = ()
    inspects: tuple[str, ...] = ()
    asked: bool = False
    """Reviews and inspections want a request."""
    advised: bool = False
    """Whoever disputes is told of the inspector before the dispute is closed."""
    shuts: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """For what the table closes: by whom, and on what condition."""
    sign: int = 0
    """How many minutes a sign with the closing hangs, where players are there."""
    # -- people
    excludes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who excludes, and for what."""
    refuses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who refuses further wagers, and for what."""
    # -- the set of dice
    inspectors: tuple[str, ...] = ()
    """Who has to have looked at the dice before they are thrown."""
    may_inspect: tuple[str, ...] = ("box",)
    inspected_first: bool = False
    """They are looked at before they are offered, too."""
    begins_whole: bool = True
    """Play begins with a complete set."""
    whole: bool = False
    """The complete set is offered to the next shooter."""
    lost: int = 0
    """How many lost dice make a new set due."""
    goes_on: str = ""
    """The shooter goes on with the old dice: of right, if allowed, or has to."""
    original: str = ""
    """The shooter may have the old die back: at once (before another is chosen), or any time."""
    keeps_found: bool = False
    """A die that was found stays out until the shooter is out."""
    # -- what little it knows of wagers
    outside: str = "counts"
    """A stake outside the limits that is found: it counts, in part and once, or is refused."""
    advise: tuple[str, ...] = ()
    """Who says it to the owner of one under the minimum, where it is a call of the crew."""
    bars: int = 12
    contract: bool = False
    """A pass never comes down, and may be raised at any time."""
    exact: bool = False
    """Only what can be paid exactly in whole chips is taken."""
    put: bool = False
    """A pass may be made behind a point."""
    crapless: bool = False
    vouchers: bool = False
    """The house has promotional vouchers."""
    stays_up: bool = False
    """A place bet that wins stays up."""

    @property
    def cancels(self) -> bool:
        """Whether a point can be cancelled: when all decline, or, where the table waits and no
        line wager can be made on a point, when nobody is there who has one."""
        return self.nobody == "cancel" or (self.nobody, self.point_lives_by) == ("wait", "line")


PASS_ORDERS = {"delay": (), "invalid-rolls": ("repeated",), "rule-breach": ()}
TWO = ("box", "dealer")
ABOVE = ("supervisor", "senior")
NATURE = ("fire", "riot", "brawl")


Orders = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


def _orders(who: tuple[str, ...], *reasons: str, fraud: tuple[str, ...]) -> Orders:
    """Orders to void that want nothing more, and for fraud with what that wants."""
    return {**dict.fromkeys(reasons, (who, ())), "fraud": (who, fraud)}


HOUSES = {
    # 9(b), 13(b): five dice; 10: the line wager at the throw, and kept; 11(a) invalid whenever;
    # 5(a): verbal wagers confirmed by Dealer or Boxman; 5(e), Note: On likewise; 9(d)(ii), (iv).
    "adelaide": House(
        orders=PASS_ORDERS,
        void=(
            *("off-table", "die-on-die", "on-bank", "in-cup", "on-rail", "cheating"),
            *("unapproved-dice",),
        ),
        may=("not-together", "end-missed", "improper", "out-of-sight"),
        never=("touched-chips", "on-players-chips", "touched-bank"),
        of_players=("out-of-sight",),
        disaster="manager voids the roll for fire",
        overrules=("box",),
        voids=_orders(("manager",), *NATURE, "act-of-god", "unrest", fraud=("player or dealer",)),
        void_ground=("box",),
        settles=("manager",),
        reviews=("inspector",),
        inspects=("inspector",),
        asked=True,
        advised=True,
        shuts={"": (("manager",), "inspector told")},
        outside="in part",  # 14(g)
        advise=(*TWO, "stick"),  # 14(g) names nobody either
        spoken=TWO,
        on=TWO,
        on_only_when_off=True,
        whole=True,
        lost=1,
        goes_on="if allowed",
        original="at once",
    ),
    # 5.2 dealer and supervisor inspect; 5.9, 5.11; 6.1(d) of right; 6.4 void whether or not called;
    # 4.4, 4.5, 4.10 a dealer, and the stickperson is one (1.0), or the game supervisor.
    "newzealand": House(
        nobody="stick throws",
        point_lives_by="wager",
        orders=PASS_ORDERS,
        void=(
            *("off-table", "die-on-die", "on-bank", "bowl-or-rail", "wedged", "cheating"),
            *(
                "wrong-die",
                "no-fall",
                "wrong-thrower",
            ),
        ),
        may=("not-together", "short", "improper", "two-hands", "irregular", "touched-bank"),
        never=("touched-chips", "on-players-chips"),
        others=("wrong-thrower",),
        disaster="supervisor voids the roll for fire because smoke",
        overrules=("box", *ABOVE),
        voids=dict.fromkeys(("fire", "disorder"), (ABOVE, ("note",))),
        void_ground=("box", *ABOVE),
        settles=("box",),
        reviews=ABOVE,
        inspects=("inspector",),
        advised=True,
        shuts={"": (ABOVE, "sign"), "emergency": (ABOVE, "")},
        sign=20,
        late=(*TWO, "stick"),
        spoken=(*TWO, "stick"),
        on=(*TWO, "stick"),
        excludes={"device": ("supervisor", "senior")},
        inspectors=("dealer", "box"),
        may_inspect=("dealer", "stick", "box"),
        inspected_first=True,
        whole=True,
        lost=1,
        goes_on="of right",
        original="any time",
    ),
    # 3.8, 3.9; 5.1, 5.2 may, 5.3 shall be called; 6.3 dealer and boxperson both; 4.4.3 the
    # boxperson's decision on the face, no void; 3.6 two dice lost; 9.3.2 with 9.1; 1.1 vouchers.
    "nsw": House(
        nobody="stick throws",
        point_lives_by="wager",
        orders={"delay": (), "invalid-rolls": ("repeated",), "breach": ()},
        due=(
            *("off-table", "die-on-die", "on-float", "bowl-or-rail", "unreadable"),
            *(
                "wrong-thrower",
                "cheating",
                "unapproved-dice",
            ),
        ),
        may=("not-together", "end-missed", "irregular-throw", "irregularity"),
        never=("touched-chips",),
        others=("wrong-thrower",),
        bare=True,
        void_faces=False,
        disaster="supervisor voids the roll for fire",
        overrules=("box", "supervisor"),
        by_dispute=True,
        on_review=("senior",),
        voids=_orders(
            ABOVE, *NATURE, "commotion", "robbery", "act-of-God", fraud=("person", "note")
        ),
        hands_back=True,
        forfeits="fraud",
        settles=("box", "supervisor"),
        reviews=ABOVE,
        inspects=("inspector",),
        asked=True,
        advised=True,
        shuts={"": (ABOVE, "sign")},
        sign=20,
        late=TWO,
        late_both=True,
        on=TWO,
        excludes={
            "device": ("supervisor", "senior"),
            "section-79": ("supervisor", "senior"),
            "own-wish": ("supervisor", "senior"),
        },
        lost=2,
        goes_on="of right",
        original="any time",
        bars=2,
        vouchers=True,
    ),
    # 3.2 the Dealer closes bets; 3.6, 3.10(iii); 3.9 the Stickperson calls, 3.10(ii) box or stick;
    # 5.2 withdrawn until the dice rest; Contract Wager; App. D On and Off at once.
    "rws": House(
        begins_whole=False,  # 3.4 says the set, and nothing how many dice it has
        line_to_take=True,
        lacking="void",
        closing="dealer",
        may_close=("dealer",),
        down_until="rest",
        void=(
            *("not-together", "no-attempt", "no-line-stake", "off-table", "die-on-die", "on-float"),
            *(
                "in-bowl",
                "on-rail",
                "on-chips",
                "unclear-face",
                "wrong-hand",
                "meddling",
            ),
        ),
        others=("wrong-hand",),
        named=("meddling",),
        ineligible="no-line-stake",
        calls_no_roll=("stick",),
        judges=("no-attempt",),
        disaster="manager voids the roll for disorder because smoke",
        overrules=("box", "manager"),
        voids={"disorder": (("manager",), ("note",))},
        void_ground=("box",),
        hands_back=True,
        settles=("box",),
        reviews=("manager",),
        shuts={"": (("manager",), "")},
        excludes={"": ("manager",)},
        contract=True,
        exact=True,
        outside="refused",  # no clause gives it any treatment
    ),
    # 6.4 to 6.12 with Y2; 4.1 until the dice land; 4.6; 7.1(b), (e), (f); 6.13(a); 9.6(b); 6.1.
    "perth-crapless": House(
        lines=("pass",),
        begins="stick",
        everybody_between_rounds=True,
        lacking="asked",
        nobody="cancel",
        point_lives_by="",
        orders={"delay": (), "invalid-throws": ("repeated",), "breach": ()},
        landing=True,
        void=(
            *("off-table", "stacked", "on-float", "in-bowl", "on-rail", "cheating"),
            *("unapproved-dice",),
        ),
        may=("not-together", "no-end-struck", "improper", "touched-bank", "unreadable"),
        never=("touched-chips",),
        others=("unreadable",),
        announces_void=("dealer", "manager"),
        of_the_box=("unreadable",),
        call_it=("dealer", "box", "manager"),
        disaster="manager voids the roll for fire",
        overrules=("manager",),
        by_dispute=True,
        voids=_orders(
            *(("manager",), *NATURE, "disruption", "civil-commotion", "robbery", "act-of-god"),
            fraud=("player or dealer", "note"),
        ),
        void_ground=("manager",),
        hands_back=True,
        rounds=True,
        settles=("manager",),
        reviews=("inspector",),
        shuts={
            **{"empty": (("manager",), "nobody"), "notice": (("manager",), "sign")},
            **dict.fromkeys(("surveillance", "evacuation"), (("manager",), "")),
        },
        sign=10,
        late=TWO,
        spoken=TWO,
        on=TWO,
        excludes={"breach": ("manager",), "own-wish": ("manager",)},
        inspectors=("box",),
        whole=True,
        lost=1,
        goes_on="has to",
        keeps_found=True,
        crapless=True,
        exact=True,
        outside="in part",  # 5.6, 5.7
        advise=(*TWO, "stick"),  # 5.6 names nobody: whoever handles the wager
    ),
    # 7.2, 7.5, 7.6, 2.4, 2.8, 2.11, 3.1.
    "american": House(
        begins_whole=False,
        line_to_take=True,
        point_lives_by="",
        may_close=("stick",),
        void=("off-table", "on-rail", "die-on-die"),
        may=("two-hands",),
        void_faces=False,
        overrules=("box", "supervisor"),
        void_ground=("box",),
        settles=("box",),
        reviews=("supervisor",),
        shuts={"": (("manager",), "")},
        excludes={"": ("manager",)},
        put=True,
        stays_up=True,
    ),
}
