// The first run: the house gets its administrator.
import { ask } from "../kit/api.js";
import { find, h, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { say } from "../kit/say.js";
import { bar, heading } from "../kit/shell.js";

bar();
// The link in the terminal has the code after the #; it is taken out of the address at once.
const code = decodeURIComponent(location.hash.slice(1));
if (code) history.replaceState(null, "", location.pathname);

const form = () => accountForm(say("setup.title"), [
  ["code", say("setup.code"), { autocomplete: "off", value: code }],
  ["name", say("setup.name"), { autocomplete: "username", maxlength: 24 }],
  ["password", say("setup.password"), { type: "password", autocomplete: "new-password", minlength: 8 }],
], say("setup.submit"), async (values, post) => {
  await post("/api/setup", values);
  location.assign("/me");
}, say("setup.note"));

ask("/api/setup").catch(() => ({})).then(({ done, open }) => put(find("#main"), open ? form() : [
  heading(say("setup.title"), done ? say("setup.done") : say("setup.needless")),
  h("a", { class: "button", href: done ? "/sign-in" : "/" }, done ? say("setup.sign-in") : say("setup.to-lobby"))]));
