// What is about people: forms, each a list of fields and one address to send them to; until when somebody is away;
// leaving a table.
import { post } from "./api.js";
import { toast } from "./dialog.js";
import { field, h, put } from "./dom.js";
import { money } from "./money.js";
import { language, say } from "./say.js";

export function accountForm(title, fields, action, send, note = "") {
  const said = h("p", { class: "bad", role: "alert" });
  const go = h("button", { class: "main" }, action);
  const form = h("form", { class: "panel stacked account" }, h("h1", {}, title),
    note && h("p", { class: "faint" }, note),
    fields.map(([name, label, more = {}]) => field(label, h("input", { name, required: true, ...more }))),
    said, go);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    put(said);
    put(go, say("account.wait"));
    go.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(form)), post);
    } catch (error) {
      put(said, error.message);
      put(go, action);
      go.disabled = false;
    }
  });
  return form;
}

// A moment as one says it: the time where it is less than half a day away, else with the day.
export function moment(at, now = Date.now()) {
  const time = { hour: "2-digit", minute: "2-digit", hour12: false };
  const same = Math.abs(at - now) < 12 * 3600000;
  return new Date(at).toLocaleString(language === "en" ? "en-GB" : language,
    same ? time : { day: "numeric", month: "short", year: "numeric", ...time });
}

// Whether somebody has taken himself out of play, and until when.
export function awayWords({ pause_until: pause = 0, excluded_until: excluded = 0, now }) {
  if (excluded > now && excluded >= pause) return say("account.excluded", { until: moment(excluded, now) });
  return pause > now ? say("account.pause", { until: moment(pause, now) }) : "";
}

export async function left(table, currency) {
  const { refused, returned, up } = await post(`/api/tables/${encodeURIComponent(table)}/leave`);
  const still = up ? ` ${say("seat.stays-up", { amount: money(up, currency) })}` : "";
  toast(refused ? refused.sentence : say("seat.left", { amount: money(returned, currency) }) + still,
    { kind: refused ? "bad" : "good" });
}
