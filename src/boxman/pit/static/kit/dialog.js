// Dialogs and short notes. A dialog is the browser's own, so focus and Escape are right.
import { add, button, h, put, unique } from "./dom.js";
import { say } from "./say.js";

export function dialog(title, content, { wide = false, onclose } = {}) {
  const id = unique("dialog");
  const body = h("div", { class: "dialog-body" });
  const made = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": id },
    h("header", {},
      h("h2", { id }, title),
      button("×", () => made.close(), { class: "quiet close", "aria-label": say("dialog.close") })),
    body);
  put(body, content);
  made.addEventListener("close", () => {
    made.remove();
    onclose?.();
  });
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  made.showModal();
  // The first thing to fill in, if there is one, not the cross.
  const first = body.querySelector("input:not(.hidden), select, textarea");
  first?.focus();
  if (first?.type === "text") first.select();
  made.body = body;
  return made;
}

// A form in a dialog; resolves with its values, or null if it was closed.
export function question(title, controls, { action = say("dialog.action"), note = "" } = {}) {
  return new Promise((done) => {
    let answer = null;
    const form = h("form", { class: "stacked" },
      note && h("p", {}, note), controls,
      h("div", { class: "actions" }, h("button", { class: "main" }, action)));
    const box = dialog(title, form, { onclose: () => done(answer) });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer = Object.fromEntries(new FormData(form));
      box.close();
    });
  });
}

let holder = null;

export function toast(text, { kind = "note", more = null, seconds = 6 } = {}) {
  if (!holder?.isConnected) {
    holder = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
    // At the table they stand in the band.
    (document.querySelector(".page-table .wood") || document.body).append(holder);
  }
  const made = h("div", { class: `toast ${kind}` }, h("span", {}, text));
  if (more) add(made, button(more.label, () => more.action(), { class: "small" }));
  add(made, button("×", () => made.remove(), { class: "quiet small", "aria-label": say("dialog.dismiss") }));
  // A note makes way for the next.
  for (const each of [...holder.children]) {
    if (each.firstChild.textContent === text || each.matches(".note")) each.remove();
  }
  holder.append(made);
  while (holder.children.length > 3) holder.firstChild.remove();
  if (seconds) setTimeout(() => made.remove(), seconds * 1000);
  return made;
}

export const hush = () => holder?.querySelectorAll(".note, .good").forEach((each) => each.remove());

export function trouble(error) {
  toast(error.message || String(error), { kind: "bad", seconds: 9 });
}
