// The crew of a table, for whoever runs the house: who works where, appointing, and links by which people come.
import { ask, post } from "./api.js";
import { button, field, h, put, select } from "./dom.js";
import { toast, trouble } from "./dialog.js";
import { onSubmit } from "./forms.js";
import { say } from "./say.js";

// `table` is the one whose crew is meant, or "" where it is chosen; `then` is told when somebody was appointed.
export async function crewPanel(me, table = "", then = () => null) {
  const [{ people, stations }, { tables }] = await Promise.all([ask("/api/people"), ask("/api/tables")]);
  const called = (id) => (id === "*" ? say("me.every-table") : tables.find((each) => each.table === id)?.name || id);
  const here = people.filter((each) => !table || each.stations[table] || each.stations["*"]);
  const rows = here.flatMap((each) => Object.entries(each.stations || {})
    .filter(([id]) => !table || [table, "*"].includes(id)).map(([id, held]) => h("li", {},
      say("crew.works", { name: each.name, stations: held.map((one) => say(`stations.${one}`)), table: called(id) }))));
  const where = () => (table ? null : field(say("me.table"),
    select([["*", say("me.every-table")], ...tables.map((each) => [each.table, each.name])], "*", { name: "table" })));
  const boxes = () => h("fieldset", { class: "actions" }, h("legend", {}, say("me.works-there")),
    stations.map((each) => h("label", { class: "check" },
      h("input", { type: "checkbox", name: "station", value: each }),
      say(`stations.${each}`))));
  const made = (title, ...parts) => h("form", { class: "stacked", "aria-label": title }, h("h3", {}, title), parts);
  const values = (form) => {
    const data = new FormData(form);
    return { table: table || data.get("table"), stations: data.getAll("station"), who: data.get("who") };
  };
  const room = h("div", { class: "stacked crew-panel" });
  const again = async () => put(room, (await crewPanel(me, table, then)).childNodes);
  const appoint = made(say("crew.appoint"), h("div", { class: "fields" }, field(say("me.person"),
    select(people.map((each) => [each.name, each.name]), me.name, { name: "who" })), where()), boxes(),
  h("button", {}, say("me.appoint")));
  onSubmit(appoint, async () => {
    const { who, ...body } = values(appoint);
    await post(`/api/people/${encodeURIComponent(who)}/stations`, body);
    toast(say("me.done"), { kind: "good" });
    await again();
    await then();
  });
  const link = h("div", { role: "status" });
  const invite = made(say("crew.invite"), h("p", { class: "faint" }, say("crew.invite-note")),
    h("div", { class: "fields" }, field(say("me.name"), h("input", { name: "who", required: true, maxlength: 24 })),
      where()), boxes(), h("button", {}, say("crew.make-link")), link);
  onSubmit(invite, async () => {
    const { who: name, ...body } = values(invite);
    const { path } = await post("/api/invitations", { name, ...body });
    const input = h("input", { readonly: true, value: new URL(path, location.origin).href,
      "aria-label": say("crew.link-for", { name }) });
    put(link, h("p", {}, say("crew.link-for", { name })), h("div", { class: "actions" }, input,
      button(say("settings.copy"), () => {
        input.select();
        navigator.clipboard?.writeText(input.value).then(() => toast(say("settings.copied")), trouble);
      })));
  });
  return put(room, rows.length ? h("ul", {}, rows) : h("p", { class: "faint" }, say("crew.nobody")), invite, appoint);
}
