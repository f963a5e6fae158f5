// Signing in.
import { ask } from "../kit/api.js";
import { find, h, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { pieces, say } from "../kit/say.js";
import { asked, bar } from "../kit/shell.js";

bar();
const more = h("p", { class: "faint" });
put(find("#main"), accountForm(say("sign-in.title"), [
  ["name", say("sign-in.name"), { autocomplete: "username" }],
  ["password", say("sign-in.password"), { type: "password", autocomplete: "current-password" }],
  ["code", say("sign-in.code"), { autocomplete: "one-time-code", inputmode: "numeric", required: false }],
], say("sign-in.title"), async (values, post) => {
  await post("/api/session", values);
  // As the browser itself would read it: what leads out of the house is not followed.
  const next = new URL(asked().get("next") || "/", location.origin);
  location.assign(next.origin === location.origin ? next.href : "/");
}, say("sign-in.note")), more);

ask("/api/setup").then(({ open }) => open && put(more, pieces("sign-in.new-house", { link: h("a", { href: "/setup" }, say("sign-in.set-up")) })), () => null);
