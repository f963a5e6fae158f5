"""The refusals a strategy can meet: a name here is the code of one.

Nothing else may be declared here.
"""

(
    ALLOWED,
    NOT_OFFERED,
    NOT_NOW,
    NO_POINT,
    NOT_AN_AMOUNT,
    OVER_REMEDY,
    NAME_THE_SPLIT,
    NO_FLAT,
    UNDER_WAY,
    NOT_IN_CHIPS,
    NOT_DIVISIBLE,
    NOT_PAYABLE,
    FEE_NOT_PAYABLE,
    NOT_A_UNIT,
    NOT_A_MULTIPLE,
    UNDER_MINIMUM,
    OVER_MAXIMUM,
    OVER_ODDS_LIMIT,
    RAIL_SHORT,
    NOT_LOWER,
    SPLIT_STANDS,
    NOT_SWITCHABLE,
    ALREADY_SO,
    NEVER_STAYS,
) = range(24)
CODES = [name.lower().replace("_", "-") for name in list(vars()) if name.isupper()]
"""By number."""
