// Settings and keys, and the address of a table to share. Read when it is asked for.
import { ask } from "../kit/api.js";
import { button, field, h, keep, select } from "../kit/dom.js";
import { dialog, toast } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { themes } from "../kit/shell.js";

const KEYS = { Space: "roll", L: "line", K: "come", "Tab ← ↑ ↓ →": "move", Enter: "put", Delete: "off", I: "about",
  "1 – 5": "chip" };

export function help(quick) {
  const check = (name, now, change) => h("label", { class: "check" },
    h("input", { type: "checkbox", name, checked: now, onchange: (event) => change(event.target.checked) }),
    say(`settings.${name}`));
  const choose = (name, values, now, change) => field(say(`settings.${name}.label`),
    select(values.map((value) => [value, say(`settings.${name}.${value}`)]), now,
      { name, onchange: (event) => change(event.target.value) }));
  const keys = Object.entries(KEYS).map(([key, word]) => [key, say(`settings.key.${word}`)]);
  dialog(say("table.settings"), [
    field(say("settings.theme.label"), themes()),
    choose("odds", ["0", "1", "2", "full"], String(keep.get("odds", 0)),
      (value) => keep.set("odds", value === "full" ? value : Number(value))),
    check("instant", keep.get("instant", false), (on) => keep.set("instant", on)),
    check("keys", keep.get("keys", true), (on) => keep.set("keys", on)),
    check("hails", keep.get("hails", true), (on) => keep.set("hails", on)),
    h("dl", { class: "facts" }, [...keys, ...quick.filter((each) => each.key).map((each) => [each.key, each.word])]
      .map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("p", { class: "faint" }, say("settings.hint")),
  ]);
}

export async function share(table, seated) {
  // The server knows the token of this table's link, if the house is shared.
  const { link: address } = await ask(`/api/tables/${encodeURIComponent(table)}`)
    .catch(() => ({ link: location.href }));
  const input = h("input", { readonly: true, value: address, "aria-label": say("settings.address") });
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address, location.href).hostname);
  dialog(say("settings.friends"), [
    h("p", {}, say("settings.whoever")),
    h("img", { class: "link-code", alt: say("settings.code"),
      src: `/api/tables/${encodeURIComponent(table)}/link.svg` }),
    h("div", { class: "actions" }, input, button(say("settings.copy"), async () => {
      input.select();
      try {
        await navigator.clipboard.writeText(address);
        toast(say("settings.copied"));
      } catch {
        toast(say("settings.copy-it"));
      }
    })),
    local && h("p", { class: "faint" }, say("settings.local")),
    h("p", { class: "faint" }, say("settings.seated", { n: seated })),
  ]);
}
