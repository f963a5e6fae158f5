// What several pages have: forms with a house, an amount, something to do; answers in pictures and figures.
import { once } from "./api.js";
import { trouble } from "./dialog.js";
import { field, h, put, select } from "./dom.js";
import { plain } from "./money.js";
import { say } from "./say.js";
import { asked } from "./shell.js";

export const onSubmit = (form, act, otherwise = trouble) => form.addEventListener("submit", (event) => {
  event.preventDefault();
  act().catch(otherwise);
});

// What takes a while and must not be done twice: while it is under way its button says so.
export const busy = (form, act) => async () => {
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  await act().finally(() => {
    form.ariaBusy = null;
  });
};

// Houses to choose from; a name in an address that no house has is said, not replaced.
export async function housesAnd(wanted, otherwise = "") {
  const { houses } = await once("/api/houses");
  if (wanted && !houses.some((each) => each.house === wanted)) {
    throw new Error(say("forms.no-house", { wanted, names: houses.map((each) => each.house) }));
  }
  const chosen = wanted || (houses.find((each) => each.house === otherwise) || houses[0]).house;
  const titled = (each) => each.example ? say("forms.example", { title: each.title }) : each.title;
  return { houses, choice: select(houses.map((each) => [each.house, titled(each)]), chosen, { name: "house" }) };
}

// A choice as the address has it, or the usual one; what is not among the options is said, not replaced.
export function given(name, options, usual, attributes = { name }) {
  const wanted = asked().get(name) || usual;
  if (!options.some(([value]) => value === wanted)) {
    throw new Error(say("forms.no-choice", { name, wanted, names: options.map(([value]) => value) }));
  }
  return select(options, wanted, attributes);
}

export const amountField = (label, name, value, more = {}) =>
  field(label, h("input", { name, value, required: true, inputmode: "decimal",
  pattern: "\\d{1,9}(\\.\\d{1,2})?", title: say("forms.amount"), ...more }));

// The limits a house proposes, at which rounding favours nobody, unless some are to be kept.
export function proposeLimits(houses, house, form, kept = () => false) {
  const { proposed } = houses.find((each) => each.house === house);
  for (const name of ["minimum", "maximum"]) if (!kept(name)) form.elements[name].value = plain(proposed[name]);
}

// A setting of a house, its own value or one that is chosen already; prices are not chosen here.
export function settingField(rule, value = String(rule.default)) {
  const attributes = { name: `set.${rule.name}`, "data-own": String(rule.default) };
  if (rule.type === "price" || rule.choices.length === 1) return null;
  const choices = rule.type === "flag" ? [["true", say("forms.yes")], ["false", say("forms.no")]]
    : rule.choices.map((each) => [each, each]);
  return field(rule.label, choices.length ? select(choices, value, attributes)
    : h("input", { ...attributes, type: rule.type === "sign" ? "text" : "number", min: rule.least ?? 0,
      max: rule.most, step: rule.type === "times" ? "any" : 1, value }), rule.hint);
}

// The settings among the values of a form.
export const settingsOf = (values) => Object.fromEntries(Object.entries(values)
  .filter(([name]) => name.startsWith("set.")).map(([name, value]) => [name.slice(4), value]));

// The settings of the chosen house in a fold, as the address has them; `chosen` gives those that are not its own.
export function houseSettings(houses, house, given) {
  const inside = h("div", { class: "stacked" });
  const element = h("details", { open: [...given.keys()].some((name) => name.startsWith("set.")) },
    h("summary", {}, say("lobby.settings")), inside);
  const choices = () => houses.find((each) => each.house === house.value).choices;
  const names = choices().map((rule) => `set.${rule.name}`);
  const wanted = [...given.keys()].find((name) => name.startsWith("set.") && !names.includes(name));
  if (wanted) throw new Error(say("forms.no-setting", { wanted, names }));
  const draw = (kept) => put(inside, choices().map((rule) =>
    settingField(rule, kept(`set.${rule.name}`) ?? undefined)));
  draw((name) => given.get(name));
  house.addEventListener("change", () => draw(() => null));
  const chosen = () => Object.fromEntries([...inside.querySelectorAll("[data-own]")]
    .filter((each) => each.value && each.value !== each.dataset.own).map((each) => [each.name, each.value]));
  return { element, chosen };
}

// The report kit's markup, in which every word is escaped, read as a document: nothing in it runs.
export const drawn = (...all) => all.flat().filter(Boolean).map((markup) =>
  document.adoptNode(new DOMParser().parseFromString(markup, "text/html").body.firstChild));

// On a phone every row stands by itself, each figure beside its heading.
export function figures(caption, heads, rows) {
  return h("div", { class: "wide-scroll figures", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, each)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, n) =>
        n ? h("td", { class: "number", "data-head": heads[n] }, each) : h("th", { scope: "row" }, each)))))));
}
