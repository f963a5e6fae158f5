// Small helpers to make elements. Text always goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else if (name === "checked") element.checked = Boolean(value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

// h("p", {class: "x"}, "text", child): an HTML element.
export const h = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

// s("rect", {...}): an SVG element.
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const find = (selector, root = document) => root.querySelector(selector);

// An attribute or text, written only where it is another: what is written is laid out anew.
export const mark = (element, name, value) => element.getAttribute(name) === value || element.setAttribute(name, value);
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Set the content of an element.
export function put(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

export function button(label, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, label);
}

export function field(label, control, hint = "") {
  const text = h("span", { class: "field-label" }, label);
  return h("label", { class: "field" }, text, control, hint && h("small", {}, hint));
}

export function select(options, chosen, attributes = {}) {
  const made = h("select", attributes);
  for (const [value, text] of options) {
    made.append(h("option", { value, selected: String(value) === String(chosen) }, text));
  }
  return made;
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Remembered on this device; a browser that refuses storage just forgets.
export const keep = {
  get(name, otherwise) {
    try {
      const text = localStorage.getItem(`boxman.${name}`);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`boxman.${name}`, JSON.stringify(value));
    } catch {
      // Nothing is lost but the memory.
    }
  },
};

let made = 0;
export const unique = (prefix = "x") => `${prefix}${(made += 1)}`;

// An id that no other call has; works over plain http too.
export function callId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Date.now().toString(36) + [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
