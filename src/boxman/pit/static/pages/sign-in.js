// Signing in.
import { ask } from "../kit/api.js";
import { find, h, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { asked, bar } from "../kit/shell.js";

bar();
const more = h("p", { class: "faint" });
put(find("#main"), accountForm("Sign in", [
  ["name", "Name", { autocomplete: "username" }],
  ["password", "Password", { type: "password", autocomplete: "current-password" }],
], "Sign in", async (values, post) => {
  await post("/api/session", values);
  const next = asked().get("next") || "/";
  location.assign(next.startsWith("/") && !next.startsWith("//") ? next : "/");
}, "Only the crew and the house's regular players need an account. At practice tables anybody may sit down."), more);

ask("/api/setup").then(({ open }) => open && put(more, "New house? ", h("a", { href: "/setup" }, "Set it up"), "."), () => null);
