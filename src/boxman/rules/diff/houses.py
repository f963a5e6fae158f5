"""What differs between two compiled houses: every wager, the table, people and throws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from boxman.rules.diff.row import HouseDifference, compare, together
from boxman.rules.diff.spots import spot_differences
from boxman.rules.diff.told import (
    DISORDER,
    DISTURBANCES,
    Duties,
    duties_of,
    equipped,
    listed,
    people,
    reversals,
    said,
    throwing,
    word,
)
from boxman.rules.duties import RANKS
from boxman.rules.layout import Layout, SettingRule
from boxman.rules.ledger import Cited, join, show
from boxman.rules.procedure import Power, Procedure
from boxman.words import phrase
from boxman.words.say import has

OWN_REASON = ("decide faces", "no roll", "overrule")
"""Powers that, given without a reason, are not for every case: a face may be decided and the throw
not voided, a bare no roll is a call of its own, and whose call is overruled matters."""
CATCH_ALL = ("improper", "irregularity")
"""Grounds for whatever else is found wrong with a throw."""
JUDGED = "judged"
"""Whose doing a cause is that is no fact, but what somebody thinks of the throw."""
REASONS = ("no players", "all agree", "notice")
"""What a power wants that its reason, or the minutes of notice, tell already."""


def differences(first: Layout, second: Layout) -> list[HouseDifference]:
    """Everything that differs, in the order of the felt, then the table around it."""
    found: list[HouseDifference] = []
    order = [*first.spots, *(spot for spot in second.spots if spot not in first.spots)]
    for name in order:
        one, two = first.spots.get(name), second.spots.get(name)
        if one is None or two is None:
            sides = [_offer(side, name) for side in (first, second)]
            found += compare(name, lambda _: phrase("diff.offer"), {0: sides[0]}, {0: sides[1]})
        else:
            found += spot_differences(first, second, one, two)
    return found + _table(first, second) + _procedure(first, second)


def _offer(side: Layout, name: str) -> Cited[object]:
    """What a house calls a wager, or the clauses that close its list."""
    spot = side.spots.get(name)
    if spot is not None:
        return Cited(spot.name, spot.offer_cites)
    return Cited(phrase("diff.absent"), side.withheld.get(name, side.listed))


def _unsaid(rows: list[HouseDifference], text: str, *sides: Layout) -> list[HouseDifference]:
    """What no clause gives is nobody's and is no setting: the clause that says so, if there is."""
    one, two = (side.principles.get("silence", ()) for side in sides)
    return [
        row._replace(
            first_cites=row.first_cites or (one if row.first == text else ()),
            second_cites=row.second_cites or (two if row.second == text else ()),
        )
        for row in rows
    ]


def _until(rules: Mapping[str, Cited[str]]) -> dict[str, Cited[str]]:
    """Until when something may be done."""
    return {
        act: Cited(phrase(f"diff.until.{r.value}"), r.cites) if has(f"diff.until.{r.value}") else r
        for act, r in rules.items()
    }


def _table(first: Layout, second: Layout) -> list[HouseDifference]:
    found: list[HouseDifference] = []
    points = [
        {
            "": Cited(
                listed(side.points),
                join(*(m.cites[:1] for m in side.puck[0] if m.event == "point")),
            )
        }
        for side in (first, second)
    ]
    found += compare("table", lambda _: phrase("diff.points"), points[0], points[1])
    found += compare(
        "table",
        lambda act: phrase(f"diff.betting.{act}"),
        _until(first.betting),
        _until(second.betting),
    )
    sums = [
        said("ways", {"win": side.round_win, "fee": side.round_fee}) for side in (first, second)
    ]
    found += compare("table", lambda sum_: phrase(f"diff.rounded.{sum_}"), sums[0], sums[1])
    found += compare(
        "table",
        lambda key: phrase(f"diff.found.{key[1]}", case=key[0]),
        _recognised(first),
        _recognised(second),
    )
    found += compare(
        "table",
        lambda bound: phrase("diff.outside", bound=bound),
        said("found-as", first.limits),
        said("found-as", second.limits),
    )
    lowered = [
        {"up": Cited(phrase(f"diff.lowered.{_paid_by(side)}"), _paid_cites(side))}
        for side in (first, second)
    ]
    found += compare("table", lambda _: phrase("diff.lowered-maximum"), lowered[0], lowered[1])
    return found + _settings(first, second)


def _recognised(side: Layout) -> dict[tuple[str, str], Cited[str]]:
    """What becomes of a stake that staff find; one that misses the posted unit counts up to it,
    unless a clause says otherwise."""
    found = said("found-as", side.recognise)
    unit = side.limits.get("unit")
    lower = Cited(phrase("diff.no-multiples"), ())
    if unit is not None:
        lower = Cited(phrase("diff.lower-unit"), unit.cites)
    return {("not a multiple", time): lower for time in ("first", "later")} | found


LATE = "maximum when settled"


def _paid_by(side: Layout) -> str:
    """Which maximum a stake is paid by that was up when it changed."""
    return "late" if LATE in side.principles else "made"


def _paid_cites(side: Layout) -> tuple[str, ...]:
    """The clauses that say so, where any does."""
    return side.principles.get(LATE, ()) or side.principles.get("limits when made", ())


def _settings(first: Layout, second: Layout) -> list[HouseDifference]:
    """What the houses may choose, where their choices or what they choose unasked differ."""
    rules = [
        {name: Cited(_choices(side, rule), rule.cites) for name, rule in side.setting_rules.items()}
        for side in (first, second)
    ]
    found = compare(
        "table",
        lambda name: phrase("diff.setting", name=word("settings", name)),
        rules[0],
        rules[1],
        absent="diff.no-choice",
    )
    found = _unsaid(found, phrase("diff.no-choice"), first, second)
    more = [
        {"more": Cited(phrase(f"diff.{_ban(side)}"), side.fee_only)} if side.fee_only else {}
        for side in (first, second)
    ]
    return found + compare("table", lambda _: phrase("diff.more-than-the-fee"), more[0], more[1])


def _ban(side: Layout) -> str:
    """Whether a clause forbids a charge besides the fee, or a reading of ours alone."""
    return "read-so" if all(cite.startswith("gap-") for cite in side.fee_only) else "forbidden"


def _choices(side: Layout, rule: SettingRule) -> str:
    """What a setting may be, and what it is where nobody says."""
    if rule.type == "price":
        return phrase("diff.above-the-list")
    barred = side.barred(rule)
    named = [word(f"chosen.{rule.name}", str(each)) for each in rule.choices if each not in barred]
    if len(named) == 1:
        return phrase("diff.one-choice", default=named[0])
    choices = listed(named, "or") if named else phrase(f"diff.choice-of.{rule.type}")
    if rule.type != "sign" and (rule.least is not None or rule.most is not None):
        most = rule.most if rule.most is not None else phrase("diff.any-number")
        choices = phrase("diff.between", least=rule.least or 0, most=most)
    default = word(f"chosen.{rule.name}", show(rule.default))
    return phrase("diff.choices", choices=choices, default=default)


def _procedure(first: Layout, second: Layout) -> list[HouseDifference]:
    """Who may do what, what voids a throw, and the other duties, where they differ."""
    one, two = first.procedure, second.procedure
    powers = [_powers(side, other) for side, other in ((one, two), (two, one))]
    found = together(
        "people",
        lambda call, reason: (
            phrase("diff.who-may-for", power=word("powers", call), reason=reason)
            if reason
            else phrase("diff.who-may", power=word("powers", call))
        ),
        powers[0],
        powers[1],
        "diff.nobody",
    )
    found = _unsaid(found, phrase("diff.nobody"), first, second)
    found += [
        row
        for row in compare(
            "people",
            lambda station: phrase("diff.is-called", station=word("stations", station)),
            _roles(one),
            _roles(two),
            "diff.no-such-person",
        )
        if row.first.lower() != row.second.lower()
    ]
    found += compare("throws", str, _timely(one), _timely(two))
    found += compare(
        "throws",
        lambda name: phrase("diff.throw", cause=word("causes", name)),
        _grounds(one, two),
        _grounds(two, one),
    )
    found += [
        _absent(row) for row in compare("procedure", str, duties_of(first), duties_of(second))
    ]
    back = together(
        "procedure",
        lambda _, reason: phrase("diff.duties.taken-back", why=reason),
        reversals(first),
        reversals(second),
        "diff.not-taken-back",
    )
    found += _unsaid(back, phrase("diff.not-taken-back"), first, second)
    found += compare("equipment", str, equipped(first), equipped(second))
    return found + compare("shooter", str, throwing(first), throwing(second))


def _roles(procedure: Procedure) -> dict[str, Cited[str]]:
    """What each station is called: by whom that is said, or else a clause that calls it so."""
    return {
        station: Cited(role.value, role.cites or procedure.named[station][:1])
        for station, role in procedure.roles.items()
    }


def _absent(row: HouseDifference) -> HouseDifference:
    """That staff do not note a thing, or no sign shows it, is not that nothing is said of it."""
    for kind, absent in (("record", "not-noted"), ("sign", "not-shown")):
        if row.what.startswith(phrase(f"diff.duties.{kind}", what="")):
            none, silent = phrase(f"diff.duties.{absent}"), phrase("diff.silent")
            sides = [none if text == silent else text for text in (row.first, row.second)]
            return row._replace(first=sides[0], second=sides[1])
    return row


def _powers(one: Procedure, two: Procedure) -> dict[tuple[str, str], Cited[object]]:
    """Who may do what, by the kind of the reason, in every case that either house tells apart."""
    cases = dict.fromkeys((power.call, power.kind) for side in (one, two) for power in side.granted)
    for call, kind in list(cases):
        if kind in DISORDER:  # one word for all of them
            del cases[call, kind]
            cases |= dict.fromkeys((call, each) for each in DISTURBANCES)
    told = {(call, kind): _power(one, call, kind) for call, kind in cases}
    return {case: said for case, said in told.items() if said is not None}


def _power(of: Procedure, call: str, kind: str) -> Cited[object] | None:
    """Who may do this for such a reason; nothing where nobody may."""
    given = [power for power in of.granted if power.call == call]
    same = _same_reason(given, call, kind) or _above(of, given, kind)
    renew = of.dice.renew
    if same:
        words, cites = _who(same), join(*(power.cites for power in same))
        shown = call == "close table" and kind not in ("empty", "notice") and not same[0].reason
        if shown and of.notice.closing:
            words = "; ".join([words, phrase("diff.closing-sign")])
            cites = join(cites, of.notice.closing.cites)
        return Cited(words, cites)
    if given and not kind:
        reasons = listed(dict.fromkeys(word("reasons", power.kind) for power in given))
        words = phrase("diff.only-for", who=_people(given), reasons=reasons)
        return Cited(words, join(*(power.cites for power in given)))
    if call == "allow old dice" and renew is not None and renew.value != "at once":
        return Cited(phrase("diff.goes-on"), renew.cites)
    return None


def _same_reason(given: list[Power], call: str, kind: str) -> list[Power]:
    """The powers that cover a reason: named so, without any, or for disorder of every kind."""
    same = [power for power in given if power.kind == kind]
    if not same and call not in OWN_REASON:
        same = [power for power in given if not power.reason]
    if not same and kind in DISTURBANCES:
        same = [power for power in given if power.kind == "disorder"]
    return same


def _above(of: Procedure, given: list[Power], kind: str) -> list[Power]:
    """Whoever may correct a call in any case corrects what somebody below has decided of it: of
    the powers to overrule, those of people who stand above this one."""
    found = []
    for power in given if kind in of.roles else ():
        who = [each for each in power.given if RANKS[each] > RANKS[kind]]
        if who and power.call == "overrule" and not power.reason:
            cites = join(*(power.given[each] for each in who))
            found.append(msgspec.structs.replace(power, who=tuple(who), cites=cites))
    return found


def _people(powers: Iterable[Power]) -> str:
    return people(sorted(set().union(*(power.who for power in powers))))


def _who(powers: list[Power]) -> str:
    """Who has a power, and what it wants besides."""
    needs = dict.fromkeys(need for power in powers for need in power.needs if need not in REASONS)
    wanted = [phrase(f"needs.{need}") for need in needs]
    return "; ".join([_people(powers), *wanted])


def _timely(of: Procedure) -> Duties:
    """When a no roll is to be called, if it can be."""
    before = phrase("diff.before-rest")
    cites = {"may": of.late, "void": of.late_void}
    return {phrase(f"diff.timely.{how}"): Cited(before, c) for how, c in cites.items() if c}


def _grounds(of: Procedure, other: Procedure) -> dict[str, Cited[object]]:
    """What may befall a throw, by its kind: two words for the same ground are one. A ground that
    only the other text names is left to those who may find a throw improper, or is not on a list
    that knows nothing of the kind."""
    found = _named_grounds(of)
    rest = next((found[kind] for kind in CATCH_ALL if kind in found), None)
    causes = list(of.causes.values())
    if rest is not None:
        rest = Cited(phrase("diff.throws.other"), rest.cites)
    elif causes:
        common = [c for c in causes[0].cites if all(c in each.cites for each in causes)]
        rest = Cited(phrase("diff.throws.unlisted"), tuple(common))
    return dict.fromkeys(_named_grounds(other), rest) | found if rest is not None else found


def _named_grounds(of: Procedure) -> dict[str, Cited[object]]:
    """The grounds of a text. Where faces may be decided void, what cannot be read is one."""
    void, caller = of.power("decide faces", "void"), of.power("no roll")
    found: dict[str, Cited[object]] = {}
    if void is not None:
        found["unreadable"] = Cited(_called_by("may", void.who, caller), void.cites)
    for cause in of.causes.values():
        effect = JUDGED if cause.whose == JUDGED else cause.effect
        if cause.whose != "no line":  # told of the shooter
            words = _called_by(effect, cause.who, caller)
            found |= dict.fromkeys(cause.kind, Cited(words, cause.cites))
    return found


def _called_by(effect: str, who: Iterable[str], caller: Power | None) -> str:
    """What a ground does to a throw, and who calls it where not all do who call no roll."""
    words = phrase(f"diff.throws.{effect}")
    if not who or caller is None or {*who} == {*caller.who}:
        return words
    return phrase("diff.throws.called-by", words=words, who=people(sorted(who)))
