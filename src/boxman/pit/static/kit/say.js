// Says a phrase of the phrase book (words/<language>/pages/*.toml) in the language of this page.
//   say("lobby.open")                       a phrase
//   say("lobby.seats", { n: 3 })            with values: "{n} {n:many seat|seats} free"
//   say("…", { names: ["a", "b"] })         a list: "{names:and}" joins as the language does
//   "{kind:in lobby.kinds}"                 the phrase lobby.kinds.<kind>
const WORDS = self.WORDS || {};

export const language = document.documentElement.lang;
export const has = (key) => key in WORDS;
export const under = (section) => Object.keys(WORDS).filter((key) => key.startsWith(`${section}.`))
  .map((key) => key.slice(section.length + 1));

// Which of several forms a number takes, as the phrase of Python does it: joined.forms.
export function formOf(forms, number) {
  const place = WORDS["joined.forms"].split(" ").findIndex((each) => new RegExp(each).test(number));
  return forms[place < 0 ? forms.length - 1 : Math.min(place, forms.length - 1)];
}

function written(value, how, values) {
  const [first, ...more] = how.split(" ");
  const rest = more.join(" ");
  if (first === "many") return formOf(rest.split("|"), Array.isArray(value) ? value.length : value);
  if (first === "in") return say(`${rest}.${value}`, values);
  return Array.isArray(value) ? value.join(WORDS[`joined.${how || "comma"}`]) : String(value);
}

export function say(key, values = {}) {
  if (!has(key)) throw new Error(`The phrase book has no ${key}`);
  return WORDS[key].replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, how = "") => {
    if (!(name in values)) throw new Error(`${key} wants ${name}`);
    return written(values[name], how, values);
  });
}

// The same with nodes as values: the pieces in order, to be put into an element.
export function pieces(key, values = {}) {
  const made = [];
  let rest = 0;
  for (const found of WORDS[key].matchAll(/\{(\w+)(?::([^}]*))?\}/g)) {
    const value = values[found[1]];
    made.push(WORDS[key].slice(rest, found.index));
    made.push(value instanceof Node ? value : written(value, found[2] || "", values));
    rest = found.index + found[0].length;
  }
  return [...made, WORDS[key].slice(rest)];
}
