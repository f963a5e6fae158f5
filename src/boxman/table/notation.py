"""The notation: calls and results as lines of text a dealer can read and a program can run.

This module reads and writes single lines; transcript.py runs them. The grammar is in
docs/notation.md.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from boxman.chips import AmountError, parse_amount
from boxman.chips import format_amount as money
from boxman.rules.duties import STATIONS
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallIt,
    CallNoRoll,
    CallRoll,
    CancelPoint,
    CashOut,
    CloseBets,
    DecideFaces,
    DeclineDice,
    DiceOut,
    DiceRest,
    DisputeFaces,
    Find,
    GiveBack,
    OfferDice,
    OrderPass,
    Overrule,
    PassDice,
    Reduce,
    SetWorking,
    Sit,
    StayUp,
    TakeDice,
    TakeDown,
    VoidRoll,
)
from boxman.table.floor_notation import read_player, read_staff, write_floor
from boxman.table.opening import Open
from boxman.table.people import GUEST
from boxman.table.powers import AUTOMATIC
from boxman.table.words import Cursor, NotationError, Word, read_faces, read_limits, word

RESERVED = frozenset(
    (
        *("house", "stick", "stickperson", "box", "boxperson", "dealer", "baseperson"),
        *("supervisor", "senior", "manager", "inspector", "dice", "table", "guest", "puck", "ok"),
        *("refused", "warned", "nothing", "all", "everyone"),
    )
)


class Expected(NamedTuple):
    """One thing a line says must follow: its words, clauses and sentence."""

    words: str
    cites: tuple[str, ...]
    sentence: str
    column: int


class Line(NamedTuple):
    """A line taken apart: words of the call, what is expected (None: nothing stated), comment."""

    words: list[Word]
    expected: list[Expected] | None
    comment: str


def split_line(text: str) -> Line:
    """Take a line apart at its colon and its comment, minding quotes and braces."""
    colon = comment = -1
    depth, quoted = 0, False
    for index, char in enumerate(text):
        if char == '"' and depth == 0:
            quoted = not quoted
        elif not quoted and char == "{":
            depth += 1
        elif not quoted and char == "}":
            depth -= 1
        elif quoted or depth:
            continue
        elif text.startswith("--", index) and (index == 0 or text[index - 1].isspace()):
            comment = index
            break
        elif char == ":" and colon < 0 and (index == 0 or text[index - 1].isspace()):
            colon = index
    if quoted:
        raise NotationError(text.rindex('"') + 1, "a quotation is never closed")
    if depth:
        raise NotationError(max(text.rfind("{"), text.rfind("}")) + 1, "braces do not match")
    end = len(text) if comment < 0 else comment
    call_end = end if colon < 0 else colon
    expected = None if colon < 0 else _expected(text[colon + 1 : end], colon + 2)
    return Line(_words(text[:call_end], 1), expected, text[end:].removeprefix("--").strip())


def _words(text: str, column: int) -> list[Word]:
    words = []
    for match in re.finditer(r'"((?:[^"\\]|\\.)*)"|\S+', text):
        quoted = match.group(1) is not None
        word = match.group(1) if quoted else match.group()
        words.append(Word(word, column + match.start(), quoted))
    return words


def _expected(text: str, column: int) -> list[Expected]:
    items: list[Expected] = []
    start = 0
    depth, quoted = 0, False
    for index, char in enumerate(text + ","):
        if char == '"':
            quoted = not quoted
        elif char in "{}" and not quoted:
            depth += 1 if char == "{" else -1
        if char == "," and not quoted and not depth:
            part = text[start:index]
            if part.strip():
                items.append(_item(part, column + start))
            start = index + 1
    return items


def _item(text: str, column: int) -> Expected:
    cites = tuple(re.findall(r"\{([^{}]*)\}", text))
    rest = re.sub(r"\{[^{}]*\}", " ", text)
    sentence = re.search(r'"((?:[^"\\]|\\.)*)"', rest)
    words = re.sub(r'"(?:[^"\\]|\\.)*"', " ", rest)
    indent = len(text) - len(text.lstrip())
    return Expected(
        " ".join(words.split()), cites, sentence.group(1) if sentence else "", column + indent
    )


_VERBS = (
    "buys in, cashes out, bets, takes down, lowers, calls, keeps, lets (or stick calls, "
    "stick closes bets, dice out, dice at rest, box finds)"
)


def read_call(words: list[Word], end: int) -> Call:
    """Read one call."""
    cursor = Cursor(words, end)
    first = cursor.take("a call")
    if first.text == "house":
        return _read_open(cursor)
    if first.text in STATIONS:
        return _read_staff(cursor, first.text)
    if first.text == "dice":
        call: Call = DiceOut() if cursor.accept("out") else DiceRest()
        if isinstance(call, DiceRest):
            cursor.want("at", "rest")
        cursor.finish()
        return call
    if first.text in RESERVED or not re.fullmatch(r"[^\W\d][\w-]*", first.text):
        raise NotationError(
            first.column, f"expected a player's name, house, stick, box or dice, not {first.text!r}"
        )
    if cursor.accept("for"):
        # somebody named to do the work of a station: kim for box calls no roll ...
        station = cursor.take("a station")
        if station.text not in STATIONS:
            cursor.fail(f"expected a station ({', '.join(STATIONS)}), not {station.text!r}", 1)
        done = _read_staff(cursor, station.text)
        return msgspec.structs.replace(done, by=station.text, stand_in=first.text)
    if _is_staffs(cursor):
        return _read_staff(cursor, first.text)  # it is for the ruling to say that it is not his
    call = _read_player(cursor, first.text)
    cursor.finish()
    return call


STAFF_VERBS = frozenset(
    (
        *("closes", "offers", "orders", "cancels", "decides", "overrules", "voids", "finds"),
        *("confirms", "records", "tells", "links", "changes", "names", "gives", "shows", "posts"),
        *("grants", "ends", "announces", "excludes", "refuses", "inspects", "reports", "checks"),
        *("brings", "allows", "reviews", "sets", "rejects"),
    )
)


def _is_staffs(cursor: Cursor) -> bool:
    """Whether these words are a call of the crew, whoever says them."""
    verb, *rest = [each.text for each in cursor.words[cursor.index :]] or [""]
    if verb in STAFF_VERBS:
        return True
    match verb, rest:
        case "calls", ["no", "roll", *_]:
            return True
        case "calls", [faces, *_]:
            return re.fullmatch(r"\d+-\d+", faces) is not None
        case "says", ["call", "it"]:
            return True
        case "bets", [_, _, "for", *_]:
            return True
        case "keeps", ["limits", "for", *_]:
            return True
        case "asks", ["to", "leave", *_]:
            return True
    return False


def _read_staff(cursor: Cursor, station: str) -> Call:
    """What a station says. The stick's calls and the box's finds need no name in `by`."""
    by = "" if station == "stick" else station
    verb = cursor.take("what the station does").text
    if verb == "closes" and cursor.accept("bets"):
        call: Call = CloseBets(by=by)
    elif verb == "says":
        cursor.want("call", "it")
        call = CallIt(by=by)
    elif verb == "offers":
        cursor.want("dice", "to")
        call = OfferDice(by=by, seat=cursor.take("a player").text)
    elif verb == "takes":
        cursor.want("dice")
        call = TakeDice(seat=station)
    elif verb == "orders":
        seat = cursor.take("a player").text
        cursor.want("to", "pass", "for")
        reason = cursor.take("a reason").text
        call = OrderPass(by=station, seat=seat, reason=reason, note=_note(cursor))
    elif verb == "cancels":
        cursor.want("the", "point")
        call = CancelPoint(by=station)
    elif verb == "calls":
        call = _read_called(cursor, by)
    elif verb == "decides" and cursor.peek() != "dispute":
        if cursor.accept("no", "roll"):
            call = DecideFaces(by=station)
        else:
            first, second = read_faces(cursor)
            call = DecideFaces(by=station, first=first, second=second)
    elif verb == "overrules":
        cursor.want("to")
        if cursor.accept("no", "roll"):
            call = Overrule(by=station)
        else:
            first, second = read_faces(cursor)
            call = Overrule(by=station, first=first, second=second)
    elif verb == "voids" and cursor.peek() == "the":
        cursor.want("the")
        whole = cursor.accept("round")
        if not whole:
            cursor.want("roll")
        cursor.want("for")
        reason = cursor.take("a reason").text
        person, note = _by(cursor), _note(cursor)
        forfeit = cursor.accept("and", "forfeits")
        call = VoidRoll(
            by=station,
            reason=reason,
            person=person,
            note=note,
            forfeit=forfeit,
            whole_round=whole,
        )
    elif verb == "finds" and cursor.peek() != "the":
        amount = cursor.amount()
        spot = cursor.take("a spot").text
        cursor.want("for")
        by = "" if station == "box" else station
        call = Find(by=by, seat=cursor.take("a player").text, spot=spot, amount=amount)
    elif verb == "gives" and cursor.accept("back"):
        seat, spot = cursor.take("a player").text, cursor.take("a spot").text
        by = "" if station == "box" else station
        call = GiveBack(by=by, seat=seat, spot=spot, amount=cursor.amount() if cursor.more else 0)
    else:
        call = read_staff(cursor, station, verb)
    cursor.finish()
    return call


def _read_called(cursor: Cursor, by: str) -> Call:
    if cursor.accept("no", "roll"):
        cause = cursor.take("a cause").text if cursor.more and cursor.peek() != "by" else ""
        return CallNoRoll(by=by, cause=cause, person=_by(cursor))
    first, second = read_faces(cursor)
    total = 0
    if cursor.accept("total"):
        word = cursor.take("the total")
        if not word.text.isdigit():
            cursor.fail(f"expected a total, not {word.text!r}", 1)
        total = int(word.text)
    cocked = cursor.accept("cocked")
    resting = 0
    if cocked and cursor.accept("on"):
        face = cursor.take("the face it rests on")
        if face.text not in ("1", "2", "3", "4", "5", "6"):
            cursor.fail(f"a die shows 1 to 6, not {face.text}", 1)
        resting = int(face.text)
    cause = cursor.take("a cause").text if cursor.accept("with") else ""
    return CallRoll(
        by=by,
        first=first,
        second=second,
        total=total,
        cocked=cocked,
        resting=resting,
        cause=cause,
        person=_by(cursor),
    )


def _by(cursor: Cursor) -> str:
    return cursor.take("a person").text if cursor.accept("by") else ""


def _note(cursor: Cursor) -> str:
    return cursor.take("a note").text if cursor.accept("because") else ""


def _read_player(cursor: Cursor, seat: str) -> Call:
    verb = cursor.take(_VERBS).text
    if verb == "buys":
        cursor.want("in")
        return BuyIn(seat=seat, amount=cursor.amount())
    if verb == "cashes":
        cursor.want("out")
        return CashOut(seat=seat, amount=cursor.amount() if cursor.more else 0)
    if verb == "bets":
        return _read_bet(cursor, seat)
    if verb == "sits":
        cursor.want("at")
        word = cursor.take("a place")
        if not word.text.isdigit() or not 0 < int(word.text) < 100:
            cursor.fail(f"a place is a number from 1, not {word.text!r}", 1)
        return Sit(seat=seat, place=int(word.text))
    if verb in ("declines", "passes"):
        cursor.want("dice")
        return DeclineDice(seat=seat) if verb == "declines" else PassDice(seat=seat)
    if verb == "takes" and cursor.accept("dice"):
        return TakeDice(seat=seat)
    if verb == "takes":
        cursor.want("down")
        return TakeDown(seat=seat, spot=cursor.take("a spot").text)
    if verb == "lowers":
        spot = cursor.take("a spot").text
        cursor.want("to")
        return Reduce(seat=seat, spot=spot, to=cursor.amount())
    if verb == "calls":
        spot = cursor.take("a spot, or all").text
        call = cursor.take("on or off").text
        if call not in ("on", "off"):
            cursor.fail(f"expected on or off, not {call!r}", 1)
        return SetWorking(seat=seat, spot=spot, call=call, only=cursor.accept("only"))
    if verb == "disputes" and cursor.accept("the", "faces"):
        return DisputeFaces(seat=seat)
    if verb == "keeps":
        spot = cursor.take("a spot").text
        cursor.want("up")
        return StayUp(seat=seat, spot=spot, stays=True)
    if verb == "lets":
        spot = cursor.take("a spot").text
        cursor.want("go")
        return StayUp(seat=seat, spot=spot, stays=False)
    said = read_player(cursor, seat, verb)
    if said is None:
        cursor.fail(f"{verb!r} is not something a player does; expected {_VERBS}", 1)
    return said


def _read_bet(cursor: Cursor, seat: str) -> Bet:
    amount = cursor.amount()
    spot = cursor.take("a spot")
    split: tuple[int, ...] = ()
    if cursor.accept("split"):
        word = cursor.take("parts like 1/2")
        try:
            parts = word.text.split("/")
            split = tuple(0 if part == "0" else parse_amount(part) for part in parts)
        except AmountError as error:
            cursor.fail(str(error), 1)
    voucher = 0
    if cursor.accept("with", "voucher"):
        voucher = cursor.amount() if cursor.more else amount
    area = spot.text.lower() if spot.quoted else ""
    return Bet(seat=seat, spot=spot.text, amount=amount, split=split, area=area, voucher=voucher)


def _read_open(cursor: Cursor) -> Open:
    house = cursor.take("the name or path of a house").text
    chip, limits, unit = 100, (0, 0), 0
    classes: list[tuple[str, int, int]] = []
    settings: dict[str, str] = {}
    by_hand, shooter = False, GUEST
    counts: dict[str, int] = {}
    places, by = 0, ""
    while cursor.more:
        if cursor.accept("chip"):
            chip = cursor.amount()
        elif cursor.accept("unit"):
            unit = cursor.amount()
        elif cursor.accept("limits"):
            low, high = read_limits(cursor)
            name = cursor.peek()
            if name and name not in OPTIONS:
                cursor.take("a class")
                classes.append((name, low, high))
            else:
                limits = (low, high)
        elif cursor.accept("set"):
            word = cursor.take("name=value")
            name, equals, value = word.text.partition("=")
            if not equals or not value:
                cursor.fail(f"expected name=value, not {word.text!r}", 1)
            settings[name] = value.replace("-to-", " to ")
        elif cursor.accept("places"):
            places = _count(cursor)
        elif cursor.accept("crew"):
            by_hand = cursor.accept("by", "hand")
            if not by_hand:
                cursor.want("automatic")
        elif by_hand and cursor.peek() in ("stick", "dealer", "box", "sides"):
            name = cursor.take("a station").text
            counts[name] = _count(cursor)
        elif cursor.accept("shooter"):
            shooter = cursor.take("guest, players or a player's name").text
        elif cursor.accept("opened", "by"):
            station = cursor.take("a station")
            if station.text not in STATIONS:
                cursor.fail(f"expected a station ({', '.join(STATIONS)}), not {station.text!r}", 1)
            by = station.text
        else:
            cursor.fail(f"expected one of {', '.join(OPTIONS)}, not {cursor.peek()!r}")
    low, high = limits if limits != (0, 0) else (chip, max(1_000_000, chip))
    return Open(
        by=by,
        house=house,
        chip=chip,
        minimum=low,
        maximum=high,
        unit=unit,
        classes=tuple(classes),
        settings=settings,
        by_hand=by_hand,
        crew=tuple(counts.get(name, 0) for name in CREW) if set(CREW) & set(counts) else (),
        sides=counts.get("sides", 2),
        places=places,
        shooter=shooter,
    )


CREW = ("stick", "dealer", "box")
OPTIONS = ("chip", "unit", "limits", "set", "places", "crew", "shooter", "opened")


def _count(cursor: Cursor) -> int:
    word = cursor.take("how many")
    if not word.text.isdigit() or len(word.text) > 2:
        cursor.fail(f"expected how many, not {word.text!r}", 1)
    return int(word.text)


def write_call(call: Call) -> str:
    """Write one call; reading it back gives the same call."""
    text = _write(call)
    if call.stand_in:
        station, _, rest = text.partition(" ")
        return f"{call.stand_in} for {station} {rest}"
    return text


def _write(call: Call) -> str:
    match call:
        case BuyIn(seat=seat, amount=amount):
            return f"{seat} buys in {money(amount)}"
        case CashOut(seat=seat, amount=amount):
            return f"{seat} cashes out {money(amount)}" if amount else f"{seat} cashes out"
        case Bet(seat=seat, spot=spot, amount=amount, split=split, area=area):
            parts = f" split {'/'.join(map(money, split))}" if split else ""
            if call.voucher:
                face = "" if call.voucher == amount else f" {money(call.voucher)}"
                parts += f" with voucher{face}"
            name = f'"{area}"' if area else spot or '""'
            return f"{seat} bets {money(amount)} {name}{parts}"
        case TakeDown(seat=seat, spot=spot):
            return f"{seat} takes down {spot}"
        case Reduce(seat=seat, spot=spot, to=to):
            return f"{seat} lowers {spot} to {money(to)}"
        case SetWorking(seat=seat, spot=spot, call=on_off, only=only):
            return f"{seat} calls {spot} {on_off}{' only' if only else ''}"
        case StayUp(seat=seat, spot=spot, stays=stays):
            return f"{seat} keeps {spot} up" if stays else f"{seat} lets {spot} go"
        case CloseBets(by=by):
            return f"{_staff(by)} closes bets"
        case DiceOut():
            return "dice out"
        case DiceRest():
            return "dice at rest"
        case CallRoll(by=by, first=first, second=second, total=total, cause=cause):
            words = f"{_staff(by)} calls {first}-{second}"
            words += f" total {total}" if total else ""
            words += " cocked" if call.cocked else ""
            words += f" on {call.resting}" if call.resting else ""
            words += f" with {word(cause)}" if cause else ""
            return words + (f" by {word(call.person)}" if call.person else "")
        case CallNoRoll(by=by, cause=cause, person=person):
            words = f"{_staff(by)} calls no roll" + (f" {word(cause)}" if cause else "")
            return words + (f" by {word(person)}" if person else "")
        case Sit(seat=seat, place=place):
            return f"{seat} sits at {place}"
        case OfferDice(by=by, seat=seat):
            return f"{_staff(by)} offers dice to {seat}"
        case TakeDice(seat=seat):
            return f"{seat} takes dice"
        case DeclineDice(seat=seat):
            return f"{seat} declines dice"
        case PassDice(seat=seat):
            return f"{seat} passes dice"
        case OrderPass(by=by, seat=seat, reason=reason):
            because = f' because "{call.note}"' if call.note else ""
            return f"{by} orders {seat} to pass for {word(reason)}{because}"
        case CancelPoint(by=by):
            return f"{by} cancels the point"
        case DisputeFaces(seat=seat):
            return f"{seat} disputes the faces"
        case DecideFaces(by=by, first=first, second=second):
            return f"{by} decides {first}-{second}" if first else f"{by} decides no roll"
        case Overrule(by=by, first=first, second=second):
            return f"{by} overrules to {f'{first}-{second}' if first else 'no roll'}"
        case VoidRoll(by=by, reason=reason, person=person, note=note):
            scope = "round" if call.whole_round else "roll"
            words = f"{by} voids the {scope} for {word(reason)}" + (
                f" by {word(person)}" if person else ""
            )
            words += f' because "{note}"' if note else ""
            return words + (" and forfeits" if call.forfeit else "")
        case CallIt(by=by):
            return f"{_staff(by)} says call it"
        case Find(by=by, seat=seat, spot=spot, amount=amount):
            return f"{by or 'box'} finds {money(amount)} {spot} for {seat}"
        case GiveBack(by=by, seat=seat, spot=spot, amount=amount):
            words = f"{'box' if by in AUTOMATIC else by} gives back {seat} {spot}"
            return f"{words} {money(amount)}" if amount else words
        case Open():
            return _write_open(call)
    return write_floor(call)


def _staff(by: str) -> str:
    """Who speaks; the automatic crew speaks through the stick."""
    return "stick" if by in AUTOMATIC else by


def _write_open(call: Open) -> str:
    house = f'"{call.house}"' if " " in call.house else call.house
    parts = [f"house {house}", f"chip {money(call.chip)}"]
    parts.append(f"limits {money(call.minimum)}-{money(call.maximum)}")
    parts += [f"limits {money(low)}-{money(high)} {name}" for name, low, high in call.classes]
    if call.unit:
        parts.append(f"unit {money(call.unit)}")
    parts += [
        f"set {name}={str(value).replace(' to ', '-to-')}" for name, value in call.settings.items()
    ]
    if call.by_hand:
        counts = [f"{name} {n}" for name, n in zip(CREW, call.crew, strict=False)]
        sides = [f"sides {call.sides}"] if call.sides != 2 else []
        parts.append(" ".join(["crew by hand", *counts, *sides]))
    if call.places:
        parts.append(f"places {call.places}")
    if call.shooter != GUEST:
        parts.append(f"shooter {call.shooter}")
    if call.by:
        parts.append(f"opened by {call.by}")
    return "   ".join(parts)
