// Forms about people: each is a list of fields and one address to send them to.
import { post } from "./api.js";
import { field, h, put } from "./dom.js";

export function accountForm(title, fields, action, send, note = "") {
  const said = h("p", { class: "bad", role: "alert" });
  const form = h("form", { class: "panel stacked account" }, h("h1", {}, title), note && h("p", { class: "faint" }, note),
    fields.map(([name, label, more = {}]) => field(label, h("input", { name, required: true, ...more }))),
    said, h("button", { class: "main" }, action));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    put(said);
    try {
      await send(Object.fromEntries(new FormData(form)), post);
    } catch (error) {
      put(said, error.message);
    }
  });
  return form;
}
