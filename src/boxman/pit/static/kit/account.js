// Forms about people: each is a list of fields and one address to send them to.
import { post } from "./api.js";
import { field, h, put } from "./dom.js";
import { language, say } from "./say.js";

export function accountForm(title, fields, action, send, note = "") {
  const said = h("p", { class: "bad", role: "alert" });
  const form = h("form", { class: "panel stacked account" }, h("h1", {}, title),
    note && h("p", { class: "faint" }, note),
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

// A moment as one says it: the time today, else with the day.
export function moment(at, now = Date.now()) {
  const time = { hour: "2-digit", minute: "2-digit", hour12: false };
  const same = new Date(at).toDateString() === new Date(now).toDateString();
  return new Date(at).toLocaleString(language === "en" ? "en-GB" : language,
    same ? time : { day: "numeric", month: "short", year: "numeric", ...time });
}

// Whether somebody has taken himself out of play, and until when.
export function awayWords({ pause_until: pause = 0, excluded_until: excluded = 0, now }) {
  if (excluded > now && excluded >= pause) return say("account.excluded", { until: moment(excluded, now) });
  return pause > now ? say("account.pause", { until: moment(pause, now) }) : "";
}
