"""What people say and do at a table: one declaration each, a module for each topic."""

# Names are not listed here, so that a call is added in the module of its topic alone.
from boxman.table.call import Call as Call
from boxman.table.calls.betting import *  # noqa: F403
from boxman.table.calls.closing import *  # noqa: F403
from boxman.table.calls.correcting import *  # noqa: F403
from boxman.table.calls.dice import *  # noqa: F403
from boxman.table.calls.disputes import *  # noqa: F403
from boxman.table.calls.hand import *  # noqa: F403
from boxman.table.calls.handling import *  # noqa: F403
from boxman.table.calls.limits import *  # noqa: F403
from boxman.table.calls.people import *  # noqa: F403
from boxman.table.calls.throw import *  # noqa: F403
from boxman.table.calls.vouchers import *  # noqa: F403
from boxman.table.calls.waiting import *  # noqa: F403
from boxman.table.calls.working import *  # noqa: F403
