// The first run: the house gets its administrator.
import { ask } from "../kit/api.js";
import { find, h, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { bar, heading } from "../kit/shell.js";

bar();
// The link in the terminal has the code after the #; it is taken out of the address at once.
const code = decodeURIComponent(location.hash.slice(1));
if (code) history.replaceState(null, "", location.pathname);

const form = () => accountForm("Set up the house", [
  ["code", "Set-up code", { autocomplete: "off", value: code }],
  ["name", "Administrator's name", { autocomplete: "username", maxlength: 24 }],
  ["password", "Password", { type: "password", autocomplete: "new-password", minlength: 8 }],
], "Create the administrator", async (values, post) => {
  await post("/api/setup", values);
  location.assign("/me");
}, "This works once. The code stands where the house was started: in the terminal of boxman serve, or in the .setup file beside its database.");

ask("/api/setup").catch(() => ({})).then(({ done, open }) => put(find("#main"), open ? form() : [
  heading("Set up the house", done ? "It is set up already." : "This house needs no administrator: it lasts as long as the program runs."),
  h("a", { class: "button", href: done ? "/sign-in" : "/" }, done ? "Sign in" : "To the lobby")]));
