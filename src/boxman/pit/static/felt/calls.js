// The form of one call of the crew. What may be chosen and what has to be typed is the server's to say.
import { field, h, s } from "../kit/dom.js";
import { question } from "../kit/dialog.js";
import { allowed, amountOf, plain, rangeWords } from "../kit/money.js";
import { say } from "../kit/say.js";
import { drawnDie } from "./print.js";

// Two dice to tap, as the stick enters them.
function dice() {
  const row = (name, label) => h("div", { class: "faces", role: "radiogroup", "aria-label": label },
    [1, 2, 3, 4, 5, 6].map((face) =>
    h("label", { class: "face-choice" }, h("input", { type: "radio", name, value: face, class: "hidden" }),
      s("svg", { viewBox: "0 0 30 30", class: "mini-die", width: 34, height: 34, "aria-hidden": "true" },
        drawnDie(face, 0, 0, 30)),
      h("span", { class: "hidden" }, `${label} ${face}`))));
  return h("fieldset", {}, h("legend", {}, say("forms.faces")), row("first", say("forms.first")),
    row("second", say("forms.second")));
}

const partsOf = (text) => (text.trim() ? text.split("/").map(amountOf) : []);

// What is typed: shown only where the way chosen asks for it, and checked before it is said. Parts make the amount.
function fill({ name, label, kind }, currency, parted) {
  const money = kind === "money";
  const faces = kind === "faces";
  const parts = kind === "parts";
  const input = h("input", { name, list: name === "person" ? "people-here" : null, inputmode: money ? "decimal" : null,
    maxlength: name === "note" ? 300 : 80, autocomplete: "off", oninput: () => check() });
  const hint = h("small", {});
  const here = name === "person" && h("datalist", { id: "people-here" });
  const element = faces ? dice() : h("div", {}, field(money ? say("forms.in", { label, currency }) : label, input),
    hint, here);
  let ranges = [];
  let given = "";
  let many = 0;
  const unparted = (all) => (all.length && (all.length !== many || all.some(Number.isNaN)) ? hint.textContent : "");
  const wrong = (text, amount) => (/["{}]/.test(text) ? say("forms.no-marks")
    : parts ? unparted(partsOf(text))
      : !money || !text || input.readOnly ? "" : Number.isNaN(amount) ? say("forms.no-amount", { text })
        : !amount ? say("forms.nothing") : !ranges.length || allowed(ranges, amount) ? ""
          : say("forms.may-be", { ranges: rangeWords(ranges, currency) }));
  const check = () => {
    input.setCustomValidity(wrong(input.value.trim(), amountOf(input.value)));
    if (parts) parted.heard?.(element.hidden ? 0 : partsOf(input.value).reduce((a, b) => a + b, 0));
  };
  const fit = (way) => {
    const must = way.must.includes(name);
    element.hidden = !must && !way.may.includes(name);
    for (const each of faces ? element.querySelectorAll("input") : [input]) Object.assign(each,
      { required: must, disabled: element.hidden });
    if (faces) return;
    if (here) here.replaceChildren(...way.people.map((each) => h("option", { value: each })));
    const untouched = input.value === given;
    given = way.given[name] ? plain(way.given[name]) : "";
    if (untouched) input.value = given;
    ranges = money ? way.ranges : [];
    many = way.parts.length;
    hint.textContent = parts ? say("forms.parts", { names: way.parts })
      : ranges.length ? rangeWords(ranges, currency) : must ? "" : say("forms.left-out");
    check();
  };
  if (name === "amount") parted.heard = (whole) => {
    input.readOnly = whole > 0;
    if (whole > 0) input.value = plain(whole);
    check();
  };
  const read = (values) => {
    if (faces) return { first: Number(values.first), second: Number(values.second) };
    const text = input.value.trim();
    return text && { [name]: money ? amountOf(text) : parts ? partsOf(text) : text };
  };
  return { element, fit, read: (values) => !element.hidden && read(values) };
}

// Digits that are typed choose the faces, one die after the other; then Enter says it.
function follow(keys) {
  const choose = () => {
    const dialog = document.querySelector("dialog[open]");
    const dice = keys.length % 2 ? [keys.at(-1)] : keys.slice(-2);
    if (keys.length % 2) dialog?.querySelectorAll("[name=second]").forEach((each) =>
      Object.assign(each, { checked: false }));
    dice.forEach((face, n) => dialog?.querySelector(`[name=${n ? "second" : "first"}][value="${face}"]`)?.click());
    if (dice.length > 1) dialog?.querySelector("button.main")?.focus();
  };
  keys.heard = choose;
  choose();
}

// Resolves with the call to send, or null. What leaves nothing to ask is said at once.
export async function asked(title, { ways, choices, fills, hint }, currency, keys = null) {
  if (ways.length === 1 && !ways[0].must.length && !ways[0].may.length) return ways[0].call;
  const parted = {};
  const typed = fills.map((each) => fill(each, currency, parted));
  const chosen = {};
  const fits = (way, upTo) => choices.slice(0, upTo).every(({ name }) => way.chosen[name] === chosen[name]);
  const now = () => ways.find((way) => fits(way, choices.length));
  const selects = choices.map(({ name, options }) => h("select", { required: true, onchange: (event) => {
    open.delete(name);
    chosen[name] = options[event.target.value].value;
    draw();
  } }));
  // Whether a throw counts is never chosen by itself.
  const open = new Set(choices.map(({ name }) => name).filter((name) => name === "throw" && !keys));
  function draw() {
    choices.forEach(({ name, options }, n) => {
      const left = new Set(ways.filter((way) => fits(way, n)).map((way) => way.chosen[name]));
      if (!left.has(chosen[name])) chosen[name] = keys && left.has(true) ? true : [...left][0];
      // A switch that can only stand one way, or no reason to name, is nothing to ask.
      selects[n].closest("label").hidden = left.size < 2 && (typeof chosen[name] === "boolean"
        || (options.length < 2 && !chosen[name]));
      const unsaid = open.has(name) && left.size > 1;
      selects[n].replaceChildren(...unsaid ? [h("option", { value: "" }, say("forms.choose"))] : [],
        ...options.flatMap(({ value, text, why }, k) => {
          const may = left.has(value);
          return may || why ? h("option", { value: k, selected: !unsaid && value === chosen[name], disabled: !may },
            may ? text : `${text}: ${why}`) : [];
        }));
    });
    typed.forEach((each) => each.fit(now()));
  }
  const controls = [choices.map(({ label }, n) => field(label, selects[n])), typed.map((each) => each.element)];
  draw();
  const answer = question(title, controls, { action: say("forms.say-it"), note: hint });
  if (keys) follow(keys);
  const values = await answer;
  return values && Object.assign({ ...now().call }, ...typed.map((each) => each.read(values)));
}
