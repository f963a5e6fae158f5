// Signing in, or coming by an invitation: crew land at their console.
import { ask, post } from "../kit/api.js";
import { find, h, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { pieces, say } from "../kit/say.js";
import { asked, bar } from "../kit/shell.js";

bar();
const more = h("p", { class: "faint" });
// The code of an invitation stands after the #; it is taken out of the address at once.
const code = /^#invited=(.+)/.exec(location.hash)?.[1];
if (code) history.replaceState(null, "", location.pathname);

// Where somebody wanted to go; crew of one table to its console, everybody else to the lobby.
async function onward() {
  // As the browser itself would read it: what leads out of the house is not followed.
  const next = asked().get("next") && new URL(asked().get("next"), location.origin);
  if (next) return location.assign(next.origin === location.origin ? next.href : "/");
  const [{ stations = {} }, { tables }] = await Promise.all([ask("/api/me"), ask("/api/tables")]);
  const works = tables.filter((each) => !each.closed && (stations[each.table] || stations["*"]));
  return location.assign(works.length === 1 ? `/console/${encodeURIComponent(works[0].table)}` : "/");
}

function form() {
  return accountForm(say("sign-in.title"), [
    ["name", say("sign-in.name"), { autocomplete: "username" }],
    ["password", say("sign-in.password"), { type: "password", autocomplete: "current-password" }],
    ["code", say("sign-in.code"), { autocomplete: "one-time-code", inputmode: "numeric", required: false }],
  ], say("sign-in.title"), async (values) => {
    await post("/api/session", values);
    await onward();
  }, say("sign-in.note"));
}

async function welcome() {
  const { name, by } = await post("/api/invitations/read", { code });
  return accountForm(say("sign-in.welcome", { name }), [
    ["name", say("sign-in.name"), { autocomplete: "username", value: name, readonly: true }],
    ["password", say("sign-in.choose"), { type: "password", autocomplete: "new-password", minlength: 8 }],
  ], say("sign-in.join"), async ({ password }) => {
    await post("/api/invitations/accept", { code, password });
    await onward();
  }, say("sign-in.invited", { by }));
}

const made = code ? welcome().catch((error) => h("p", { class: "notice" }, error.message)) : form();
Promise.resolve(made).then((shown) => put(find("#main"), shown, more));

ask("/api/setup").then(({ open }) => open && put(more,
  pieces("sign-in.new-house", { link: h("a", { href: "/setup" }, say("sign-in.set-up")) })), () => null);
