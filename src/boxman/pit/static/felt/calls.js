// The form of one call of the crew. What may be chosen and what has to be typed is the server's to say.
import { field, h, s } from "../kit/dom.js";
import { question } from "../kit/dialog.js";
import { allowed, amountOf, plain, rangeWords } from "../kit/money.js";
import { drawnDie } from "./print.js";

// Two dice to tap, as the stick enters them.
function dice() {
  const row = (name, label) => h("div", { class: "faces", role: "radiogroup", "aria-label": label },
    [1, 2, 3, 4, 5, 6].map((face) =>
    h("label", { class: "face-choice" }, h("input", { type: "radio", name, value: face, class: "hidden" }),
      s("svg", { viewBox: "0 0 30 30", class: "mini-die", width: 34, height: 34, "aria-hidden": "true" },
        drawnDie(face, 0, 0, 30)),
      h("span", { class: "hidden" }, `${label} ${face}`))));
  return h("fieldset", {}, h("legend", {}, "The faces"), row("first", "First die"), row("second", "Second die"));
}

// What is typed: shown only where the way chosen asks for it, and checked before it is said.
function fill({ name, label, kind }, currency) {
  const money = kind === "money";
  const faces = kind === "faces";
  const input = h("input", { name, list: name === "person" ? "people-here" : null, inputmode: money ? "decimal" : null,
    maxlength: name === "note" ? 300 : 80, autocomplete: "off", oninput: () => check() });
  const hint = h("small", {});
  const here = name === "person" && h("datalist", { id: "people-here" });
  const element = faces ? dice() : h("div", {}, field(money ? `${label} in ${currency}` : label, input), hint, here);
  let ranges = [];
  let given = "";
  const wrong = (text, amount) => (/["{}]/.test(text) ? "Without quotation marks and braces." : !money || !text ? ""
    : Number.isNaN(amount) ? `An amount like 25 or 2.50, not “${text}”.` : !amount ? "More than nothing."
      : ranges.length && !allowed(ranges, amount) ? `It may be ${rangeWords(ranges, currency)}.` : "");
  const check = () => input.setCustomValidity(wrong(input.value.trim(), amountOf(input.value)));
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
    hint.textContent = ranges.length ? rangeWords(ranges, currency) : must ? "" : "may be left out";
    check();
  };
  const read = (values) => {
    if (faces) return { first: Number(values.first), second: Number(values.second) };
    const text = input.value.trim();
    return text && { [name]: money ? amountOf(text) : text };
  };
  return { element, fit, read: (values) => !element.hidden && read(values) };
}

// Resolves with the call to send, or null. What leaves nothing to ask is said at once.
export async function asked(title, { ways, choices, fills, hint }, currency) {
  if (ways.length === 1 && !ways[0].must.length && !ways[0].may.length) return ways[0].call;
  const typed = fills.map((each) => fill(each, currency));
  const chosen = {};
  const fits = (way, upTo) => choices.slice(0, upTo).every(({ name }) => way.chosen[name] === chosen[name]);
  const now = () => ways.find((way) => fits(way, choices.length));
  const selects = choices.map(({ name, options }) => h("select", { onchange: (event) => {
    chosen[name] = options[event.target.value].value;
    draw();
  } }));
  function draw() {
    choices.forEach(({ name, options }, n) => {
      const left = new Set(ways.filter((way) => fits(way, n)).map((way) => way.chosen[name]));
      if (!left.has(chosen[name])) [chosen[name]] = left;
      // A switch that can only stand one way, or no reason to name, is nothing to ask.
      selects[n].closest("label").hidden = left.size < 2 && (typeof chosen[name] === "boolean"
        || (options.length < 2 && !chosen[name]));
      selects[n].replaceChildren(...options.flatMap(({ value, text, why }, k) => {
        const open = left.has(value);
        return open || why ? h("option", { value: k, selected: value === chosen[name], disabled: !open }, open ? text
          : `${text}: ${why}`) : [];
      }));
    });
    typed.forEach((each) => each.fit(now()));
  }
  const controls = [choices.map(({ label }, n) => field(label, selects[n])), typed.map((each) => each.element)];
  draw();
  const values = await question(title, controls, { action: "Say it", note: hint });
  return values && Object.assign({ ...now().call }, ...typed.map((each) => each.read(values)));
}
