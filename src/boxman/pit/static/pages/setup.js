// The first run: the house gets its administrator.
import { find, put } from "../kit/dom.js";
import { accountForm } from "../kit/account.js";
import { bar } from "../kit/shell.js";

bar();
put(find("#main"), accountForm("Set up the house", [
  ["name", "Administrator's name", { autocomplete: "username" }],
  ["password", "Password", { type: "password", autocomplete: "new-password", minlength: 8 }],
], "Create the administrator", async (values, post) => {
  await post("/api/setup", values);
  location.assign("/me");
}, "This works once: whoever does it first runs the house, and appoints the others."));
